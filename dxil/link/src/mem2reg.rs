//! SROA and mem2reg: promotes allocas to SSA values. After inlining, parameters by reference are allocas.
//!
//! An alloca of a structure of which only fields are loaded and stored is split into one alloca for each field (SROA); an alloca
//! that is loaded and stored as a whole becomes SSA values, with phis at joins (Braun et al., *Simple and efficient construction
//! of SSA form*). Lifetime markers are removed with the alloca. `llvm.dbg.declare` becomes `llvm.dbg.value` ([`super::variables`]).

use rustc_hash::{FxHashMap, FxHashSet};

use super::variables::{self, Variables};
use rtc_dxil_module::{Block, Body, ConstKind, Func, Inst, InstData, Module, Op, Type, TypeKind, Value};

/// Splits and promotes the allocas of a function.
pub fn promote(m: &mut Module, func: Func) {
    let Some(mut body) = m.funcs[func].body.take() else { return };
    split(m, &mut body);
    let slots = slots(m, &body);
    let undefined: FxHashMap<Type, Value> = slots.iter().map(|s| (s.ty, m.undef(s.ty))).collect();
    if !slots.is_empty() {
        Promoter::new(body, &undefined).run(&slots, m, func);
    } else {
        m.funcs[func].body = Some(body);
    }
    variables::forget_lost(m, func);
}

/// An alloca that is promoted.
struct Slot {
    alloca: Inst,
    ty: Type,
    /// Instructions that are removed with it: casts and lifetime markers.
    marks: Vec<Inst>,
}

/// The users of each instruction.
pub fn users(body: &Body) -> FxHashMap<Inst, Vec<Inst>> {
    let mut out: FxHashMap<Inst, Vec<Inst>> = FxHashMap::default();
    for &i in body.blocks.values().flatten() {
        body.operands(i, |v| {
            if let Value::Inst(of) = v {
                let list = out.entry(of).or_default();
                if list.last() != Some(&i) {
                    list.push(i);
                }
            }
        });
    }
    out
}

fn is_lifetime(m: &Module, op: &Op) -> bool {
    matches!(op, Op::Call { callee: Value::Func(f), .. } if m.funcs[*f].name.starts_with("llvm.lifetime."))
}

/// The cast and the lifetime intrinsics that use it, if `user` is such a cast.
pub fn marks(m: &Module, body: &Body, users: &FxHashMap<Inst, Vec<Inst>>, user: Inst) -> Option<Vec<Inst>> {
    let Op::Cast { .. } = body.insts[user].op else { return None };
    let of = users.get(&user).map(Vec::as_slice).unwrap_or_default();
    if !of.iter().all(|&u| is_lifetime(m, &body.insts[u].op)) {
        return None;
    }
    Some(of.iter().copied().chain([user]).collect())
}

/// Whether `user` reads or writes all of `ptr` as `ty`.
fn accesses(body: &Body, user: Inst, ptr: Inst, ty: Type, type_of: impl Fn(Value) -> Option<Type>) -> bool {
    match body.insts[user].op {
        Op::Load { volatile: false, .. } => body.insts[user].ty == ty,
        Op::Store { ptr: p, value, volatile: false, .. } => {
            p == Value::Inst(ptr) && value != Value::Inst(ptr) && type_of(value).is_none_or(|t| t == ty)
        }
        _ => false,
    }
}

fn is_one(m: &Module, count: Value) -> bool {
    m.int_of(count) == Some(1)
}

/// The variables of a function, with their types.
pub fn allocas(m: &Module, body: &Body) -> Vec<(Inst, Type)> {
    let all = body.blocks.values().flatten().filter_map(|&i| match body.insts[i].op {
        Op::Alloca { allocated, count, .. } if is_one(m, count) => Some((i, allocated)),
        _ => None,
    });
    all.collect()
}

fn whole(m: &Module, ty: Type) -> bool {
    use TypeKind as K;
    matches!(m.types[ty], K::Half | K::Float | K::Double | K::Int(_) | K::Vector { .. } | K::Pointer { .. })
}

fn type_of(m: &Module, body: &Body, value: Value) -> Option<Type> {
    match value {
        Value::Inst(i) => Some(body.insts[i].ty),
        Value::Arg(_) => None,
        v => m.value_type(None, v),
    }
}

fn slots(m: &Module, body: &Body) -> Vec<Slot> {
    let users = users(body);
    let mut out = Vec::new();
    'next: for (alloca, ty) in allocas(m, body) {
        if !whole(m, ty) {
            continue;
        }
        let mut all = Vec::new();
        for &u in users.get(&alloca).map(Vec::as_slice).unwrap_or_default() {
            if accesses(body, u, alloca, ty, |v| type_of(m, body, v)) {
                continue;
            }
            match marks(m, body, &users, u) {
                Some(mut m) => all.append(&mut m),
                None => continue 'next,
            }
        }
        out.push(Slot { alloca, ty, marks: all });
    }
    out
}

/// Splits structures and arrays of which only single fields are touched, by constant paths.
fn split(m: &mut Module, body: &mut Body) {
    let users = users(body);
    let mut gone: FxHashSet<Inst> = FxHashSet::default();
    let mut replaced: FxHashMap<Inst, Inst> = FxHashMap::default();
    let mut fresh: FxHashMap<Inst, Vec<Inst>> = FxHashMap::default();
    let mut variables = Variables::new(m, body);
    'next: for (alloca, ty) in allocas(m, body) {
        if whole(m, ty) {
            continue;
        }
        let (mut fields, mut extra): (Vec<(Vec<i64>, Inst)>, Vec<Inst>) = (Vec::new(), Vec::new());
        for &u in users.get(&alloca).map(Vec::as_slice).unwrap_or_default() {
            if let Some(mut marks) = marks(m, body, &users, u) {
                extra.append(&mut marks);
                continue;
            }
            let Op::Gep { operands, .. } = body.insts[u].op else { continue 'next };
            let operands = body.values(operands);
            let path: Option<Vec<i64>> = operands[1..].iter().map(|&v| m.int_of(v)).collect();
            let (Some(path), Some(&Value::Inst(base))) = (path, operands.first()) else { continue 'next };
            let Some(field) = m.types.pointee(body.insts[u].ty) else { continue 'next };
            let of = users.get(&u).map(Vec::as_slice).unwrap_or_default();
            let plain = of.iter().all(|&a| accesses(body, a, u, field, |v| type_of(m, body, v)));
            if base != alloca || path.first() != Some(&0) || !whole(m, field) || !plain {
                continue 'next;
            }
            fields.push((path, u));
        }
        fields.sort();
        // A field inside another is touched in two ways.
        if fields.windows(2).any(|p| p[0].0 != p[1].0 && p[1].0.starts_with(&p[0].0)) {
            continue;
        }
        let align = if let Op::Alloca { align, .. } = body.insts[alloca].op { align.min(4) } else { 0 };
        let count = m.i32(1);
        let mut last: Option<(Vec<i64>, Inst)> = None;
        for (path, gep) in fields {
            let Some(allocated) = m.types.pointee(body.insts[gep].ty) else { continue };
            let slot = match &last {
                Some((p, slot)) if *p == path => *slot,
                _ => {
                    let op = Op::Alloca { allocated, count, align };
                    let slot = body.insts.push(InstData { op, ty: body.insts[gep].ty, loc: None.into() });
                    fresh.entry(alloca).or_default().push(slot);
                    variables.split(m, body, (alloca, ty), &path, (slot, allocated));
                    slot
                }
            };
            last = Some((path, slot));
            replaced.insert(gep, slot);
            gone.insert(gep);
        }
        gone.extend(extra);
        gone.insert(alloca);
    }
    if gone.is_empty() {
        return;
    }
    body.map_values(|v| match v {
        Value::Inst(i) => Value::Inst(replaced.get(&i).copied().unwrap_or(i)),
        v => v,
    });
    for insts in body.blocks.values_mut() {
        *insts =
            insts.iter().flat_map(|i| fresh.remove(i).unwrap_or_default().into_iter().chain([*i])).filter(|i| !gone.contains(i)).collect();
    }
    variables.place(body);
    forget(body, &gone);
}

/// Leaves nothing of instructions that are in no block any more.
pub fn forget(body: &mut Body, gone: &FxHashSet<Inst>) {
    for &i in gone {
        body.insts[i].op = Op::Unreachable;
    }
    body.attached.retain(|a| !gone.contains(&a.0));
    body.names.retain(|v, _| !matches!(v, Value::Inst(i) if gone.contains(i)));
}

struct Promoter<'a> {
    body: Body,
    undefined: &'a FxHashMap<Type, Value>,
    preds: FxHashMap<Block, Vec<Block>>,
    /// What a load or a phi that is no longer there stands for.
    becomes: FxHashMap<Inst, Value>,
    phis: Vec<(Inst, Block)>,
    gone: FxHashSet<Inst>,
    /// What a variable holds from an instruction on, where debug information refers to it: the variable's alloca.
    said: Vec<(Inst, Inst, Value)>,
}

/// The reaching definitions of one alloca: its value at the begin and at the end of each block.
struct Definitions {
    ty: Type,
    start: FxHashMap<Block, Value>,
    end: FxHashMap<Block, Value>,
    open: Vec<(Inst, Block)>,
}

impl<'a> Promoter<'a> {
    fn new(body: Body, undefined: &'a FxHashMap<Type, Value>) -> Self {
        let mut preds: FxHashMap<Block, Vec<Block>> = FxHashMap::default();
        for block in body.blocks.keys() {
            if let Some(last) = body.terminator(block) {
                body.operands(last, |v| {
                    if let Value::Block(to) = v {
                        preds.entry(to).or_default().push(block);
                    }
                });
            }
        }
        let (becomes, phis, gone, said) = (FxHashMap::default(), Vec::new(), FxHashSet::default(), Vec::new());
        Promoter { body, undefined, preds, becomes, phis, gone, said }
    }

    fn run(mut self, slots: &[Slot], m: &mut Module, func: Func) {
        let which: FxHashMap<Inst, usize> = slots.iter().enumerate().map(|(n, s)| (s.alloca, n)).collect();
        // Reads and writes of each variable, in the order of blocks and instructions.
        let mut accesses: Vec<Vec<(Block, Inst)>> = slots.iter().map(|_| Vec::new()).collect();
        for (block, insts) in self.body.blocks.iter() {
            for &i in insts {
                let (Op::Load { ptr: Value::Inst(p), .. } | Op::Store { ptr: Value::Inst(p), .. }) = self.body.insts[i].op else {
                    continue;
                };
                if let Some(&n) = which.get(&p) {
                    accesses[n].push((block, i));
                }
            }
        }
        for (slot, accesses) in slots.iter().zip(accesses) {
            self.slot(slot, &accesses);
            self.gone.insert(slot.alloca);
            self.gone.extend(&slot.marks);
        }
        let mut variables = Variables::new(m, &self.body);
        if variables.is_empty() {
            self.said.clear();
        }
        self.simplify();
        self.define(m);
        let becomes = std::mem::take(&mut self.becomes);
        let resolve = |v: Value| {
            let mut v = v;
            for _ in 0..=becomes.len() {
                match v {
                    Value::Inst(i) => match becomes.get(&i) {
                        Some(&next) => v = next,
                        None => return v,
                    },
                    _ => return v,
                }
            }
            v
        };
        self.body.map_values(resolve);
        for v in &mut self.body.local_meta {
            *v = resolve(*v);
        }
        for &(at, slot, value) in &self.said {
            // A removed phi is replaced by another value, whose own definition already has the debug intrinsic.
            if !matches!(self.body.insts[at].op, Op::Phi(_)) || !self.gone.contains(&at) {
                variables.say(m, &mut self.body, at, slot, resolve(value));
            }
        }
        variables.place(&mut self.body);
        let gone = &self.gone;
        for insts in self.body.blocks.values_mut() {
            insts.retain(|i| !gone.contains(i));
        }
        forget(&mut self.body, &self.gone);
        m.funcs[func].body = Some(self.body);
    }

    fn slot(&mut self, slot: &Slot, accesses: &[(Block, Inst)]) {
        let mut p = Definitions { ty: slot.ty, start: FxHashMap::default(), end: FxHashMap::default(), open: Vec::new() };
        let mut at: Option<(Block, Value)> = None;
        let mut early: Vec<(Block, Inst)> = Vec::new();
        for &(block, i) in accesses {
            self.gone.insert(i);
            match self.body.insts[i].op {
                Op::Store { value, .. } => {
                    self.said.push((i, slot.alloca, value));
                    at = Some((block, value));
                    p.end.insert(block, value);
                }
                _ => match at.filter(|a| a.0 == block) {
                    Some((_, value)) => drop(self.becomes.insert(i, value)),
                    None => early.push((block, i)),
                },
            }
        }
        for (block, i) in early {
            let value = self.start(&mut p, block);
            self.becomes.insert(i, value);
        }
        while let Some((phi, block)) = p.open.pop() {
            self.said.push((phi, slot.alloca, Value::Inst(phi)));
            for pred in self.preds.get(&block).cloned().unwrap_or_default() {
                let value = match p.end.get(&pred) {
                    Some(&v) => v,
                    None => self.start(&mut p, pred),
                };
                self.body.add_incoming(phi, value, pred);
            }
        }
    }

    /// What the variable holds where a block begins.
    fn start(&mut self, p: &mut Definitions, block: Block) -> Value {
        let (mut at, mut path) = (block, Vec::new());
        let value = loop {
            if let Some(&v) = p.start.get(&at) {
                break v;
            }
            let preds = self.preds.get(&at).map(Vec::as_slice).unwrap_or_default();
            match preds {
                [] => break self.undefined[&p.ty],
                &[one] => {
                    path.push(at);
                    match p.end.get(&one) {
                        Some(&v) => break v,
                        None => at = one,
                    }
                }
                _ => {
                    let list = self.body.list(&[]);
                    let phi = self.body.insts.push(InstData { op: Op::Phi(list), ty: p.ty, loc: None.into() });
                    self.body.blocks[at].insert(0, phi);
                    self.phis.push((phi, at));
                    p.open.push((phi, at));
                    p.start.insert(at, Value::Inst(phi));
                    break Value::Inst(phi);
                }
            }
            // Round and round: code that is never reached.
            if path.len() > self.body.blocks.len() {
                break self.undefined[&p.ty];
            }
        };
        for b in path {
            p.start.insert(b, value);
        }
        value
    }

    /// What a value has become.
    fn now(&self, mut value: Value) -> Value {
        for _ in 0..=self.becomes.len() {
            match value {
                Value::Inst(i) => match self.becomes.get(&i) {
                    Some(&v) => value = v,
                    None => break,
                },
                _ => break,
            }
        }
        value
    }

    /// Zero is what a load gives where nothing was stored: no instruction but a phi may read an undefined value. Objects without a constant stay
    /// undefined.
    fn define(&mut self, m: &mut Module) {
        let loads: Vec<Inst> = self.becomes.keys().copied().filter(|&i| matches!(self.body.insts[i].op, Op::Load { .. })).collect();
        for load in loads {
            if let Value::Const(c) = self.now(Value::Inst(load))
                && m.consts[c].kind == ConstKind::Undef
                && let ty = m.consts[c].ty
                && !m.types.struct_name(ty).is_some_and(|name| name.starts_with("dx.types."))
            {
                let zero = m.null(ty);
                self.becomes.insert(load, zero);
            }
        }
    }

    /// Removes phis that choose between one value and themselves, and those without uses.
    fn simplify(&mut self) {
        let mut changed = true;
        let mut left = std::mem::take(&mut self.phis);
        while changed {
            changed = false;
            let mut next = Vec::new();
            for &(phi, block) in &left {
                let Op::Phi(list) = self.body.insts[phi].op else { continue };
                let mut only = None;
                let mut several = false;
                for pair in self.body.values(list).chunks_exact(2) {
                    let v = self.now(pair[0]);
                    if v != Value::Inst(phi) && only != Some(v) {
                        several |= only.is_some();
                        only = Some(v);
                    }
                }
                match only.filter(|_| !several) {
                    Some(v) => {
                        self.becomes.insert(phi, v);
                        self.gone.insert(phi);
                        changed = true;
                    }
                    None => next.push((phi, block)),
                }
            }
            left = next;
        }
        // Needed are those that something else uses, and what these are made of.
        let own: FxHashSet<Inst> = left.iter().map(|p| p.0).collect();
        let mut work = Vec::new();
        for &i in self.body.blocks.values().flatten() {
            if own.contains(&i) || self.gone.contains(&i) {
                continue;
            }
            self.body.operands(i, |v| {
                if let Value::Inst(used) = self.now(v) {
                    work.push(used);
                }
            });
        }
        let mut needed: FxHashSet<Inst> = FxHashSet::default();
        while let Some(i) = work.pop() {
            if own.contains(&i) && needed.insert(i) {
                self.body.operands(i, |v| {
                    if let Value::Inst(used) = self.now(v) {
                        work.push(used);
                    }
                });
            }
        }
        self.gone.extend(own.difference(&needed));
    }
}
