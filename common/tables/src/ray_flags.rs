//! Ray flags: their names, mutual exclusions, and the shader models that introduce them (DXR specification, "Ray flags").

/// The flags with their names.
#[rustfmt::skip]
pub const FLAGS: &[(u32, &str)] = &[
    (0x001, "RAY_FLAG_FORCE_OPAQUE"),
    (0x002, "RAY_FLAG_FORCE_NON_OPAQUE"),
    (0x004, "RAY_FLAG_ACCEPT_FIRST_HIT_AND_END_SEARCH"),
    (0x008, "RAY_FLAG_SKIP_CLOSEST_HIT_SHADER"),
    (0x010, "RAY_FLAG_CULL_BACK_FACING_TRIANGLES"),
    (0x020, "RAY_FLAG_CULL_FRONT_FACING_TRIANGLES"),
    (0x040, "RAY_FLAG_CULL_OPAQUE"),
    (0x080, "RAY_FLAG_CULL_NON_OPAQUE"),
    (0x100, "RAY_FLAG_SKIP_TRIANGLES"),
    (0x200, "RAY_FLAG_SKIP_PROCEDURAL_PRIMITIVES"),
    (0x400, "RAY_FLAG_FORCE_OMM_2_STATE"),
];

/// All bits that are flags.
pub const ALL: u32 = 0x7ff;
/// `RAY_FLAG_FORCE_OPAQUE`
pub const FORCE_OPAQUE: u32 = 0x1;
/// `RAY_FLAG_FORCE_NON_OPAQUE`
pub const FORCE_NON_OPAQUE: u32 = 0x2;
/// `RAY_FLAG_ACCEPT_FIRST_HIT_AND_END_SEARCH`
pub const ACCEPT_FIRST_HIT: u32 = 0x4;
/// `RAY_FLAG_SKIP_CLOSEST_HIT_SHADER`: means nothing to a ray query, which runs no shaders.
pub const SKIP_CLOSEST_HIT: u32 = 0x8;
/// `RAY_FLAG_CULL_BACK_FACING_TRIANGLES`
pub const CULL_BACK_FACING: u32 = 0x10;
/// `RAY_FLAG_CULL_FRONT_FACING_TRIANGLES`
pub const CULL_FRONT_FACING: u32 = 0x20;
/// `RAY_FLAG_CULL_OPAQUE`
pub const CULL_OPAQUE: u32 = 0x40;
/// `RAY_FLAG_CULL_NON_OPAQUE`
pub const CULL_NON_OPAQUE: u32 = 0x80;
/// `RAY_FLAG_SKIP_TRIANGLES`
pub const SKIP_TRIANGLES: u32 = 0x100;
/// `RAY_FLAG_SKIP_PROCEDURAL_PRIMITIVES`
pub const SKIP_PROCEDURAL: u32 = 0x200;
/// `RAY_FLAG_FORCE_OMM_2_STATE`
pub const FORCE_2_STATE: u32 = 0x400;

/// In a query's flags: opacity micromaps may be met.
pub const QUERY_ALLOWS_MICROMAPS: u32 = 0x1;
/// In the flags of pipelines: opacity micromaps may be met.
pub const PIPELINE_ALLOWS_MICROMAPS: u32 = 0x400;

/// The flags of a query other than its ray flags: bit, name, minor number of the first shader model 6 that has it.
pub const QUERY_FLAGS: &[(u32, &str, u8)] =
    &[(0x1, "RAYQUERY_FLAG_ALLOW_OPACITY_MICROMAPS", 9), (0x2, "RAYQUERY_FLAG_ALLOW_CLUSTERED_GEOMETRY", 10)];

/// The flags of a pipeline's configuration.
pub const PIPELINE_FLAGS: &[(u32, &str, u8)] = &[
    (0x100, "RAYTRACING_PIPELINE_FLAG_SKIP_TRIANGLES", 3),
    (0x200, "RAYTRACING_PIPELINE_FLAG_SKIP_PROCEDURAL_PRIMITIVES", 3),
    (PIPELINE_ALLOWS_MICROMAPS, "RAYTRACING_PIPELINE_FLAG_ALLOW_OPACITY_MICROMAPS", 9),
    (0x800, "RAYTRACING_PIPELINE_FLAG_ALLOW_CLUSTERED_GEOMETRY", 10),
];

/// The bits of all flags of a table.
pub const fn bits(table: &[(u32, &str, u8)]) -> u32 {
    let (mut all, mut n) = (0, 0);
    while n < table.len() {
        all |= table[n].0;
        n += 1;
    }
    all
}

/// Of each of these sets, at most one may be set.
const EXCLUSIVE: &[u32] = &[0x0c3, 0x030, 0x110, 0x120, 0x300];

/// Flags with the minor number of the first shader model 6 that has them, if not the first with ray tracing.
pub const SINCE: &[(u32, u8)] = &[(SKIP_TRIANGLES | SKIP_PROCEDURAL, 5), (FORCE_2_STATE, 9)];

/// Two flags of `flags` of which only one may be set.
pub fn conflict(flags: u32) -> Option<(&'static str, &'static str)> {
    EXCLUSIVE.iter().find_map(|&set| {
        let mut on = FLAGS.iter().filter(|f| f.0 & set & flags != 0);
        Some((on.next()?.1, on.next()?.1))
    })
}

/// Flags of `flags` that shader model 6.`have` does not have: name and the model that has it.
pub fn too_new(flags: u32, have: u8) -> impl Iterator<Item = (&'static str, u8)> {
    SINCE.iter().filter_map(move |&(bits, need)| {
        let flag = FLAGS.iter().find(|f| f.0 & bits & flags != 0)?;
        (have < need).then_some((flag.1, need))
    })
}

/// The diagnostics of ray flags: semantic analysis reports constant flags, a pass those that are computed.
pub mod errors {
    use rtc_base::{Diagnostic, Span};

    use crate::diagnostics as c;

    const RULE: &str = "DXR, ray flags";

    /// Two flags that exclude each other.
    pub fn exclusive(span: Span, a: &str, b: &str) -> Diagnostic {
        Diagnostic::new(&c::W0650, span, format!("`{a}` and `{b}` are mutually exclusive: what the ray does is undefined")).note(RULE)
    }

    /// A flag about closest-hit shaders where none run.
    pub fn no_closest_hit(span: Span) -> Diagnostic {
        let message = "`RAY_FLAG_SKIP_CLOSEST_HIT_SHADER` is not allowed in a ray query, which runs no shaders";
        Diagnostic::new(&c::W0651, span, message).note(RULE)
    }

    /// A flag about micromaps in a query that may not meet any.
    pub fn no_micromaps(span: Span) -> Diagnostic {
        let message = "`RAY_FLAG_FORCE_OMM_2_STATE` has no effect without `RAYQUERY_FLAG_ALLOW_OPACITY_MICROMAPS`";
        Diagnostic::new(&c::W0652, span, message).note("DXR, opacity micromaps")
    }

    /// A flag that devices of this shader model need not know.
    pub fn too_new(span: Span, flag: &str, need: u8, have: u8) -> Diagnostic {
        Diagnostic::new(&c::W0653, span, format!("`{flag}` requires shader model 6.{need}, but the target is 6.{have}"))
    }

    /// Unknown flags.
    pub fn unknown_bits(span: Span, bits: u32) -> Diagnostic {
        Diagnostic::new(&c::W0653, span, format!("unknown ray flags {bits:#x}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_excludes_what() {
        assert!(conflict(0x1 | 0x4 | 0x8 | 0x10 | 0x200 | 0x400).is_none());
        assert!(conflict(0x100 | 0x1 | 0x4).is_none());
        for pair in [0x3, 0x41, 0x81, 0xc0, 0x42, 0x82, 0x30, 0x110, 0x120, 0x300] {
            assert!(conflict(pair).is_some(), "{pair:#x}");
        }
    }

    #[test]
    fn the_language_has_the_same_flags() {
        let row = crate::types::ENUMS.iter().find(|e| e.name == "RAY_FLAG").unwrap();
        let named: Vec<_> = row.items.iter().filter(|i| i.1 != 0).map(|i| (i.1, i.0)).collect();
        assert_eq!(named, FLAGS);
        assert_eq!(FLAGS.iter().map(|f| f.0).sum::<u32>(), ALL);
        for (name, table) in [("RAYQUERY_FLAG", QUERY_FLAGS), ("RAYTRACING_PIPELINE_FLAG", PIPELINE_FLAGS)] {
            let row = crate::types::ENUMS.iter().find(|e| e.name == name).unwrap();
            let named: Vec<_> = row.items.iter().filter(|i| i.1 != 0).map(|i| (i.1, i.0)).collect();
            assert_eq!(named, table.iter().map(|f| (f.0, f.1)).collect::<Vec<_>>());
        }
    }
}
