//! Lowering of statements to structured control flow.
//!
//! A loop that tests first does so at the start of its body; the step and the test of `do` are its continuing region.
//! Arms of a `switch` that fall through form a group: one region in which an arm is executed if control entered
//! at it or at an earlier one.

use rtc_ir::{self as ir, CaseTable, Hint, Inst, Module, Opcode, Region, Root, Step, Type, TypeKind, Value};
use smallvec::SmallVec;

use super::expr::is_true;
use super::func::{Binding, FnCx, JumpTarget};
use super::operand::{Base, LValue, Val, Var};
use super::types::Shape;
use crate::hir::{self, Arm, Branch, ExprId, LocalId, LoopHint, LoopKind, Scalar, StmtId, StmtKind};

/// Longer chains of `else if` are not nested: regions nest to a limit only.
const MAX_NESTED_LINKS: usize = 64;

/// Larger variables are not made undefined where they are declared in loops.
const MAX_FORGOTTEN: u64 = 128;

impl FnCx<'_, '_> {
    /// A statement.
    pub fn stmt(&mut self, s: StmtId) {
        if self.dead {
            return;
        }
        let stmt = self.body.stmts[s];
        self.span = stmt.span;
        match stmt.kind {
            StmtKind::Expr(e) => _ = self.effect(e),
            StmtKind::Local(l, init) => self.variable(l, init),
            StmtKind::Block(list) => {
                for &s in self.body.list(list) {
                    self.stmt(s);
                }
            }
            StmtKind::If { .. } if self.is_long_chain(s) => self.chain(s),
            StmtKind::If { cond, then, other, hint } => {
                let c = self.value(cond);
                self.span = stmt.span;
                self.hint = branch_hint(hint, self.l.flow);
                // The end of an arm has the span of the arm, so that diagnostics about paths refer to it.
                let whole = stmt.span;
                let (a, b) = (self.body.stmts[then].span, other.map_or(whole, |s| self.body.stmts[s].span));
                self.if_then(
                    c,
                    |cx| {
                        cx.stmt(then);
                        cx.span = a;
                    },
                    |cx| {
                        other.into_iter().for_each(|s| cx.stmt(s));
                        cx.span = b;
                    },
                );
                self.span = whole;
            }
            StmtKind::Loop { kind, cond, step, body, hint } => {
                let i = self.repeat(kind, cond, step, body);
                self.func.hints[i] = match hint {
                    LoopHint::Unroll(n) => Hint::Unroll(n.unwrap_or(0)),
                    LoopHint::Loop => Hint::Rolled,
                    LoopHint::None | LoopHint::FastOpt | LoopHint::AllowUavCondition => Hint::None,
                };
            }
            StmtKind::Switch { value, arms, hint } => {
                self.hint = branch_hint(hint, self.l.flow);
                self.switch(value, self.body.list(arms));
            }
            StmtKind::Break => match self.around.last() {
                Some(a) => self.exit_to(Opcode::break_, a.breaks),
                None => rtc_base::bug!("a break outside loops"),
            },
            StmtKind::Continue => match self.around.iter().rev().find_map(|a| a.continues) {
                Some(r) => self.exit_to(Opcode::continue_, r),
                None => rtc_base::bug!("a continue outside loops"),
            },
            StmtKind::Return(e) => self.return_(e),
            StmtKind::Discard => self.discard(),
        }
    }

    /// Whether a statement is a chain of `else if` that is too long to nest its links.
    fn is_long_chain(&self, s: StmtId) -> bool {
        let mut at = Some(s);
        for _ in 0..=MAX_NESTED_LINKS {
            match at.map(|s| self.body.stmts[s].kind) {
                Some(StmtKind::If { other, .. }) => at = other,
                _ => return false,
            }
        }
        true
    }

    /// A chain of `else if` as a block of its links, one after the other: each that is taken leaves the block.
    fn chain(&mut self, first: StmtId) {
        let whole = self.span;
        let block = self.func.add_region();
        let mut left = false;
        let dead = self.fill(block, |cx| {
            let mut at = Some(first);
            while let Some(StmtKind::If { cond, then, other, hint }) = at.map(|s| cx.body.stmts[s].kind)
                && !cx.dead
            {
                cx.span = at.map_or(whole, |s| cx.body.stmts[s].span);
                let c = cx.value(cond);
                cx.hint = branch_hint(hint, cx.l.flow);
                let end = cx.body.stmts[then].span;
                cx.if_then(
                    c,
                    |cx| {
                        cx.stmt(then);
                        cx.span = end;
                        if !cx.dead {
                            left = true;
                            cx.exit_to(Opcode::break_, block);
                        }
                    },
                    |_| {},
                );
                at = other;
            }
            at.into_iter().for_each(|s| cx.stmt(s));
            if !cx.dead {
                cx.b().exit(Opcode::yield_, &[]);
            }
        });
        self.span = whole;
        self.b().block(block, &[]);
        if dead && !left {
            self.exit(Opcode::unreachable, &[]);
        }
    }

    fn variable(&mut self, l: LocalId, init: Option<ExprId>) {
        let data = &self.body.locals[l];
        // An array of resources that is too large for a value, or of unknown size, is the one that initialises it.
        if self.l.is_large_array_of_resources(data.ty)
            && let Some(e) = init
            && !self.l.facts.is_modified(self.id, l)
            && let Some(array) = self.array_of_resources(e)
        {
            self.locals[l] = Some(Binding::LValue(array));
            return;
        }
        if !self.l.has_variables(data.ty) {
            self.span = data.span;
            let ty = self.l.hir.types.show(data.ty);
            let what = format!("a variable of type `{ty}`");
            return self.unsupported(what);
        }
        let shape = self.l.shape(data.ty);
        let lvalue = match &self.locals[l] {
            Some(Binding::LValue(p)) => p.clone(),
            _ => {
                let name = self.l.names.str(data.name);
                let ty = self.l.shape_ty(shape);
                let local = self.func.add_local(ty, name);
                self.func.locals[local].precise = data.precise;
                self.local_lvalue(local, shape)
            }
        };
        self.bind(l, Binding::LValue(lvalue.clone()));
        if init.is_none() {
            if self.around.iter().any(|a| a.continues.is_some()) {
                self.forget(&lvalue);
            }
            let name = self.l.names.str(data.name);
            self.declare_objects(&lvalue, name);
        }
        if let Some(e) = init {
            self.init(&lvalue, e);
        }
    }

    /// In a loop a variable without initialiser has no value each time that control comes to its declaration, and not
    /// that of the last iteration. Large variables are not reset: they stay in memory anyway.
    fn forget(&mut self, lvalue: &LValue) {
        let LValue::Var(Var { base: Base::Root(root @ Root::Local(l)), .. }) = *lvalue else { return };
        let ty = self.func.locals[l].ty;
        if leaf_count(&self.l.out, ty) > MAX_FORGOTTEN {
            return;
        }
        let mut leaves = Vec::new();
        self.l.out.leaves(ty, &mut |path, t| leaves.push((path.to_vec(), t)));
        for (path, t) in leaves {
            if self.l.out.types.numeric(t).is_some() {
                let steps: SmallVec<[Step; 4]> = path.into_iter().map(Step::At).collect();
                let nothing = self.func.undef(t);
                self.b().store(root, &steps, &[], nothing);
            }
        }
    }

    fn return_(&mut self, e: Option<ExprId>) {
        let precise = self.l.hir.funcs[self.id].precise;
        let mut result: SmallVec<[Value; 1]> = SmallVec::new();
        match (e, self.ret.clone()) {
            (Some(e), Some(to)) => {
                let mut x = self.expr(e);
                if precise {
                    x = self.exactly(&x, to.shape());
                }
                self.store(&to, &x);
            }
            (Some(e), None) => {
                let mut x = self.expr(e);
                if self.func.ret.is_some() {
                    if precise {
                        let shape = self.l.shape(self.l.hir.funcs[self.id].ret);
                        x = self.exactly(&x, shape);
                    }
                    result.push(x.one());
                }
            }
            (None, _) => {}
        }
        self.give_outputs();
        self.exit(Opcode::return_, &result);
    }

    fn repeat(&mut self, kind: LoopKind, cond: Option<ExprId>, step: Option<ExprId>, inner: StmtId) -> Inst {
        let span = self.span;
        let (body, next) = (self.func.add_region(), self.func.add_region());
        let cond = cond.filter(|&c| !is_true(self.body, c));
        self.fill(body, |cx| {
            if kind == LoopKind::TestFirst
                && let Some(c) = cond
            {
                let c = cx.value(c);
                cx.if_then(c, |_| {}, |cx| cx.exit_to(Opcode::break_, body));
            }
            cx.around.push(JumpTarget { breaks: body, continues: Some(body) });
            cx.stmt(inner);
            cx.around.pop();
            if !cx.dead {
                cx.span = span;
                cx.exit_to(Opcode::continue_, body);
            }
        });
        self.fill(next, |cx| {
            cx.span = span;
            if let Some(s) = step {
                cx.effect(s);
            }
            if cx.dead {
                return;
            }
            match cond.filter(|_| kind == LoopKind::TestLast) {
                Some(c) => {
                    let c = cx.value(c);
                    cx.b().next_if(c, &[], &[]);
                }
                None => _ = cx.b().exit(Opcode::next, &[]),
            }
        });
        self.span = span;
        self.b().loop_(&[], body, next, &[])
    }

    fn switch(&mut self, value: ExprId, arms: &[Arm]) {
        let span = self.span;
        let hint = std::mem::take(&mut self.hint);
        let on = self.value(value);
        self.span = span;
        let mut table = CaseTable { arms: Vec::new(), default: self.func.add_region() };
        let mut default_done = false;
        let mut ends_reached = false;
        let mut start = 0;
        while start < arms.len() {
            let end = arms[start..].iter().position(|a| !a.falls_through).map_or(arms.len(), |n| start + n + 1);
            let group = &arms[start..end];
            let is_default = group.iter().any(|a| a.default);
            let region = if is_default { table.default } else { self.func.add_region() };
            ends_reached |= self.group(region, on, group);
            if is_default {
                // Values that no other group has come here anyway.
                default_done = true;
            } else {
                let labels = group.iter().flat_map(|a| self.body.list(a.labels));
                table.arms.push((labels.map(|&l| l as i32).collect(), region));
            }
            start = end;
        }
        if !default_done {
            let default = table.default;
            self.fill(default, |cx| _ = cx.b().exit(Opcode::yield_, &[]));
            ends_reached = true;
        }
        let i = self.b().switch(on, table, &[]);
        self.func.hints[i] = hint;
        if !ends_reached {
            self.exit(Opcode::unreachable, &[]);
        }
    }

    /// Arms of which each falls into the next. Whether the end of the switch is reachable.
    fn group(&mut self, region: Region, on: Value, arms: &[Arm]) -> bool {
        let dead = self.fill(region, |cx| {
            cx.around.push(JumpTarget { breaks: region, continues: None });
            let entered = (arms.len() > 1).then(|| cx.entered(on, arms));
            for (n, arm) in arms.iter().enumerate() {
                match &entered {
                    Some(e) if n + 1 < arms.len() => {
                        let at = cx.load(e).one();
                        let this = cx.int(n as u32);
                        let runs = cx.bin(Opcode::ule, at, this);
                        cx.if_then(runs, |cx| cx.stmt(arm.body), |_| {});
                    }
                    _ => cx.stmt(arm.body),
                }
            }
            cx.around.pop();
            if !cx.dead {
                cx.b().exit(Opcode::yield_, &[]);
            }
        });
        // A `break` in it leaves the switch, too.
        !dead || arms.iter().any(|a| self.breaks(a.body))
    }

    /// A variable with the number of the arm at which control enters a group.
    fn entered(&mut self, on: Value, arms: &[Arm]) -> LValue {
        let lvalue = self.temp(Shape::Vec(Scalar::Uint, 1));
        let mut table = CaseTable { arms: Vec::new(), default: self.func.add_region() };
        let last = arms.len() - 1;
        let default = arms.iter().position(|a| a.default).unwrap_or(last);
        for (n, arm) in arms.iter().enumerate() {
            let labels: Vec<i32> = self.body.list(arm.labels).iter().map(|&l| l as i32).collect();
            if n == default || labels.is_empty() {
                continue;
            }
            let r = self.func.add_region();
            self.enter_at(r, &lvalue, n);
            table.arms.push((labels, r));
        }
        self.enter_at(table.default, &lvalue, default);
        self.b().switch(on, table, &[]);
        lvalue
    }

    fn enter_at(&mut self, r: Region, lvalue: &LValue, n: usize) {
        self.fill(r, |cx| {
            let n = cx.int(n as u32);
            cx.store(lvalue, &Val::One(n));
            cx.b().exit(Opcode::yield_, &[]);
        });
    }

    /// Whether a `break` in the statement leaves what is around it.
    fn breaks(&self, s: StmtId) -> bool {
        let mut todo = vec![s];
        while let Some(s) = todo.pop() {
            match self.body.stmts[s].kind {
                StmtKind::Break => return true,
                StmtKind::Block(list) => todo.extend_from_slice(self.body.list(list)),
                StmtKind::If { then, other, .. } => {
                    todo.push(then);
                    todo.extend(other);
                }
                _ => {}
            }
        }
        false
    }
}

/// How many scalars and vectors make up a type.
fn leaf_count(m: &Module, t: Type) -> u64 {
    match m.types.kind(t) {
        TypeKind::Array(e, n) => leaf_count(m, e).saturating_mul(n.into()),
        TypeKind::Struct(s) => m.structs[s].fields.iter().fold(0, |n, f| n.saturating_add(leaf_count(m, f.ty))),
        _ => 1,
    }
}

/// The hint of an `if` or `switch` from its attribute; `flow` where there is none about its sides.
fn branch_hint(b: Branch, flow: ir::Sides) -> Hint {
    let sides = match b.sides {
        hir::Sides::Any => flow,
        hir::Sides::Branch => ir::Sides::Branch,
        // `[call]` becomes a branch: there are no subroutines.
        hir::Sides::Call if !b.force_case => ir::Sides::Branch,
        hir::Sides::Call => ir::Sides::Any,
        hir::Sides::Flatten => ir::Sides::Flatten,
    };
    match sides {
        _ if b.force_case => Hint::ForceCase(sides),
        ir::Sides::Any => Hint::None,
        ir::Sides::Branch => Hint::Branch,
        ir::Sides::Flatten => Hint::Flatten,
    }
}
