//! Barriers: which memory is ordered, for whom, and whether the group waits.

use rtc_ir::Stage;
use spirv::{MemorySemantics, Op, Scope};

use super::FuncEmitter;

impl FuncEmitter<'_, '_> {
    /// DXIL barrier mode bits: 1 thread group sync, 2 UAVs device-wide, 4 UAVs of the group, 8 groupshared.
    pub(crate) fn barrier(&mut self, mode: u32) {
        let memory = u32::from(mode & 6 != 0) | (mode & 8) >> 2;
        let scope = if mode & 2 != 0 { 4 } else { 2 };
        self.memory_barrier(memory, mode & 1 | scope);
    }

    /// Memory types: 1 UAVs, 2 groupshared. Semantics: 1 thread group sync; scopes: 2 group, 4 device, 8 reorder.
    pub(crate) fn memory_barrier(&mut self, memory: u32, semantics: u32) {
        let group = self.stage() == Stage::Compute;
        let mut ordered = MemorySemantics::empty();
        if memory & 1 != 0 {
            ordered |= MemorySemantics::UNIFORM_MEMORY | MemorySemantics::IMAGE_MEMORY;
        }
        if memory & 2 != 0 && group {
            ordered |= MemorySemantics::WORKGROUP_MEMORY;
        }
        let scope = match semantics {
            s if s & 4 != 0 => Scope::Device,
            s if s & 8 != 0 => Scope::ShaderCallKHR,
            s if s & 3 != 0 => Scope::Workgroup,
            // Nobody is named for whom anything would be ordered.
            _ => return,
        };
        if !ordered.is_empty() {
            ordered |= MemorySemantics::ACQUIRE_RELEASE;
        }
        let sync = semantics & 1 != 0;
        let (scope, ordered_id) = (self.e.w.u32(scope as u32), self.e.w.u32(ordered.bits()));
        if sync {
            let group = self.e.w.u32(Scope::Workgroup as u32);
            self.stmt(Op::ControlBarrier, &[group, scope, ordered_id]);
        } else if !ordered.is_empty() {
            self.stmt(Op::MemoryBarrier, &[scope, ordered_id]);
        }
    }
}
