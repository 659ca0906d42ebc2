//! Memory instrumentation for the sanitizer (as in MemorySanitizer): tracks values that come from uninitialised memory.
//!
//! A variable is uninitialised when its shader begins. A value that is loaded from it carries a *taint*, a bit set that tells why
//! it is undefined; moving a value (stores, copies, selects, aggregate operations) propagates the taint, also through memory.
//! Arithmetic, branches and operations with a tainted operand report it: only there does it matter.

use super::{Refusal, layout, ops::LowerContext};
use crate::cpu::program::Site;
use crate::cpu::sanitize::shadow::{ShadowOp, WATCH};
use rtc_dxil_module::{BinOp, Block, Body, Builder, CastOp, CmpPred, Func, Inst, InstData, Module, Op, Value};
use rustc_hash::{FxHashMap, FxHashSet};

/// Instruments a shader; `other` are stack slots of the lowering, which are no variables; `initialized` are variables that are
/// initialised when they are created.
///
/// # Errors
/// A function without code, an operand without type.
pub fn instrument(
    m: &mut Module,
    func: Func,
    other: &FxHashSet<Inst>,
    initialized: &FxHashSet<Inst>,
    context: LowerContext<'_>,
    sites: &mut Vec<Site>,
) -> Result<(), Refusal> {
    let callee = declaration(m);
    let Some(body) = &m.funcs[func].body else { return Ok(()) };
    let carriers = carriers(m, body, other);
    let blocks: Vec<Block> = body.blocks.keys().collect();
    let mut instrumenter =
        Instrumenter { func, callee, context, sites, initialized, taints: FxHashMap::default(), places: FxHashMap::default() };
    instrumenter.phis(m, &carriers);
    for block in blocks {
        let body = m.funcs[func].body.get_or_insert_default();
        let insts = std::mem::take(&mut body.blocks[block]);
        // Phis stay first, followed by their taints.
        let phis = insts.iter().take_while(|&&i| matches!(body.insts[i].op, Op::Phi(_))).count();
        let taints: Vec<Inst> = insts[..phis].iter().filter_map(|i| instrumenter.taints.get(i).copied()).collect();
        body.blocks[block].extend(insts[..phis].iter().copied().chain(taints));
        for &inst in &insts[phis..] {
            instrumenter.inst(m, block, inst, other, &carriers)?;
        }
    }
    instrumenter.fill(m);
    Ok(())
}

/// The taints of values are calls and phis, by instruction.
struct Instrumenter<'a> {
    func: Func,
    callee: Func,
    context: LowerContext<'a>,
    sites: &'a mut Vec<Site>,
    initialized: &'a FxHashSet<Inst>,
    taints: FxHashMap<Inst, Inst>,
    /// For values without source location: the operand that they carry.
    places: FxHashMap<Inst, Inst>,
}

impl Instrumenter<'_> {
    /// Creates the taints of phis first, since their operands may refer to them.
    fn phis(&mut self, m: &mut Module, carriers: &FxHashSet<Inst>) {
        let i64_ty = m.types.i64();
        let body = m.funcs[self.func].body.get_or_insert_default();
        let all: Vec<Inst> = body.blocks.values().flatten().copied().collect();
        for inst in all {
            if let Op::Phi(list) = body.insts[inst].op
                && carriers.contains(&inst)
            {
                let taint = body.insts.push(InstData { op: Op::Phi(list), ty: i64_ty, loc: None.into() });
                self.taints.insert(inst, taint);
            }
        }
    }

    /// Sets the operands of the phis of taints.
    fn fill(&mut self, m: &mut Module) {
        let zero = m.const_int(64, 0);
        let body = m.funcs[self.func].body.get_or_insert_default();
        for (&inst, &taint) in &self.taints {
            let Op::Phi(list) = body.insts[inst].op else { continue };
            let of = |v: Value| match v {
                Value::Inst(i) => self.taints.get(&i).map_or(zero, |&m| Value::Inst(m)),
                Value::Block(_) => v,
                _ => zero,
            };
            let values: Vec<Value> = body.values(list).iter().map(|&v| of(v)).collect();
            let list = body.list(&values);
            body.insts[taint].op = Op::Phi(list);
        }
    }

    fn taint(&self, value: Value) -> Option<Value> {
        match value {
            Value::Inst(i) => self.taints.get(&i).map(|&m| Value::Inst(m)),
            _ => None,
        }
    }

    fn inst(
        &mut self,
        m: &mut Module,
        block: Block,
        inst: Inst,
        other: &FxHashSet<Inst>,
        carriers: &FxHashSet<Inst>,
    ) -> Result<(), Refusal> {
        let body = m.funcs[self.func].body.get_or_insert_default();
        let InstData { op, ty, .. } = body.insts[inst];
        let own = |ptr| is_own(body, ptr, other);
        match op {
            Op::Alloca { allocated, count, .. } if !other.contains(&inst) => {
                let n = m.int_of(count).unwrap_or(1).max(0) as u64;
                let size = layout::size(m, allocated).saturating_mul(n);
                push(m, self.func, block, inst);
                let op = if self.initialized.contains(&inst) { ShadowOp::Stored } else { ShadowOp::Fresh };
                self.call(m, block, op, Some(Value::Inst(inst)), None, size, 0)?;
                return Ok(());
            }
            Op::Load { ptr, .. } if own(ptr) => {
                let size = layout::size(m, ty);
                let taint = self.call(m, block, ShadowOp::Read, Some(ptr), None, size, 0)?;
                self.taints.insert(inst, taint);
            }
            Op::Store { ptr, value, .. } if own(ptr) => {
                let ty = m.value_type(Some(self.func), value).ok_or("an operand without type")?;
                let (size, taint) = (layout::size(m, ty), self.taint(value));
                self.call(m, block, ShadowOp::Stored, Some(ptr), taint, size, 0)?;
            }
            Op::Phi(_) => {}
            _ if carriers.contains(&inst) => {
                let mut operands = Vec::new();
                body.operands(inst, |v| operands.push(v));
                if let Some(&Value::Inst(of)) = operands.iter().find(|&&v| self.taint(v).is_some()) {
                    self.places.insert(inst, of);
                }
                let taints: Vec<Value> = operands.iter().filter_map(|&v| self.taint(v)).collect();
                let mut taints = taints.into_iter();
                if let Some(first) = taints.next() {
                    let zero = m.const_int(64, 0);
                    let mut b = m.edit(self.func, block).ok_or("a function without code")?;
                    // Always a new instruction, so that each value has one.
                    let mut all = b.binary(BinOp::Or, first, zero, 0);
                    for taint in taints {
                        all = b.binary(BinOp::Or, all, taint, 0);
                    }
                    if let Value::Inst(all) = all {
                        self.taints.insert(inst, all);
                    }
                }
            }
            // Addresses may be computed before their use, and those from tainted values are clamped in bounds.
            Op::Gep { .. } => {}
            _ => {
                let mut used = Vec::new();
                body.operands(inst, |v| {
                    if let Some(taint) = self.taint(v)
                        && !used.contains(&(v, taint))
                    {
                        used.push((v, taint));
                    }
                });
                for (v, taint) in used {
                    let site = self.site(inst, v);
                    self.call(m, block, ShadowOp::Used, None, Some(taint), 0, site)?;
                }
            }
        }
        push(m, self.func, block, inst);
        Ok(())
    }

    /// The call site to report for the use of a value.
    fn site(&mut self, user: Inst, value: Value) -> u32 {
        let at = |i: Inst| self.context.places.known.get(&(self.func, i)).cloned();
        let mut place = at(user);
        let mut from = if let Value::Inst(i) = value { Some(i) } else { None };
        while let (None, Some(i)) = (&place, from) {
            place = at(i);
            from = self.places.get(&i).copied();
        }
        let site = self.context.first.site + self.sites.len();
        self.sites.push(Site { op: "a value", place, fields: None, convergence: None, operands: None, chosen: Box::default() });
        site as u32
    }

    #[allow(clippy::too_many_arguments)]
    fn call(
        &self,
        m: &mut Module,
        block: Block,
        op: ShadowOp,
        at: Option<Value>,
        taint: Option<Value>,
        size: u64,
        site: u32,
    ) -> Result<Inst, Refusal> {
        let byte = m.types.i8();
        let bytes = m.types.ptr(byte);
        let (nowhere, zero) = (m.null(bytes), m.const_int(64, 0));
        let packed = m.const_int(64, op.pack(size, site) as i64);
        let mut b: Builder<'_> = m.edit(self.func, block).ok_or("a function without code")?;
        let at = match at {
            None => nowhere,
            Some(at) => b.cast(CastOp::BitCast, at, bytes),
        };
        match b.call(self.callee, &[Value::Arg(0), at, taint.unwrap_or(zero), packed]) {
            Value::Inst(call) => Ok(call),
            _ => Err("a call without a result".into()),
        }
    }
}

fn push(m: &mut Module, func: Func, block: Block, inst: Inst) {
    m.funcs[func].body.get_or_insert_default().blocks[block].push(inst);
}

fn declaration(m: &mut Module) -> Func {
    if let Some(f) = m.find_function(WATCH) {
        return f;
    }
    let (byte, word) = (m.types.i8(), m.types.i64());
    let bytes = m.types.ptr(byte);
    let ty = m.types.function(word, &[bytes, bytes, word, word]);
    m.add_function(WATCH, ty)
}

/// Values that may carry a taint: loads from variables, and instructions that only move such values. Booleans are loaded as a
/// word that is compared with zero.
fn carriers(m: &Module, body: &Body, other: &FxHashSet<Inst>) -> FxHashSet<Inst> {
    let mut users: FxHashMap<Inst, Vec<Inst>> = FxHashMap::default();
    let mut out = FxHashSet::default();
    let mut work = Vec::new();
    for &i in body.blocks.values().flatten() {
        body.operands(i, |v| {
            if let Value::Inst(of) = v {
                users.entry(of).or_default().push(i);
            }
        });
        if matches!(body.insts[i].op, Op::Load { ptr, .. } if is_own(body, ptr, other)) {
            work.push(i);
        }
    }
    while let Some(i) = work.pop() {
        if !out.insert(i) {
            continue;
        }
        for &user in users.get(&i).map(Vec::as_slice).unwrap_or_default() {
            let moves = matches!(
                body.insts[user].op,
                Op::Phi(_)
                    | Op::Select { .. }
                    | Op::Cast { .. }
                    | Op::ExtractValue { .. }
                    | Op::InsertValue { .. }
                    | Op::ExtractElement { .. }
                    | Op::InsertElement { .. }
                    | Op::ShuffleVector { .. }
            );
            let truth = matches!(body.insts[user].op, Op::Cmp { pred: CmpPred::INe, rhs, .. } if m.int_of(rhs) == Some(0));
            if moves || truth {
                work.push(user);
            }
        }
    }
    out
}

/// Whether an address is in a variable, a payload or attributes: not in the thread, the slots, or shared memory.
fn is_own(body: &Body, ptr: Value, other: &FxHashSet<Inst>) -> bool {
    let mut at = ptr;
    for _ in 0..64 {
        at = match at {
            Value::Arg(n) => return n > 0,
            Value::Inst(i) if other.contains(&i) => return false,
            Value::Inst(i) => match body.insts[i].op {
                Op::Alloca { .. } => return true,
                Op::Gep { operands, .. } => body.values(operands)[0],
                Op::Cast { op: CastOp::BitCast, value } => value,
                // A pointer from memory is that of shared memory.
                _ => return false,
            },
            _ => return false,
        };
    }
    false
}
