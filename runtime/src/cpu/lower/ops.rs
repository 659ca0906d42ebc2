//! DXIL operations become arithmetic, or calls of the runtime ([`crate::cpu::args`]).

use super::converge::{Meeting, Plan};
use super::slots::{flatten, handle_of, leaves, overload, rebuild, slot, whole};
use super::{Places, Refusal, Site, denormals, handles, layout, math, quick, system};
use crate::cpu::args::{ENTER, Shape};
use crate::cpu::ops;
use crate::cpu::resources::handle::Look;
use rtc_dxil_container::metadata::Info;
use rtc_dxil_module::{Block, CastOp, CmpPred, Func, Inst, InstData, Module, Op, Type, TypeKind, Value};
use rtc_tables::dxil_ops::{DxilOp, OpTy, op};
use rustc_hash::FxHashMap;

/// Operations after which the shader is left.
const ENDS: &[u32] = &[op::IGNORE_HIT, op::ACCEPT_HIT_AND_END_SEARCH];

/// The operation after which the shader is left if the runtime says so, by 2 instead of a boolean.
const MAY_END: u32 = op::REPORT_HIT;

/// What became of an operation.
enum Done {
    /// Its result, if it has one.
    Value(Option<Value>),
    /// It ends the shader.
    Ends,
    /// It ends the shader if the second value is true.
    EndsIf(Value, Value),
    /// Its result, and the block where its code ends.
    At(Option<Value>, Block),
}

/// What is known of the module.
#[derive(Clone, Copy)]
pub struct Known<'a> {
    /// Its metadata.
    pub info: &'a Info,
    /// Where instructions come from.
    pub places: &'a Places,
    /// Payloads with access qualifiers.
    pub payloads: &'a super::payloads::Payloads,
    /// Where numbers begin.
    pub first: super::First,
    /// What is done often is done in compiled code.
    pub quick: bool,
    /// Whether denormals are flushed.
    pub flush: bool,
}

struct Lower<'a> {
    func: Func,
    known: Known<'a>,
    sites: &'a mut Vec<Site>,
    replaced: FxHashMap<Inst, Value>,
    enter: Func,
    slots: Inst,
    most: usize,
    plan: Plan,
}

/// Does so in a shader. Gives what is known of where its threads meet others.
pub fn lower(m: &mut Module, func: Func, known: Known<'_>, sites: &mut Vec<Site>) -> Result<Plan, Refusal> {
    let plan = Plan::new(m, func);
    let enter = enter(m);
    let (i64_ty, one) = (m.types.i64(), m.i32(1));
    let words = m.types.ptr(i64_ty);
    let body = m.funcs[func].body.get_or_insert_default();
    let slots = body.insts.push(InstData { op: Op::Alloca { allocated: i64_ty, count: one, align: 8 }, ty: words, loc: None.into() });
    let blocks: Vec<Block> = body.blocks.keys().collect();
    let mut lower = Lower { func, known, sites, replaced: FxHashMap::default(), enter, slots, most: 0, plan };
    for block in blocks {
        lower.block(m, block)?;
    }
    let Lower { replaced, most, mut plan, .. } = lower;
    plan.slots = Some(slots);
    let count = m.i32(most.max(1) as i32);
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
    plan.place(m, func);
    Ok(plan)
}

/// The declaration of what compiled code calls.
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
                        Done::Value(Some(v)) => drop(self.replaced.insert(inst, v)),
                        Done::Value(None) => {}
                        Done::Ends => {
                            if let Some(mut b) = m.edit(self.func, at) {
                                b.ret(None);
                            }
                            // What follows is never reached, but others may name its values: it stays, on its own.
                            at = m.funcs[self.func].body.get_or_insert_default().new_block();
                        }
                        Done::At(v, end) => {
                            if let Some(v) = v {
                                self.replaced.insert(inst, v);
                            }
                            at = end;
                        }
                        Done::EndsIf(value, ended) => {
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
                Op::Call { .. } => return Err("a call through a pointer".into()),
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
            let mut next = super::loops::successors(body, at);
            next.sort_unstable();
            next.dedup();
            for to in next {
                super::loops::rename_incoming(body, to, block, at);
            }
        }
        Ok(())
    }

    fn is_resource(&self, m: &Module, ptr: Value) -> bool {
        let Some(body) = &m.funcs[self.func].body else { return false };
        let global = handles::base(m, body, ptr);
        global.is_some_and(|g| self.known.info.resources.iter().any(|r| r.global == Some(g)))
    }

    fn call(&mut self, m: &mut Module, at: Block, inst: Inst, callee: Func, args: &[Value]) -> Result<Done, Refusal> {
        let name = &*m.funcs[callee].name;
        if name.starts_with("llvm.dbg.") || name.starts_with("llvm.lifetime.") || name.starts_with("llvm.invariant.") {
            return Ok(Done::Value(None));
        }
        if !m.is_dx_op(callee) {
            return Err(format!("a call of `{name}`, which is no DXIL operation"));
        }
        let opcode = args.first().and_then(|&v| m.int_of(v)).ok_or("an operation without a constant opcode")? as u32;
        let op = DxilOp::by_opcode(opcode).ok_or_else(|| format!("there is no DXIL operation {opcode:#x}"))?;
        let args = &args[1..];
        let ty = m.funcs[self.func].body.as_ref().map_or_else(|| m.funcs[callee].ty, |b| b.insts[inst].ty);
        if let Some(value) = system::value(m, self.func, at, op, args, ty)? {
            return Ok(Done::Value(Some(value)));
        }
        let mut b = m.edit(self.func, at).ok_or("a function without code")?;
        if let Some(value) = math::inline(op, &mut b, args, ty) {
            return Ok(Done::Value(Some(value)));
        }
        if !ops::has(opcode) {
            return Err(format!("the operation {} is not there on this device", op.name));
        }
        if self.known.quick
            && let Some(value) = self.handle_inline(m, at, op, args, ty)?
        {
            return Ok(Done::Value(Some(value)));
        }
        if self.known.quick
            && let Some(access) = quick::Access::of(m, op, args, ty)
        {
            let mut b = m.edit(self.func, at).ok_or("a function without code")?;
            let handle = whole(&mut b, args[0]);
            let (quick, slow) = access.begin(&mut b, handle, args);
            let Done::Value(Some(value)) = self.call_runtime(m, slow, inst, callee, op, args, ty)? else {
                return Err(format!("the operation {} has no result", op.name));
            };
            let mut b = m.edit(self.func, slow).ok_or("a function without code")?;
            let (value, end) = access.join(&mut b, quick, value);
            return Ok(Done::At(Some(value), end));
        }
        if self.known.quick && quick::is_texel(m, self.func, op, args) {
            let mut b = m.edit(self.func, at).ok_or("a function without code")?;
            let handle = whole(&mut b, args[0]);
            let (slow, after) = quick::store_texel(&mut b, handle, args);
            self.call_runtime(m, slow, inst, callee, op, args, ty)?;
            let mut b = m.edit(self.func, slow).ok_or("a function without code")?;
            b.br(after);
            return Ok(Done::At(None, after));
        }
        self.call_runtime(m, at, inst, callee, op, args, ty)
    }

    /// A handle whose bits are found in compiled code, if it can be.
    fn handle_inline(&mut self, m: &mut Module, at: Block, op: &DxilOp, args: &[Value], ty: Type) -> Result<Option<Value>, Refusal> {
        let bits = match op.opcode {
            op::CREATE_HANDLE_FOR_LIB => {
                let body = m.funcs[self.func].body.as_ref().ok_or("a function without code")?;
                let found = handles::named(m, body, self.known.info, args[0])?;
                if !found.indices.is_empty() {
                    return Ok(None);
                }
                let look = Look::declared(&self.known.info.resources[found.resource]);
                let mut b = m.edit(self.func, at).ok_or("a function without code")?;
                quick::handle(&mut b, self.known.first.resource + found.resource, look)
            }
            op::ANNOTATE_HANDLE => {
                let Some([basic, detail]) = m.int_pair_of(args[1]) else { return Ok(None) };
                let mut b = m.edit(self.func, at).ok_or("a function without code")?;
                let handle = whole(&mut b, args[0]);
                quick::seen_as(&mut b, handle, Look::annotated(basic as u32, detail as u32))
            }
            op::CREATE_HANDLE_FROM_HEAP => {
                let Some(sampler) = m.int_of(args[1]) else { return Ok(None) };
                let mut b = m.edit(self.func, at).ok_or("a function without code")?;
                quick::in_heap(&mut b, args[0], sampler & 1 != 0)
            }
            _ => return Ok(None),
        };
        let mut b = m.edit(self.func, at).ok_or("a function without code")?;
        Ok(Some(handle_of(&mut b, bits, ty)))
    }

    /// A call of the runtime.
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
    ) -> Result<Done, Refusal> {
        let opcode = op.opcode;
        let (mut slots, mut fields) = (Vec::new(), None);
        let flush = self.known.flush && denormals::COMPUTED.contains(&opcode);
        if opcode == op::CREATE_HANDLE_FOR_LIB {
            self.handle(m, at, args[0], &mut slots)?;
        } else {
            let mut b = m.edit(self.func, at).ok_or("a function without code")?;
            for &v in args {
                let v = if flush { denormals::flushed_if_float(&mut b, v) } else { v };
                flatten(&mut b, v, &mut slots);
            }
            // How large what a pointer points to is, behind all arguments.
            for (n, &(_, ty)) in op.params.iter().enumerate() {
                if ty == OpTy::UdtPtr
                    && let Some(&v) = args.get(n)
                {
                    let ty = b.type_of(v);
                    let pointee = b.module.types.pointee(ty);
                    fields = pointee.and_then(|t| self.known.payloads.of(t));
                    let size = pointee.map_or(0, |t| layout::size(b.module, t));
                    let size = b.module.const_int(64, size as i64);
                    slots.push(size);
                }
            }
        }
        let (scalar, lanes) = overload(m, op, callee, args, ty, self.func);
        let mut results = Vec::new();
        leaves(m, ty, &mut results);
        let mut meeting = None;
        if let Some((numbers, counters)) = self.plan.of(inst) {
            meeting = Some(Meeting { numbers, rounds: slots.len() as u16 });
            let mut b = m.edit(self.func, at).ok_or("a function without code")?;
            slots.extend(counters.into_iter().map(|c| b.load(c, 8)));
        }
        let count = slots.len().max(results.len());
        self.most = self.most.max(count);
        let site = (self.known.first.site + self.sites.len()) as u32;
        self.sites.push(Site { op: op.name, place: self.known.places.known.get(&(self.func, inst)).cloned(), fields, meeting });
        let shape = Shape { scalar, lanes, slots: count.min(65535) as u16, site };
        let mut b = m.edit(self.func, at).ok_or("a function without code")?;
        for (n, &v) in slots.iter().enumerate() {
            let to = slot(&mut b, self.slots, n);
            b.store(v, to, 8);
        }
        let shape = b.module.const_int(64, shape.pack() as i64);
        let code = b.module.i32(opcode as i32);
        b.call(self.enter, &[Value::Arg(0), Value::Inst(self.slots), shape, code]);
        if ENDS.contains(&opcode) {
            return Ok(Done::Ends);
        }
        if opcode == MAY_END {
            let from = slot(&mut b, self.slots, 0);
            let said = b.load(from, 8);
            let (one, two) = (b.module.const_int(64, 1), b.module.const_int(64, 2));
            let value = b.cmp(CmpPred::IEq, said, one, 0);
            let ended = b.cmp(CmpPred::IEq, said, two, 0);
            return Ok(Done::EndsIf(value, ended));
        }
        if results.is_empty() {
            return Ok(Done::Value(None));
        }
        let mut next = 0;
        let value = rebuild(&mut b, self.slots, ty, &mut next);
        let value = if flush { denormals::flushed_if_float(&mut b, value) } else { value };
        Ok(Done::Value(Some(value)))
    }

    /// Two slots: the resource, and which element of it.
    fn handle(&mut self, m: &mut Module, at: Block, loaded: Value, slots: &mut Vec<Value>) -> Result<(), Refusal> {
        let body = m.funcs[self.func].body.as_ref().ok_or("a function without code")?;
        let found = handles::named(m, body, self.known.info, loaded)?;
        slots.push(m.const_int(64, (self.known.first.resource + found.resource) as i64));
        let mut sum = m.const_int(64, 0);
        let i64_ty = m.types.i64();
        for (index, len) in found.indices {
            let len = m.const_int(64, len.max(1) as i64);
            let mut b = m.edit(self.func, at).ok_or("a function without code")?;
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
