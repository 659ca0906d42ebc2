//! Rules that are younger than DXIL: a module that names an older validator is not refused for what that did not look at. A note says
//! that a later validator would.
//!
//! Not here are rules that no compiler ever broke: about operations and properties that came together with their rule, and about
//! what no compiler writes (an alignment that is no constant, say).

use rtc_tables::validation::{Rule, rule};

/// The minor number of the validator version with which a rule came.
const SINCE: &[(&Rule, u32)] = &[
    (rule::TYPES_NO_PTR_TO_PTR, 5),
    (rule::SM_CBUFFER_SIZE, 6),
    (rule::SM_NO_GROUPSHARED, 6),
    (rule::INSTR_ATOMIC_CONST, 7),
    (rule::INSTR_ATOMIC_MEMORY, 7),
    (rule::INSTR_ATOMIC_UAV, 7),
    (rule::INSTR_STORE_MASK_GAP, 7),
    (rule::DECL_RAY_QUERY_PARAMETER, 8),
];

/// The minor number of the first validator version that has this rule, if not all have it.
pub(super) fn first_version(rule: &Rule) -> Option<u32> {
    SINCE.iter().find(|(r, _)| r.id == rule.id).map(|s| s.1)
}
