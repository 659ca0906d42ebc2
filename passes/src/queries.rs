//! Dataflow states of ray queries: the state of traversal, the type of the candidate and of the committed hit, and whether the program checked
//! `CommittedStatus`.
//!
//! A forward dataflow analysis over the control-flow graph of the regions. Then each use of a query is visited once with the state before it.

use std::borrow::Cow;
use std::rc::Rc;

use rtc_base::SecondaryMap;
use rtc_base::dataflow::{Forward, forward};
use rtc_ir::analysis::{Graph, RegionTree};
use rtc_ir::{Function, Inst, InstData, Opcode as O, Slot, SlotRole, Type, TypeKind, TypeTable, Value};
use rtc_tables::ray_flags::{CULL_NON_OPAQUE, CULL_OPAQUE, FORCE_NON_OPAQUE, FORCE_OPAQUE, SKIP_PROCEDURAL, SKIP_TRIANGLES};

use crate::ranges::Ranges;

bitflags::bitflags! {
    /// The states of traversal that are possible: a set.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
    pub struct Traversal: u8 {
        /// Not traced yet.
        const UNTRACED = 1;
        /// Traced, but not proceeded.
        const STARTED = 2;
        /// There is a candidate.
        const CANDIDATE = 4;
        /// `Proceed` returned false.
        const OVER = 8;
        /// Ended by `Abort`.
        const ENDED = 16;
    }

    /// The possible types of the candidate: a set.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
    pub struct Candidate: u8 {
        /// A triangle that is not opaque.
        const TRIANGLE = 1;
        /// A procedural primitive.
        const PROCEDURAL = 2;
    }

    /// The possible committed hits: a set.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
    pub struct Committed: u8 {
        /// Nothing.
        const NOTHING = 1;
        /// A triangle.
        const TRIANGLE = 2;
        /// A procedural primitive.
        const PROCEDURAL = 4;
    }
}

/// More operands of a condition are not examined.
const MAX_PARTS: usize = 64;

/// The dataflow state of a query at a program point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct QueryState {
    /// The possible states of traversal.
    pub traversal: Traversal,
    /// The possible types of the candidate.
    pub candidate: Candidate,
    /// The possible committed hits.
    pub committed: Committed,
    /// `CommittedStatus` or `CommittedRayT` was called on some path to this point.
    pub status_checked: bool,
    /// The shader committed a hit on some path to this point.
    pub commits: bool,
    /// Ray flags that are known to be set, and those that are known to be clear.
    pub flags: (u32, u32),
    /// The last result of `CandidateType` for this candidate.
    pub kind: Option<Value>,
    /// The last result of `CommittedStatus` for this state.
    pub status: Option<Value>,
    /// The last result of `Proceed`.
    proceeded: Option<Value>,
}

impl QueryState {
    const UNTRACED: QueryState = QueryState {
        traversal: Traversal::UNTRACED,
        candidate: Candidate::empty(),
        committed: Committed::NOTHING,
        status_checked: false,
        commits: false,
        flags: (u32::MAX, u32::MAX),
        kind: None,
        status: None,
        proceeded: None,
    };

    fn join(self, other: QueryState) -> QueryState {
        QueryState {
            traversal: self.traversal | other.traversal,
            candidate: self.candidate | other.candidate,
            committed: self.committed | other.committed,
            status_checked: self.status_checked || other.status_checked,
            commits: self.commits || other.commits,
            flags: (self.flags.0 & other.flags.0, self.flags.1 & other.flags.1),
            kind: self.kind.filter(|_| self.kind == other.kind),
            status: self.status.filter(|_| self.status == other.status),
            proceeded: self.proceeded.filter(|_| self.proceeded == other.proceeded),
        }
    }

    /// The transfer function of `TraceRayInline`.
    fn start(&mut self, set: u32, clear: u32) {
        *self = QueryState { traversal: Traversal::STARTED, flags: (set, clear), ..QueryState::UNTRACED };
    }

    /// The types of candidates at which traversal with these flags may stop.
    pub fn possible_candidates(&self) -> Candidate {
        let mut all = Candidate::all();
        if self.flags.0 & (FORCE_OPAQUE | CULL_NON_OPAQUE | SKIP_TRIANGLES) != 0 {
            all -= Candidate::TRIANGLE;
        }
        if self.flags.0 & SKIP_PROCEDURAL != 0 {
            all -= Candidate::PROCEDURAL;
        }
        all
    }

    fn proceed(&mut self, result: Value) {
        if self.traversal == Traversal::UNTRACED {
            return;
        }
        self.traversal = Traversal::OVER;
        self.candidate = self.possible_candidates();
        if !self.candidate.is_empty() {
            self.traversal |= Traversal::CANDIDATE;
        }
        // Opaque triangles are committed during traversal.
        if self.flags.0 & (FORCE_NON_OPAQUE | CULL_OPAQUE | SKIP_TRIANGLES) == 0 {
            self.committed |= Committed::TRIANGLE;
        }
        (self.proceeded, self.kind, self.status) = (Some(result), None, None);
    }

    fn abort(&mut self) {
        if self.traversal != Traversal::UNTRACED {
            (self.traversal, self.proceeded) = (Traversal::ENDED, None);
        }
    }

    fn commit(&mut self, what: Committed) {
        (self.committed, self.commits, self.status) = (what, true, None);
    }
}

type State = Rc<Vec<QueryState>>;

/// The query that an instruction operates on, if it is statically known.
pub fn query_of(f: &Function, i: Inst) -> Option<Slot> {
    let args = match f.insts[i] {
        InstData::Many { args, .. } | InstData::Slot { args, .. } => args,
        _ => return None,
    };
    let def = f.def_inst(*f.get(args).first()?)?;
    match f.insts[def] {
        InstData::Slot { op: O::allocate_ray_query, slot, .. } => Some(slot),
        _ => None,
    }
}

/// Calls `visit` for each instruction of `f` that operates on a statically known query, in program order, with the state before it. Queries
/// whose handles escape (into arrays, or selected by control flow) are left out. `ranges` has the value ranges of computed ray flags.
pub fn walk(types: &TypeTable, f: &Function, ranges: Option<&Ranges>, visit: &mut dyn FnMut(Inst, Slot, &QueryState)) {
    let mut number: SecondaryMap<Slot, Option<u32>> = SecondaryMap::new();
    let mut n = 0;
    for (slot, _) in f.slots.iter().filter(|(_, s)| s.role == SlotRole::RayQuery) {
        number[slot] = Some(n);
        n += 1;
    }
    if n == 0 {
        return;
    }
    let mut analysis = Analysis { types, f, ranges, number, graph: Graph::of(f) };
    analysis.drop_escaping_queries();
    let first = Rc::new(vec![QueryState::UNTRACED; n as usize]);
    let (blocks, order) = (analysis.graph.blocks.len(), analysis.graph.order.clone());
    // Each join adds possibilities or removes knowledge, of both of which there are finitely many.
    let at = forward(&mut analysis, blocks, &order, first, usize::MAX).unwrap_or_default();
    let mut seen: Vec<(u32, Inst, Slot, QueryState)> = Vec::new();
    let tree = RegionTree::of(f);
    for b in 0..blocks as u32 {
        let Some(mut s) = at[b as usize].clone() else { continue };
        for &i in analysis.graph.insts(f, b) {
            if let Some((slot, n)) = analysis.subject(i) {
                seen.push((tree.number(i), i, slot, s[n]));
            }
            analysis.inst(i, &mut s);
        }
    }
    seen.sort_by_key(|s| s.0);
    seen.iter().for_each(|(_, i, slot, state)| visit(*i, *slot, state));
}

/// The states of all queries, as a forward analysis.
struct Analysis<'a> {
    types: &'a TypeTable,
    f: &'a Function,
    ranges: Option<&'a Ranges>,
    number: SecondaryMap<Slot, Option<u32>>,
    graph: Graph,
}

impl Forward for Analysis<'_> {
    type State = State;

    fn block(&mut self, b: u32, s: &mut State) {
        self.graph.insts(self.f, b).iter().for_each(|&i| self.inst(i, s));
    }

    fn edges(&self, b: u32) -> usize {
        self.graph.blocks[b as usize].edges.len()
    }

    fn edge<'s>(&mut self, b: u32, n: usize, s: &'s State) -> Option<(u32, Cow<'s, State>)> {
        let f = self.f;
        let mut here = Cow::Borrowed(s);
        match self.graph.insts(f, b).last().map(|&i| f.insts[i]) {
            Some(InstData::If { cond, .. }) => self.assume(here.to_mut(), cond, n == 0),
            Some(InstData::Exit { op: O::next_if, args, .. }) => self.assume(here.to_mut(), f.get(args)[0], n == 0),
            Some(InstData::Switch { on, cases }) => {
                if let Some((values, _)) = f.cases[cases].arms.get(n) {
                    self.is_one_of(here.to_mut(), on, values);
                }
            }
            _ => {}
        }
        Some((self.graph.blocks[b as usize].edges[n].to, here))
    }

    fn join(&mut self, to: &mut State, from: &State) -> bool {
        if Rc::ptr_eq(to, from) || to == from {
            return false;
        }
        let both: Vec<QueryState> = to.iter().zip(from.iter()).map(|(a, b)| a.join(*b)).collect();
        let changed = both != **to;
        if changed {
            *to = Rc::new(both);
        }
        changed
    }
}

impl Analysis<'_> {
    /// Drops queries whose handles are used by anything but instructions on them.
    fn drop_escaping_queries(&mut self) {
        let f = self.f;
        f.for_each_inst(f.body, |_, i| {
            let on = query_of(f, i);
            let mut first = true;
            f.for_each_operand(i, |v| {
                let subject = std::mem::replace(&mut first, false) && on.is_some();
                if let Some(def) = f.def_inst(v)
                    && let InstData::Slot { op: O::allocate_ray_query, slot, .. } = f.insts[def]
                    && !subject
                {
                    self.number[slot] = None;
                }
            });
        });
    }

    /// The query that an instruction operates on, if it is followed, and its number.
    fn subject(&self, i: Inst) -> Option<(Slot, usize)> {
        let slot = query_of(self.f, i)?;
        Some((slot, self.number[slot]? as usize))
    }

    /// The number of the query whose state the result `v` reports.
    fn query_tested_by(&self, v: Value) -> Option<usize> {
        let slot = query_of(self.f, self.f.def_inst(v)?)?;
        Some(self.number[slot]? as usize)
    }

    /// Refines the state by `cond` being `truth`. Of long conditions, only the first operands are used.
    fn assume(&self, s: &mut State, cond: Value, truth: bool) {
        let f = self.f;
        let mut todo = vec![(cond, truth)];
        for _ in 0..MAX_PARTS {
            let Some((cond, truth)) = todo.pop() else { return };
            let Some(def) = f.def_inst(cond) else { continue };
            match f.insts[def] {
                InstData::Unary { op: O::not, arg } => todo.push((arg, !truth)),
                InstData::Binary { op: O::and, args } if truth && f.ty(cond) == Type::BOOL => {
                    todo.extend(args.map(|a| (a, true)));
                }
                InstData::Binary { op: O::or, args } if !truth && f.ty(cond) == Type::BOOL => {
                    todo.extend(args.map(|a| (a, false)));
                }
                InstData::Binary { op: op @ (O::ieq | O::ine), args: [a, b] } => {
                    let (v, n) = match (f.as_const(a), f.as_const(b)) {
                        (None, Some(n)) => (a, n as i32),
                        (Some(n), None) => (b, n as i32),
                        _ => continue,
                    };
                    match (op == O::ieq) == truth {
                        true => self.is_one_of(s, v, &[n]),
                        false => {
                            let others: Vec<i32> = (0..3).filter(|&k| k != n).collect();
                            self.is_one_of(s, v, &others);
                        }
                    }
                }
                InstData::Many { op: O::ray_query_proceed, .. } => {
                    let Some(n) = self.query_tested_by(cond) else { continue };
                    if s[n].proceeded == Some(cond) {
                        let k = &mut Rc::make_mut(s)[n];
                        k.traversal = if truth { Traversal::CANDIDATE } else { Traversal::OVER };
                    }
                }
                _ => {}
            }
        }
    }

    /// Refines the state by `v` being one of `numbers`, if it is the type of a candidate or the committed status.
    fn is_one_of(&self, s: &mut State, v: Value, numbers: &[i32]) {
        let Some(n) = self.query_tested_by(v) else { return };
        let bits = numbers.iter().filter(|n| (0..3).contains(*n)).fold(0, |sum, n| sum | 1u8 << n);
        if s[n].status == Some(v) {
            Rc::make_mut(s)[n].committed &= Committed::from_bits_truncate(bits);
        } else if s[n].kind == Some(v) {
            Rc::make_mut(s)[n].candidate &= Candidate::from_bits_truncate(bits);
        }
    }

    fn inst(&self, i: Inst, s: &mut State) {
        let f = self.f;
        let Some((_, n)) = self.subject(i) else { return };
        let result = f.results(i).first().copied();
        let k = match f.op(i) {
            O::ray_query_trace_ray_inline
            | O::ray_query_proceed
            | O::ray_query_abort
            | O::ray_query_commit_non_opaque_triangle_hit
            | O::ray_query_commit_procedural_primitive_hit
            | O::ray_query_committed_status
            | O::ray_query_committed_ray_t
            | O::ray_query_candidate_type => &mut Rc::make_mut(s)[n],
            _ => return,
        };
        match (f.op(i), result) {
            (O::ray_query_trace_ray_inline, _) => {
                let operands = f.operands(i);
                let TypeKind::RayQuery(fixed, _) = self.types.kind(f.ty(operands[0])) else { return };
                let given = operands[2];
                let (ones, zeros) = match (f.as_const(given), self.ranges) {
                    (Some(n), _) => (n as u32, !n as u32),
                    (_, Some(r)) => {
                        let r = r.at(given, i);
                        (r.ones, r.zeros)
                    }
                    _ => (0, 0),
                };
                k.start(ones | fixed, zeros & !fixed);
            }
            (O::ray_query_proceed, Some(v)) => k.proceed(v),
            (O::ray_query_abort, _) => k.abort(),
            (O::ray_query_commit_non_opaque_triangle_hit, _) => k.commit(Committed::TRIANGLE),
            (O::ray_query_commit_procedural_primitive_hit, _) => k.commit(Committed::PROCEDURAL),
            (O::ray_query_committed_status, v) => (k.status, k.status_checked) = (v, true),
            (O::ray_query_committed_ray_t, _) => k.status_checked = true,
            (O::ray_query_candidate_type, v) => k.kind = v,
            _ => {}
        }
    }
}
