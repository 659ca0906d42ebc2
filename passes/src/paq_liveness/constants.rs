//! Construction of the CFG: variables whose value is known where control comes by, and loops that such variables count. A loop whose
//! end is decided in every iteration is walked once for each. Of *flags* it is known which of a few constants they are on which path: where paths
//! meet a flag becomes a new value, and each edge assumes what it is along it.

use rtc_ir::{Inst, InstData, Opcode, Place, RefMode, Region, Type, Value};
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};

use super::build::{Call, Constants, Head, Incoming, Passed, TooLarge, Walk, Watched};
use super::cfg::{Block, Edge};
use super::path_conditions::{Expr, ExprId, Lit, NO_LOOP};
use super::watched::Tracked;

/// Loops of more iterations are not walked one by one.
const MAX_ITERATIONS: usize = 32;
/// No more blocks and events are made for the iterations of all loops of an entry point.
const MAX_MADE: usize = 4000;
/// An edge stands for no more combinations of values of flags.
const MAX_COMBINATIONS: usize = 8;
/// No more edges are made of those that lead to a block.
pub(super) const MAX_EDGES: usize = 16;
/// Of so many cells that a loop changes edges tell what they are.
const MAX_TOLD: usize = 3;
/// So many loops inside of each other are tried.
const MAX_TRIALS: u32 = 3;

/// What is undone if a loop turns out to have no constant number of iterations.
struct Before {
    events: usize,
    blocks: usize,
    frames: usize,
    objects: usize,
    unrolled: usize,
    cur: Option<(u32, Block)>,
    calls: usize,
    call: Call,
    constants_at: FxHashMap<u32, Incoming>,
    top: u32,
    depth: u32,
    looped: u32,
}

/// What is assumed on a path.
pub(super) type Assumed = SmallVec<[Lit; 2]>;
/// The types whose values are followed.
pub(super) const FOLLOWED: [Type; 3] = [Type::BOOL, Type::I32, Type::F32];

/// One of the cases that edges tell apart: what is assumed of a value, and so of what it is after the edge.
pub(super) struct Case {
    pub before: Assumed,
    pub now: Assumed,
}
impl Walk<'_, '_> {
    /// The scalar that is this place, or that it is a component of, if its value is followed.
    fn scalar(&self, p: Place) -> Option<Watched> {
        let facts = self.function_facts();
        let &(n, _) = facts.scalar_of.get(&p)?;
        let scalar = &facts.scalars[n as usize];
        Some(scalar.passed.map_or(Watched::Scalar(n), |k| Watched::Passed(k, scalar.ty)))
    }

    /// Which component of a vector that is followed this place is, and the type of the component.
    fn component_at(&self, p: Place) -> Option<(u32, Type)> {
        let (scalar, component) = *self.function_facts().scalar_of.get(&p)?;
        let types = &self.facts.cells.m.types;
        let (ty, _) = types.numeric(self.function_facts().scalars[scalar as usize].ty)?;
        Some((component?, types.scalar(ty)))
    }

    /// A load of a variable that is not a payload's.
    pub(super) fn load_constant(&mut self, i: Inst, p: Place) {
        let f = self.f();
        let v = f.result(i);
        self.call_mut().exprs.remove(&v);
        if let Some(&whole) = self.scalar(p).and_then(|s| self.call().constants.get(&s)) {
            let k = match self.component_at(p) {
                Some((n, ty)) => self.extracted(whole, n, ty),
                None => whole,
            };
            self.call_mut().exprs.insert(v, k);
        }
    }

    /// A store to such a variable.
    pub(super) fn store_constant(&mut self, p: Place, v: Value) {
        let Some(s) = self.scalar(p) else { return };
        if self.f().is_undef(v) {
            self.call_mut().constants.remove(&s);
            return;
        }
        let k = self.expr_of(v);
        self.set(p, s, k);
    }

    /// The scalar `s`, or the component of it that this place is, is `k` from here on.
    fn set(&mut self, p: Place, s: Watched, mut k: ExprId) {
        if let Some((n, _)) = self.component_at(p) {
            let whole = self.call().constants.get(&s).copied();
            let whole = whole.unwrap_or_else(|| self.cfg.conds.opaque(self.looped));
            k = self.cfg.conds.expr(Expr::Op(Opcode::insert, n, smallvec![whole, k]));
        }
        self.call_mut().constants.insert(s, k);
    }

    /// What a function finds in the references that it is given, where `constants` hold.
    pub(super) fn passed_in(&mut self, passed: &[Passed], constants: &Constants) -> Constants {
        let mut out = Constants::default();
        for (n, p) in passed.iter().enumerate().filter(|(_, p)| p.mode != Some(RefMode::Out)) {
            let Some(&whole) = self.scalar(p.place).and_then(|s| constants.get(&s)) else { continue };
            let k = match self.component_at(p.place) {
                Some((component, ty)) => self.extracted(whole, component, ty),
                None => whole,
            };
            out.insert(Watched::Passed(n as u32, p.ty), k);
        }
        out
    }

    /// What the variables are that a function was given by reference, where `after` holds at its end. One that it was given twice may be anything.
    pub(super) fn passed_back(&mut self, passed: &[Passed], after: &Constants) {
        let all: Vec<Option<Watched>> = passed.iter().map(|p| self.scalar(p.place)).collect();
        for (n, p) in passed.iter().enumerate() {
            let Some(s) = all[n].filter(|s| all.iter().flatten().filter(|o| *o == s).count() == 1) else { continue };
            if let Some(&k) = after.get(&Watched::Passed(n as u32, p.ty))
                && p.mode != Some(RefMode::In)
            {
                self.set(p.place, s, k);
            }
        }
    }

    /// After a call the variables that it was given by reference may hold anything.
    pub(super) fn forget_passed(&mut self, call: Inst) {
        let f = self.f();
        let InstData::Call { refs, .. } = f.insts[call] else { return };
        let passed: SmallVec<[Watched; 4]> = f.get_places(refs).iter().filter_map(|&p| self.scalar(p)).collect();
        for s in passed {
            let k = self.cfg.conds.opaque(self.looped);
            self.call_mut().constants.insert(s, k);
        }
    }

    /// The constants of which `k` is one, if it is the value of `what`.
    fn values(&self, what: Watched, k: ExprId) -> Option<SmallVec<[u64; 4]>> {
        if let Some(c) = self.cfg.conds.constant_of(k) {
            return Some(SmallVec::from_slice(&[c]));
        }
        self.flag_values(what)
    }

    /// The constants that a flag may be.
    fn flag_values(&self, what: Watched) -> Option<SmallVec<[u64; 4]>> {
        match what {
            Watched::Scalar(n) => self.function_facts().scalars[n as usize].flag.clone(),
            Watched::Result(Type::BOOL) | Watched::Passed(_, Type::BOOL) => Some(SmallVec::from_slice(&[0, 1])),
            Watched::Result(_) | Watched::Passed(..) | Watched::Cell(_) => None,
        }
    }

    /// The assumption that `k` is the constant `c`.
    fn is(&mut self, what: Watched, k: ExprId, c: u64) -> Lit {
        let number = matches!(what, Watched::Scalar(n) if self.function_facts().scalars[n as usize].ty != Type::BOOL);
        if !number {
            return (k, c != 0);
        }
        let c = self.cfg.conds.constant(c);
        (self.cfg.conds.expr(Expr::Eq(k, c)), true)
    }

    /// The scalars that an instruction with regions stores to, and of which something is known before it.
    fn changed_by(&self, i: Inst) -> SmallVec<[(Watched, ExprId); 4]> {
        let f = self.f();
        let mut out: SmallVec<[(Watched, ExprId); 4]> = SmallVec::new();
        if self.call().constants.is_empty() {
            return out;
        }
        for r in f.regions_of(i) {
            f.for_each_inst(r, |_, i| {
                let places = match f.insts[i] {
                    InstData::Access { op: Opcode::store, place, .. } => std::slice::from_ref(&place).into(),
                    InstData::Call { refs, .. } => SmallVec::<[Place; 4]>::from_slice(f.get_places(refs)),
                    _ => return,
                };
                for s in places.into_iter().filter_map(|p| self.scalar(p)) {
                    if let Some(&k) = self.call().constants.get(&s)
                        && out.iter().all(|o| o.0 != s)
                    {
                        out.push((s, k));
                    }
                }
            });
        }
        out
    }

    /// After an instruction whose regions are skipped, the variables that it stores to may be anything that they can be.
    pub(super) fn forget_stored(&mut self, i: Inst) {
        for (what, _) in self.changed_by(i) {
            let k = self.cfg.conds.opaque(self.looped);
            self.call_mut().constants.insert(what, k);
        }
    }

    /// What variables are where one of two arms was taken, the first if `k` holds.
    pub(super) fn chosen(&mut self, k: ExprId, first: Constants, second: &Constants) -> Constants {
        let mut first: Vec<(Watched, ExprId)> = first.into_iter().collect();
        first.sort_unstable();
        let mut out = Constants::default();
        for (what, x) in first {
            let Some(&y) = second.get(&what) else { continue };
            let ty = self.type_of(what);
            let now = if x == y { x } else { self.choose(k, x, y, ty) };
            out.insert(what, now);
        }
        out
    }

    /// The type of what is followed.
    pub(super) fn type_of(&self, what: Watched) -> Type {
        match what {
            Watched::Scalar(n) => self.function_facts().scalars[n as usize].ty,
            Watched::Result(ty) | Watched::Passed(_, ty) => ty,
            Watched::Cell(n) => self.held.get(n as usize).map_or(Type::I32, |h| h.0),
        }
    }

    /// Control comes to the head of a loop: `lits` hold there. What the flags that the loop stores to are in each iteration, of which the
    /// edges assume what they are at first; and the same of scalars that some iterations leave alone.
    pub(super) fn enter_loop(&mut self, i: Inst, head: u32, lits: Assumed) -> Tracked {
        let mut out = Tracked::default();
        let mut edges: Vec<Assumed> = vec![lits];
        let mut cells = self.cells_changed_by(i);
        let mut changed = self.changed_by(i);
        changed.extend(cells.iter().map(|c| (c.what, c.before)));
        // Edges tell few cells apart: each is one more assumption of all paths.
        cells.retain(|c| self.distinguished(c.what, c.before).is_some());
        cells.truncate(MAX_TOLD);
        let told_apart = |what| !matches!(what, Watched::Cell(_)) || cells.iter().any(|c| c.what == what);
        for (what, before) in changed {
            let values = self.flag_values(what).and(self.values(what, before));
            let k = self.met(what);
            self.call_mut().constants.insert(what, k);
            let with = |edges: &[Assumed], told: &[Case]| -> Vec<Assumed> {
                let with = |e: &Assumed, t: &Case| e.iter().chain(&t.before).chain(&t.now).copied().collect();
                edges.iter().flat_map(|e| told.iter().map(move |t| with(e, t))).collect()
            };
            if let Some(values) = values.filter(|v| v.len() * edges.len() <= MAX_COMBINATIONS) {
                edges = self.assume(what, (before, &values), k, &edges);
                out.flags.push((what, k));
            } else if let Some(set) = self.distinguished(what, before).filter(|_| told_apart(what) && self.may_keep(what, i)) {
                let told = self.told(what, before, k, &set);
                if told.len() * edges.len() <= MAX_COMBINATIONS {
                    edges = with(&edges, &told);
                    self.origins.insert(k, set);
                    out.kept.push((what, k));
                }
            }
            for mask in self.masks(what) {
                let told = self.told_masked(before, k, mask);
                if told.len() * edges.len() <= MAX_COMBINATIONS {
                    edges = with(&edges, &told);
                    out.masked.push((what, k, mask));
                }
            }
        }
        edges.into_iter().for_each(|lits| self.edge(head, lits, None));
        out
    }

    /// Each of these edges once for each value that `before` may have, with the assumption that `k` is this value.
    fn assume(
        &mut self,
        what: Watched,
        (before, values): (ExprId, &[u64]),
        k: ExprId,
        edges: &[SmallVec<[Lit; 2]>],
    ) -> Vec<SmallVec<[Lit; 2]>> {
        let mut out = Vec::new();
        for &c in values {
            let now = (values.len() > 1).then(|| self.is(what, before, c));
            let then = self.is(what, k, c);
            for e in edges {
                out.push(e.iter().copied().chain(now).chain([then]).collect());
            }
        }
        out
    }

    /// Control goes back to the head of a loop where `now` holds: once for each combination of values of its flags.
    pub(super) fn go_back(&mut self, head: &Head, now: SmallVec<[Lit; 2]>) {
        let Some(cur) = self.cur else { return };
        if head.looped.is_none() {
            return self.edge(head.block, now, None);
        }
        let again: Assumed = head.looped.map(|l| (l.1, false)).into_iter().collect();
        let back = head.looped.map(|l| l.0);
        // What is assumed at the end of this iteration, and in the next one.
        let mut paths: Vec<(Assumed, Assumed)> = vec![(now, again)];
        for &(what, k) in &head.tracked.flags {
            let Some(&at_end) = self.call().constants.get(&what) else { continue };
            let Some(values) = self.values(what, at_end).filter(|v| v.len() * paths.len() <= MAX_COMBINATIONS) else { continue };
            let mut all = Vec::new();
            for &c in &values {
                let now = (values.len() > 1).then(|| self.is(what, at_end, c));
                let then = self.is(what, k, c);
                for (a, b) in &paths {
                    all.push((a.iter().copied().chain(now).collect(), b.iter().copied().chain([then]).collect()));
                }
            }
            paths = all;
        }
        let mut cases: Vec<SmallVec<[Case; 2]>> = Vec::new();
        for &(what, k) in &head.tracked.kept {
            let (Some(&at_end), Some(set)) = (self.call().constants.get(&what), self.origins.get(&k).cloned()) else { continue };
            cases.push(self.told(what, at_end, k, &set));
        }
        for &(what, k, mask) in &head.tracked.masked {
            if let Some(&at_end) = self.call().constants.get(&what) {
                cases.push(self.told_masked(at_end, k, mask));
            }
        }
        for told in cases {
            if told.len() * paths.len() > MAX_COMBINATIONS {
                continue;
            }
            let with = |(a, b): &(Assumed, Assumed), t: &Case| {
                (a.iter().chain(&t.before).copied().collect(), b.iter().chain(&t.now).copied().collect())
            };
            paths = paths.iter().flat_map(|p| told.iter().map(|t| with(p, t)).collect::<Vec<_>>()).collect();
        }
        for (now, then) in paths {
            if now.is_empty() {
                self.edge(head.block, then, back);
                continue;
            }
            // Assumptions about this iteration are dropped on the edge itself.
            let between = self.block(rtc_base::Span::NONE);
            self.cfg.blocks[cur as usize].succs.push(Edge { to: between, lits: now, back: None });
            self.cfg.blocks[between as usize].succs.push(Edge { to: head.block, lits: then, back });
        }
    }

    /// Control may come to a block with the constants that there are.
    pub(super) fn bring_constants(&mut self, to: u32, from: u32, edge: usize) {
        let Some(here) = self.calls.last().map(|c| c.constants.clone()) else { return };
        self.constants_at.entry(to).or_default().push((from, edge, here));
    }

    /// The constants in a block to which these edges lead. `arms`: each but the last one leads there if this holds.
    pub(super) fn joined(&mut self, mut incoming: Incoming, arms: &[ExprId]) -> Constants {
        let Some((_, _, first)) = incoming.first() else { return Constants::default() };
        let mut all: Vec<(Watched, ExprId)> = first.iter().map(|(&l, &k)| (l, k)).collect();
        all.sort_unstable();
        let mut out = Constants::default();
        let by_arms = !arms.is_empty() && arms.len() + 1 == incoming.len();
        if by_arms {
            // Of what is no flag edges do not tell what it is, and of cells they need not. (In a loop they tell whether a variable is still what it was,
            // unless its bits are tested.)
            all.retain(|&(what, _)| {
                let told = self.looped != NO_LOOP && self.masks(what).is_empty() || self.flag_values(what).is_some();
                let followed = FOLLOWED.contains(&self.type_of(what)) && told;
                let chosen = matches!(what, Watched::Cell(_) | Watched::Passed(..)) || !followed;
                if chosen && let Some(k) = self.held_after(what, &incoming, arms) {
                    out.insert(what, k);
                }
                !chosen
            });
        }
        for (what, k) in all {
            let Some(ks) = incoming.iter().map(|e| e.2.get(&what).copied()).collect::<Option<Vec<ExprId>>>() else { continue };
            if ks.iter().all(|&other| other == k) {
                out.insert(what, k);
                continue;
            }
            let is = self.met(what);
            out.insert(what, is);
            if self.flag_values(what).is_none() {
                self.join_kept(what, is, &ks, &mut incoming);
                self.join_masked(what, is, &mut incoming);
                continue;
            }
            let values: Option<Vec<_>> = ks.iter().map(|&k| self.values(what, k)).collect();
            let edges = |v: &[SmallVec<[u64; 4]>]| v.iter().map(|v| v.len()).sum::<usize>();
            let Some(values) = values.filter(|v| edges(v) <= MAX_EDGES) else { continue };
            for ((from, edge, constants), values) in std::mem::take(&mut incoming).into_iter().zip(values) {
                let Edge { to, ref lits, back } = self.cfg.blocks[from as usize].succs[edge];
                let lits = [lits.clone()];
                let before = constants[&what];
                for (n, lits) in self.assume(what, (before, &values), is, &lits).into_iter().enumerate() {
                    let succs = &mut self.cfg.blocks[from as usize].succs;
                    let edge = if n == 0 { edge } else { succs.len() };
                    let new = Edge { to, lits, back };
                    match succs.get_mut(edge) {
                        Some(old) => *old = new,
                        None => succs.push(new),
                    }
                    incoming.push((from, edge, constants.clone()));
                }
            }
        }
        out
    }

    /// What a cell holds, or a variable is, after the arms of a branch.
    fn held_after(&mut self, what: Watched, incoming: &Incoming, arms: &[ExprId]) -> Option<ExprId> {
        let ty = self.type_of(what);
        let mut ks = incoming.iter().map(|e| e.2.get(&what).copied()).collect::<Option<Vec<ExprId>>>()?;
        let mut now = ks.pop()?;
        for (&arm, k) in arms.iter().zip(ks).rev() {
            if k != now {
                now = self.choose(arm, k, now, ty);
            }
        }
        Some(now)
    }

    /// The value of an operation on constants.
    pub(super) fn fold(&self, op: Opcode, from: Type, to: Type, args: &[ExprId]) -> Option<u64> {
        let m = self.facts.cells.m;
        let bits: Option<Vec<u64>> = args.iter().map(|&k| self.cfg.conds.constant_of(k)).collect();
        match (m.types.numeric(from)?, m.types.numeric(to)?) {
            ((from, 1), (to, 1)) => rtc_ir::eval::in_module(m, op, from, to, &bits?),
            _ => None,
        }
    }

    /// Walks a loop iteration by iteration. Whether that was possible: if not, nothing has changed.
    pub(super) fn unrolled(&mut self, i: Inst, body: Region, continuing: Region, join: u32) -> bool {
        let limit = MAX_MADE.min((1 << 22) / (self.cfg.cells as usize + 1));
        let known = self.call().constants.values().any(|&k| self.cfg.conds.constant_of(k).is_some());
        if self.trials >= MAX_TRIALS || self.unrolled > limit || !known {
            return false;
        }
        let before = self.before();
        self.trials += 1;
        let done = self.iterations(i, body, continuing, join, limit);
        self.trials -= 1;
        let made = self.cfg.events.len() + self.cfg.blocks.len() - before.events - before.blocks;
        if matches!(done, Ok(true)) {
            self.unrolled += made;
            return true;
        }
        self.restore(before);
        false
    }

    /// The iterations. Whether each either goes on or ends.
    fn iterations(&mut self, i: Inst, body: Region, continuing: Region, join: u32, limit: usize) -> Result<bool, TooLarge> {
        let start = self.cfg.events.len() + self.cfg.blocks.len();
        let known = self.call().exprs.clone();
        let first = self.block(rtc_base::Span::NONE);
        self.jump(first, None);
        self.start(first);
        for _ in 0..MAX_ITERATIONS {
            let (next, head) = (self.block(rtc_base::Span::NONE), self.block(rtc_base::Span::NONE));
            self.call_mut().continues.insert(i, next);
            self.call_mut().heads.insert(i, Head { block: head, looped: None, tracked: Tracked::default() });
            self.region(body)?;
            if self.constants_at.contains_key(&next) {
                self.start(next);
                self.region(continuing)?;
            }
            match (self.constants_at.contains_key(&head), self.constants_at.contains_key(&join)) {
                (false, _) => return Ok(true),
                (true, true) => return Ok(false),
                (true, false) => {}
            }
            if self.unrolled + self.cfg.events.len() + self.cfg.blocks.len() - start > limit {
                return Ok(false);
            }
            self.start(head);
            // Each iteration computes its values anew.
            self.call_mut().exprs.clone_from(&known);
        }
        Ok(false)
    }

    fn before(&self) -> Before {
        Before {
            events: self.cfg.events.len(),
            blocks: self.cfg.blocks.len(),
            frames: self.cfg.frames.len(),
            objects: self.objects.len(),
            unrolled: self.unrolled,
            cur: self.cur.map(|b| (b, self.cfg.blocks[b as usize].clone())),
            calls: self.calls.len(),
            call: self.call().clone(),
            constants_at: self.constants_at.clone(),
            top: self.top,
            depth: self.depth,
            looped: self.looped,
        }
    }

    fn restore(&mut self, b: Before) {
        self.cfg.events.truncate(b.events);
        self.cfg.blocks.truncate(b.blocks);
        self.cfg.frames.truncate(b.frames);
        self.objects.truncate(b.objects);
        self.cur = b.cur.map(|(n, block)| {
            self.cfg.blocks[n as usize] = block;
            n
        });
        self.calls.truncate(b.calls);
        *self.call_mut() = b.call;
        self.constants_at = b.constants_at;
        (self.top, self.depth, self.looped, self.unrolled) = (b.top, b.depth, b.looped, b.unrolled);
    }
}
