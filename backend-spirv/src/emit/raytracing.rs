//! Instruction selection for ray tracing: system values, traces, calls.

use rtc_ir::{Inst, InstData, Opcode, Stage, Type, Value};
use rtc_tables::insts::Effects;
use rtc_tables::ray_flags::PIPELINE_ALLOWS_MICROMAPS;
use rtc_tables::resources::ResourceClass;
use spirv::{BuiltIn, Capability, Decoration, Op, StorageClass};

use super::{FuncEmitter, Handle};
use crate::bindings::Home;
use crate::words::{Id, NONE, TypeId, put_result};

/// The builtin variable of a system value and its type.
#[rustfmt::skip]
const fn builtin(op: Opcode) -> Option<(BuiltIn, Type)> {
    use Opcode as O;
    Some(match op {
        O::thread_id            => (BuiltIn::GlobalInvocationId,     Type::I32X3),
        O::group_id             => (BuiltIn::WorkgroupId,            Type::I32X3),
        O::thread_id_in_group   => (BuiltIn::LocalInvocationId,      Type::I32X3),
        O::flattened_thread_id_in_group => (BuiltIn::LocalInvocationIndex, Type::I32),
        O::dispatch_rays_index  => (BuiltIn::LaunchIdKHR,            Type::I32X3),
        O::dispatch_rays_dim    => (BuiltIn::LaunchSizeKHR,          Type::I32X3),
        O::world_ray_origin     => (BuiltIn::WorldRayOriginKHR,      Type::F32X3),
        O::world_ray_direction  => (BuiltIn::WorldRayDirectionKHR,   Type::F32X3),
        O::object_ray_origin    => (BuiltIn::ObjectRayOriginKHR,     Type::F32X3),
        O::object_ray_direction => (BuiltIn::ObjectRayDirectionKHR,  Type::F32X3),
        O::ray_tmin             => (BuiltIn::RayTminKHR,             Type::F32),
        O::ray_tcurrent         => (BuiltIn::RayTmaxKHR,             Type::F32),
        O::ray_flags            => (BuiltIn::IncomingRayFlagsKHR,    Type::I32),
        O::instance_index       => (BuiltIn::InstanceId,             Type::I32),
        O::instance_id          => (BuiltIn::InstanceCustomIndexKHR, Type::I32),
        O::primitive_index      => (BuiltIn::PrimitiveId,            Type::I32),
        O::geometry_index       => (BuiltIn::RayGeometryIndexKHR,    Type::I32),
        O::hit_kind             => (BuiltIn::HitKindKHR,             Type::I32),
        O::cluster_id           => (BuiltIn::ClusterIDNV,            Type::I32),
        _ => return None,
    })
}

impl FuncEmitter<'_, '_> {
    /// The variable of a builtin: one for each entry point, because `Volatile` depends on the stage.
    pub(crate) fn builtin_var(&mut self, b: BuiltIn, ty: TypeId) -> Id {
        if let Some(&v) = self.builtins.get(&b) {
            return v;
        }
        let v = self.e.w.variable(StorageClass::Input, ty, None);
        self.e.w.decorate(v, Decoration::BuiltIn, &[b as u32]);
        self.e.reflect_builtin(v, b);
        // What other shaders change while this one waits, or where the thread goes on in another wave.
        let moves = self.stage().is_raytracing() && self.stage() != Stage::AnyHit;
        let wave = matches!(b, BuiltIn::SubgroupLocalInvocationId | BuiltIn::SubgroupSize);
        if b == BuiltIn::RayTmaxKHR && self.stage() == Stage::Intersection || wave && moves {
            self.e.w.decorate(v, Decoration::Volatile, &[]);
        }
        // What is no float does not vary over a primitive.
        if self.stage() == Stage::Pixel && b != BuiltIn::HelperInvocation {
            self.e.w.decorate(v, Decoration::Flat, &[]);
        }
        self.interface.insert(v);
        self.builtins.insert(b, v);
        v
    }

    /// The value of a builtin of type `ty`. After a call the driver may have those of the shaders that ran, so it is loaded before.
    pub(crate) fn builtin_value(&mut self, b: BuiltIn, ty: TypeId) -> Id {
        let called = matches!(self.stage(), Stage::ClosestHit | Stage::Miss | Stage::Callable);
        let wave = matches!(b, BuiltIn::SubgroupLocalInvocationId | BuiltIn::SubgroupSize);
        if called && self.resumed && !wave {
            return self.loaded_at_entry(b, ty);
        }
        let var = self.builtin_var(b, ty);
        self.op(Op::Load, ty, &[var])
    }

    /// The value that a builtin has at the beginning of the function.
    pub(crate) fn loaded_at_entry(&mut self, b: BuiltIn, ty: TypeId) -> Id {
        let var = self.builtin_var(b, ty);
        if let Some(&id) = self.at_entry.get(&var) {
            return id;
        }
        let id = self.e.w.id();
        put_result(&mut self.entry_code, Op::Load, ty, id, &[var]);
        self.at_entry.insert(var, id);
        id
    }

    /// Notes whether the thread has waited for other shaders where `i` begins, or may wait in a loop that begins there.
    pub(crate) fn note_resumption(&mut self, i: Inst) {
        let effects = match self.f.insts[i] {
            _ if self.resumed => return,
            InstData::Loop { .. } => rtc_ir::effects::of_inst_deep(self.m, self.f, i),
            _ => rtc_ir::effects::of_inst(self.m, self.f, i),
        };
        self.resumed = effects.contains(Effects::REORDERS);
    }

    pub(crate) fn builtin_inst(&mut self, i: Inst) {
        let op = self.f.op(i);
        let result = self.f.result(i);
        let Some((b, ty)) = builtin(op) else {
            self.error(format!("`{op}` has no SPIR-V form"));
            return;
        };
        if op == Opcode::cluster_id && !self.clusters() {
            let none = self.e.w.u32(u32::MAX);
            return self.set(result, none);
        }
        if b == BuiltIn::RayTmaxKHR
            && let Some(id) = self.ray_end()
        {
            return self.set(result, id);
        }
        let ty = self.e.ty(ty);
        let id = self.builtin_value(b, ty);
        self.set(result, id);
    }

    /// Row `row` of a 3x4 matrix; SPIR-V has it as four columns of three.
    pub(crate) fn matrix_row(&mut self, i: Inst, op: Opcode, row: u32) {
        let b = if op == Opcode::object_to_world { BuiltIn::ObjectToWorldKHR } else { BuiltIn::WorldToObjectKHR };
        let matrix = self.matrix_ty();
        let m = self.builtin_value(b, matrix);
        let id = self.row_of_columns(m, row);
        let result = self.f.result(i);
        self.set(result, id);
    }

    /// The type of matrices between spaces.
    pub(crate) fn matrix_ty(&mut self) -> TypeId {
        let f32 = self.e.w.f32_ty();
        let column = self.e.w.vector_ty(f32, 3);
        self.e.w.matrix_ty(column, 4)
    }

    /// Row `row` of such a matrix.
    pub(crate) fn row_of_columns(&mut self, m: Id, row: u32) -> Id {
        let f32 = self.e.w.f32_ty();
        let parts: Vec<Id> = (0..4).map(|c| self.extract(f32, m, &[c, row])).collect();
        let f32x4 = self.e.w.vector_ty(f32, 4);
        self.composite(f32x4, &parts)
    }

    /// Vertex `n` of the triangle that was hit.
    pub(crate) fn vertex(&mut self, i: Inst, n: u32) {
        let why = self.reason("positions of a triangle's vertices");
        self.e.w.capability(Capability::RayTracingPositionFetchKHR, || why.clone());
        self.e.w.extension("SPV_KHR_ray_tracing_position_fetch", || why);
        let vertex = self.e.ty(Type::F32X3);
        let three = self.e.w.u32(3);
        let array = self.e.w.array_ty(vertex, three);
        let all = self.builtin_value(BuiltIn::HitTriangleVertexPositionsKHR, array);
        let id = self.extract(vertex, all, &[n]);
        let result = self.f.result(i);
        self.set(result, id);
    }

    /// The acceleration structure of a handle, loaded here: it must be loaded in the block that uses it.
    pub(crate) fn accel(&mut self, h: &Handle) -> Id {
        let ty = self.e.w.ty(Op::TypeAccelerationStructureKHR, NONE);
        if let Home::RecordAddress { offset } = h.home {
            let address = self.record_address(offset);
            return self.op(Op::ConvertUToAccelerationStructureKHR, ty, &[address]);
        }
        let p = self.descriptor(h, StorageClass::UniformConstant, ty);
        let id = self.op(Op::Load, ty, &[p]);
        if h.nonuniform {
            self.nonuniform(id);
        }
        id
    }

    pub(crate) fn slot_inst(&mut self, i: Inst) {
        let InstData::Slot { op, slot, args } = self.f.insts[i] else { rtc_base::bug!("not an instruction on a slot") };
        let args: Vec<Value> = self.f.get(args).to_vec();
        let var = self.slot_var(slot);
        match op {
            Opcode::allocate_ray_query => {
                let result = self.f.result(i);
                self.set(result, var);
            }
            Opcode::trace_ray => {
                let Some(h) = self.handle(args[0]) else { return };
                debug_assert_eq!(h.ty.class, ResourceClass::Srv);
                let micromaps = self.pipelines_allow_micromaps();
                self.note_ray_flags(i, args[1], 0, micromaps);
                let mut ids = vec![self.accel(&h)];
                for &a in &args[1..] {
                    let id = self.val(a);
                    ids.push(id);
                }
                ids.push(var);
                self.stmt(Op::TraceRayKHR, &ids);
            }
            Opcode::call_shader => {
                let index = self.val(args[0]);
                self.stmt(Op::ExecuteCallableKHR, &[index, var]);
            }
            Opcode::report_hit => {
                let (t, kind) = (self.val(args[0]), self.val(args[1]));
                self.report_hit(i, slot, t, kind);
            }
            _ => self.error(format!("`{op}` has no SPIR-V form")),
        }
    }

    /// Whether a pipeline configuration of the library allows opacity micromaps.
    pub(crate) fn pipelines_allow_micromaps(&self) -> bool {
        self.m.subobjects.iter().any(|s| match s.kind {
            rtc_ir::SubobjectKind::PipelineConfig1(_, flags) => flags & PIPELINE_ALLOWS_MICROMAPS != 0,
            _ => false,
        })
    }
}
