//! Ray queries: a variable of the function for each, and one instruction for each use. Which one is a column
//! of the ray-tracing table.

use rtc_ir::{Inst, InstData, Opcode, Slot, Type, TypeKind, Value};
use rtc_tables::raytracing::{QueryOp, RtInfo};
use spirv::{Capability, Op, StorageClass};

use super::FuncEmitter;
use crate::words::put;

/// Ray flags that skip kinds of geometry.
const SKIPS: u32 = 0x300;
/// The ray flag that takes unknown opacity for the nearest known state.
const FORCE_2_STATE: u32 = 0x400;

impl FuncEmitter<'_, '_> {
    /// The variable of a ray query.
    pub(crate) fn declare_query(&mut self, slot: Slot) {
        let f = self.f;
        let why = self.reason("a ray query");
        self.e.w.capability(Capability::RayQueryKHR, || why.clone());
        self.e.w.extension("SPV_KHR_ray_query", || why);
        let ty = self.e.w.ty(Op::TypeRayQueryKHR, &[]);
        let pointer = self.e.w.pointer_ty(StorageClass::Function, ty);
        let id = self.e.w.id();
        put(&mut self.vars, Op::Variable, &[pointer, id, StorageClass::Function as u32]);
        self.e.w.name(id, &f.slots[slot].name);
        self.slots[slot] = id;
    }

    /// An instruction on a ray query.
    pub(crate) fn query_inst(&mut self, i: Inst, row: &RtInfo) {
        let InstData::Many { op, imm, args } = self.f.insts[i] else {
            rtc_base::bug!("ray queries have instructions with lists")
        };
        let (Some(query), args) = (row.query, self.f.get(args).to_vec()) else {
            rtc_base::bug!("the table has a SPIR-V instruction for each")
        };
        let q = self.val(args[0]);
        let (number, which) = match query {
            QueryOp::Plain(n) => (n, None),
            QueryOp::Candidate(n) => (n, Some(0)),
            QueryOp::Committed(n) => (n, Some(1)),
        };
        let Some(o) = Op::from_u32(number.into()) else {
            rtc_base::bug!("no SPIR-V instruction {number}")
        };
        if op == Opcode::ray_query_trace_ray_inline {
            return self.trace_inline(o, q, &args);
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
            Opcode::ray_query_candidate_triangle_object_position
            | Opcode::ray_query_committed_triangle_object_position => {
                let why = self.reason("positions of a triangle's vertices");
                self.e.w.capability(Capability::RayQueryPositionFetchKHR, || why.clone());
                self.e.w.extension("SPV_KHR_ray_tracing_position_fetch", || why);
                let vertex = self.e.ty(Type::F32X3);
                let three = self.e.w.u32(3);
                let array = self.e.w.ty(Op::TypeArray, &[vertex, three]);
                let all = self.op(o, array, &operands);
                self.op(Op::CompositeExtract, vertex, &[all, imm])
            }
            Opcode::ray_query_candidate_procedural_primitive_non_opaque => {
                let b = self.e.ty(ty);
                let opaque = self.op(o, b, &operands);
                self.op(Op::LogicalNot, b, &[opaque])
            }
            _ => {
                if matches!(
                    op,
                    Opcode::ray_query_candidate_cluster_id | Opcode::ray_query_committed_cluster_id
                ) {
                    self.clusters();
                }
                let ty = self.e.ty(ty);
                self.op(o, ty, &operands)
            }
        };
        self.set(result, id);
    }

    /// Starts a query with the flags of its type and of the call.
    fn trace_inline(&mut self, o: Op, q: u32, args: &[Value]) {
        let TypeKind::RayQuery(fixed, _) = self.m.types.kind(self.f.ty(args[0])) else {
            rtc_base::bug!("a query has a query's type")
        };
        let Some(scene) = self.handle(args[1]) else { return };
        let scene = self.accel(&scene);
        let given = self.f.as_const(args[2]).map(|n| n as u32);
        // Flags that are computed may be any; a device with ray queries has what they need.
        let possible = fixed | given.unwrap_or(SKIPS);
        if possible & SKIPS != 0 {
            let why = self.reason("ray flags that may skip triangles or procedural primitives");
            self.e.w.capability(Capability::RayTraversalPrimitiveCullingKHR, || why);
        }
        if possible & FORCE_2_STATE != 0 {
            self.micromaps();
        }
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

    /// Opacity micromaps are asked for.
    pub(crate) fn micromaps(&mut self) {
        let why = self.reason("a ray flag about opacity micromaps");
        self.e.w.capability(Capability::RayTracingOpacityMicromapEXT, || why.clone());
        self.e.w.extension("SPV_EXT_opacity_micromap", || why);
    }

    /// Clusters are asked for.
    pub(crate) fn clusters(&mut self) {
        let why = self.reason("the number of a cluster");
        self.e.w.capability(Capability::RayTracingClusterAccelerationStructureNV, || why.clone());
        self.e.w.extension("SPV_NV_cluster_acceleration_structure", || why);
    }
}
