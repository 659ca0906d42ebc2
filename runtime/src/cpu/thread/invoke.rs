//! Calls from the runtime into compiled shaders.
#![allow(unsafe_code)]

use super::Thread;

impl Thread<'_> {
    /// Runs shader `n` on this thread, whose stack suffices; shaders that it calls run on the same thread.
    pub fn invoke(&mut self, n: usize, payload: *mut u8, attributes: *mut u8) {
        let before = std::mem::replace(&mut self.shader, n);
        let kept = self.rays.enter();
        let program = self.machine.program;
        let mark = self.convergence.descend(n, program.shaders[n].kind);
        // Sound because lowered code stays inside the objects of its pointers, and the caller has checked that they are at least
        // as large as the shader declares: see `crate::cpu::lower`.
        unsafe { (program.functions[n])(self, payload, attributes) }
        self.convergence.ascend(mark);
        self.rays.leave(kept);
        self.shader = before;
    }
}
