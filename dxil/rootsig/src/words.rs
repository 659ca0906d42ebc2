//! Keyword tables of root signature text, with the encoded values: parser, printer, binary form and checks
//! read the same rows. Words are matched without regard to case.

use rtc_dxil_container::kinds;

kinds! {
    /// The stages that see a root argument.
    pub enum Visibility {
        /// All stages; the only visibility that ray tracing and compute know.
        All = 0 "SHADER_VISIBILITY_ALL",
        /// Vertex shader.
        Vertex = 1 "SHADER_VISIBILITY_VERTEX",
        /// Hull shader.
        Hull = 2 "SHADER_VISIBILITY_HULL",
        /// Domain shader.
        Domain = 3 "SHADER_VISIBILITY_DOMAIN",
        /// Geometry shader.
        Geometry = 4 "SHADER_VISIBILITY_GEOMETRY",
        /// Pixel shader.
        Pixel = 5 "SHADER_VISIBILITY_PIXEL",
        /// Amplification shader.
        Amplification = 6 "SHADER_VISIBILITY_AMPLIFICATION",
        /// Mesh shader.
        Mesh = 7 "SHADER_VISIBILITY_MESH",
    }
}

kinds! {
    /// What happens outside of the texture.
    pub enum AddressMode {
        /// Repeat.
        Wrap = 1 "TEXTURE_ADDRESS_WRAP",
        /// Repeat, every other copy mirrored.
        Mirror = 2 "TEXTURE_ADDRESS_MIRROR",
        /// The edge goes on.
        Clamp = 3 "TEXTURE_ADDRESS_CLAMP",
        /// The border colour.
        Border = 4 "TEXTURE_ADDRESS_BORDER",
        /// Mirrored once, then the edge.
        MirrorOnce = 5 "TEXTURE_ADDRESS_MIRROR_ONCE",
    }
}

kinds! {
    /// Comparison of a comparison sampler.
    pub enum Comparison {
        /// None; only samplers that do not compare may say so.
        None = 0 "COMPARISON_NONE",
        /// Never.
        Never = 1 "COMPARISON_NEVER",
        /// Less.
        Less = 2 "COMPARISON_LESS",
        /// Equal.
        Equal = 3 "COMPARISON_EQUAL",
        /// Less or equal.
        LessEqual = 4 "COMPARISON_LESS_EQUAL",
        /// Greater.
        Greater = 5 "COMPARISON_GREATER",
        /// Not equal.
        NotEqual = 6 "COMPARISON_NOT_EQUAL",
        /// Greater or equal.
        GreaterEqual = 7 "COMPARISON_GREATER_EQUAL",
        /// Always.
        Always = 8 "COMPARISON_ALWAYS",
    }
}

kinds! {
    /// Border colour of a static sampler.
    pub enum BorderColor {
        /// 0, 0, 0, 0.
        TransparentBlack = 0 "STATIC_BORDER_COLOR_TRANSPARENT_BLACK",
        /// 0, 0, 0, 1.
        OpaqueBlack = 1 "STATIC_BORDER_COLOR_OPAQUE_BLACK",
        /// 1, 1, 1, 1.
        OpaqueWhite = 2 "STATIC_BORDER_COLOR_OPAQUE_WHITE",
        /// Integers 0, 0, 0, 1.
        OpaqueBlackUint = 3 "STATIC_BORDER_COLOR_OPAQUE_BLACK_UINT",
        /// Integers 1, 1, 1, 1.
        OpaqueWhiteUint = 4 "STATIC_BORDER_COLOR_OPAQUE_WHITE_UINT",
    }
}

/// A filter: its number in the binary form. Bits 0, 2 and 4 choose linear for mip, magnification and
/// minification, bit 6 anisotropic, bits 7 and 8 the reduction (0 average, 1 comparison, 2 minimum,
/// 3 maximum).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Filter(pub u32);

/// Anisotropic filtering, what a static sampler does unless told otherwise.
pub const ANISOTROPIC: Filter = Filter(0x55);

/// The filters without their reduction: the word after `FILTER_` and its reduction, and the number.
#[rustfmt::skip]
const FILTERS: &[(&str, u32)] = &[
    ("MIN_MAG_MIP_POINT",               0x00),
    ("MIN_MAG_POINT_MIP_LINEAR",        0x01),
    ("MIN_POINT_MAG_LINEAR_MIP_POINT",  0x04),
    ("MIN_POINT_MAG_MIP_LINEAR",        0x05),
    ("MIN_LINEAR_MAG_MIP_POINT",        0x10),
    ("MIN_LINEAR_MAG_POINT_MIP_LINEAR", 0x11),
    ("MIN_MAG_LINEAR_MIP_POINT",        0x14),
    ("MIN_MAG_MIP_LINEAR",              0x15),
    ("ANISOTROPIC",                     0x55),
];

/// The reductions: the word between `FILTER_` and the filter, and the bits.
const REDUCTIONS: &[(&str, u32)] = &[("", 0), ("COMPARISON_", 0x80), ("MINIMUM_", 0x100), ("MAXIMUM_", 0x180)];

impl Filter {
    /// The filter with this name, `FILTER_` included.
    pub fn from_name(name: &str) -> Option<Filter> {
        let rest = strip(name, "FILTER_")?;
        REDUCTIONS.iter().rev().find_map(|&(word, bits)| {
            let rest = strip(rest, word)?;
            let &(_, base) = FILTERS.iter().find(|(n, _)| n.eq_ignore_ascii_case(rest))?;
            Some(Filter(base | bits))
        })
    }

    /// Its name; `None` for a number that no name has.
    pub fn name(self) -> Option<String> {
        let &(word, bits) = REDUCTIONS.iter().find(|&&(_, bits)| bits == self.0 & 0x180)?;
        let &(name, _) = FILTERS.iter().find(|&&(_, n)| n == self.0 & !bits)?;
        Some(format!("FILTER_{word}{name}"))
    }

    /// Whether it compares.
    pub fn is_comparison(self) -> bool {
        self.0 & 0x180 == 0x80
    }
}

fn strip<'a>(text: &'a str, prefix: &str) -> Option<&'a str> {
    let head = text.get(..prefix.len())?;
    head.eq_ignore_ascii_case(prefix).then(|| &text[prefix.len()..])
}

/// A flag word and its bit.
pub type FlagWord = (&'static str, u32);

/// `RootFlags(...)`.
#[rustfmt::skip]
pub const ROOT_FLAGS: &[FlagWord] = &[
    ("ALLOW_INPUT_ASSEMBLER_INPUT_LAYOUT",        0x001),
    ("DENY_VERTEX_SHADER_ROOT_ACCESS",            0x002),
    ("DENY_HULL_SHADER_ROOT_ACCESS",              0x004),
    ("DENY_DOMAIN_SHADER_ROOT_ACCESS",            0x008),
    ("DENY_GEOMETRY_SHADER_ROOT_ACCESS",          0x010),
    ("DENY_PIXEL_SHADER_ROOT_ACCESS",             0x020),
    ("ALLOW_STREAM_OUTPUT",                       0x040),
    ("LOCAL_ROOT_SIGNATURE",                      0x080),
    ("DENY_AMPLIFICATION_SHADER_ROOT_ACCESS",     0x100),
    ("DENY_MESH_SHADER_ROOT_ACCESS",              0x200),
    ("CBV_SRV_UAV_HEAP_DIRECTLY_INDEXED",         0x400),
    ("SAMPLER_HEAP_DIRECTLY_INDEXED",             0x800),
];

/// `flags =` of root descriptors.
#[rustfmt::skip]
pub const DESCRIPTOR_FLAGS: &[FlagWord] = &[
    ("DATA_VOLATILE",                    0x2),
    ("DATA_STATIC_WHILE_SET_AT_EXECUTE", 0x4),
    ("DATA_STATIC",                      0x8),
];

/// `flags =` of descriptor ranges.
#[rustfmt::skip]
pub const RANGE_FLAGS: &[FlagWord] = &[
    ("DESCRIPTORS_VOLATILE",                            0x1),
    ("DATA_VOLATILE",                                   0x2),
    ("DATA_STATIC_WHILE_SET_AT_EXECUTE",                0x4),
    ("DATA_STATIC",                                     0x8),
    ("DESCRIPTORS_STATIC_KEEPING_BUFFER_BOUNDS_CHECKS", 0x10000),
];

/// `flags =` of static samplers (version 1.2).
#[rustfmt::skip]
pub const SAMPLER_FLAGS: &[FlagWord] = &[
    ("UINT_BORDER_COLOR",            0x1),
    ("NON_NORMALIZED_COORDINATES",   0x2),
];

/// The bit of a flag word.
pub fn flag(words: &[FlagWord], name: &str) -> Option<u32> {
    words.iter().find(|(n, _)| n.eq_ignore_ascii_case(name)).map(|&(_, bit)| bit)
}

/// Every bit that some word has.
pub fn mask(words: &[FlagWord]) -> u32 {
    words.iter().fold(0, |all, &(_, bit)| all | bit)
}
