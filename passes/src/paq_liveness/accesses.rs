//! Construction of the CFG: which cells loads and stores access, which stores are assignments of the source, and the hit objects among them.

use rtc_base::Span;
use rtc_ir::{Inst, InstData, Opcode, Place, Root, Step, Type, TypeKind, Value};
use smallvec::{SmallVec, smallvec};

use super::build::Walk;
use super::cfg::Kind;
use super::hit_kinds::{HIT, MISS, NOP, Origin, SKIPS, UNBOUND, skips_closest_hit};
use super::path_conditions::{Expr, ExprId, NO_LOOP};
use super::types::{Part, is_plain};

impl Walk<'_, '_> {
    /// Records a read of the used components of `p`.
    pub(super) fn load(&mut self, i: Inst, p: Part) {
        let f = self.f();
        let v = f.result(i);
        self.loaded(v, p);
        let users: SmallVec<[Inst; 4]> = self.function_facts().users.get(&v).map(|l| SmallVec::from_slice(l)).unwrap_or_default();
        let mut parts: SmallVec<[u32; 4]> = SmallVec::new();
        let mut whole = false;
        for &u in &users {
            match f.insts[u] {
                InstData::Many { op: Opcode::extract, imm, .. } if imm < p.len => parts.push(imm),
                _ if self.is_partial_write(i, u, 4) => {}
                _ => whole = true,
            }
        }
        parts.sort_unstable();
        parts.dedup();
        let part = |n: u32| Part { start: p.start + n, len: 1, ..p };
        let read: SmallVec<[Part; 4]> = if whole { SmallVec::from_slice(&[p]) } else { parts.into_iter().map(part).collect() };
        if read.is_empty() {
            return;
        }
        // What `c ? x : y`, `x && y` and `x || y` do not evaluate is not read, even if it is loaded.
        let join = self.guarded(i);
        for p in read {
            self.event(Kind::Load(p), i);
        }
        if let Some(join) = join {
            self.jump(join, None);
            self.start(join);
        }
    }

    /// What is loaded of a payload: a number, or the components of a vector that are used.
    fn loaded(&mut self, v: Value, p: Part) {
        if p.weak {
            return;
        }
        if p.len == 1 {
            let k = self.held(p.start);
            self.call_mut().exprs.insert(v, k);
            return;
        }
        let f = self.f();
        let Some((_, lanes)) = self.facts.cells.m.types.numeric(f.ty(v)).filter(|t| t.1 == p.len) else { return };
        let components: SmallVec<[ExprId; 4]> = (0..lanes).map(|n| self.held(p.start + n)).collect();
        for u in self.function_facts().users.get(&v).cloned().unwrap_or_default() {
            if let InstData::Many { op: Opcode::extract, imm, .. } = f.insts[u]
                && let Some(&k) = components.get(imm as usize)
            {
                self.call_mut().exprs.insert(f.result(u), k);
            }
        }
        let whole = self.cfg.conds.expr(Expr::Op(Opcode::construct, 0, components));
        self.call_mut().exprs.insert(v, whole);
    }

    /// Branches as the operators do whose operand a loaded value is, on the way to it; the block after them.
    fn guarded(&mut self, load: Inst) -> Option<u32> {
        let f = self.f();
        let mut conditions: SmallVec<[(Value, bool); 2]> = SmallVec::new();
        let mut v = f.result(load);
        for _ in 0..6 {
            let Some(&[u]) = self.function_facts().users.get(&v).map(|l| &l[..]) else { break };
            let earlier = |c: Value| f.def_inst(c).is_none_or(|d| self.comes_before(d, load));
            match f.insts[u] {
                InstData::Ternary { op: Opcode::select, args: [c, x, y] } if f.ty(c) == Type::BOOL && c != v && x != y && earlier(c) => {
                    conditions.push((c, x == v));
                }
                InstData::Binary { op: Opcode::and | Opcode::or, args: [c, x] } if f.ty(x) == Type::BOOL && x == v && earlier(c) => {
                    conditions.push((c, matches!(f.insts[u], InstData::Binary { op: Opcode::and, .. })));
                }
                InstData::Unary { op, .. } | InstData::Binary { op, .. } | InstData::Ternary { op, .. } if op.effects().is_empty() => {}
                InstData::Many { op, .. } if op.effects().is_empty() => {}
                _ => break,
            }
            v = f.result(u);
        }
        if conditions.is_empty() || self.cur.is_none() {
            return None;
        }
        let join = self.block(Span::NONE);
        for (c, holds) in conditions.into_iter().rev() {
            let k = self.expr_of(c);
            let at = self.value_span(c, load);
            let (yes, no) = self.branch(k, at);
            let (here, past) = if holds { (yes, no) } else { (no, yes) };
            let condition = self.condition(load, c);
            let next = self.block(f.spans[load]);
            if let Some(lits) = here {
                self.edge(next, lits, None);
            }
            if let Some(lits) = past {
                self.edge(join, lits, None);
            }
            self.start(next);
            self.refine(load, if holds { condition.holds } else { condition.fails });
        }
        Some(join)
    }

    /// Whether an instruction of the same region, or of one around it, comes before another one.
    pub(super) fn comes_before(&self, a: Inst, b: Inst) -> bool {
        let (f, facts) = (self.f(), self.function_facts());
        let r = facts.parents[a];
        let mut at = b;
        while facts.parents[at] != r {
            let Some(owner) = f.regions[facts.parents[at]].owner else { return false };
            at = owner;
        }
        let insts = &f.regions[r].insts;
        insts.iter().position(|&i| i == a) < insts.iter().position(|&i| i == at)
    }

    /// A store: of what is put into the value that was there only that is written.
    pub(super) fn store(&mut self, i: Inst, place: Place, p: Part) {
        let f = self.f();
        let InstData::Access { args, .. } = f.insts[i] else { return };
        let v = f.get(args)[f.get(args).len() - 1];
        if f.ty(v) == Type::HIT_OBJECT {
            return match self.call().hits.get(&v).copied() {
                Some(cell) => self.event(Kind::Hit { to: p, made: Origin::From(cell) }, i),
                None => self.event(Kind::Store { to: p, named: false, once: false }, i),
            };
        }
        let parts = self.stored(i, v, p);
        let values = self.stored_values(v, p, &parts);
        for &part in &parts {
            self.written(i, place, part);
        }
        for (cell, k) in values {
            self.hold_value(cell, k);
        }
    }

    /// What the cells hold of which the store of `v` writes `parts`, where that is known.
    fn stored_values(&mut self, v: Value, p: Part, parts: &[Part]) -> SmallVec<[(u32, ExprId); 4]> {
        let ty = self.f().ty(v);
        let Some((_, lanes)) = self.facts.cells.m.types.numeric(ty).filter(|t| t.1 == p.len && !p.weak) else { return SmallVec::new() };
        // Of a bit-field its number, of which the other bits are what they were.
        if lanes == 1 {
            return smallvec![(p.start, self.expr_of(v))];
        }
        let written = |n: u32| parts.iter().any(|part| part.len > 1 || part.weak || part.start == p.start + n);
        let written: SmallVec<[u32; 4]> = (0..lanes).filter(|&n| written(n)).collect();
        written.into_iter().map(|n| (p.start + n, self.component_of(v, n))).collect()
    }

    /// All of `p`, or one of it, is written.
    pub(super) fn written(&mut self, i: Inst, place: Place, p: Part) {
        let named = self.is_assignment(i, place);
        // Of an array that is followed as one element it is not known how many there are.
        let once = self.looped == NO_LOOP && p.times > 1;
        self.event(Kind::Store { to: p, named, once }, i);
    }

    /// The parts of `p` that the store of `v` writes.
    fn stored(&mut self, i: Inst, v: Value, p: Part) -> SmallVec<[Part; 2]> {
        let f = self.f();
        let one = |n: u32, scalar: Type| Part { start: p.start + n, len: 1, ty: scalar, ..p };
        let (mut at, mut parts) = (v, SmallVec::new());
        while let Some(d) = f.def_inst(at) {
            match f.insts[d] {
                InstData::Ternary { op: Opcode::insert_dyn, args: [base, index, x] } => {
                    let index = self.expr_of(index);
                    parts.push(match self.cfg.conds.constant_of(index) {
                        Some(n) if n < p.len.into() => one(n as u32, f.ty(x)),
                        _ => p.elements(p.len, 1, f.ty(x)),
                    });
                    at = base;
                }
                InstData::Many { op: Opcode::insert, imm, args } => {
                    let scalar = f.ty(f.get(args)[1]);
                    parts.push(if imm < p.len { one(imm, scalar) } else { Part { weak: true, ty: scalar, ..p } });
                    at = f.get(args)[0];
                }
                // Bit-fields.
                InstData::Binary { op: Opcode::or, args } if parts.is_empty() => {
                    let kept = args.iter().find_map(|&a| match f.insts[f.def_inst(a)?] {
                        InstData::Binary { op: Opcode::and, args } => {
                            args.iter().copied().find(|&x| f.def_inst(x).is_some_and(|l| self.writes_back(l, i)))
                        }
                        _ => None,
                    });
                    let Some(old) = kept else { break };
                    parts.push(Part { weak: true, ..p });
                    at = old;
                }
                _ if self.writes_back(d, i) && !parts.is_empty() => return parts,
                _ => break,
            }
        }
        SmallVec::from_slice(&[p])
    }

    /// The cell of a value that is a hit object.
    pub(super) fn hit_cell(&mut self, v: Value) -> Option<Part> {
        if let Some(&cell) = self.call().hits.get(&v) {
            return Some(cell);
        }
        let cell = self.allocate(Type::HIT_OBJECT)?;
        self.call_mut().hits.insert(v, cell);
        Some(cell)
    }

    /// The result of an instruction is a hit object.
    pub(super) fn hit(&mut self, i: Inst, made: Origin) {
        if let Some(to) = self.hit_cell(self.f().result(i)) {
            self.event(Kind::Hit { to, made }, i);
        }
    }

    /// If the result of an operation is a hit object: which.
    pub(super) fn hit_made(&mut self, i: Inst) {
        let f = self.f();
        let Some(&v) = f.results(i).first().filter(|&&v| f.ty(v) == Type::HIT_OBJECT) else { return };
        let one = match f.op(i) {
            Opcode::hit_make_nop => NOP,
            Opcode::hit_make_miss => MISS,
            Opcode::hit_from_query | Opcode::hit_from_query_attrs => NOP | UNBOUND,
            Opcode::hit_trace => {
                let flags = f.operands(i).get(1).map(|&v| self.expr_of(v)).and_then(|k| self.cfg.conds.constant_of(k));
                if flags.is_some_and(|x| !skips_closest_hit(x)) { HIT | MISS } else { HIT | MISS | SKIPS }
            }
            Opcode::hit_set_shader_table_index => match self.call().hits.get(&f.operands(i)[0]).copied() {
                Some(object) => return self.hit(i, Origin::Bound(object.start)),
                None => return,
            },
            _ => return,
        };
        if let Some(to) = self.hit_cell(v) {
            self.event(Kind::Hit { to, made: Origin::One(one) }, i);
        }
    }

    /// The hit objects among the values that control takes along.
    pub(super) fn hits_given(&mut self, i: Inst, values: &[Value], to: &[Value]) {
        let f = self.f();
        for (&from, &to) in values.iter().zip(to) {
            if f.ty(to) == Type::HIT_OBJECT
                && let Some(from) = self.call().hits.get(&from).copied()
                && let Some(to) = self.hit_cell(to)
            {
                self.event(Kind::Hit { to, made: Origin::From(from) }, i);
            }
        }
    }

    /// Whether `user` only inserts into the loaded value, which is stored back to the same l-value.
    pub(super) fn is_partial_write(&self, load: Inst, user: Inst, depth: u32) -> bool {
        let f = self.f();
        let v = f.result(load);
        let changed = match f.insts[user] {
            InstData::Ternary { op: Opcode::insert_dyn, args } => args[0] == v,
            InstData::Many { op: Opcode::insert, args, .. } => f.get(args).first() == Some(&v),
            // Bit fields: what is around them is kept.
            InstData::Binary { op: Opcode::and, args } => {
                let mask = args.iter().any(|&a| f.as_const(a).is_some());
                return mask
                    && self.uses(f.result(user)).iter().all(|&u| {
                        matches!(f.insts[u], InstData::Binary { op: Opcode::or, .. })
                            && self.uses(f.result(u)).iter().all(|&s| self.writes_back(load, s))
                    });
            }
            _ => false,
        };
        changed
            && depth > 0
            && self.uses(f.result(user)).iter().all(|&u| {
                self.writes_back(load, u)
                    || matches!(f.insts[u], InstData::Many { op: Opcode::insert, .. })
                        && self.uses(f.result(u)).iter().all(|&s| self.writes_back(load, s))
            })
    }

    pub(super) fn writes_back(&self, load: Inst, store: Inst) -> bool {
        let f = self.f();
        match (f.insts[load], f.insts[store]) {
            (
                InstData::Access { op: Opcode::load, place: a, args: from, .. },
                InstData::Access { op: Opcode::store, place: b, args: to, .. },
            ) => {
                let (from, to) = (f.get(from), f.get(to));
                a == b && from == &to[..to.len() - 1]
            }
            _ => false,
        }
    }

    /// The uses of a value among the next instructions of its region.
    pub(super) fn uses(&self, v: Value) -> SmallVec<[Inst; 2]> {
        let f = self.f();
        let mut out = SmallVec::new();
        let Some(def) = f.def_inst(v) else { return out };
        let r = self.function_facts().parents[def];
        let insts = &f.regions[r].insts;
        // Lowering emits such sequences contiguously.
        let at = insts.iter().position(|&i| i == def).unwrap_or(0);
        for &i in insts[at..].iter().take(16) {
            f.for_each_operand(i, |o| {
                if o == v {
                    out.push(i);
                }
            });
        }
        out
    }

    /// Whether a write is an assignment to a field of a variable with a name.
    pub(super) fn is_assignment(&self, i: Inst, p: Place) -> bool {
        let f = self.f();
        let data = &f.places[p];
        let name = match data.root {
            Root::Local(l) => &f.locals[l].name,
            Root::Slot(s) => &f.slots[s].name,
            Root::Global(_) => return false,
        };
        let whole = match self.facts.cells.m.types.kind(self.part_ty(p)) {
            TypeKind::Struct(s) => self.facts.cells.payloads.binary_search(&s).is_ok(),
            _ => false,
        };
        // What a reference to a field, element or component is given is assigned by the call.
        let part = match data.root {
            Root::Local(l) => f.locals[l].param.is_some() && is_plain(self.facts.cells.m, f.locals[l].ty),
            _ => false,
        };
        !name.is_empty() && !data.steps.is_empty() && !whole && !part && !self.function_facts().initialisers.contains(&f.spans[i])
    }

    pub(super) fn part_ty(&self, p: Place) -> Type {
        let (f, m) = (self.f(), self.facts.cells.m);
        let data = &f.places[p];
        let mut t = match data.root {
            Root::Local(l) => f.locals[l].ty,
            Root::Slot(s) => f.slots[s].ty,
            Root::Global(g) => m.globals[g].ty(),
        };
        for s in &data.steps {
            let n = match s {
                Step::At(n) => Some(*n),
                Step::Dyn => None,
            };
            let Some(next) = m.part(t, n) else { break };
            t = next;
        }
        t
    }
}
