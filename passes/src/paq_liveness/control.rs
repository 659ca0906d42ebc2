//! Construction of the CFG: control instructions and exits become blocks and edges.

use rtc_base::Span;
use rtc_ir::{Inst, InstData, Opcode, Region, Value};
use smallvec::{SmallVec, smallvec};

use super::build::{Constants, Head, TooLarge, Walk, Watched};
use super::cfg::Kind;
use super::constants::FOLLOWED;
use super::hit_kinds::Origin;
use super::path_conditions::{Expr, ExprId, Lit, LoopId, MAX_CHOICES};

/// The arms of a branch from whose ends control goes on after it.
#[derive(Default)]
struct Ends {
    /// The conditions of those arms; none of the last one.
    arms: SmallVec<[Option<ExprId>; 4]>,
    /// How many edges lead to the block after the branch.
    edges: usize,
    /// From one arm several lead there.
    several: bool,
}

impl Ends {
    /// The end of the next arm: so many edges lead to the block after the branch with those of this arm.
    fn note(&mut self, edges: usize, condition: Option<ExprId>) {
        self.several |= edges > self.edges + 1;
        if edges > self.edges {
            self.arms.push(condition);
        }
        self.edges = edges;
    }

    /// The conditions of all arms but the last one, whose condition is that none of the others holds; none if it is not the arms that determine
    /// what holds after them.
    fn conditions(&self) -> SmallVec<[ExprId; 4]> {
        let first = &self.arms[..self.arms.len().saturating_sub(1)];
        match self.several || first.len() > MAX_CHOICES as usize {
            true => SmallVec::new(),
            false => first.iter().copied().collect::<Option<_>>().unwrap_or_default(),
        }
    }
}

impl Walk<'_, '_> {
    pub(super) fn exit(&mut self, i: Inst, op: Opcode, target: Option<Region>) {
        let f = self.f();
        let own = f.regions[self.function_facts().parents[i]].owner;
        let named = target.and_then(|r| f.regions[r].owner);
        match op {
            Opcode::yield_ | Opcode::break_ => {
                if let Some(o) = if op == Opcode::yield_ { own } else { named } {
                    self.hits_given(i, &f.operands(i), f.results(o));
                }
            }
            Opcode::return_ => {
                if let (Some(to), Some(&v)) = (self.call().returned, f.operands(i).first())
                    && let Some(from) = self.call().hits.get(&v).copied()
                {
                    self.event(Kind::Hit { to, made: Origin::From(from) }, i);
                }
            }
            _ => {}
        }
        match op {
            Opcode::yield_ => {
                if let Some(&to) = own.and_then(|o| self.call().joins.get(&o)) {
                    self.jump(to, None);
                }
            }
            Opcode::break_ => {
                if let Some(&to) = named.and_then(|o| self.call().joins.get(&o)) {
                    self.jump(to, None);
                }
            }
            Opcode::continue_ => {
                if let Some(&to) = named.and_then(|o| self.call().continues.get(&o)) {
                    self.jump(to, None);
                }
            }
            Opcode::next | Opcode::next_if => {
                let Some(o) = own else { return self.finish() };
                let Some(head) = self.call().heads.get(&o).cloned() else {
                    return self.finish();
                };
                if op == Opcode::next {
                    self.go_back(&head, SmallVec::new());
                    return self.finish();
                }
                let cond = f.operands(i)[0];
                let k = self.expr_of(cond);
                let join = self.call().joins[&o];
                let (yes, no) = self.branch(k, f.spans[i]);
                if let Some(lits) = yes {
                    self.go_back(&head, lits);
                }
                if let Some(lits) = no {
                    self.edge(join, lits, None);
                }
                self.finish();
            }
            Opcode::return_ => {
                let end = self.call().end;
                if self.calls.len() == 1 {
                    self.event(Kind::Exit, i);
                    self.finish();
                } else {
                    let result = match f.operands(i).first() {
                        Some(&v) if FOLLOWED.contains(&f.ty(v)) => Some((Watched::Result(f.ty(v)), self.expr_of(v))),
                        _ => None,
                    };
                    // Of the variables of the function nothing is known where it was called.
                    self.call_mut().constants.retain(|what, _| matches!(what, Watched::Cell(_) | Watched::Passed(..)));
                    self.call_mut().constants.extend(result);
                    self.jump(end, None);
                }
            }
            Opcode::ignore_hit | Opcode::accept_hit => {
                self.event(Kind::Exit, i);
                self.finish();
            }
            _ => self.finish(),
        }
    }

    /// The assumptions on both edges of a branch; `None` for an edge that is never taken.
    #[allow(clippy::type_complexity)]
    pub(super) fn branch(&mut self, k: ExprId, span: Span) -> (Option<SmallVec<[Lit; 2]>>, Option<SmallVec<[Lit; 2]>>) {
        if let Some(c) = self.cfg.conds.constant_of(k) {
            let go: SmallVec<[Lit; 2]> = SmallVec::new();
            return if c != 0 { (Some(go), None) } else { (None, Some(go)) };
        }
        for holds in [true, false] {
            self.cfg.conditions.entry((k, holds)).or_insert(span);
        }
        (Some(smallvec![(k, true)]), Some(smallvec![(k, false)]))
    }

    pub(super) fn control(&mut self, i: Inst) -> Result<(), TooLarge> {
        let f = self.f();
        let join = self.block(Span::NONE);
        self.call_mut().joins.insert(i, join);
        match f.insts[i] {
            InstData::If { cond, then_, else_ } => {
                let k = self.expr_of(cond);
                let at = self.value_span(cond, i);
                let condition = self.condition(i, cond);
                let (mut yes, mut no) = self.branch(k, at);
                if let Some((holds, first)) = self.in_first_iteration(i, cond) {
                    // The other edge is taken in later iterations only.
                    if let Some(lits) = if holds { &mut no } else { &mut yes } {
                        lits.push((first, false));
                    }
                }
                let mut arms: SmallVec<[(u32, Region); 2]> = SmallVec::new();
                for (lits, r) in [(yes, then_), (no, else_)] {
                    if let Some(lits) = lits {
                        let span = self.arm_span(r, i);
                        let b = self.block(span);
                        self.edge(b, lits, None);
                        arms.push((b, r));
                    }
                }
                let mut ends = Ends::default();
                for (b, r) in arms {
                    self.start(b);
                    self.refine(i, if r == then_ { condition.holds.clone() } else { condition.fails.clone() });
                    self.region(r)?;
                    ends.note(self.arriving(join), (r == then_).then_some(k));
                }
                self.after(join, &ends.conditions());
                return Ok(());
            }
            InstData::Switch { on, cases } => {
                let k = self.expr_of(on);
                let at = self.value_span(on, i);
                let table = &f.cases[cases];
                if let Some(n) = self.cfg.conds.constant_of(k) {
                    let arm = table.arms.iter().find(|a| a.0.iter().any(|&v| u64::from(v as u32) == n));
                    self.region(arm.map_or(table.default, |a| a.1))?;
                    self.after(join, &[]);
                    return Ok(());
                }
                let mut arms = Vec::new();
                let mut rest: SmallVec<[Lit; 2]> = SmallVec::new();
                for (values, r) in &table.arms {
                    let Some(any) = self.is_one_of(k, values) else { continue };
                    for &v in values.iter().take(8 - rest.len()) {
                        rest.push((self.is_one_of(k, &[v]).unwrap_or(any), false));
                    }
                    self.cfg.conditions.entry((any, true)).or_insert(at);
                    let numbers: SmallVec<[u64; 4]> = values.iter().map(|&v| u64::from(v as u32)).collect();
                    let condition = self.equality(i, on, &numbers);
                    arms.push((SmallVec::from_slice(&[(any, true)]), *r, Some(any), condition.holds));
                }
                let all: SmallVec<[u64; 8]> = table.arms.iter().flat_map(|a| a.0.iter().map(|&v| u64::from(v as u32))).collect();
                let others = self.equality(i, on, &all).fails;
                arms.push((rest, table.default, None, others));
                let mut blocks = Vec::new();
                for (lits, r, is, known) in arms {
                    let span = self.arm_span(r, i);
                    let b = self.block(span);
                    self.edge(b, lits, None);
                    blocks.push((b, r, is, known));
                }
                let mut ends = Ends::default();
                for (b, r, is, known) in blocks {
                    self.start(b);
                    self.refine(i, known);
                    self.region(r)?;
                    ends.note(self.arriving(join), is);
                }
                self.after(join, &ends.conditions());
                return Ok(());
            }
            InstData::Block { body } => self.region(body)?,
            InstData::Loop { body, continuing, .. } if self.unrolled(i, body, continuing, join) => {}
            InstData::Loop { body, continuing, .. } => {
                let outer = self.looped;
                self.cfg.conds.parents.push(outer);
                self.looped = self.cfg.conds.parents.len() as LoopId - 1;
                let looped = self.looped;
                let head = self.block(Span::NONE);
                let next = self.block(Span::NONE);
                self.call_mut().continues.insert(i, next);
                let first = self.cfg.conds.opaque(looped);
                let tracked = self.enter_loop(i, head, smallvec![(first, true)]);
                self.call_mut().heads.insert(i, Head { block: head, looped: Some((looped, first)), tracked });
                self.call_mut().iterations.push((i, first));
                self.finish();
                self.start(head);
                self.region(body)?;
                self.start(next);
                self.region(continuing)?;
                self.call_mut().iterations.pop();
                self.looped = outer;
            }
            _ => {}
        }
        self.after(join, &[]);
        Ok(())
    }

    /// Goes on after a construct, if control comes there: if it is a branch, from arms under these conditions.
    fn after(&mut self, join: u32, arms: &[ExprId]) {
        match self.constants_at.contains_key(&join) {
            true => self.start_after(join, arms),
            false => self.finish(),
        }
    }

    /// How many edges lead to a block that is not walked yet.
    fn arriving(&self, block: u32) -> usize {
        self.constants_at.get(&block).map_or(0, Vec::len)
    }

    pub(super) fn value_span(&self, v: Value, user: Inst) -> Span {
        let f = self.f();
        f.def_inst(v).map_or(f.spans[user], |d| f.spans[d])
    }

    /// The source of an arm: that of the exit at its end, or of the instruction that owns it.
    pub(super) fn arm_span(&self, r: Region, owner: Inst) -> Span {
        let f = self.f();
        let end = f.terminator(r).map(|i| f.spans[i]);
        end.filter(|s| !s.is_none()).unwrap_or(f.spans[owner])
    }

    /// A control instruction that the CFG does not have: what it stores to variables.
    pub(super) fn skip(&mut self, i: Inst) -> Result<(), TooLarge> {
        let f = self.f();
        let mut arms: SmallVec<[(Option<ExprId>, Region); 2]> = SmallVec::new();
        match f.insts[i] {
            _ if !self.is_straight(i) => {}
            InstData::Block { body } => arms.push((None, body)),
            InstData::If { cond, then_, else_ } => {
                let k = self.expr_of(cond);
                arms.extend([(Some(k), then_), (None, else_)]);
            }
            InstData::Switch { on, cases } if f.cases[cases].arms.len() <= MAX_CHOICES as usize => {
                let k = self.expr_of(on);
                let table = &f.cases[cases];
                for (values, r) in &table.arms {
                    if let Some(is) = self.is_one_of(k, values) {
                        arms.push((Some(is), *r));
                    }
                }
                arms.push((None, table.default));
            }
            _ => {}
        }
        if arms.is_empty() {
            self.forget_stored(i);
            return Ok(());
        }
        let before = self.call().constants.clone();
        let mut all: Option<Constants> = None;
        // The last arm is taken unless an earlier one is.
        for (k, r) in arms.into_iter().rev() {
            self.call_mut().constants.clone_from(&before);
            for &i in &f.regions[r].insts {
                if !matches!(f.insts[i], InstData::Exit { .. }) {
                    self.inst(i)?;
                }
            }
            let these = std::mem::take(&mut self.call_mut().constants);
            all = Some(match (all, k) {
                (Some(others), Some(k)) => self.chosen(k, these, &others),
                _ => these,
            });
        }
        self.call_mut().constants = all.unwrap_or_default();
        Ok(())
    }

    /// Whether control always comes to the ends of the regions of an instruction that the CFG does not have.
    fn is_straight(&self, i: Inst) -> bool {
        let (f, keep) = (self.f(), &self.function_facts().keep);
        f.regions_of(i).into_iter().all(|r| {
            f.regions[r].insts.iter().all(|&j| match f.insts[j] {
                InstData::Exit { op: Opcode::break_, target, .. } => target.expand().and_then(|r| f.regions[r].owner) == Some(i),
                InstData::Exit { op, .. } => op == Opcode::yield_,
                _ => !keep.contains(j),
            })
        })
    }

    /// The condition that `k` is one of these values.
    fn is_one_of(&mut self, k: ExprId, values: &[i32]) -> Option<ExprId> {
        let mut any: Option<ExprId> = None;
        for &v in values {
            let c = self.cfg.conds.constant(u64::from(v as u32));
            let is = self.cfg.conds.expr(Expr::Eq(k, c));
            any = Some(match any {
                None => is,
                Some(a) => self.cfg.conds.expr(Expr::Or(a, is)),
            });
        }
        any
    }
}
