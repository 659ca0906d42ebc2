//! Value numbering for path conditions: values as interned expressions, so that branches over equal conditions take the same side.

use rtc_ir::{Inst, InstData, Opcode, Region, Root, Step, Type, Value, ValueDef};
use rtc_tables::insts::Effects;
use smallvec::{SmallVec, smallvec};

use super::bit_fields::MAX_PARTS;
use super::build::Walk;
use super::path_conditions::{Expr, ExprId, LoopId, MAX_CHOICES, NO_LOOP};

impl Walk<'_, '_> {
    /// The value of the condition of `branch` in the first iteration of the loop around it, where a counter determines it, with the
    /// condition that this is the first iteration.
    pub(super) fn in_first_iteration(&self, branch: Inst, cond: Value) -> Option<(bool, ExprId)> {
        let &(looped, first) = self.call().iterations.last()?;
        let f = self.f();
        let InstData::Loop { body, .. } = f.insts[looped] else {
            return None;
        };
        if self.function_facts().parents[branch] != body {
            return None;
        }
        let InstData::Binary { op, args } = f.insts[f.def_inst(cond)?] else {
            return None;
        };
        let (from, _) = self.facts.cells.m.types.numeric(f.ty(args[0]))?;
        let (to, lanes) = self.facts.cells.m.types.numeric(f.ty(cond))?;
        if lanes != 1 || !op.effects().is_empty() {
            return None;
        }
        let mut bits: SmallVec<[u64; 2]> = SmallVec::new();
        for a in args {
            bits.push(match f.as_const(a) {
                Some(c) => c,
                None => self.at_first(looped, body, branch, a)?,
            });
        }
        Some((rtc_ir::eval::in_module(self.facts.cells.m, op, from, to, &bits)? != 0, first))
    }

    /// The constant that a load before `branch` returns in the first iteration of a loop.
    pub(super) fn at_first(&self, looped: Inst, body: Region, branch: Inst, v: Value) -> Option<u64> {
        let f = self.f();
        let facts = self.function_facts();
        let InstData::Access { op: Opcode::load, place, .. } = f.insts[f.def_inst(v)?] else {
            return None;
        };
        let Root::Local(l) = f.places[place].root else {
            return None;
        };
        let outside = facts.parents[looped];
        let before = |r: Region, a: Inst, b: Inst| {
            let at = |i| f.regions[r].insts.iter().position(|&x| x == i);
            at(a) < at(b)
        };
        let mut value = None;
        for &s in facts.stores.get(&l)? {
            // Walk outwards from the store to the loop body or to the region around the loop.
            let mut i = s;
            loop {
                let r = facts.parents[i];
                if r == body && before(body, i, branch) {
                    return None;
                }
                if r == outside {
                    if i != looped {
                        // It must be the only one and dominate the loop.
                        if i != s || value.is_some() || !before(outside, s, looped) {
                            return None;
                        }
                        value = Some(
                            f.as_const(
                                *f.get(match f.insts[s] {
                                    InstData::Access { args, .. } => args,
                                    _ => return None,
                                })
                                .last()?,
                            )?,
                        );
                    }
                    break;
                }
                i = f.regions[r].owner?;
            }
        }
        value
    }

    /// The expression of a value.
    pub(super) fn expr_of(&mut self, v: Value) -> ExprId {
        self.expr_at(v, 24)
    }

    pub(super) fn expr_at(&mut self, v: Value, depth: u32) -> ExprId {
        let f = self.f();
        if let ValueDef::Const(bits) = f.values[v].def {
            return self.cfg.conds.constant(bits);
        }
        if let Some(&k) = self.call().exprs.get(&v) {
            return k;
        }
        let k = match f.values[v].def {
            ValueDef::Result(i, n) if depth > 0 => self.expr_of_result(i, n, depth - 1),
            _ => None,
        };
        let k = k.unwrap_or_else(|| {
            let l = self.loop_of(v);
            self.cfg.conds.opaque(l)
        });
        self.call_mut().exprs.insert(v, k);
        k
    }

    /// The innermost loop that recomputes a value in each iteration.
    pub(super) fn loop_of(&self, v: Value) -> LoopId {
        let f = self.f();
        let r = match f.values[v].def {
            ValueDef::Result(i, _) => self.function_facts().parents[i],
            ValueDef::Param(r, _) => r,
            _ => return NO_LOOP,
        };
        // Regions that are skipped belong to the current loop.
        self.call().loops.get(&r).copied().unwrap_or(self.looped)
    }

    pub(super) fn expr_of_result(&mut self, i: Inst, n: u32, depth: u32) -> Option<ExprId> {
        let f = self.f();
        let e = match f.insts[i] {
            InstData::Access { op: Opcode::load, place, .. } => {
                let data = &f.places[place];
                let Root::Local(l) = data.root else { return None };
                let v = *self.function_facts().single.get(&l)?;
                match *data.steps {
                    [] => return Some(self.expr_at(v, depth)),
                    [Step::At(n)] => return self.component(v, n, depth),
                    _ => return None,
                }
            }
            InstData::Unary { op: Opcode::not, arg } if f.ty(arg) == Type::BOOL => Expr::Not(self.expr_at(arg, depth)),
            InstData::Binary { op, args: [a, b] } => {
                let (x, y) = (self.expr_at(a, depth), self.expr_at(b, depth));
                return self.binary(op, (f.ty(a), f.ty(f.result(i))), x, y);
            }
            InstData::Many { op: Opcode::extract, imm, args } => return self.component(f.get(args)[0], imm, depth),
            InstData::Unary { op, arg } if op.effects().is_empty() => {
                let mut x = self.expr_at(arg, depth);
                if f.ty(arg) == Type::BOOL && self.cfg.conds.constant_of(x).is_none() {
                    let [one, zero] = [1, 0].map(|bit| self.cfg.conds.constant(bit));
                    x = self.cfg.conds.expr(Expr::Choice(x, one, zero));
                }
                match self.folded(op, (f.ty(arg), f.ty(f.result(i))), &[x], MAX_CHOICES) {
                    Some(k) => return Some(k),
                    None => Expr::Op(op, 0, smallvec![x]),
                }
            }
            InstData::Ternary { op: op @ (Opcode::ubfe | Opcode::sbfe), args } => {
                let [width, at, x] = args.map(|v| self.expr_at(v, depth));
                return Some(self.bit_field(op, f.ty(args[2]), [width, at, x]));
            }
            InstData::Ternary { op: Opcode::select, args: [c, a, b] } if f.ty(c) == Type::BOOL => {
                let [c, x, y] = [c, a, b].map(|v| self.expr_at(v, depth));
                return Some(self.choose(c, x, y, f.ty(a)));
            }
            InstData::Nullary { op } if op.effects().is_empty() => Expr::Op(op, 0, SmallVec::new()),
            InstData::Many { op, imm, args } if op.effects().is_empty() || self.reads_unchanged(i) => {
                let args = f.get(args).iter().map(|&a| self.expr_at(a, depth)).collect();
                Expr::Op(op, imm, args)
            }
            InstData::Resource { global, index, .. } => {
                let index = index.expand().map(|v| self.expr_at(v, depth));
                Expr::Op(Opcode::resource, global.as_u32(), index.into_iter().collect())
            }
            // `a && b`, `a || b`, `a ? b : c`.
            InstData::If { cond, then_, else_ } => {
                let c = self.expr_at(cond, depth);
                let mut given = |r: Region| {
                    let end = f.terminator(r)?;
                    match f.insts[end] {
                        InstData::Exit { op: Opcode::yield_, args, .. } => {
                            let v = *f.get(args).get(n as usize)?;
                            Some(self.expr_at(v, depth))
                        }
                        _ => None,
                    }
                };
                let (x, y) = (given(then_)?, given(else_)?);
                return Some(self.choose(c, x, y, f.ty(f.results(i)[n as usize])));
            }
            _ => return None,
        };
        // Numbers and types do not mix: what two types give the same expression is findings apart by its operands.
        Some(self.cfg.conds.expr(e))
    }

    /// The expression of a binary operation on scalars of type `from`, or of one on whole vectors.
    fn binary(&mut self, op: Opcode, (from, to): (Type, Type), x: ExprId, y: ExprId) -> Option<ExprId> {
        if let Some(k) = self.folded(op, (from, to), &[x, y], MAX_CHOICES) {
            return Some(k);
        }
        if let Some(k) = self.spread(op, (from, to), x, y) {
            return Some(k);
        }
        if op == Opcode::or
            && from == Type::I32
            && let Some((of, bits)) = self.masked_operand(x, y)
        {
            self.note_flags(of, bits);
        }
        if op == Opcode::and
            && from == Type::I32
            && let Some((of, mask)) = self.masked_operand(x, y)
        {
            self.note_flags(of, !mask & u64::from(u32::MAX));
            return Some(self.masked(of, mask, MAX_PARTS));
        }
        let e = match op {
            Opcode::ieq | Opcode::ine | Opcode::xor if from == Type::BOOL => {
                let not = self.cfg.conds.expr(Expr::Not(y));
                let (x_holds, else_) = if op == Opcode::ieq { (y, not) } else { (not, y) };
                return Some(self.choose(x, x_holds, else_, Type::BOOL));
            }
            Opcode::and if from == Type::BOOL => Expr::And(x, y),
            Opcode::or if from == Type::BOOL => Expr::Or(x, y),
            Opcode::ieq | Opcode::ine if from == Type::I32 => {
                // Constants are canonicalised to the right, others by their numbers.
                let [p, q] = [x, y].map(|k| (self.cfg.conds.constant_of(k).is_some(), k));
                let (x, y) = if p > q { (y, x) } else { (x, y) };
                if let Some(c) = self.cfg.conds.constant_of(y) {
                    self.note_comparison(x, c);
                }
                let is = self.cfg.conds.expr(Expr::Eq(x, y));
                if op == Opcode::ieq {
                    return Some(is);
                }
                Expr::Not(is)
            }
            _ if op.effects().is_empty() => {
                let bits = match self.facts.cells.m.types.numeric(from) {
                    Some((scalar, 1)) if to == Type::BOOL => scalar.bits(),
                    _ => 0,
                };
                let (op, x, y) = ascending(op, x, y);
                Expr::Op(op, bits, smallvec![x, y])
            }
            _ => return None,
        };
        Some(self.cfg.conds.expr(e))
    }

    /// The expression of a binary operation of a choice and a constant: it chooses between the results.
    fn spread(&mut self, op: Opcode, types: (Type, Type), x: ExprId, y: ExprId) -> Option<ExprId> {
        let constant = |k| self.cfg.conds.constant_of(k).is_some();
        let (of, left) = match (constant(x), constant(y)) {
            (false, true) => (x, true),
            (true, false) => (y, false),
            _ => return None,
        };
        let (c, a, b) = self.cfg.conds.small_choice(of).filter(|_| op.effects().is_empty())?;
        let key = (op, types.0, x, y);
        if let Some(&known) = self.spread.get(&key) {
            return Some(known);
        }
        let mut with = |k| if left { self.binary(op, types, k, y) } else { self.binary(op, types, x, k) };
        let (a, b) = (with(a)?, with(b)?);
        let k = if a == b { a } else { self.choose(c, a, b, types.1) };
        self.spread.insert(key, k);
        Some(k)
    }

    /// A component of a vector.
    pub(super) fn component_of(&mut self, v: Value, n: u32) -> ExprId {
        self.component(v, n, 24).unwrap_or_else(|| {
            let l = self.loop_of(v);
            self.cfg.conds.opaque(l)
        })
    }

    /// A component of a vector. That of an operation on components is the operation on theirs, so that a comparison of vectors of which `any` or
    /// `all` asks is the comparison of components that the source has elsewhere.
    fn component(&mut self, v: Value, n: u32, depth: u32) -> Option<ExprId> {
        let (f, m) = (self.f(), self.facts.cells.m);
        let types = &m.types;
        let (scalar, lanes) = types.numeric(f.ty(v))?;
        let of_vector = |v: Value| types.numeric(f.ty(v)).filter(|t| t.1 == lanes).map(|t| types.scalar(t.0));
        let inst = match f.values[v].def {
            ValueDef::Result(i, 0) if depth > 0 && !self.call().exprs.contains_key(&v) => Some(i),
            _ => None,
        };
        match inst.map(|i| f.insts[i]) {
            Some(InstData::Many { op: Opcode::construct, args, .. }) => {
                let &part = f.get(args).get(n as usize)?;
                return Some(self.expr_at(part, depth - 1));
            }
            Some(InstData::Many { op: Opcode::insert, imm, args }) => {
                let &[of, part] = f.get(args) else { return None };
                return if imm == n { Some(self.expr_at(part, depth - 1)) } else { self.component(of, n, depth - 1) };
            }
            Some(InstData::Binary { op, args: [a, b] }) if op.effects().is_empty() => {
                if let (Some(from), Some(_)) = (of_vector(a), of_vector(b)) {
                    let to = types.scalar(scalar);
                    let (x, y) = (self.component(a, n, depth - 1)?, self.component(b, n, depth - 1)?);
                    return self.binary(op, (from, to), x, y);
                }
            }
            // A load of the component alone begins at its byte.
            Some(InstData::Many { op: op @ Opcode::cbuf_load, imm, args }) if scalar.bits() == 32 => {
                let args = f.get(args).iter().map(|&a| self.expr_at(a, depth - 1)).collect();
                return Some(self.cfg.conds.expr(Expr::Op(op, imm + 4 * n, args)));
            }
            Some(InstData::Access { op: Opcode::load, place, .. }) => {
                let data = &f.places[place];
                if let (Root::Local(l), []) = (data.root, &*data.steps)
                    && let Some(&stored) = self.function_facts().single.get(&l)
                {
                    return self.component(stored, n, depth - 1);
                }
            }
            _ => {}
        }
        let whole = self.expr_at(v, depth);
        Some(self.extracted(whole, n, types.scalar(scalar)))
    }

    /// A component of a vector that is an expression.
    pub(super) fn extracted(&mut self, mut whole: ExprId, n: u32, ty: Type) -> ExprId {
        // What was inserted into other components.
        for _ in 0..MAX_PARTS {
            match self.cfg.conds.get(whole) {
                Expr::Op(Opcode::insert, at, parts) if parts.len() == 2 && *at != n => whole = parts[0],
                _ => break,
            }
        }
        if let Some((c, x, y)) = self.cfg.conds.small_choice(whole) {
            let [x, y] = [x, y].map(|k| self.extracted(k, n, ty));
            return if x == y { x } else { self.choose(c, x, y, ty) };
        }
        match self.cfg.conds.get(whole) {
            Expr::Op(Opcode::construct, _, parts) if (n as usize) < parts.len() => parts[n as usize],
            Expr::Op(Opcode::insert, at, parts) if parts.len() == 2 && *at == n => parts[1],
            _ => self.cfg.conds.expr(Expr::Op(Opcode::extract, n, smallvec![whole])),
        }
    }

    /// Whether an instruction reads memory that does not change while the shader runs.
    fn reads_unchanged(&self, i: Inst) -> bool {
        let (m, f) = (self.facts.cells.m, self.f());
        let InstData::Many { args, .. } = f.insts[i] else { return false };
        let handle = f.get(args).first().and_then(|&v| m.types.as_resource(f.ty(v)));
        handle.is_some() && (rtc_ir::effects::of_inst(m, f, i) - Effects::READS_PLACEMENT).is_empty()
    }

    /// If `c` holds `x`, else `y`: values of this type.
    pub(super) fn choose(&mut self, c: ExprId, x: ExprId, y: ExprId, ty: Type) -> ExprId {
        match ty {
            Type::BOOL => self.cfg.conds.either(c, x, y),
            _ => self.cfg.conds.expr(Expr::Choice(c, x, y)),
        }
    }

    /// The value of an operation on constants, or on choices of such.
    fn folded(&mut self, op: Opcode, types: (Type, Type), args: &[ExprId], depth: u32) -> Option<ExprId> {
        if let Some(bits) = self.fold(op, types.0, types.1, args) {
            return Some(self.cfg.conds.constant(bits));
        }
        let known = |k: &ExprId| self.cfg.conds.constant_of(*k).is_some();
        let n = args.iter().position(|k| !known(k)).filter(|_| depth > 0)?;
        let (c, x, y) = self.cfg.conds.choice(args[n])?;
        let mut with = |k| {
            let mut args: SmallVec<[ExprId; 4]> = args.into();
            args[n] = k;
            self.folded(op, types, &args, depth - 1)
        };
        let (x, y) = (with(x)?, with(y)?);
        Some(self.choose(c, x, y, types.1))
    }
}

/// The comparison with what is less on the left.
fn ascending(op: Opcode, x: ExprId, y: ExprId) -> (Opcode, ExprId, ExprId) {
    let less = match op {
        Opcode::sgt => Opcode::slt,
        Opcode::sge => Opcode::sle,
        Opcode::ugt => Opcode::ult,
        Opcode::uge => Opcode::ule,
        Opcode::fgt => Opcode::flt,
        Opcode::fge => Opcode::fle,
        _ => return (op, x, y),
    };
    (less, y, x)
}
