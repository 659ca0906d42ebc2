//! Construction of the CFG: what conditions say about hit objects. `IsHit()` and the like do, a comparison with a hit kind that is not zero does, and what
//! `!`, `&&`, `||`, `?:`, conversions and variables make of these does.

use rtc_ir::{Inst, InstData, Opcode, Param, Region, Root, Type, Value, ValueDef};
use smallvec::SmallVec;

use super::build::Walk;
use super::cfg::Kind;
use super::hit_conditions::{Condition, Kinds};
use super::hit_kinds::{HITS, MISS, NOP};
use super::types::Part;

/// No more operations are looked through on the way to a test.
const MAX_DEPTH: u32 = 12;

impl Walk<'_, '_> {
    /// Notes the kinds of hit objects from here on.
    pub(super) fn refine(&mut self, at: Inst, kinds: Option<Kinds>) {
        for (cell, kinds) in kinds.unwrap_or_default() {
            self.event(Kind::Refine { cell, kinds }, at);
        }
    }

    /// What a condition says on which `branch` depends.
    pub(super) fn condition(&mut self, branch: Inst, cond: Value) -> Condition {
        self.condition_at(branch, cond, MAX_DEPTH)
    }

    /// What it says that a number equals one of these.
    pub(super) fn equality(&mut self, branch: Inst, number: Value, any_of: &[u64]) -> Condition {
        let mut all = Condition::constant(false);
        for &c in any_of {
            all = all.choose(Condition::constant(true), self.equals(branch, number, c, MAX_DEPTH));
        }
        all
    }

    /// What the result of the call that is walked says about hit objects: of the function's own cells, too, if it has one return. Where it has several, what was
    /// tested must still be so at each: cells of the caller that the function cannot write.
    pub(super) fn returned_condition(&mut self, body: Region, callers: u32) -> Option<Condition> {
        let f = self.f();
        if let InstData::Exit { op: Opcode::return_, args, .. } = f.insts[f.terminator(body)?] {
            let returns = |i: &Inst| matches!(f.insts[*i], InstData::Exit { op: Opcode::return_, .. });
            if f.insts.keys().filter(returns).count() == 1 {
                let &value = f.get(args).first()?;
                return Some(self.condition(f.terminator(body)?, value));
            }
        }
        let by_reference = |p: &Param| matches!(*p, Param::Ref(l) if f.locals[l].ty == Type::HIT_OBJECT);
        if f.params.iter().any(by_reference) {
            return None;
        }
        let mut condition = self.condition_of_returns(body, MAX_DEPTH)?;
        condition.keep_cells(|cell| cell < callers);
        Some(condition)
    }

    /// The same of a region that returns on each of its paths, by branches alone.
    fn condition_of_returns(&mut self, r: Region, depth: u32) -> Option<Condition> {
        let (f, depth) = (self.f(), depth.checked_sub(1)?);
        let mut before: SmallVec<[(Condition, Condition); 2]> = SmallVec::new();
        let mut last = None;
        for &i in &f.regions[r].insts {
            match f.insts[i] {
                InstData::Exit { op: Opcode::return_, args, .. } => last = Some(self.condition(i, *f.get(args).first()?)),
                InstData::If { cond, then_, else_ } if self.function_facts().keep.contains(i) => {
                    let tested = self.condition(i, cond);
                    match (self.condition_of_returns(then_, depth), self.condition_of_returns(else_, depth)) {
                        (Some(yes), Some(no)) => {
                            last = Some(tested.choose(yes, no));
                            break;
                        }
                        (Some(yes), None) if self.goes_on(else_) => before.push((tested, yes)),
                        (None, Some(no)) if self.goes_on(then_) => before.push((tested.not(), no)),
                        _ => return None,
                    }
                }
                _ if self.function_facts().keep.contains(i) => return None,
                _ => {}
            }
        }
        let rest = |all: Condition, (tested, returned): (Condition, Condition)| tested.choose(returned, all);
        Some(before.into_iter().rev().fold(last?, rest))
    }

    /// Whether control always comes to the end of a region.
    fn goes_on(&self, r: Region) -> bool {
        let (f, keep) = (self.f(), &self.function_facts().keep);
        let ends = f.terminator(r).is_some_and(|end| matches!(f.insts[end], InstData::Exit { op: Opcode::yield_, .. }));
        ends && f.regions[r].insts.iter().all(|&i| matches!(f.insts[i], InstData::Exit { .. }) || !keep.contains(i))
    }

    fn condition_at(&mut self, branch: Inst, v: Value, depth: u32) -> Condition {
        let (f, Some(depth)) = (self.f(), depth.checked_sub(1)) else { return Condition::nothing() };
        if let Some(known) = self.call().conditions.get(&v) {
            return known.clone();
        }
        let (i, n) = match f.values[v].def {
            ValueDef::Const(c) => return Condition::constant(c != 0),
            ValueDef::Result(i, n) => (i, n),
            _ => return Condition::nothing(),
        };
        let mut of = |v: Value| self.condition_at(branch, v, depth);
        match f.insts[i] {
            InstData::Unary { op: Opcode::not, arg } if f.ty(arg) == Type::BOOL => of(arg).not(),
            InstData::Unary { op, arg } => match op {
                Opcode::hit_is_hit => self.object_is(branch, arg, HITS),
                Opcode::hit_is_miss => self.object_is(branch, arg, MISS),
                Opcode::hit_is_nop => self.object_is(branch, arg, NOP),
                _ => Condition::nothing(),
            },
            InstData::Binary { op, args: [a, b] } if f.ty(a) == Type::BOOL => match op {
                Opcode::and => of(a).choose(of(b), Condition::constant(false)),
                Opcode::or => of(a).choose(Condition::constant(true), of(b)),
                Opcode::ieq => of(a).choose(of(b), of(b).not()),
                Opcode::ine | Opcode::xor => of(a).choose(of(b).not(), of(b)),
                _ => Condition::nothing(),
            },
            InstData::Binary { op, args: [a, b] } if op.effects().is_empty() => self.compared(branch, (op, f.ty(v)), [a, b], depth),
            InstData::Ternary { op: Opcode::select, args: [c, x, y] } if f.ty(c) == Type::BOOL => of(c).choose(of(x), of(y)),
            // `a && b`, `a || b`, `a ? b : c`.
            InstData::If { cond, then_, else_ } => match (self.yielded(then_, n), self.yielded(else_, n)) {
                (Some(x), Some(y)) => {
                    let [c, x, y] = [cond, x, y].map(|v| self.condition_at(branch, v, depth));
                    c.choose(x, y)
                }
                _ => Condition::nothing(),
            },
            // A variable that holds what was found.
            _ => match self.stored_once(i, branch) {
                Some(stored) => self.condition_at(branch, stored, depth),
                None => Condition::nothing(),
            },
        }
    }

    /// What a comparison with a constant says.
    fn compared(&mut self, branch: Inst, (op, to): (Opcode, Type), args: [Value; 2], depth: u32) -> Condition {
        let (f, m) = (self.f(), self.facts.cells.m);
        let [a, b] = args.map(|v| f.as_const(v));
        let (number, constant) = match (a, b) {
            (None, Some(c)) => (args[0], c),
            (Some(c), None) => (args[1], c),
            _ => return Condition::nothing(),
        };
        let (Some((from, 1)), Some((to, 1))) = (m.types.numeric(f.ty(number)), m.types.numeric(to)) else { return Condition::nothing() };
        // What is no hit has the kind zero.
        if let Some(object) = self.kind_of(branch, number) {
            let bits = [a.unwrap_or(0), b.unwrap_or(0)];
            let Some(of_zero) = rtc_ir::eval::in_module(m, op, from, to, &bits) else { return Condition::nothing() };
            return self.unless_zero(branch, object, of_zero != 0);
        }
        match op {
            Opcode::ieq => self.equals(branch, number, constant, depth),
            Opcode::ine => self.equals(branch, number, constant, depth).not(),
            _ => Condition::nothing(),
        }
    }

    /// The hit object whose kind a number is.
    fn kind_of(&self, branch: Inst, mut v: Value) -> Option<Value> {
        let f = self.f();
        for _ in 0..MAX_DEPTH {
            let i = f.def_inst(v)?;
            match f.insts[i] {
                InstData::Unary { op: Opcode::hit_get_kind, arg } => return Some(arg),
                _ => v = self.stored_once(i, branch)?,
            }
        }
        None
    }

    /// What a condition about the kind of an object says that is `of_zero` for the kind zero, which a hit may have, too.
    fn unless_zero(&mut self, branch: Inst, object: Value, of_zero: bool) -> Condition {
        let hit = Condition { fails: Condition::nothing().fails, ..self.object_is(branch, object, HITS) };
        if of_zero { hit.not() } else { hit }
    }

    /// What it says that a number equals a constant.
    fn equals(&mut self, branch: Inst, v: Value, c: u64, depth: u32) -> Condition {
        if let Some(object) = self.kind_of(branch, v) {
            return self.unless_zero(branch, object, c == 0);
        }
        let (f, m) = (self.f(), self.facts.cells.m);
        let (Some(i), Some(depth)) = (f.def_inst(v), depth.checked_sub(1)) else { return Condition::nothing() };
        match f.insts[i] {
            // What a condition becomes as a number.
            InstData::Unary { op, arg } if f.ty(arg) == Type::BOOL && op.effects().is_empty() => {
                let (Some((from, 1)), Some((to, 1))) = (m.types.numeric(f.ty(arg)), m.types.numeric(f.ty(v))) else {
                    return Condition::nothing();
                };
                let is = |bit: u64| rtc_ir::eval::in_module(m, op, from, to, &[bit]).map(|x| Condition::constant(x == c));
                match (is(1), is(0)) {
                    (Some(yes), Some(no)) => self.condition_at(branch, arg, depth).choose(yes, no),
                    _ => Condition::nothing(),
                }
            }
            InstData::Ternary { op: Opcode::select, args: [k, x, y] } if f.ty(k) == Type::BOOL => {
                let mut is = |v: Value| f.as_const(v).map_or_else(|| self.equals(branch, v, c, depth), |x| Condition::constant(x == c));
                let (yes, no) = (is(x), is(y));
                self.condition_at(branch, k, depth).choose(yes, no)
            }
            _ => match self.stored_once(i, branch) {
                Some(stored) => self.equals(branch, stored, c, depth),
                None => Condition::nothing(),
            },
        }
    }

    /// What a region yields as result `n` of its owner.
    fn yielded(&self, r: Region, n: u32) -> Option<Value> {
        let f = self.f();
        match f.insts[f.terminator(r)?] {
            InstData::Exit { op: Opcode::yield_, args, .. } => f.get(args).get(n as usize).copied(),
            _ => None,
        }
    }

    /// The cell of a hit object, of the first value that variables have it from.
    pub(super) fn origin(&self, at: Inst, mut object: Value) -> Option<Part> {
        let f = self.f();
        let mut cell = self.call().hits.get(&object).copied();
        for _ in 0..MAX_DEPTH {
            let Some(stored) = f.def_inst(object).and_then(|load| self.stored_once(load, at)) else { break };
            let Some(known) = self.call().hits.get(&stored).copied() else { break };
            (object, cell) = (stored, Some(known));
        }
        cell
    }

    /// A hit object is one of these kinds: so are all cells that hold it.
    fn object_is(&mut self, branch: Inst, object: Value, kinds: u8) -> Condition {
        let cells = self.cells_of(branch, object);
        let all = |kinds: u8| Some(cells.iter().map(|&cell| (cell, kinds)).collect());
        Condition { holds: all(kinds), fails: all(!kinds) }
    }

    /// The cells that hold a hit object where control comes to `at`: the cell of the value, that of the variable of which it is loaded, if that is still the
    /// same, and those of the values that variables have got it from.
    pub(super) fn cells_of(&mut self, at: Inst, mut object: Value) -> SmallVec<[u32; 2]> {
        let f = self.f();
        let mut cells: SmallVec<[u32; 2]> = SmallVec::new();
        for _ in 0..MAX_DEPTH {
            cells.extend(self.call().hits.get(&object).map(|cell| cell.start));
            let Some(load) = f.def_inst(object) else { break };
            let InstData::Access { op: Opcode::load, place, args, .. } = f.insts[load] else { break };
            let stored = self.stored_once(load, at);
            if (stored.is_some() || self.nothing_between(load, at))
                && let Some(variable) = self.place(place, &mut f.get(args))
                && !variable.weak
            {
                cells.push(variable.start);
            }
            match stored {
                Some(value) => object = value,
                None => break,
            }
        }
        cells
    }

    /// Whether nothing is stored from a load on until control comes to `branch`.
    fn nothing_between(&self, load: Inst, branch: Inst) -> bool {
        let (f, parents) = (self.f(), &self.function_facts().parents);
        let mut at = load;
        loop {
            let insts = &f.regions[parents[at]].insts;
            let Some(from) = insts.iter().position(|&i| i == at) else { return false };
            let to = insts.iter().position(|&i| i == branch);
            let between = insts.get(from + 1..to.unwrap_or(insts.len()));
            if !between.is_some_and(|b| b.iter().all(|&i| self.stores_nothing(i))) {
                return false;
            }
            match (to, f.regions[parents[at]].owner) {
                (Some(_), _) => return true,
                // Out of an operand of `&&`.
                (None, Some(owner)) if matches!(f.insts[owner], InstData::If { .. }) => at = owner,
                _ => return false,
            }
        }
    }

    fn stores_nothing(&self, i: Inst) -> bool {
        let f = self.f();
        match f.insts[i] {
            InstData::Access { op, .. } => op == Opcode::load,
            InstData::Nullary { op } | InstData::Unary { op, .. } | InstData::Binary { op, .. } => op.effects().is_empty(),
            InstData::Ternary { op, .. } | InstData::Many { op, .. } => op.effects().is_empty(),
            InstData::Exit { op, .. } => op == Opcode::yield_,
            InstData::If { then_, else_, .. } => [then_, else_].iter().all(|&r| f.regions[r].insts.iter().all(|&i| self.stores_nothing(i))),
            _ => false,
        }
    }

    /// What a load gives of a variable that is stored to once: before the load, which comes before `branch`. So it is still that there.
    fn stored_once(&self, load: Inst, branch: Inst) -> Option<Value> {
        let f = self.f();
        let InstData::Access { op: Opcode::load, place, .. } = f.insts[load] else { return None };
        let data = &f.places[place];
        let Root::Local(l) = data.root else { return None };
        let facts = self.function_facts();
        let &[store] = &facts.stores.get(&l)?[..] else { return None };
        let inside = self.comes_before(load, branch) || self.is_operand_of(load, branch);
        let before = data.steps.is_empty() && self.comes_before(store, load) && inside;
        before.then(|| facts.single.get(&l).copied()).flatten()
    }

    /// Whether a load is in an operand of `&&` and the like that comes before `branch`.
    fn is_operand_of(&self, load: Inst, branch: Inst) -> bool {
        let (f, parents) = (self.f(), &self.function_facts().parents);
        let mut at = load;
        while let Some(owner) = f.regions[parents[at]].owner
            && matches!(f.insts[owner], InstData::If { .. })
        {
            if parents[owner] == parents[branch] {
                return self.comes_before(owner, branch);
            }
            at = owner;
        }
        false
    }
}
