//! The entry point of compiled code in the runtime.
//!
//! Soundness: the slots are on the shader's stack and as many as the call states; the thread is the one that the dispatch passed
//! to the shader, and nothing else accesses it while the shader runs.
#![allow(unsafe_code)]

use super::args::{Args, Shape};
use super::ops;
use super::sanitize;
use super::thread::Thread;
use super::wave;
use rtc_tables::dxil_ops::DxOp;

/// The entry point for compiled code.
///
/// # Safety
/// `thread` is the thread passed to the shader, and `slots` has the length that `shape` states.
pub unsafe extern "C" fn enter(thread: *mut Thread<'_>, slots: *mut u64, shape: u64, opcode: DxOp) {
    let shape = Shape::unpack(shape);
    // SAFETY: the contract above; nothing else accesses the thread or the slots during the call.
    let (thread, slots) = unsafe { (&mut *thread, std::slice::from_raw_parts_mut(slots, shape.slots.into())) };
    if thread.convergence.is_lane() {
        wave::note(thread, shape, slots);
    }
    if thread.is_sanitized() {
        sanitize::indices::check(thread, shape, slots);
    }
    let mut args = Args::new(shape, opcode, slots);
    let run = ops::find(opcode);
    // A panic must not unwind through compiled code.
    let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| run(thread, &mut args)));
    if caught.is_err() {
        thread.fail(shape.site, "internal error: the runtime panicked in this operation".to_string());
    }
}
