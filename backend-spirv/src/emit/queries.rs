//! Instruction selection for ray queries: a variable of the function for each, and one instruction for each use, from a column
//! of the ray-tracing table.

use rtc_ir::{Inst, InstData, Opcode, Slot, Type, TypeKind, Value};
use rtc_passes::ranges::Ranges;
use rtc_tables::ray_flags;
use rtc_tables::raytracing::{QueryOp, RtInfo};
use spirv::{Capability, Op};

use super::FuncEmitter;
use crate::words::{Id, NONE};

/// The execution mode `OpacityMicromapIdKHR`.
pub(crate) const OPACITY_MICROMAP_ID: u32 = 6031;
/// The capability `RayTracingOpacityMicromapExecutionModeKHR`.
const OPACITY_MICROMAP_MODE: u32 = 6032;

impl FuncEmitter<'_, '_> {
    /// The variable of a ray query.
    pub(crate) fn declare_query(&mut self, slot: Slot) {
        let f = self.f;
        let why = self.reason("a ray query");
        self.e.w.capability(Capability::RayQueryKHR, || why.clone());
        self.e.w.extension("SPV_KHR_ray_query", || why);
        if let TypeKind::RayQuery(_, allows) = self.m.types.kind(f.slots[slot].ty)
            && allows & ray_flags::QUERY_ALLOWS_MICROMAPS != 0
            && self.e.khr_micromaps
        {
            self.micromap_queries = true;
            let why = self.reason("a ray query that may meet opacity micromaps");
            self.e.w.capability_number(OPACITY_MICROMAP_MODE, || why.clone());
            self.e.w.extension("SPV_KHR_opacity_micromap", || why);
        }
        let ty = self.e.w.ty(Op::TypeRayQueryKHR, NONE);
        self.slots[slot] = Some(self.function_variable(ty, &f.slots[slot].name));
    }

    /// An instruction on a ray query.
    pub(crate) fn query_inst(&mut self, i: Inst, row: &RtInfo) {
        let InstData::Many { op, imm, args } = self.f.insts[i] else { rtc_base::bug!("ray queries have instructions with lists") };
        let (Some(query), args) = (row.query, self.f.get(args).to_vec()) else {
            rtc_base::bug!("the table has a SPIR-V instruction for each")
        };
        let q = self.val(args[0]);
        let (number, which) = match query {
            QueryOp::Plain(n) => (n, None),
            QueryOp::Candidate(n) => (n, Some(0)),
            QueryOp::Committed(n) => (n, Some(1)),
        };
        let Some(o) = Op::from_u32(number.into()) else { rtc_base::bug!("no SPIR-V instruction {number}") };
        if op == Opcode::ray_query_trace_ray_inline {
            return self.trace_inline(i, o, q, &args);
        }
        let mut operands = vec![q];
        if let Some(n) = which {
            operands.push(self.e.w.u32(n));
        }
        for &v in &args[1..] {
            operands.push(self.val(v));
        }
        let Some(&result) = self.f.results(i).first() else {
            return self.stmt(o, &operands);
        };
        let ty = self.f.ty(result);
        let id = match op {
            Opcode::ray_query_candidate_object_to_world
            | Opcode::ray_query_candidate_world_to_object
            | Opcode::ray_query_committed_object_to_world
            | Opcode::ray_query_committed_world_to_object => {
                let matrix = self.matrix_ty();
                let m = self.op(o, matrix, &operands);
                self.row_of_columns(m, imm)
            }
            Opcode::ray_query_candidate_triangle_object_position | Opcode::ray_query_committed_triangle_object_position => {
                let why = self.reason("positions of a triangle's vertices");
                self.e.w.capability(Capability::RayQueryPositionFetchKHR, || why.clone());
                self.e.w.extension("SPV_KHR_ray_tracing_position_fetch", || why);
                let vertex = self.e.ty(Type::F32X3);
                let three = self.e.w.u32(3);
                let array = self.e.w.array_ty(vertex, three);
                let all = self.op(o, array, &operands);
                self.extract(vertex, all, &[imm])
            }
            Opcode::ray_query_candidate_procedural_primitive_non_opaque => {
                let b = self.e.ty(ty);
                let opaque = self.op(o, b, &operands);
                self.op(Op::LogicalNot, b, &[opaque])
            }
            Opcode::ray_query_candidate_cluster_id | Opcode::ray_query_committed_cluster_id if !self.clusters() => self.e.w.u32(u32::MAX),
            _ => {
                let ty = self.e.ty(ty);
                self.op(o, ty, &operands)
            }
        };
        self.set(result, id);
    }

    /// Starts a query with the flags of its type and of the call.
    fn trace_inline(&mut self, i: Inst, o: Op, q: Id, args: &[Value]) {
        let TypeKind::RayQuery(fixed, allows) = self.m.types.kind(self.f.ty(args[0])) else { rtc_base::bug!("a query has a query's type") };
        let Some(scene) = self.handle(args[1]) else { return };
        let scene = self.accel(&scene);
        let given = self.f.as_const(args[2]).map(|n| n as u32);
        self.note_ray_flags(i, args[2], fixed, allows & ray_flags::QUERY_ALLOWS_MICROMAPS != 0);
        let flags = match given {
            Some(n) => self.e.w.u32(n | fixed),
            None => {
                let flags = self.val(args[2]);
                let (ty, fixed) = (self.e.w.u32_ty(), self.e.w.u32(fixed));
                self.op(Op::BitwiseOr, ty, &[flags, fixed])
            }
        };
        let mut operands = vec![q, scene, flags];
        for &v in &args[3..] {
            operands.push(self.val(v));
        }
        self.stmt(o, &operands);
    }

    /// Asks for what ray flags need that may be set. `fixed`: flags of a query's type; `micromaps`: the ray may meet some.
    ///
    /// Computed flags are checked by their value ranges. A value with bits that are not flags is opaque (from the host, say, whatever was masked out of it): flags that skip geometry are set if the
    /// shader model has them, the one about micromaps if the ray may meet any.
    pub(crate) fn note_ray_flags(&mut self, i: Inst, v: Value, fixed: u32, micromaps: bool) {
        let f = self.f;
        let may = match f.as_const(v) {
            Some(n) => n as u32,
            None => {
                let types = &self.m.types;
                let r = self.ranges.get_or_insert_with(|| Ranges::of(types, f)).at(v, i);
                let mut may = if r.is_empty() { 0 } else { !r.zeros };
                if r.umax > ray_flags::ALL {
                    for (bits, since) in ray_flags::SINCE {
                        if self.m.shader_model < u32::from(*since) {
                            may &= !bits;
                        }
                    }
                    if !micromaps {
                        may &= !ray_flags::FORCE_2_STATE;
                    }
                }
                may
            }
        } | fixed;
        if may & (ray_flags::SKIP_TRIANGLES | ray_flags::SKIP_PROCEDURAL) != 0 {
            let why = self.reason("ray flags that may skip triangles or procedural primitives");
            self.e.w.capability(Capability::RayTraversalPrimitiveCullingKHR, || why);
        }
        if may & ray_flags::FORCE_2_STATE != 0 {
            self.micromaps();
        }
    }

    /// Requires opacity micromaps.
    pub(crate) fn micromaps(&mut self) {
        let why = self.reason("a ray flag about opacity micromaps");
        self.e.w.capability(Capability::RayTracingOpacityMicromapEXT, || why.clone());
        let name = if self.e.khr_micromaps { "SPV_KHR_opacity_micromap" } else { "SPV_EXT_opacity_micromap" };
        self.e.w.extension(name, || why);
    }

    /// Asks for clusters. False: the device has none, so no hit is in one.
    pub(crate) fn clusters(&mut self) -> bool {
        if !self.e.clusters {
            return false;
        }
        let why = self.reason("the number of a cluster");
        self.e.w.capability(Capability::RayTracingClusterAccelerationStructureNV, || why.clone());
        self.e.w.extension("SPV_NV_cluster_acceleration_structure", || why);
        true
    }
}
