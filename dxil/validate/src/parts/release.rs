//! Containers of the first release of validator version 1.9: what is derived from the module has another form there than in later releases
//! of the same version. The form that a container has counts, if it has it throughout.

use std::rc::Rc;

use super::content::undescribed;
use crate::Cx;
use rtc_dxil_container::recompute::{Recomputed, recompute_first_release};
use rtc_dxil_container::{Container, FourCc, Version};

/// The version with two forms.
const VERSION: Version = Version::new(1, 9);

/// What follows from the module by the first release, if that is what the container has.
pub(crate) fn first_release(cx: &Cx<'_>, file: &Container) -> Option<Rc<Recomputed>> {
    if cx.info.validator != VERSION {
        return None;
    }
    let known = cx.known()?;
    if has_form(cx, file, &known) {
        return None;
    }
    let other = recompute_first_release(cx.m, &cx.subobjects).ok()?;
    has_form(cx, file, &other).then(|| Rc::new(other))
}

/// Whether flags and runtime data are these.
fn has_form(cx: &Cx<'_>, file: &Container, known: &Recomputed) -> bool {
    let flags = known.flags == cx.info.flags();
    let stored = file.part(FourCc::RDAT).filter(|_| undescribed(cx).is_none());
    flags && stored.is_none_or(|part| known.rdat_bytes().is_none_or(|made| made == part.data))
}
