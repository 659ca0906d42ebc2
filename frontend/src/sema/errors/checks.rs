//! Diagnostics of constant arguments of intrinsics.

use rtc_base::{Diagnostic, Span};
use rtc_tables::diagnostics as c;

/// Unknown flags.
pub fn unknown_flags(span: Span, what: &str, value: i128, valid: u32) -> Diagnostic {
    let names = match valid {
        15 if what == "memory types" => {
            "UAV_MEMORY (1), GROUP_SHARED_MEMORY (2), NODE_INPUT_MEMORY (4), NODE_OUTPUT_MEMORY (8), ALL_MEMORY (15)"
        }
        _ => "GROUP_SYNC (1), GROUP_SCOPE (2), DEVICE_SCOPE (4), REORDER_SCOPE (8)",
    };
    let text = format!("invalid {what} of `Barrier`: {value}");
    Diagnostic::new(&c::E0620, span, text).note(format!("flags: {names}"))
}

/// Memory that only node shaders have.
pub fn node_memory(span: Span) -> Diagnostic {
    Diagnostic::new(&c::E0620, span, "only node shaders have node memory; use UAV_MEMORY, GROUP_SHARED_MEMORY or ALL_MEMORY")
}

/// A barrier for reorder points and for a group.
pub fn reorder_barrier_of_groups(span: Span) -> Diagnostic {
    Diagnostic::new(&c::E0620, span, "no shader has both reorder points and a thread group")
        .note("REORDER_SCOPE is for UAV_MEMORY in ray generation shaders; GROUP_SCOPE, GROUP_SYNC and GROUP_SHARED_MEMORY are for groups")
}

/// The argument is a constant outside the set of values that the parameter accepts.
pub fn not_one_of(span: Span, function: &str, parameter: &str, value: i128, values: &[(&str, u32)]) -> Diagnostic {
    let values: Vec<String> = values.iter().map(|(name, n)| format!("`{name}` ({n})")).collect();
    Diagnostic::new(&c::E0645, span, format!("`{function}` does not accept {value} for `{parameter}`"))
        .note(format!("accepted values: {}", values.join(", ")))
}
