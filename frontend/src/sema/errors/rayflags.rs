//! Ray flags.

use rtc_base::{Diagnostic, Span};
use rtc_tables::diagnostics as c;

const RULE: &str = "DXR, ray flags";

/// Two flags that exclude each other.
pub fn exclusive(span: Span, a: &str, b: &str) -> Diagnostic {
    Diagnostic::new(
        &c::W0650,
        span,
        format!("`{a}` and `{b}` exclude each other: what the ray does is undefined"),
    )
    .note(RULE)
}

/// A flag about closest-hit shaders where none run.
pub fn no_closest_hit(span: Span) -> Diagnostic {
    let message =
        "`RAY_FLAG_SKIP_CLOSEST_HIT_SHADER` is not allowed in a ray query, which runs no shaders";
    Diagnostic::new(&c::W0651, span, message).note(RULE)
}

/// A flag about micromaps in a query that may not meet any.
pub fn no_micromaps(span: Span) -> Diagnostic {
    let message = "`RAY_FLAG_FORCE_OMM_2_STATE` has no effect without `RAYQUERY_FLAG_ALLOW_OPACITY_MICROMAPS`";
    Diagnostic::new(&c::W0652, span, message).note("DXR, opacity micromaps")
}

/// A flag that devices of this shader model need not know.
pub fn too_new(span: Span, flag: &str, need: u8, have: u8) -> Diagnostic {
    Diagnostic::new(
        &c::W0653,
        span,
        format!("`{flag}` came with shader model 6.{need}; this is 6.{have}"),
    )
}

/// Bits that are no flags.
pub fn unknown_bits(span: Span, bits: u32) -> Diagnostic {
    Diagnostic::new(&c::W0653, span, format!("{bits:#x} is no ray flag"))
}
