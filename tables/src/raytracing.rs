//! The stage table: one row for each IR instruction that only some shaders may use: those of ray tracing, and
//! the system values of compute shaders. Sema
//! checks stages against it (through the call graph), the verifier checks them again, and the DXIL back
//! end finds its operation here. What the operation looks like is a row of [`crate::dxil_ops`].

use crate::dxil_ops::DxilOp;
use crate::insts::Opcode;
use crate::stages::{Stage, StageMask};

/// One row of [`RAYTRACING`].
pub struct RtInfo {
    /// The instruction.
    pub op: Opcode,
    /// Where it may stand. [`StageMask::LIB`]: in an exported library function too.
    pub stages: StageMask,
    /// The opcode of the DXIL operation.
    pub dxil: u32,
}

const fn rt(op: Opcode, stages: StageMask, dxil: u32) -> RtInfo {
    RtInfo { op, stages, dxil }
}

const AH: StageMask = StageMask::AH;
const LIB: StageMask = StageMask::LIB;
const RT: StageMask = StageMask::RT.union(LIB);
const RAY: StageMask = StageMask::RAY.union(LIB);
const PRIM: StageMask = StageMask::PRIM.union(LIB);
const IS: StageMask = StageMask::IS.union(LIB);
const TRACES: StageMask = StageMask::RG
    .union(StageMask::CH)
    .union(StageMask::MS)
    .union(LIB);
const CALLS: StageMask = TRACES.union(StageMask::CL);
const CS: StageMask = StageMask::CS;

/// Every instruction with a stage rule, in the order of the instruction table.
#[rustfmt::skip]
pub const RAYTRACING: &[RtInfo] = &[
//     instruction                    stages  DXIL
    rt(Opcode::thread_id,             CS,     93),
    rt(Opcode::group_id,              CS,     94),
    rt(Opcode::thread_id_in_group,    CS,     95),
    rt(Opcode::flattened_thread_id_in_group, CS, 96),
    rt(Opcode::dispatch_rays_index,   RT,     145),
    rt(Opcode::dispatch_rays_dim,     RT,     146),
    rt(Opcode::world_ray_origin,      RAY,    147),
    rt(Opcode::world_ray_direction,   RAY,    148),
    rt(Opcode::object_ray_origin,     PRIM,   149),
    rt(Opcode::object_ray_direction,  PRIM,   150),
    rt(Opcode::ray_tmin,              RAY,    153),
    rt(Opcode::ray_tcurrent,          RAY,    154),
    rt(Opcode::ray_flags,             RAY,    144),
    rt(Opcode::instance_index,        PRIM,   142),
    rt(Opcode::instance_id,           PRIM,   141),
    rt(Opcode::primitive_index,       PRIM,   161),
    rt(Opcode::geometry_index,        PRIM,   213),
    rt(Opcode::hit_kind,              PRIM,   143),
    rt(Opcode::object_to_world,       PRIM,   151),
    rt(Opcode::world_to_object,       PRIM,   152),
    rt(Opcode::trace_ray,             TRACES, 157),
    rt(Opcode::call_shader,           CALLS,  159),
    rt(Opcode::report_hit,            IS,     158),
    rt(Opcode::ignore_hit,            AH,     155),
    rt(Opcode::accept_hit,            AH,     156),
];

impl RtInfo {
    /// The row of `op`, if it has a stage rule.
    pub fn of(op: Opcode) -> Option<&'static RtInfo> {
        let at = RAYTRACING.binary_search_by_key(&op, |r| r.op).ok()?;
        Some(&RAYTRACING[at])
    }

    /// Whether an entry point of `stage` may execute it. Functions that are no entry points may hold
    /// anything; the entry points that reach them decide.
    pub fn allowed_in(&self, stage: Stage) -> bool {
        stage == Stage::Library || self.stages.has(stage)
    }

    /// The DXIL operation.
    pub fn dxil_op(&self) -> &'static DxilOp {
        DxilOp::by_opcode(self.dxil).expect("the join test found it")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_sorted_and_join_with_the_dxil_operations() {
        assert!(RAYTRACING.windows(2).all(|w| w[0].op < w[1].op));
        for r in RAYTRACING {
            let op = DxilOp::by_opcode(r.dxil).unwrap_or_else(|| panic!("{} has no row", r.dxil));
            let squeeze = |s: &str| s.replace('_', "").to_lowercase();
            let (ours, theirs) = (squeeze(r.op.name()), squeeze(op.name));
            let same = theirs.starts_with(&ours) || ours == "accepthit";
            assert!(same, "{} is not {}", r.op, op.name);
            let ours = u32::from(op.stages) & StageMask::ALL.bits();
            assert_eq!(ours, r.stages.bits(), "stages of {}", r.op);
        }
    }

    #[test]
    fn whatever_runs_shaders_has_a_row() {
        use crate::insts::{Effects, INSTS, OPCODES};
        for (i, &op) in INSTS.iter().zip(OPCODES) {
            if i.effects.contains(Effects::RUNS_SHADERS) && op != Opcode::call {
                assert!(RtInfo::of(op).is_some(), "{op}");
            }
        }
    }
}
