//! Rules about the metadata of the module.

use super::Cx;
use rtc_tables::validation::rule;

/// What must be there is there, and has the shape that it must have.
pub(super) fn metadata(cx: &mut Cx<'_>) {
    for found in &cx.info.malformed {
        let rule = if found.missing { rule::META_REQUIRED } else { rule::META_WELL_FORMED };
        cx.module(rule, format!("`{}` {}", found.name, found.reason));
    }
}
