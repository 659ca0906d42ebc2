//! Rules about the parts of a container.

use super::Cx;
use crate::container::{Container, FourCc};
use rtc_tables::validation::rule;

/// A library has RDAT; a shader has signatures, features and pipeline information.
pub(super) fn needed(cx: &mut Cx<'_>, file: &Container) {
    let wanted: &[FourCc] = if cx.info.is_library() {
        &[FourCc::RDAT]
    } else {
        &[FourCc::SFI0, FourCc::ISG1, FourCc::OSG1, FourCc::PSV0]
    };
    for &name in wanted {
        if file.part(name).is_none() {
            cx.module(rule::PART_MISSING, format!("there is no {name} part"));
        }
    }
}
