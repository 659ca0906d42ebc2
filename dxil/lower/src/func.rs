//! The state of lowering one function: the current block, the components of IR values, the memory of variables.
//!
//! Each kind of instruction is lowered in a file of its own, with an `impl` of [`Writer`].

use rtc_base::{EntitySet, SecondaryMap, Span};
use rtc_ir::{self as ir, Effects, Inst, InstData, Opcode, Scalar, effects};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::LowerError;
use super::control::Joins;
use super::dx_break::WaveRegions;
use super::facts::FunctionFacts;
use super::globals::Globals;
use super::module::Cx;
use super::pointers::Memory;
use super::select::{Lowering, lowering, memory_types, operation};
use super::signature::Declared;
use super::vectors::Deferred;
use crate::debug::plan::Plan;
use rtc_dxil_module::{Block, Builder, ConstKind, Func, Type, Value, ValueNumbers, flags};
use rtc_tables::dxil_ops::DxOp;
use rtc_tables::intrinsics::vulkan;
use rtc_tables::raytracing::RtInfo;

/// Why an instruction cannot be lowered.
pub type EmitError = String;
/// The result of lowering something.
pub type EmitResult<T = ()> = Result<T, EmitError>;
/// The components of a value.
pub type Components = SmallVec<[Value; 4]>;

/// Writes one function.
pub struct Writer<'w, 'm> {
    /// The state of the module.
    pub cx: &'w mut Cx<'m>,
    /// Memory of module variables, and resource declarations.
    pub globals: &'w mut Globals,
    /// The IR function.
    pub f: &'m ir::Function,
    /// Its facts: liveness, used resources.
    pub facts: &'m FunctionFacts,
    /// The DXIL function.
    pub func: Func,
    /// The current block.
    pub block: Block,
    /// The components of each IR value: start and length in `component_pool`.
    pub components: SecondaryMap<ir::Value, (u32, u32)>,
    /// Components of IR values.
    pub component_pool: Vec<Value>,
    /// The functions of other libraries.
    pub declared: &'w Declared,
    /// The memory of slots, reference parameters, and variables that functions of other libraries get.
    pub pointers: FxHashMap<ir::Root, Memory>,
    /// The variable that is the result, a matrix, with the type that the function returns.
    pub result: Option<(Value, Type)>,
    /// The allocas of locals, by local and path of fields.
    pub scalar_allocas: FxHashMap<(ir::Local, SmallVec<[u32; 4]>), Value>,
    /// The number of allocas at the start of the entry block.
    pub allocas: usize,
    /// Forward jumps to blocks that do not exist yet.
    pub joins: Joins,
    /// Available expressions at the current position.
    pub available: ValueNumbers,
    /// Conditions whose only use is the `if` after the construct that computes them.
    pub single_use_conditions: EntitySet<ir::Value>,
    /// Available expressions of the entry block: hoisted addresses.
    pub available_in_entry: ValueNumbers,
    /// Edits that are applied when the function is complete.
    pub deferred: Deferred,
    /// Control instructions with reorder points inside.
    pub reordering: EntitySet<Inst>,
    /// Regions with wave operations.
    pub wave_regions: WaveRegions,
    /// Whether the instruction at hand must be computed exactly as written.
    pub exact: bool,
    /// Records for debug information, if it is requested.
    pub plan: Option<Box<Plan>>,
}

impl<'m> Writer<'_, 'm> {
    /// The builder at the end of the current block.
    pub fn b(&mut self) -> Builder<'_> {
        match self.cx.out.edit(self.func, self.block) {
            Some(b) => b.with_value_numbers(&mut self.available),
            None => rtc_base::bug!("writing into a function without body"),
        }
    }

    /// Reports that something at `span` has no DXIL form.
    pub fn error(&mut self, span: Span, message: impl Into<String>) {
        self.cx.errors.push(LowerError::new(span, message));
    }

    /// The DXIL type of a scalar.
    pub fn scalar(&mut self, s: ir::Scalar) -> Type {
        super::types::scalar(&mut self.cx.out, s)
    }

    /// Calls a DXIL operation. `overload`: the component type, a structure, or nothing, as the operation has it.
    pub fn dx(&mut self, opcode: DxOp, overload: Option<Type>, args: &[Value]) -> EmitResult<Value> {
        let op = opcode.row();
        let overloads: &[Type] = match &overload {
            Some(t) if !op.is_plain() => std::slice::from_ref(t),
            _ => &[],
        };
        let callee = self.cx.out.dx_op(opcode, overloads).map_err(|e| e.to_string())?;
        let mut all: SmallVec<[Value; 24]> = SmallVec::new();
        all.push(self.cx.out.i32(opcode.number() as i32));
        all.extend_from_slice(args);
        // Exact calls are not shared: each gets its own mark.
        if op.is_pure() && !self.exact {
            return Ok(self.b().call_pure(callee, &all));
        }
        Ok(self.b().call(callee, &all))
    }

    /// Whether the current shader model has an operation, and the current stage.
    fn allowed(&self, opcode: DxOp) -> EmitResult {
        let op = opcode.row();
        let model = if self.cx.is_library() { op.min_sm_in_library } else { op.min_sm };
        if u32::from(model.1) > self.cx.m.shader_model {
            return Err(format!("`{}` needs shader model 6.{}, the target is 6.{}", op.name, model.1, self.cx.m.shader_model));
        }
        if op.stages >> self.f.stage as u32 & 1 == 0 {
            return Err(format!("`{}` is not available in {} shaders", op.name, self.f.stage.name()));
        }
        Ok(())
    }

    /// The components of an IR value.
    pub fn parts(&mut self, v: ir::Value) -> Components {
        match self.f.values[v].def {
            ir::ValueDef::Const(bits) => {
                let c = self.constant(self.f.ty(v), bits);
                SmallVec::from_slice(&[c])
            }
            ir::ValueDef::Undef => self.undef_parts(self.f.ty(v)),
            _ => match self.components[v] {
                (_, 0) => self.undef_parts(self.f.ty(v)),
                (start, len) => SmallVec::from_slice(&self.component_pool[start as usize..][..len as usize]),
            },
        }
    }

    /// The components, with zero for undefined ones: operations do not take those.
    pub fn defined(&mut self, v: ir::Value) -> Components {
        let mut parts = self.parts(v);
        for p in &mut parts {
            *p = self.define(*p);
        }
        parts
    }

    /// The only component of a scalar or handle.
    pub fn one(&mut self, v: ir::Value) -> Value {
        self.defined(v)[0]
    }

    /// Zero in place of an undefined value.
    pub fn define(&mut self, v: Value) -> Value {
        match v {
            Value::Const(c) if self.cx.out.consts[c].kind == ConstKind::Undef => {
                let ty = self.cx.out.consts[c].ty;
                if ty == self.cx.out.hit_object_type() {
                    // There is no constant of this type.
                    let row = RtInfo::of(ir::Opcode::hit_make_nop).expect("it has a row");
                    return self.dx(row.dxil, None, &[]).unwrap_or(v);
                }
                self.cx.out.null(ty)
            }
            v => v,
        }
    }

    /// The undefined value of a type, in components.
    pub fn undef_parts(&mut self, t: ir::Type) -> Components {
        let (ty, n) = match self.cx.m.types.numeric(t) {
            Some((s, n)) => (self.scalar(s), n),
            None if t == ir::Type::HIT_OBJECT => (self.cx.out.hit_object_type(), 1),
            None if self.cx.m.types.is_ray_query(t) => (self.scalar(ir::Scalar::I32), 1),
            None => (self.cx.out.handle_type(), 1),
        };
        let undef = self.cx.out.undef(ty);
        (0..n).map(|_| undef).collect()
    }

    /// A constant of a scalar type.
    pub fn constant(&mut self, t: ir::Type, bits: u64) -> Value {
        let s = self.cx.m.types.numeric(t).map_or(ir::Scalar::I32, |n| n.0);
        let ty = self.scalar(s);
        let out = &mut self.cx.out;
        Value::Const(if s.is_float() { out.consts.float_bits(ty, bits) } else { out.consts.int(&out.types, ty, bits as i64) })
    }

    /// Sets the components of an IR value.
    pub fn set(&mut self, v: ir::Value, parts: &[Value]) {
        let start = self.component_pool.len() as u32;
        self.component_pool.extend_from_slice(parts);
        self.components[v] = (start, parts.len() as u32);
    }

    /// Float flags of an instruction.
    pub fn float_flags(&self, i: Inst) -> u8 {
        if self.f.is_precise(i) { 0 } else { flags::FAST }
    }

    /// Marks a call as exact if its IR instruction is. Minimum precision is never exact: DXIL forbids the mark there.
    pub fn mark_precise(&mut self, i: Inst, call: Value) {
        let Value::Inst(call) = call else { return };
        let small = |v| self.elem(v) == Ok(Scalar::F16);
        if !self.f.is_precise(i) || !self.cx.m.native_16bit && self.f.operands(i).into_iter().any(small) {
            return;
        }
        let kind = self.cx.out.meta.kind("dx.precise");
        let one = self.cx.out.meta_i32(1);
        let node = self.cx.out.meta.node(&[Some(one)]);
        self.b().body().attach(call, kind, node);
    }

    /// Writes an instruction that is neither control nor an exit.
    pub fn inst(&mut self, i: Inst) {
        self.exact = self.f.is_precise(i);
        let selected = operation(self.cx.m, self.f, i);
        let done = selected.map_or(Ok(()), |op| self.allowed(op)).and_then(|()| self.plain(i, selected));
        if let Err(message) = done {
            let span = self.f.spans[i];
            self.error(span, message);
        }
        // Expressions after a reorder point are rematerialised: less state is saved across it.
        if effects::of_inst(self.cx.m, self.f, i).contains(Effects::REORDERS) {
            self.available.forget();
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
                        Err(format!("`vk::{}` exists in SPIR-V only", vulkan::name_of(op).unwrap_or_default()))
                    }
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
                        let memory = self.cx.out.i32(memory as i32);
                        let semantics = self.cx.out.i32((imm >> 8) as i32);
                        self.dx(dxil()?, None, &[memory, semantics]).map(|_| ())
                    }
                    Opcode::handle_barrier => {
                        let handle = self.one(args[0]);
                        let semantics = self.cx.out.i32(imm as i32);
                        self.dx(dxil()?, None, &[handle, semantics]).map(|_| ())
                    }
                    Opcode::barrier => {
                        let mode = self.cx.out.i32(imm as i32);
                        self.dx(dxil()?, None, &[mode]).map(|_| ())
                    }
                    _ => self.sample(i, dxil()?, imm, &args),
                }
            }
            InstData::Copy { .. } => Err("an aggregate is copied as a whole".into()),
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
