//! Calls from the runtime into compiled shaders, and the signatures of both directions.
//!
//! Soundness: lowered code stays inside the objects of its pointers ([`crate::cpu::lower`]), and callers have checked that these are at
//! least as large as the shader declares.
#![allow(unsafe_code)]

use super::Thread;
use rtc_tables::dxil_ops::DxOp;

/// The signature of a compiled shader: thread, payload or parameter, hit attributes.
pub type ShaderFn = for<'t, 'm> unsafe extern "C" fn(*mut Thread<'m>, *mut u8, *mut u8);

/// The signature of the runtime's entry point, [`crate::cpu::entry::enter`].
pub type EnterFn = for<'m> unsafe extern "C" fn(*mut Thread<'m>, *mut u64, u64, DxOp);

/// The signature of the sanitizer's entry point, [`crate::cpu::sanitize::hook::watch`].
pub type WatchFn = for<'m> unsafe extern "C" fn(*mut Thread<'m>, *const u8, u64, u64) -> u64;

impl Thread<'_> {
    /// Runs shader `n` on this thread, whose stack suffices; shaders that it calls run on the same thread.
    pub(crate) fn invoke(&mut self, n: usize, payload: *mut u8, attributes: *mut u8) {
        let before = std::mem::replace(&mut self.shader, n);
        let kept = self.rays.enter();
        let program = self.machine.program;
        let mark = self.convergence.descend(n, program.shaders[n].kind);
        // SAFETY: the rule at the head of the file; the thread is this one.
        unsafe { (program.functions[n])(self, payload, attributes) }
        self.convergence.ascend(mark);
        self.rays.leave(kept);
        self.shader = before;
    }
}
