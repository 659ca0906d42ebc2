//! Hit groups of the caller.

use crate::boundary::{Failure, Of, optional_text, text};
use rtc_engine::state_object::HitGroup;
use std::ffi::c_char;

/// A hit group. An absent shader is null.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct rtcrt_hit_group {
    /// Its name.
    pub name: *const c_char,
    /// Not 0: for procedural primitives.
    pub procedural: u32,
    /// The export that is its any-hit shader.
    pub any_hit: *const c_char,
    /// The export that is its closest-hit shader.
    pub closest_hit: *const c_char,
    /// The export that is its intersection shader.
    pub intersection: *const c_char,
}

impl rtcrt_hit_group {
    /// # Safety
    /// Its pointers are null or texts.
    pub(crate) unsafe fn read(&self) -> Result<HitGroup, Failure> {
        // SAFETY: this function's contract.
        unsafe {
            let shader = |at, argument| Ok::<_, Failure>(optional_text(at, argument)?.unwrap_or_default().to_owned());
            Ok(HitGroup {
                name: text(self.name).of("name")?.to_owned(),
                procedural: self.procedural != 0,
                any_hit: shader(self.any_hit, "any_hit")?,
                closest_hit: shader(self.closest_hit, "closest_hit")?,
                intersection: shader(self.intersection, "intersection")?,
                location: None,
            })
        }
    }
}
