//! The entry point of instrumented code in the sanitizer.
//!
//! Soundness: the thread is the one that the dispatch passed to the shader, as in [`crate::cpu::entry`]; addresses are compared only.
#![allow(unsafe_code)]

use super::shadow::{Poison, ShadowOp};
use crate::cpu::thread::Thread;

/// The entry point of instrumented code; returns a taint.
///
/// # Safety
/// `thread` is the thread passed to the shader. The address is not dereferenced.
pub unsafe extern "C" fn watch(thread: *mut Thread<'_>, at: *const u8, taint: u64, packed: u64) -> u64 {
    // SAFETY: as in [`crate::cpu::entry::enter`].
    let thread = unsafe { &mut *thread };
    let (size, site) = (packed >> 8 & 0xFF_FFFF, (packed >> 32) as u32);
    let at = at as usize;
    let shadow = &mut thread.shadow;
    match packed as u8 {
        n if n == ShadowOp::Fresh as u8 => shadow.poison(at, size, Poison::Unwritten),
        n if n == ShadowOp::Read as u8 => return shadow.poison_of(at, size).map_or(0, |u| u as u64),
        n if n == ShadowOp::Stored as u8 => match Poison::of_taint(taint) {
            None => shadow.unpoison(at, size),
            Some(why) => shadow.poison(at, size, why),
        },
        _ => {
            if let Some(why) = Poison::of_taint(taint) {
                let (kind, message) = why.finding();
                thread.misuse(kind, site, || message.to_string());
            }
        }
    }
    0
}
