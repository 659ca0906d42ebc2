//! For editors: what the words of a root signature's text mean, which element is at a place, and what could be written there. The text need not be
//! whole.

use super::lex::{Tok, token};
use super::parse::{CONSTANTS_KEYS, DESCRIPTOR_KEYS, RANGE_KEYS, REGISTER, SAMPLER_KEYS};
use super::words::{
    AddressMode, BorderColor, Comparison, DESCRIPTOR_FLAGS, Filter, FlagWord, RANGE_FLAGS, ROOT_FLAGS, SAMPLER_FLAGS, Visibility,
};

/// Words with their meaning.
#[rustfmt::skip]
const WORDS: &[(&str, &str)] = &[
    // Elements
    ("RootFlags",       "Flags of the whole root signature."),
    ("RootConstants",   "32-bit constants in the root, which the shader sees as a constant buffer. Each costs one of the 64 words."),
    ("CBV",             "A constant buffer: in the root by its address, which costs two of the 64 words; in a table a range of descriptors."),
    ("SRV",             "What is only read: in the root the address of a buffer or acceleration structure, two of the 64 words; in a table a range of descriptors."),
    ("UAV",             "What is read and written: in the root the address of a buffer, two of the 64 words; in a table a range of descriptors."),
    ("Sampler",         "A range of samplers in a table."),
    ("DescriptorTable", "A table of descriptors in a heap: ranges one after the other. It costs one of the 64 words."),
    ("StaticSampler",   "A sampler that is part of the root signature. It costs nothing."),
    // Keys
    ("num32BitConstants", "How many constants there are."),
    ("numDescriptors",  "How many descriptors the range has; `unbounded`: all that follow."),
    ("unbounded",       "The range has no end. It is the last one that appends."),
    ("space",           "The register space."),
    ("visibility",      "The stages that see the argument. Ray tracing and compute shaders see what is visible to all."),
    ("flags",           "What the driver may count on."),
    ("offset",          "The number of the first descriptor in the table."),
    ("DESCRIPTOR_RANGE_OFFSET_APPEND", "The range follows the one before it."),
    ("filter",          "How texels are filtered."),
    ("addressU",        "What is read beyond the texture along u."),
    ("addressV",        "What is read beyond the texture along v."),
    ("addressW",        "What is read beyond the texture along w."),
    ("mipLODBias",      "Added to the level of detail."),
    ("maxAnisotropy",   "The most samples of an anisotropic filter, 1 to 16."),
    ("comparisonFunc",  "How a comparison sampler compares."),
    ("borderColor",     "The colour beyond the texture, with border addressing."),
    ("minLOD",          "The least level of detail."),
    ("maxLOD",          "The largest level of detail."),
    // Flags of the root
    ("ALLOW_INPUT_ASSEMBLER_INPUT_LAYOUT",     "Vertex buffers are used, which costs one word on some hardware."),
    ("DENY_VERTEX_SHADER_ROOT_ACCESS",         "The vertex shader uses nothing of the root."),
    ("DENY_HULL_SHADER_ROOT_ACCESS",           "The hull shader uses nothing of the root."),
    ("DENY_DOMAIN_SHADER_ROOT_ACCESS",         "The domain shader uses nothing of the root."),
    ("DENY_GEOMETRY_SHADER_ROOT_ACCESS",       "The geometry shader uses nothing of the root."),
    ("DENY_PIXEL_SHADER_ROOT_ACCESS",          "The pixel shader uses nothing of the root."),
    ("ALLOW_STREAM_OUTPUT",                    "Vertices are streamed to buffers."),
    ("LOCAL_ROOT_SIGNATURE",                   "The arguments are in shader records of ray tracing."),
    ("DENY_AMPLIFICATION_SHADER_ROOT_ACCESS",  "The amplification shader uses nothing of the root."),
    ("DENY_MESH_SHADER_ROOT_ACCESS",           "The mesh shader uses nothing of the root."),
    ("CBV_SRV_UAV_HEAP_DIRECTLY_INDEXED",      "Shaders index `ResourceDescriptorHeap`."),
    ("SAMPLER_HEAP_DIRECTLY_INDEXED",          "Shaders index `SamplerDescriptorHeap`."),
    // Flags of descriptors, ranges and samplers
    ("DESCRIPTORS_VOLATILE",                   "Descriptors may change until the command list is executed."),
    ("DATA_VOLATILE",                          "The data may change at any time."),
    ("DATA_STATIC_WHILE_SET_AT_EXECUTE",       "The data does not change while the argument is set during execution."),
    ("DATA_STATIC",                            "The data does not change from when the argument is set."),
    ("DESCRIPTORS_STATIC_KEEPING_BUFFER_BOUNDS_CHECKS", "Descriptors do not change, and accesses beyond the ends of buffers are still checked."),
    ("UINT_BORDER_COLOR",                      "The border colour consists of integers."),
    ("NON_NORMALIZED_COORDINATES",             "Coordinates count texels."),
    // Visibilities
    ("SHADER_VISIBILITY_ALL",                  "All stages see it."),
    ("SHADER_VISIBILITY_VERTEX",               "The vertex shader sees it."),
    ("SHADER_VISIBILITY_HULL",                 "The hull shader sees it."),
    ("SHADER_VISIBILITY_DOMAIN",               "The domain shader sees it."),
    ("SHADER_VISIBILITY_GEOMETRY",             "The geometry shader sees it."),
    ("SHADER_VISIBILITY_PIXEL",                "The pixel shader sees it."),
    ("SHADER_VISIBILITY_AMPLIFICATION",        "The amplification shader sees it."),
    ("SHADER_VISIBILITY_MESH",                 "The mesh shader sees it."),
    // Addressing
    ("TEXTURE_ADDRESS_WRAP",                   "The texture repeats."),
    ("TEXTURE_ADDRESS_MIRROR",                 "The texture repeats, every other copy mirrored."),
    ("TEXTURE_ADDRESS_CLAMP",                  "The texels at the edge go on."),
    ("TEXTURE_ADDRESS_BORDER",                 "Beyond the texture is the border colour."),
    ("TEXTURE_ADDRESS_MIRROR_ONCE",            "The texture is mirrored once, then the texels at the edge go on."),
    // Comparisons
    ("COMPARISON_NONE",                        "Nothing is compared."),
    ("COMPARISON_NEVER",                       "Never passes."),
    ("COMPARISON_LESS",                        "Passes if the value is less than the texel."),
    ("COMPARISON_EQUAL",                       "Passes if the value equals the texel."),
    ("COMPARISON_LESS_EQUAL",                  "Passes if the value is at most the texel."),
    ("COMPARISON_GREATER",                     "Passes if the value is greater than the texel."),
    ("COMPARISON_NOT_EQUAL",                   "Passes if the value differs from the texel."),
    ("COMPARISON_GREATER_EQUAL",               "Passes if the value is at least the texel."),
    ("COMPARISON_ALWAYS",                      "Always passes."),
    // Borders
    ("STATIC_BORDER_COLOR_TRANSPARENT_BLACK",  "0, 0, 0, 0."),
    ("STATIC_BORDER_COLOR_OPAQUE_BLACK",       "0, 0, 0, 1."),
    ("STATIC_BORDER_COLOR_OPAQUE_WHITE",       "1, 1, 1, 1."),
    ("STATIC_BORDER_COLOR_OPAQUE_BLACK_UINT",  "0, 0, 0, 1 as integers."),
    ("STATIC_BORDER_COLOR_OPAQUE_WHITE_UINT",  "1, 1, 1, 1 as integers."),
];

/// The elements of the root with their arguments.
const ELEMENTS: &[(&str, &[&str])] = &[
    ("RootFlags", &[]),
    ("RootConstants", CONSTANTS_KEYS),
    ("CBV", DESCRIPTOR_KEYS),
    ("SRV", DESCRIPTOR_KEYS),
    ("UAV", DESCRIPTOR_KEYS),
    ("DescriptorTable", &[]),
    ("StaticSampler", SAMPLER_KEYS),
];

/// What is in a table.
const IN_TABLES: [&str; 4] = ["CBV", "SRV", "UAV", "Sampler"];

/// What a word means; upper and lower case are alike. `None`: it has no meaning in a root signature.
pub fn about(word: &str) -> Option<String> {
    if let Some(row) = WORDS.iter().find(|r| r.0.eq_ignore_ascii_case(word)) {
        return Some(row.1.to_owned());
    }
    let filter = Filter::from_name(word)?;
    if filter.0 & 0x40 != 0 {
        return Some(format!("Anisotropic filtering{}.", reduction(filter)));
    }
    let linear = |bit: u32| if filter.0 & bit != 0 { "linear" } else { "nearest" };
    let (min, mag, mip) = (linear(0x10), linear(0x4), linear(0x1));
    Some(format!("Texels are filtered {min} where the texture shrinks, {mag} where it grows, {mip} between levels{}.", reduction(filter)))
}

fn reduction(f: Filter) -> &'static str {
    match f.0 & 0x180 {
        0x80 => ", after a comparison",
        0x100 => "; the least of them counts",
        0x180 => "; the largest of them counts",
        _ => "",
    }
}

/// An element of the root at a place of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Element<'a> {
    /// Its name, as written.
    pub name: &'a str,
    /// The number of the root parameter, from 0; `None`: it is none.
    pub parameter: Option<u32>,
    /// The word or register at the place, with the bytes where it is.
    pub word: Option<(&'a str, usize, usize)>,
}

/// The element of the root at byte `at` of a text.
pub fn element_at(text: &str, at: usize) -> Option<Element<'_>> {
    let (mut from, mut depth, mut parameters) = (0, 0_u32, 0);
    let mut element: Option<(&str, Option<u32>)> = None;
    let mut word = None;
    loop {
        let t = token(text, from);
        // A token of no length would be read forever.
        if t.tok == Tok::End || t.end <= from || t.start > at {
            break;
        }
        let spelled = &text[t.start..t.end];
        match t.tok {
            Tok::Word(name) if depth == 0 => {
                let is_parameter = !["RootFlags", "StaticSampler"].iter().any(|n| n.eq_ignore_ascii_case(name));
                element = Some((name, is_parameter.then_some(parameters)));
                parameters += u32::from(is_parameter);
            }
            Tok::Mark('(') => depth += 1,
            Tok::Mark(')') => depth = depth.saturating_sub(1),
            Tok::Mark(',') if depth == 0 => element = None,
            _ => {}
        }
        if matches!(t.tok, Tok::Word(_) | Tok::Register(..)) && t.start <= at && at <= t.end {
            word = Some((spelled, t.start, t.end));
        }
        from = t.end;
    }
    element.map(|(name, parameter)| Element { name, parameter, word })
}

/// The words that may come after `before`, which is the text up to a word that is being written.
pub fn expected(before: &str) -> Vec<String> {
    // The open elements with the key that waits for its value.
    let mut open: Vec<(&str, Option<&str>)> = Vec::new();
    let (mut from, mut last) = (0, "");
    loop {
        let t = token(before, from);
        if t.tok == Tok::End || t.end <= from {
            break;
        }
        match t.tok {
            Tok::Mark('(') => open.push((last, None)),
            Tok::Mark(')') => _ = open.pop(),
            Tok::Mark(',') => open.iter_mut().rev().take(1).for_each(|o| o.1 = None),
            Tok::Mark('=') => open.iter_mut().rev().take(1).for_each(|o| o.1 = Some(last)),
            _ => {}
        }
        if let Tok::Word(w) = t.tok {
            last = w;
        }
        from = t.end;
    }
    let owned = |list: &[&str]| list.iter().map(|s| (*s).to_owned()).collect::<Vec<String>>();
    let is = |a: &str, b: &str| a.eq_ignore_ascii_case(b);
    let in_table = open.iter().rev().nth(1).is_some_and(|outer| is(outer.0, "DescriptorTable"));
    let Some(&(element, key)) = open.last() else { return ELEMENTS.iter().map(|e| e.0.to_owned()).collect() };
    if let Some(key) = key {
        return value(key, element, in_table);
    }
    if is(element, "RootFlags") {
        return flags(ROOT_FLAGS);
    }
    if is(element, "DescriptorTable") {
        let mut all = owned(&IN_TABLES);
        all.push("visibility".into());
        return all;
    }
    let keys = match in_table {
        true => RANGE_KEYS,
        false => ELEMENTS.iter().find(|e| is(e.0, element)).map_or(&[][..], |e| e.1),
    };
    keys.iter().filter(|k| **k != REGISTER).map(|k| (*k).to_owned()).collect()
}

fn flags(words: &[FlagWord]) -> Vec<String> {
    words.iter().map(|w| w.0.to_owned()).collect()
}

/// The words that a key takes.
fn value(key: &str, element: &str, in_table: bool) -> Vec<String> {
    fn names<T: std::fmt::Display>(all: &[T]) -> Vec<String> {
        all.iter().map(ToString::to_string).collect()
    }
    match key.to_ascii_lowercase().as_str() {
        "visibility" => names(Visibility::ALL),
        "addressu" | "addressv" | "addressw" => names(AddressMode::ALL),
        "comparisonfunc" => names(Comparison::ALL),
        "bordercolor" => names(BorderColor::ALL),
        "filter" => (0..0x1d6).filter_map(|n| Filter(n).name()).collect(),
        "numdescriptors" => vec!["unbounded".into()],
        "offset" => vec!["DESCRIPTOR_RANGE_OFFSET_APPEND".into()],
        "flags" if in_table => flags(RANGE_FLAGS),
        "flags" if element.eq_ignore_ascii_case("StaticSampler") => flags(SAMPLER_FLAGS),
        "flags" => flags(DESCRIPTOR_FLAGS),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_has_a_meaning() {
        let flags = [ROOT_FLAGS, DESCRIPTOR_FLAGS, RANGE_FLAGS, SAMPLER_FLAGS].concat();
        let mut all: Vec<String> = flags.iter().map(|w| w.0.to_owned()).collect();
        all.extend(ELEMENTS.iter().flat_map(|e| e.1.iter().copied().chain([e.0])).filter(|w| *w != REGISTER).map(str::to_owned));
        all.extend(RANGE_KEYS.iter().filter(|w| **w != REGISTER).map(|w| (*w).to_owned()));
        for key in ["visibility", "addressU", "comparisonFunc", "borderColor", "filter", "numDescriptors", "offset"] {
            all.extend(value(key, "StaticSampler", false));
        }
        assert!(all.len() > 100, "{}", all.len());
        for word in all {
            assert!(about(&word).is_some_and(|a| a.ends_with('.')), "{word}");
        }
        assert_eq!(about("nonsense"), None);
    }

    #[test]
    fn elements_and_what_may_follow() {
        let text = "RootFlags(0), CBV(b0), DescriptorTable(SRV(t0, numDescriptors = 3)), StaticSampler(s0";
        let at = |what: &str| element_at(text, text.find(what).unwrap()).map(|e| (e.name, e.parameter, e.word.map(|w| w.0)));
        assert_eq!(at("RootFlags"), Some(("RootFlags", None, Some("RootFlags"))));
        assert_eq!(at("b0"), Some(("CBV", Some(0), Some("b0"))));
        assert_eq!(at("numDescriptors"), Some(("DescriptorTable", Some(1), Some("numDescriptors"))));
        assert_eq!(at("s0"), Some(("StaticSampler", None, Some("s0"))));
        assert_eq!(element_at("", 0), None);
        assert_eq!(element_at("CBV(b0), ", 9), None);
        let has = |before: &str, word: &str| expected(before).iter().any(|w| w == word);
        assert!(has("", "DescriptorTable") && has("CBV(b0), ", "SRV"));
        assert!(has("RootFlags(DENY_HULL_SHADER_ROOT_ACCESS | ", "ALLOW_STREAM_OUTPUT"));
        assert!(has("DescriptorTable(", "Sampler") && has("DescriptorTable(SRV(t0), ", "visibility"));
        assert!(has("DescriptorTable(SRV(t0, ", "numDescriptors") && !has("SRV(t0, ", "numDescriptors"));
        assert!(has("DescriptorTable(SRV(t0, numDescriptors = ", "unbounded"));
        assert!(has("StaticSampler(s0, filter = ", "FILTER_MIN_MAG_MIP_POINT"));
        assert!(has("StaticSampler(s0, visibility = ", "SHADER_VISIBILITY_PIXEL") && has("SRV(t0, flags=", "DATA_STATIC"));
        assert!(expected("Nonsense(").is_empty() && expected("\u{e9} (((").is_empty() && has(")))", "CBV"));
    }
}
