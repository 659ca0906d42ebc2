//! Ray flags: their names, mutual exclusions, and the shader models that introduce them (DXR specification, "Ray flags").

macro_rules! flags {
    ($($(#[doc = $doc:literal])* $name:ident = $bit:literal $hlsl:literal;)*) => {
        $(#[doc = concat!("`", $hlsl, "`")] $(#[doc = $doc])* pub const $name: u32 = $bit;)*

        /// The flags with their names.
        pub const FLAGS: &[(u32, &str)] = &[$(($name, $hlsl)),*];

        /// All bits that are flags.
        pub const ALL: u32 = 0 $(| $name)*;
    };
}

flags! {
    FORCE_OPAQUE      = 0x001 "RAY_FLAG_FORCE_OPAQUE";
    FORCE_NON_OPAQUE  = 0x002 "RAY_FLAG_FORCE_NON_OPAQUE";
    ACCEPT_FIRST_HIT  = 0x004 "RAY_FLAG_ACCEPT_FIRST_HIT_AND_END_SEARCH";
    /// Means nothing to a ray query, which runs no shaders.
    SKIP_CLOSEST_HIT  = 0x008 "RAY_FLAG_SKIP_CLOSEST_HIT_SHADER";
    CULL_BACK_FACING  = 0x010 "RAY_FLAG_CULL_BACK_FACING_TRIANGLES";
    CULL_FRONT_FACING = 0x020 "RAY_FLAG_CULL_FRONT_FACING_TRIANGLES";
    CULL_OPAQUE       = 0x040 "RAY_FLAG_CULL_OPAQUE";
    CULL_NON_OPAQUE   = 0x080 "RAY_FLAG_CULL_NON_OPAQUE";
    SKIP_TRIANGLES    = 0x100 "RAY_FLAG_SKIP_TRIANGLES";
    SKIP_PROCEDURAL   = 0x200 "RAY_FLAG_SKIP_PROCEDURAL_PRIMITIVES";
    FORCE_2_STATE     = 0x400 "RAY_FLAG_FORCE_OMM_2_STATE";
}

/// In a query's flags: opacity micromaps may be met.
pub const QUERY_ALLOWS_MICROMAPS: u32 = 0x1;
/// In the flags of pipelines: triangles are skipped by every trace.
pub const PIPELINE_SKIPS_TRIANGLES: u32 = 0x100;
/// In the flags of pipelines: procedural primitives are skipped by every trace.
pub const PIPELINE_SKIPS_PROCEDURAL: u32 = 0x200;
/// In the flags of pipelines: opacity micromaps may be met.
pub const PIPELINE_ALLOWS_MICROMAPS: u32 = 0x400;
/// In the flags of pipelines: clustered geometry may be met.
pub const PIPELINE_ALLOWS_CLUSTERS: u32 = 0x800;

/// The flags of a query other than its ray flags: bit, name, minor number of the first shader model 6 that has it.
pub const QUERY_FLAGS: &[(u32, &str, u8)] =
    &[(QUERY_ALLOWS_MICROMAPS, "RAYQUERY_FLAG_ALLOW_OPACITY_MICROMAPS", 9), (0x2, "RAYQUERY_FLAG_ALLOW_CLUSTERED_GEOMETRY", 10)];

/// The flags of a pipeline's configuration.
pub const PIPELINE_FLAGS: &[(u32, &str, u8)] = &[
    (PIPELINE_SKIPS_TRIANGLES, "RAYTRACING_PIPELINE_FLAG_SKIP_TRIANGLES", 3),
    (PIPELINE_SKIPS_PROCEDURAL, "RAYTRACING_PIPELINE_FLAG_SKIP_PROCEDURAL_PRIMITIVES", 3),
    (PIPELINE_ALLOWS_MICROMAPS, "RAYTRACING_PIPELINE_FLAG_ALLOW_OPACITY_MICROMAPS", 9),
    (PIPELINE_ALLOWS_CLUSTERS, "RAYTRACING_PIPELINE_FLAG_ALLOW_CLUSTERED_GEOMETRY", 10),
];

/// The enumerators of `RAY_FLAG`.
pub(crate) const ENUMERATORS: &[(&str, u32)] = &{
    let mut all = [("RAY_FLAG_NONE", 0); FLAGS.len() + 1];
    let mut n = 0;
    while n < FLAGS.len() {
        all[n + 1] = (FLAGS[n].1, FLAGS[n].0);
        n += 1;
    }
    all
};

/// Those of `RAYQUERY_FLAG`.
pub(crate) const QUERY_ENUMERATORS: &[(&str, u32)] = &enumerators::<{ QUERY_FLAGS.len() + 1 }>("RAYQUERY_FLAG_NONE", QUERY_FLAGS);

/// Those of `RAYTRACING_PIPELINE_FLAG`.
pub(crate) const PIPELINE_ENUMERATORS: &[(&str, u32)] =
    &enumerators::<{ PIPELINE_FLAGS.len() + 1 }>("RAYTRACING_PIPELINE_FLAG_NONE", PIPELINE_FLAGS);

/// `none`, then the flags of a table. `N` is one more than it has.
const fn enumerators<const N: usize>(none: &'static str, table: &[(u32, &'static str, u8)]) -> [(&'static str, u32); N] {
    let mut all = [(none, 0); N];
    let mut n = 1;
    while n < N {
        all[n] = (table[n - 1].1, table[n - 1].0);
        n += 1;
    }
    all
}

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
const EXCLUSIVE: &[u32] = &[
    FORCE_OPAQUE | FORCE_NON_OPAQUE | CULL_OPAQUE | CULL_NON_OPAQUE,
    CULL_BACK_FACING | CULL_FRONT_FACING,
    SKIP_TRIANGLES | CULL_BACK_FACING,
    SKIP_TRIANGLES | CULL_FRONT_FACING,
    SKIP_TRIANGLES | SKIP_PROCEDURAL,
];

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
    fn each_flag_is_a_bit_and_an_enumerator() {
        assert_eq!(FLAGS.iter().map(|f| f.0).sum::<u32>(), ALL, "each has a bit of its own");
        let value = |of: &str, name: &str| {
            let row = crate::types::ENUMS.iter().find(|e| e.name == of).expect("the enumeration is there");
            row.items.iter().find(|i| i.0 == name).map(|i| i.1)
        };
        assert_eq!(value("RAY_FLAG", "RAY_FLAG_NONE"), Some(0));
        assert_eq!(value("RAY_FLAG", "RAY_FLAG_SKIP_CLOSEST_HIT_SHADER"), Some(8));
        assert_eq!(value("RAY_FLAG", "RAY_FLAG_FORCE_OMM_2_STATE"), Some(0x400));
        assert_eq!(value("RAYQUERY_FLAG", "RAYQUERY_FLAG_ALLOW_CLUSTERED_GEOMETRY"), Some(2));
        assert_eq!(value("RAYTRACING_PIPELINE_FLAG", "RAYTRACING_PIPELINE_FLAG_NONE"), Some(0));
        assert_eq!(value("RAYTRACING_PIPELINE_FLAG", "RAYTRACING_PIPELINE_FLAG_SKIP_PROCEDURAL_PRIMITIVES"), Some(0x200));
    }
}
