//! Rules about the parts of a container: which are required, and that each agrees with the module.
//!
//! The digest in the header is no rule: a loader may require one, and files that other tools will change
//! need none.

mod content;
mod psv;
mod release;
mod root_signature;
mod version;

pub(super) use content::{features, runtime_data, signatures};
pub(super) use psv::pipeline;
pub(super) use release::first_release;
pub(super) use root_signature::root_signature;

use super::Cx;
use rtc_dxil_container::{Container, FourCc};
use rtc_tables::validation::rule;
use rustc_hash::FxHashSet;

/// A library has RDAT; a shader has signatures, features and pipeline information.
pub(super) fn needed(cx: &mut Cx<'_>, file: &Container) {
    let wanted: &[FourCc] = if cx.info.is_library() { &[FourCc::RDAT] } else { &[FourCc::SFI0, FourCc::ISG1, FourCc::OSG1, FourCc::PSV0] };
    for &name in wanted {
        if file.part(name).is_none() {
            cx.module(rule::PART_MISSING, format!("there is no {name} part"));
        }
    }
}

/// Each part occurs once, is known, and belongs to a module of this kind.
pub(super) fn known(cx: &mut Cx<'_>, file: &Container) {
    let library = cx.info.is_library();
    let mut seen = FxHashSet::default();
    for part in &file.parts {
        let name = part.name;
        if !seen.insert(name) {
            cx.part(rule::PART_REPEATED, name.to_string(), 0, format!("there is a second {name} part"));
            continue;
        }
        let mut invalid = |offset: usize, why: String| cx.part(rule::PART_INVALID, name.to_string(), offset, why);
        match name {
            FourCc::ISG1 | FourCc::OSG1 | FourCc::PSG1 | FourCc::PSV0 | FourCc::RTS0 if library => {
                invalid(0, "libraries have no such part".into());
            }
            FourCc::VERS | FourCc::RDAT if !library => invalid(0, "only libraries have such a part".into()),
            FourCc::VERS => {
                if let Err((offset, why)) = version::check(&part.data) {
                    invalid(offset, why);
                }
            }
            FourCc::HASH if part.data.len() != 20 => {
                invalid(0, format!("has {} bytes, a hash has 20", part.data.len()));
            }
            FourCc::ISG1 | FourCc::OSG1 | FourCc::PSG1 | FourCc::SFI0 | FourCc::RTS0 | FourCc::PSV0 => {}
            FourCc::RDEF | FourCc::STAT | FourCc::PRIV | FourCc::DXIL | FourCc::ILDB | FourCc::ILDN => {}
            FourCc::HASH | FourCc::RDAT => {}
            _ => invalid(0, "no part has this name".into()),
        }
    }
}
