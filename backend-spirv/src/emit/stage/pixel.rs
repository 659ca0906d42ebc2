//! What pixel shaders alone have: threads that end or become helpers.

use rtc_ir::{Inst, Opcode, Stage, Type, Value};
use spirv::{BuiltIn, Capability as C, ExecutionMode, Op};

use super::Demotion;
use crate::emit::FuncEmitter;
use crate::words::{Id, NONE, operands};

impl FuncEmitter<'_, '_> {
    /// Ends the thread, or makes it a helper, if a condition holds.
    pub(crate) fn discard(&mut self, cond: Value) {
        let always = self.f.as_const(cond) == Some(1);
        let cond = self.val(cond);
        let demotes = self.e.stage.demotion != Demotion::Ends;
        if demotes {
            self.helper_capability("`discard`");
            if always {
                return self.stmt(Op::DemoteToHelperInvocation, NONE);
            }
        }
        let (then, merge) = (self.e.w.id(), self.e.w.id());
        self.stmt(Op::SelectionMerge, &operands![merge, spirv::SelectionControl::NONE]);
        self.stmt(Op::BranchConditional, &[cond, then, merge]);
        self.begin_block(then);
        if demotes {
            self.stmt(Op::DemoteToHelperInvocation, NONE);
            self.stmt(Op::Branch, &[merge]);
        } else {
            self.stmt(Op::Kill, NONE);
        }
        self.begin_block(merge);
    }

    /// An instruction of pixel shaders without operands.
    pub(crate) fn pixel_inst(&mut self, i: Inst, op: Opcode) {
        if op != Opcode::is_helper_lane {
            let result = self.f.result(i);
            let none = self.ty_of(result);
            let none = self.e.w.undef(none);
            self.set(result, none);
            return self.error("SPIR-V has no samples of the render target: pass them in a constant buffer");
        }
        let ty = self.e.ty(Type::BOOL);
        let result = self.f.result(i);
        if self.stage() != Stage::Pixel {
            let no = self.e.constant(Type::BOOL, 0);
            return self.set(result, no);
        }
        let id = if self.e.stage.demotion == Demotion::Core {
            let var = self.builtin_var(BuiltIn::HelperInvocation, ty);
            self.op(Op::Load, ty, &operands![var, spirv::MemoryAccess::VOLATILE])
        } else {
            self.helper_capability("`IsHelperLane`");
            self.op(Op::IsHelperInvocationEXT, ty, NONE)
        };
        self.set(result, id);
    }

    /// Asks for threads that become helpers.
    fn helper_capability(&mut self, what: &str) {
        let why = self.reason(what);
        self.e.w.capability(C::DemoteToHelperInvocation, || why.clone());
        if self.e.stage.demotion != Demotion::Core {
            self.e.w.extension(Demotion::EXTENSION, || why);
        }
    }

    /// What `[WaveOpsIncludeHelperLanes]` asks for: quads stay together, helpers with them.
    pub(super) fn helper_modes(&mut self, id: Id) {
        if !self.f.helper_lanes {
            return;
        }
        let why = self.reason("`[WaveOpsIncludeHelperLanes]`");
        self.e.w.capability(C::QuadControlKHR, || why.clone());
        for extension in ["SPV_KHR_maximal_reconvergence", "SPV_KHR_quad_control"] {
            self.e.w.extension(extension, || why.clone());
        }
        for mode in [ExecutionMode::MaximallyReconvergesKHR, ExecutionMode::RequireFullQuadsKHR] {
            self.e.w.execution_mode(id, mode, &[]);
        }
    }
}
