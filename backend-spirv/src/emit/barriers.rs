//! Barriers: memory semantics, memory scope and execution scope.

use rtc_tables::barriers::{memory as types, mode as modes, semantics as meanings};
use spirv::{MemorySemantics, Op, Scope};

use super::FuncEmitter;

impl FuncEmitter<'_, '_> {
    /// A barrier by its mode bits.
    pub(crate) fn barrier(&mut self, mode: u32) {
        let has = |bits, then| if mode & bits != 0 { then } else { 0 };
        let memory = has(modes::UAV_GLOBAL | modes::UAV_GROUP, types::UAV) | has(modes::GROUPSHARED, types::GROUPSHARED);
        let scope = if mode & modes::UAV_GLOBAL != 0 { meanings::DEVICE } else { meanings::GROUP_SCOPE };
        self.memory_barrier(memory, has(modes::GROUP_SYNC, meanings::GROUP_SYNC) | scope);
    }

    /// A barrier by memory types and semantics.
    pub(crate) fn memory_barrier(&mut self, memory: u32, semantics: u32) {
        let group = rtc_tables::stages::StageMask::GROUPS.has(self.stage());
        let mut ordered = MemorySemantics::empty();
        if memory & types::UAV != 0 {
            ordered |= MemorySemantics::UNIFORM_MEMORY | MemorySemantics::IMAGE_MEMORY;
        }
        if memory & types::GROUPSHARED != 0 && group {
            ordered |= MemorySemantics::WORKGROUP_MEMORY;
        }
        let scope = match semantics {
            s if s & meanings::DEVICE != 0 => Scope::Device,
            s if s & meanings::REORDER != 0 => Scope::ShaderCallKHR,
            s if s & meanings::GROUP != 0 => Scope::Workgroup,
            // No scope is named, so nothing is ordered.
            _ => return,
        };
        if !ordered.is_empty() {
            ordered |= MemorySemantics::ACQUIRE_RELEASE;
        }
        let sync = semantics & meanings::GROUP_SYNC != 0;
        let (scope, ordered_id) = (self.e.w.u32(scope as u32), self.e.w.u32(ordered.bits()));
        if sync {
            let group = self.e.w.u32(Scope::Workgroup as u32);
            self.stmt(Op::ControlBarrier, &[group, scope, ordered_id]);
        } else if !ordered.is_empty() {
            self.stmt(Op::MemoryBarrier, &[scope, ordered_id]);
        }
    }
}
