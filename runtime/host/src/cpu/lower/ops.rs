//! Lowering of DXIL operations: to arithmetic, to inline fast paths, or to calls of the runtime ([`crate::cpu::args`]).

use super::convergence::Plan;
use super::marshal::{flatten, handle_of, leaves, overload, rebuild, slot, whole};
use super::{Refusal, SourceLocations, arithmetic, denormals, fast_path, handles, layout, matrices, system_values};
use crate::cpu::args::{ENTER, Shape};
use crate::cpu::ops;
use crate::cpu::program::{ConvergencePoint, Site};
use crate::cpu::resources::handle::ViewDesc;
use rtc_dxil_container::metadata::Info;
use rtc_dxil_module::{Block, CastOp, CmpPred, Func, Inst, InstData, Module, Op, Type, TypeKind, Value};
use rtc_tables::dxil_ops::{DxOp, DxilOp, OpTy, op};
use rtc_tables::linalg::rules::is_operation as is_linear_algebra;
use rustc_hash::{FxHashMap, FxHashSet};

/// Operations that end the shader.
const ENDS: &[DxOp] = &[op::IGNORE_HIT, op::ACCEPT_HIT_AND_END_SEARCH];

/// The operation that ends the shader if the runtime returns 2 instead of a boolean.
const MAY_END: DxOp = op::REPORT_HIT;

/// The lowered form of an operation.
enum Lowering {
    /// Its result, if it has one.
    Value(Option<Value>),
    /// It ends the shader.
    Ends,
    /// It ends the shader if the second value is true.
    EndsIf(Value, Value),
    /// Its result, and the block where execution continues.
    At(Option<Value>, Block),
}

/// The analyses and options of a module that lowering uses.
#[derive(Clone, Copy)]
pub struct LowerContext<'a> {
    /// Its metadata.
    pub info: &'a Info,
    /// Source locations of instructions.
    pub places: &'a SourceLocations,
    /// Payloads with access qualifiers.
    pub payloads: &'a super::payloads::Payloads,
    /// The module's first resource and site indices.
    pub first: super::First,
    /// Handles whose lanes are compared where they are used.
    pub compared: &'a FxHashSet<Inst>,
    /// Frequent operations get inline fast paths.
    pub quick: bool,
    /// Whether denormals are flushed.
    pub flush: bool,
}

struct Lower<'a> {
    func: Func,
    context: LowerContext<'a>,
    sites: &'a mut Vec<Site>,
    replaced: FxHashMap<Inst, Value>,
    enter: Func,
    slots: Inst,
    max_slots: usize,
    plan: Plan,
}

/// Lowers the operations of a shader. Returns its convergence plan.
///
/// # Errors
/// An operation or a call that is not supported.
pub fn lower(m: &mut Module, func: Func, context: LowerContext<'_>, sites: &mut Vec<Site>) -> Result<Plan, Refusal> {
    let plan = Plan::new(m, func, context.compared.clone());
    let enter = enter(m);
    let (i64_ty, one) = (m.types.i64(), m.i32(1));
    let words = m.types.ptr(i64_ty);
    let body = m.funcs[func].body.get_or_insert_default();
    let slots = body.insts.push(InstData { op: Op::Alloca { allocated: i64_ty, count: one, align: 8 }, ty: words, loc: None.into() });
    let blocks: Vec<Block> = body.blocks.keys().collect();
    let mut lower = Lower { func, context, sites, replaced: FxHashMap::default(), enter, slots, max_slots: 0, plan };
    for block in blocks {
        lower.block(m, block)?;
    }
    let Lower { replaced, max_slots, mut plan, .. } = lower;
    plan.slots = Some(slots);
    let count = m.i32(max_slots.max(1) as i32);
    let body = m.funcs[func].body.get_or_insert_default();
    body.insts[slots].op = Op::Alloca { allocated: i64_ty, count, align: 8 };
    if let Some(entry) = body.blocks.values_mut().next() {
        entry.insert(0, slots);
    }
    body.map_values(|v| {
        let mut v = v;
        while let Value::Inst(i) = v
            && let Some(&by) = replaced.get(&i)
        {
            v = by;
        }
        v
    });
    plan.insert_counters(m, func);
    Ok(plan)
}

/// The declaration of the runtime's entry function.
fn enter(m: &mut Module) -> Func {
    if let Some(f) = m.find_function(ENTER) {
        return f;
    }
    let (byte, word, int, void) = (m.types.i8(), m.types.i64(), m.types.i32(), m.types.void());
    let (bytes, words) = (m.types.ptr(byte), m.types.ptr(word));
    let ty = m.types.function(void, &[bytes, words, word, int]);
    m.add_function(ENTER, ty)
}

impl Lower<'_> {
    fn block(&mut self, m: &mut Module, block: Block) -> Result<(), Refusal> {
        let body = m.funcs[self.func].body.get_or_insert_default();
        let insts = std::mem::take(&mut body.blocks[block]);
        let mut at = block;
        for inst in insts {
            let body = m.funcs[self.func].body.get_or_insert_default();
            body.insts[inst].loc = None.into();
            let op = body.insts[inst].op;
            match op {
                Op::Call { callee: Value::Func(f), args, .. } => {
                    let args = m.funcs[self.func].body.get_or_insert_default().values(args).to_vec();
                    match self.call(m, at, inst, f, &args)? {
                        Lowering::Value(Some(v)) => drop(self.replaced.insert(inst, v)),
                        Lowering::Value(None) => {}
                        Lowering::Ends => {
                            if let Some(mut b) = m.edit(self.func, at) {
                                b.ret(None);
                            }
                            // The rest is unreachable, but other code may refer to its values: it is kept in a block of its own.
                            at = m.funcs[self.func].body.get_or_insert_default().new_block();
                        }
                        Lowering::At(v, end) => {
                            if let Some(v) = v {
                                self.replaced.insert(inst, v);
                            }
                            at = end;
                        }
                        Lowering::EndsIf(value, ended) => {
                            self.replaced.insert(inst, value);
                            let body = m.funcs[self.func].body.get_or_insert_default();
                            let (out, after) = (body.new_block(), body.new_block());
                            if let Some(mut b) = m.edit(self.func, at) {
                                b.cond_br(ended, out, after);
                                b.switch_to(out);
                                b.ret(None);
                            }
                            at = after;
                        }
                    }
                }
                Op::Call { .. } => return Err("an indirect call".into()),
                Op::Load { ptr, .. } if self.is_resource(m, ptr) => {}
                Op::Unreachable => {
                    if let Some(mut b) = m.edit(self.func, at) {
                        b.ret(None);
                    }
                }
                _ => m.funcs[self.func].body.get_or_insert_default().blocks[at].push(inst),
            }
        }
        if at != block {
            let body = m.funcs[self.func].body.get_or_insert_default();
            let mut next = super::cfg::successors(body, at);
            next.sort_unstable();
            next.dedup();
            for to in next {
                super::cfg::rename_incoming(body, to, block, at);
            }
        }
        Ok(())
    }

    fn is_resource(&self, m: &Module, ptr: Value) -> bool {
        let Some(body) = &m.funcs[self.func].body else { return false };
        let global = handles::base(m, body, ptr);
        global.is_some_and(|g| self.context.info.resources.iter().any(|r| r.global == Some(g)))
    }

    fn call(&mut self, m: &mut Module, at: Block, inst: Inst, callee: Func, args: &[Value]) -> Result<Lowering, Refusal> {
        let name = &*m.funcs[callee].name;
        if name.starts_with("llvm.dbg.") || name.starts_with("llvm.lifetime.") || name.starts_with("llvm.invariant.") {
            return Ok(Lowering::Value(None));
        }
        if !m.is_dx_op(callee) {
            return Err(format!("a call of `{name}`, which is not a DXIL operation").into());
        }
        let number = args.first().and_then(|&v| m.int_of(v)).ok_or("an operation without a constant opcode")? as u32;
        let opcode = DxOp::from_u32(number).ok_or_else(|| format!("unknown DXIL opcode {number:#x}"))?;
        let op = opcode.row();
        let args = &args[1..];
        let ty = m.funcs[self.func].body.as_ref().map_or_else(|| m.funcs[callee].ty, |b| b.insts[inst].ty);
        if let Some(value) = system_values::value(m, self.func, at, op, args, ty)? {
            return Ok(Lowering::Value(Some(value)));
        }
        let mut b = m.edit(self.func, at).ok_or("a function without a body")?;
        if let Some(value) = arithmetic::inline(op, &mut b, args, ty) {
            return Ok(Lowering::Value(Some(value)));
        }
        if !ops::has(opcode) {
            return Err(format!("the operation {} is not supported on this device", op.name).into());
        }
        if self.context.quick
            && let Some(value) = self.handle_inline(m, at, op, args, ty)?
        {
            return Ok(Lowering::Value(Some(value)));
        }
        if self.context.quick
            && let Some(access) = fast_path::Access::of(m, op, args, ty)
        {
            let mut b = m.edit(self.func, at).ok_or("a function without a body")?;
            let handle = whole(&mut b, args[0]);
            let (quick, slow) = access.begin(&mut b, handle, args);
            let Lowering::Value(Some(value)) = self.call_runtime(m, slow, inst, callee, op, args, ty)? else {
                return Err(format!("the operation {} has no result", op.name).into());
            };
            let mut b = m.edit(self.func, slow).ok_or("a function without a body")?;
            let (value, end) = access.join(&mut b, quick, value);
            return Ok(Lowering::At(Some(value), end));
        }
        if self.context.quick && fast_path::is_texel(m, self.func, op, args) {
            let mut b = m.edit(self.func, at).ok_or("a function without a body")?;
            let handle = whole(&mut b, args[0]);
            let (slow, after) = fast_path::store_texel(&mut b, handle, args);
            self.call_runtime(m, slow, inst, callee, op, args, ty)?;
            let mut b = m.edit(self.func, slow).ok_or("a function without a body")?;
            b.br(after);
            return Ok(Lowering::At(None, after));
        }
        self.call_runtime(m, at, inst, callee, op, args, ty)
    }

    /// Computes the bits of a handle in compiled code, if possible.
    fn handle_inline(&mut self, m: &mut Module, at: Block, op: &DxilOp, args: &[Value], ty: Type) -> Result<Option<Value>, Refusal> {
        let bits = match op.opcode {
            op::CREATE_HANDLE_FOR_LIB => {
                let body = m.funcs[self.func].body.as_ref().ok_or("a function without a body")?;
                let found = handles::named(m, body, self.context.info, args[0])?;
                if !found.indices.is_empty() {
                    return Ok(None);
                }
                let view = ViewDesc::declared(&self.context.info.resources[found.resource]);
                let mut b = m.edit(self.func, at).ok_or("a function without a body")?;
                fast_path::handle(&mut b, self.context.first.resource + found.resource, view)
            }
            op::ANNOTATE_HANDLE => {
                let Some([basic, detail]) = m.int_pair_of(args[1]) else { return Ok(None) };
                let mut b = m.edit(self.func, at).ok_or("a function without a body")?;
                let handle = whole(&mut b, args[0]);
                fast_path::with_view(&mut b, handle, ViewDesc::annotated(basic as u32, detail as u32))
            }
            op::CREATE_HANDLE_FROM_HEAP => {
                let Some(sampler) = m.int_of(args[1]) else { return Ok(None) };
                let mut b = m.edit(self.func, at).ok_or("a function without a body")?;
                fast_path::in_heap(&mut b, args[0], sampler & 1 != 0)
            }
            _ => return Ok(None),
        };
        let mut b = m.edit(self.func, at).ok_or("a function without a body")?;
        Ok(Some(handle_of(&mut b, bits, ty)))
    }

    /// Lowers to a call of the runtime.
    #[allow(clippy::too_many_arguments)]
    fn call_runtime(
        &mut self,
        m: &mut Module,
        at: Block,
        inst: Inst,
        callee: Func,
        op: &DxilOp,
        args: &[Value],
        ty: Type,
    ) -> Result<Lowering, Refusal> {
        let opcode = op.opcode;
        let (mut slots, mut fields, mut chosen) = (Vec::new(), None, Vec::new());
        let flush = self.context.flush && denormals::COMPUTED.contains(&opcode);
        if opcode == op::CREATE_HANDLE_FOR_LIB {
            self.handle(m, at, args[0], &mut slots)?;
        } else {
            let mut b = m.edit(self.func, at).ok_or("a function without a body")?;
            for &v in args {
                if self.plan.compares(v) && opcode != op::ANNOTATE_HANDLE {
                    chosen.push(slots.len() as u16);
                }
                let v = if flush { denormals::flushed_if_float(&mut b, v) } else { v };
                flatten(&mut b, v, &mut slots);
            }
            // The sizes of pointees follow all arguments.
            for (n, &(_, ty)) in op.params.iter().enumerate() {
                if ty == OpTy::UdtPtr
                    && let Some(&v) = args.get(n)
                {
                    let ty = b.type_of(v);
                    let pointee = b.module.types.pointee(ty);
                    fields = pointee.and_then(|t| self.context.payloads.of(t));
                    let size = pointee.map_or(0, |t| layout::size(b.module, t));
                    let size = b.module.const_int(64, size as i64);
                    slots.push(size);
                }
            }
        }
        let operands = is_linear_algebra(opcode).then(|| matrices::operands(m, self.func, args, ty));
        let (scalar, lanes) = overload(m, op, callee, args, ty, self.func);
        let mut results = Vec::new();
        leaves(m, ty, &mut results);
        let mut convergence = None;
        if let Some((numbers, counters)) = self.plan.position(inst) {
            convergence = Some(ConvergencePoint { numbers, iterations: slots.len() as u16 });
            let mut b = m.edit(self.func, at).ok_or("a function without a body")?;
            slots.extend(counters.into_iter().map(|c| b.load(c, 8)));
        }
        let count = slots.len().max(results.len());
        self.max_slots = self.max_slots.max(count);
        let site = (self.context.first.site + self.sites.len()) as u32;
        let place = self.context.places.known.get(&(self.func, inst)).cloned();
        self.sites.push(Site { op: op.name, place, fields, convergence, operands, chosen: chosen.into() });
        let shape = Shape { scalar, lanes, slots: count.min(65535) as u16, site };
        let mut b = m.edit(self.func, at).ok_or("a function without a body")?;
        for (n, &v) in slots.iter().enumerate() {
            let to = slot(&mut b, self.slots, n);
            b.store(v, to, 8);
        }
        let shape = b.module.const_int(64, shape.pack() as i64);
        let code = b.module.i32(opcode.number() as i32);
        b.call(self.enter, &[Value::Arg(0), Value::Inst(self.slots), shape, code]);
        if ENDS.contains(&opcode) {
            return Ok(Lowering::Ends);
        }
        if opcode == MAY_END {
            let from = slot(&mut b, self.slots, 0);
            let reported = b.load(from, 8);
            let (one, two) = (b.module.const_int(64, 1), b.module.const_int(64, 2));
            let value = b.cmp(CmpPred::IEq, reported, one, 0);
            let ended = b.cmp(CmpPred::IEq, reported, two, 0);
            return Ok(Lowering::EndsIf(value, ended));
        }
        if results.is_empty() {
            return Ok(Lowering::Value(None));
        }
        let mut next = 0;
        let value = rebuild(&mut b, self.slots, ty, &mut next);
        let value = if flush { denormals::flushed_if_float(&mut b, value) } else { value };
        Ok(Lowering::Value(Some(value)))
    }

    /// Two slots: the resource, and the array element.
    fn handle(&mut self, m: &mut Module, at: Block, loaded: Value, slots: &mut Vec<Value>) -> Result<(), Refusal> {
        let body = m.funcs[self.func].body.as_ref().ok_or("a function without a body")?;
        let found = handles::named(m, body, self.context.info, loaded)?;
        slots.push(m.const_int(64, (self.context.first.resource + found.resource) as i64));
        let mut sum = m.const_int(64, 0);
        let i64_ty = m.types.i64();
        for (index, len) in found.indices {
            let len = m.const_int(64, len.max(1) as i64);
            let mut b = m.edit(self.func, at).ok_or("a function without a body")?;
            let ty = b.type_of(index);
            let index = match b.module.types[ty] {
                TypeKind::Int(64) => index,
                _ => b.cast(CastOp::ZExt, index, i64_ty),
            };
            sum = b.binary(rtc_dxil_module::BinOp::Mul, sum, len, 0);
            sum = b.binary(rtc_dxil_module::BinOp::Add, sum, index, 0);
        }
        slots.push(sum);
        Ok(())
    }
}
