//! For the sanitizer: which values of a shader come from memory that nobody has written.
//!
//! A variable is fresh when its shader begins. What is read from it carries a mark, a number that says what is not known of it; moving a
//! value (storing, copying, choosing, taking apart) moves the mark, and memory keeps it. Who computes, branches or calls an
//! operation with a marked value is told on: only there does it matter.

use super::{Refusal, Site, layout, ops::Known};
use crate::cpu::sanitize::shadow::{WATCH, What};
use rtc_dxil_module::{BinOp, Block, Body, Builder, CastOp, CmpPred, Func, Inst, InstData, Module, Op, Value};
use rustc_hash::{FxHashMap, FxHashSet};

/// Does so in a shader; `other` is what lowering keeps on the stack, which is no variable; `begun` are variables that have contents
/// when they are made.
pub fn watch(
    m: &mut Module,
    func: Func,
    other: &FxHashSet<Inst>,
    begun: &FxHashSet<Inst>,
    known: Known<'_>,
    sites: &mut Vec<Site>,
) -> Result<(), Refusal> {
    let callee = declaration(m);
    let Some(body) = &m.funcs[func].body else { return Ok(()) };
    let carriers = carriers(m, body, other);
    let blocks: Vec<Block> = body.blocks.keys().collect();
    let mut watcher = Watcher { func, callee, known, sites, begun, marks: FxHashMap::default(), places: FxHashMap::default() };
    watcher.phis(m, &carriers);
    for block in blocks {
        let body = m.funcs[func].body.get_or_insert_default();
        let insts = std::mem::take(&mut body.blocks[block]);
        // Phis stay in front, their marks behind them.
        let phis = insts.iter().take_while(|&&i| matches!(body.insts[i].op, Op::Phi(_))).count();
        let marks: Vec<Inst> = insts[..phis].iter().filter_map(|i| watcher.marks.get(i).copied()).collect();
        body.blocks[block].extend(insts[..phis].iter().copied().chain(marks));
        for &inst in &insts[phis..] {
            watcher.inst(m, block, inst, other, &carriers)?;
        }
    }
    watcher.fill(m);
    Ok(())
}

/// The marks of values are calls and phis, in this function's own numbers.
struct Watcher<'a> {
    func: Func,
    callee: Func,
    known: Known<'a>,
    sites: &'a mut Vec<Site>,
    begun: &'a FxHashSet<Inst>,
    marks: FxHashMap<Inst, Inst>,
    /// A place for those who have none: that of a value that they carry.
    places: FxHashMap<Inst, Inst>,
}

impl Watcher<'_> {
    /// Marks of phis come first: they are named before what they are made of.
    fn phis(&mut self, m: &mut Module, carriers: &FxHashSet<Inst>) {
        let i64_ty = m.types.i64();
        let body = m.funcs[self.func].body.get_or_insert_default();
        let all: Vec<Inst> = body.blocks.values().flatten().copied().collect();
        for inst in all {
            if let Op::Phi(list) = body.insts[inst].op
                && carriers.contains(&inst)
            {
                let mark = body.insts.push(InstData { op: Op::Phi(list), ty: i64_ty, loc: None.into() });
                self.marks.insert(inst, mark);
            }
        }
    }

    /// Gives the marks of phis their operands.
    fn fill(&mut self, m: &mut Module) {
        let zero = m.const_int(64, 0);
        let body = m.funcs[self.func].body.get_or_insert_default();
        for (&inst, &mark) in &self.marks {
            let Op::Phi(list) = body.insts[inst].op else { continue };
            let of = |v: Value| match v {
                Value::Inst(i) => self.marks.get(&i).map_or(zero, |&m| Value::Inst(m)),
                Value::Block(_) => v,
                _ => zero,
            };
            let values: Vec<Value> = body.values(list).iter().map(|&v| of(v)).collect();
            let list = body.list(&values);
            body.insts[mark].op = Op::Phi(list);
        }
    }

    fn mark(&self, value: Value) -> Option<Value> {
        match value {
            Value::Inst(i) => self.marks.get(&i).map(|&m| Value::Inst(m)),
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
                let what = if self.begun.contains(&inst) { What::Stored } else { What::Fresh };
                self.call(m, block, what, Some(Value::Inst(inst)), None, size, 0)?;
                return Ok(());
            }
            Op::Load { ptr, .. } if own(ptr) => {
                let size = layout::size(m, ty);
                let mark = self.call(m, block, What::Read, Some(ptr), None, size, 0)?;
                self.marks.insert(inst, mark);
            }
            Op::Store { ptr, value, .. } if own(ptr) => {
                let ty = m.value_type(Some(self.func), value).ok_or("an operand without type")?;
                let (size, mark) = (layout::size(m, ty), self.mark(value));
                self.call(m, block, What::Stored, Some(ptr), mark, size, 0)?;
            }
            Op::Phi(_) => {}
            _ if carriers.contains(&inst) => {
                let mut operands = Vec::new();
                body.operands(inst, |v| operands.push(v));
                if let Some(&Value::Inst(of)) = operands.iter().find(|&&v| self.mark(v).is_some()) {
                    self.places.insert(inst, of);
                }
                let marks: Vec<Value> = operands.iter().filter_map(|&v| self.mark(v)).collect();
                let mut marks = marks.into_iter();
                if let Some(first) = marks.next() {
                    let zero = m.const_int(64, 0);
                    let mut b = m.edit(self.func, block).ok_or("a function without code")?;
                    // Always an instruction of its own, so that each value has one.
                    let mut all = b.binary(BinOp::Or, first, zero, 0);
                    for mark in marks {
                        all = b.binary(BinOp::Or, all, mark, 0);
                    }
                    if let Value::Inst(all) = all {
                        self.marks.insert(inst, all);
                    }
                }
            }
            // Addresses are computed ahead of their use, and those out of marked values are cut to what is there.
            Op::Gep { .. } => {}
            _ => {
                let mut used = Vec::new();
                body.operands(inst, |v| {
                    if let Some(mark) = self.mark(v)
                        && !used.contains(&(v, mark))
                    {
                        used.push((v, mark));
                    }
                });
                for (v, mark) in used {
                    let site = self.site(inst, v);
                    self.call(m, block, What::Used, None, Some(mark), 0, site)?;
                }
            }
        }
        push(m, self.func, block, inst);
        Ok(())
    }

    /// A place to name for who uses a value.
    fn site(&mut self, user: Inst, value: Value) -> u32 {
        let at = |i: Inst| self.known.places.known.get(&(self.func, i)).cloned();
        let mut place = at(user);
        let mut from = if let Value::Inst(i) = value { Some(i) } else { None };
        while let (None, Some(i)) = (&place, from) {
            place = at(i);
            from = self.places.get(&i).copied();
        }
        let site = self.known.first.site + self.sites.len();
        self.sites.push(Site { op: "a value", place, fields: None, meeting: None });
        site as u32
    }

    #[allow(clippy::too_many_arguments)]
    fn call(
        &self,
        m: &mut Module,
        block: Block,
        what: What,
        at: Option<Value>,
        mark: Option<Value>,
        size: u64,
        site: u32,
    ) -> Result<Inst, Refusal> {
        let byte = m.types.i8();
        let bytes = m.types.ptr(byte);
        let (nowhere, zero) = (m.null(bytes), m.const_int(64, 0));
        let packed = m.const_int(64, what.pack(size, site) as i64);
        let mut b: Builder<'_> = m.edit(self.func, block).ok_or("a function without code")?;
        let at = match at {
            None => nowhere,
            Some(at) => b.cast(CastOp::BitCast, at, bytes),
        };
        match b.call(self.callee, &[Value::Arg(0), at, mark.unwrap_or(zero), packed]) {
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

/// Values that may carry a mark: what is read from variables, and what only moves such values. A word that is compared with zero is how
/// booleans are read.
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
                // A pointer out of memory is that of shared memory.
                _ => return false,
            },
            _ => return false,
        };
    }
    false
}
