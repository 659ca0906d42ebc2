//! Lowering of one function: the parts that its state consists of, and the choice of the function that writes an instruction.
//!
//! Each kind of instruction is lowered in a file of its own, with an `impl` of [`Writer`].

use rtc_base::{Code, Span};
use rtc_ir::{self as ir, Effects, Family, Inst, InstData, Opcode, Scalar, effects};
use smallvec::SmallVec;

use super::emitter::{EmitError, EmitResult, Emitter};
use super::facts::{Facts, FunctionFacts};
use super::flow::Flow;
use super::frame::Frame;
use super::globals::Globals;
use super::select::{Lowering, lowering, memory_types, operation};
use super::signature::Declared;
use super::values::{Components, Values};
use super::{LowerError, Profile};
use rtc_dxil_module::{Block, Value, flags};
use rtc_tables::diagnostics::{E0602, E0604};
use rtc_tables::dxil_ops::DxOp;
use rtc_tables::intrinsics::vulkan;
use rtc_tables::limits::OFFLINE_MODEL;
use rtc_tables::raytracing::RtInfo;

/// Writes one function: the IR, the emitter, and the parts of the state that the files above share.
pub struct Writer<'w, 'm> {
    /// The IR.
    pub m: &'m ir::Module,
    /// Its facts.
    pub module_facts: &'m Facts,
    /// What is compiled.
    pub profile: Profile,
    /// What went wrong.
    pub errors: &'w mut Vec<LowerError>,
    /// Memory of module variables, and resource declarations.
    pub globals: &'w mut Globals,
    /// The functions of other libraries.
    pub declared: &'w Declared,
    /// The IR function.
    pub f: &'m ir::Function,
    /// Its facts: liveness, used resources.
    pub facts: &'m FunctionFacts,
    /// Appends to the DXIL function.
    pub e: Emitter<'w>,
    /// What IR values have become.
    pub values: Values,
    /// Where variables are.
    pub frame: Frame,
    /// The state of control flow.
    pub flow: Flow,
    /// The vertices that were read last of a ray query.
    pub vertices: Option<QueryVertices>,
}

/// The vertices of a ray query's triangle, which one operation gives for all three instructions of the IR.
#[derive(Clone, Copy)]
pub struct QueryVertices {
    /// The operation.
    pub op: DxOp,
    /// The query.
    pub query: Value,
    /// The block that has them.
    pub block: Block,
    /// The nine coordinates.
    pub all: Value,
}

impl Writer<'_, '_> {
    /// Whether a library is compiled.
    pub(super) fn is_library(&self) -> bool {
        self.profile == Profile::Library
    }

    /// Reports something at `span`.
    pub(super) fn error(&mut self, code: &'static Code, span: Span, message: impl Into<String>) {
        self.errors.push(LowerError::new(code, span, message));
    }

    /// Reports something of an instruction.
    pub(super) fn error_of(&mut self, i: Inst, code: &'static Code, message: impl Into<String>) {
        let mut error = LowerError::new(code, self.f.spans[i], message);
        let sites = self.f.debug.as_ref().map_or(Vec::new(), |d| d.chain(i));
        error.calls = sites.iter().rev().map(|s| s.span).collect();
        self.errors.push(error);
    }

    /// Whether the current shader model has an operation, and the current stage.
    fn allowed(&self, opcode: DxOp) -> EmitResult {
        let op = opcode.row();
        let model = if self.is_library() { op.min_sm_in_library } else { op.min_sm };
        if u32::from(model.1) > self.m.shader_model {
            let message = format!("`{}` needs shader model 6.{}, the target is 6.{}", op.name, model.1, self.m.shader_model);
            return Err(EmitError::new(&E0604, message));
        }
        // What a function of a library that is linked later may do depends on the shaders that it is linked into.
        let later = self.f.stage == ir::Stage::Library && self.m.shader_model == OFFLINE_MODEL;
        if op.stages >> self.f.stage as u32 & 1 == 0 && !later {
            let message = format!("`{}` is not available in {} shaders", op.name, self.f.stage.name());
            return Err(EmitError::new(&E0602, message));
        }
        Ok(())
    }

    /// The components of an IR value.
    pub(super) fn parts(&mut self, v: ir::Value) -> Components {
        match self.f.values[v].def {
            ir::ValueDef::Const(bits) => {
                let c = self.constant(self.f.ty(v), bits);
                SmallVec::from_slice(&[c])
            }
            ir::ValueDef::Undef => self.undef_parts(self.f.ty(v)),
            _ => match self.values.get(v) {
                [] => self.undef_parts(self.f.ty(v)),
                parts => SmallVec::from_slice(parts),
            },
        }
    }

    /// The components, with zero for undefined ones: operations do not take those.
    pub(super) fn defined(&mut self, v: ir::Value) -> Components {
        let mut parts = self.parts(v);
        for p in &mut parts {
            *p = self.e.define(*p);
        }
        parts
    }

    /// The only component of a scalar or handle.
    pub(super) fn one(&mut self, v: ir::Value) -> Value {
        self.defined(v)[0]
    }

    /// The undefined value of a type, in components.
    pub(super) fn undef_parts(&mut self, t: ir::Type) -> Components {
        let (ty, n) = match self.m.types.numeric(t) {
            Some((s, n)) => (self.e.scalar(s), n),
            None if t == ir::Type::HIT_OBJECT => (self.e.out.hit_object_type(), 1),
            None if let Some(matrix) = self.m.types.as_linalg(t) => (self.e.out.linalg_type(matrix), 1),
            None if self.m.types.is_ray_query(t) => (self.e.scalar(ir::Scalar::I32), 1),
            None => (self.e.out.handle_type(), 1),
        };
        let undef = self.e.out.undef(ty);
        (0..n).map(|_| undef).collect()
    }

    /// A constant of a scalar type.
    pub(super) fn constant(&mut self, t: ir::Type, bits: u64) -> Value {
        let s = self.m.types.numeric(t).map_or(ir::Scalar::I32, |n| n.0);
        let ty = self.e.scalar(s);
        let out = &mut *self.e.out;
        Value::Const(if s.is_float() { out.consts.float_bits(ty, bits) } else { out.consts.int(&out.types, ty, bits as i64) })
    }

    /// Sets the components of an IR value.
    pub(super) fn set(&mut self, v: ir::Value, parts: &[Value]) {
        self.values.set(v, parts);
    }

    /// Float flags of an instruction.
    pub(super) fn float_flags(&self, i: Inst) -> u8 {
        if self.f.is_precise(i) { 0 } else { flags::FAST }
    }

    /// Marks a call as exact if its IR instruction is. Minimum precision is never exact: DXIL forbids the mark there.
    pub(super) fn mark_precise(&mut self, i: Inst, call: Value) {
        let Value::Inst(call) = call else { return };
        let small = |v| self.elem(v) == Ok(Scalar::F16);
        if !self.f.is_precise(i) || !self.m.native_16bit && self.f.operands(i).into_iter().any(small) {
            return;
        }
        let kind = self.e.out.meta.kind("dx.precise");
        let one = self.e.out.meta_i32(1);
        let node = self.e.out.meta.node(&[Some(one)]);
        self.e.b().body().attach(call, kind, node);
    }

    /// Writes an instruction that is neither control nor an exit.
    pub(super) fn inst(&mut self, i: Inst) {
        self.e.set_exact(self.f.is_precise(i));
        let selected = operation(self.m, self.f, i);
        let done = selected.map_or(Ok(()), |op| self.allowed(op)).and_then(|()| self.plain(i, selected));
        if let Err(e) = done {
            self.error_of(i, e.code, e.message);
        }
        let effects = effects::of_inst(self.m, self.f, i);
        // Expressions after a reorder point are rematerialised: less state is saved across it.
        if effects.contains(Effects::REORDERS) {
            self.e.forget_available();
        }
        if effects.intersects(Effects::WRITES_QUERY | Effects::REORDERS) {
            self.vertices = None;
        }
    }

    /// Writes an instruction for which DXIL operation `selected` was chosen.
    fn plain(&mut self, i: Inst, selected: Option<DxOp>) -> EmitResult {
        let dxil = || selected.ok_or("this instruction has no DXIL form");
        let data = self.f.insts[i];
        let op = data.op();
        if Self::is_wave(op) {
            return self.wave(i, dxil()?);
        }
        if op.family() == Family::Element
            && let InstData::Many { imm, args, .. } = data
        {
            let args: SmallVec<[ir::Value; 4]> = SmallVec::from_slice(self.f.get(args));
            return self.stage(i, dxil()?, imm, &args);
        }
        if let InstData::Many { op: op @ (Opcode::set_mesh_output_counts | Opcode::emit_indices), args, .. } = data {
            let args: SmallVec<[ir::Value; 4]> = SmallVec::from_slice(self.f.get(args));
            return self.mesh(op, &args);
        }
        if let (Opcode::emit_stream | Opcode::cut_stream, InstData::Many { imm, .. }) = (op, data) {
            return self.stream(dxil()?, imm);
        }
        if op.family() == Family::Pixel {
            return self.pixel(i);
        }
        if op == Opcode::dispatch_mesh {
            return self.access(i);
        }
        if op.family() == Family::Linalg {
            return self.linalg(i, dxil()?);
        }
        if RtInfo::of(op).is_some() && !matches!(lowering(op), Some(Lowering::Dx(_))) {
            return self.raytracing(i, dxil()?);
        }
        match data {
            InstData::Access { .. } => self.access(i),
            InstData::Resource { global, index, nonuniform } => {
                let handle = self.resource(global, index.expand(), nonuniform)?;
                self.set(self.f.result(i), &[handle]);
                Ok(())
            }
            InstData::Many { imm, args, .. } => {
                let args: SmallVec<[ir::Value; 12]> = SmallVec::from_slice(self.f.get(args));
                match op {
                    Opcode::phys_load | Opcode::phys_store => {
                        Err("memory at an address (`vk::RawBufferLoad`) exists in SPIR-V only".into())
                    }
                    op if vulkan::name_of(op).is_some() => {
                        Err(format!("`vk::{}` exists in SPIR-V only", vulkan::name_of(op).unwrap_or_default()).into())
                    }
                    Opcode::debug_break => self.e.dx(dxil()?, None, &[]).map(|_| ()),
                    Opcode::spec_constant => Err("specialisation constants exist in SPIR-V only".into()),
                    Opcode::heap_resource => self.heap_resource(i, imm, args[0]),
                    Opcode::construct | Opcode::extract | Opcode::insert => self.rearrange(i, op, imm, &args),
                    Opcode::pack4x8 => self.pack(i, imm, args[0]),
                    Opcode::unpack4x8 => self.unpack(i, imm, args[0]),
                    Opcode::cbuf_load => self.cbuf_load(i, imm, &args),
                    Opcode::buf_load | Opcode::raw_load => self.raw_load(i, dxil()?, imm, &args),
                    Opcode::buf_store | Opcode::raw_store => self.raw_store(dxil()?, imm, &args),
                    Opcode::buf_atomic | Opcode::raw_atomic | Opcode::tex_atomic => self.atomic(i, imm, &args),
                    Opcode::counter_add => self.counter(i, imm, &args),
                    Opcode::tex_load => self.tex_load(i, dxil()?, imm, &args),
                    Opcode::tex_store => self.tex_store(dxil()?, &args),
                    Opcode::tex_size | Opcode::buf_size => self.size(i, &args),
                    Opcode::memory_barrier => {
                        let memory = memory_types(self.f, imm);
                        let memory = self.e.out.i32(memory as i32);
                        let semantics = self.e.out.i32((imm >> 8) as i32);
                        self.e.dx(dxil()?, None, &[memory, semantics]).map(|_| ())
                    }
                    Opcode::handle_barrier => {
                        let handle = self.one(args[0]);
                        let semantics = self.e.out.i32(imm as i32);
                        self.e.dx(dxil()?, None, &[handle, semantics]).map(|_| ())
                    }
                    Opcode::barrier => {
                        let mode = self.e.out.i32(imm as i32);
                        self.e.dx(dxil()?, None, &[mode]).map(|_| ())
                    }
                    _ => self.sample(i, dxil()?, imm, &args),
                }
            }
            InstData::Copy { .. } => Err(EmitError::internal("an aggregate is copied as a whole")),
            InstData::Call { func, args, refs } => self.call_elsewhere(i, func, args, refs),
            _ => match lowering(op) {
                Some(
                    what @ (Lowering::Float(_)
                    | Lowering::Int(_)
                    | Lowering::Shift(_)
                    | Lowering::Div(_)
                    | Lowering::Cmp(_)
                    | Lowering::Cast(_)
                    | Lowering::Dx(_)
                    | Lowering::FromTop(_)),
                ) => self.by_row(i, what),
                _ => self.arith(i, op),
            },
        }
    }
}
