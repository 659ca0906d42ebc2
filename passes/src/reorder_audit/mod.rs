//! The audit of motion across reorder points: an independent check that each access is in the interval where the
//! source put it.
//!
//! DXR forbids the compiler to move what may not be uniform over a reorder point, because the author chose the side on
//! which the access is coherent (DXR specification 1.31, reorder points). Passes obey by asking `effects`; the audit
//! does not trust them. Before the first pass every access that reads placement (resource accesses, wave operations) and every
//! reorder point is given a number, its *origin*, which copies inherit, and its *interval* is recorded: the points that control
//! may have passed last when it comes there, and those that it may pass next, through calls. Afterwards the intervals
//! are computed anew and compared:
//!
//! * a point around an access, or around another point, that was not there before is a motion (E0840). Fewer points are
//!   fine: paths disappear when branches are decided;
//! * an access that was in a loop with points and has fewer around it now must still be in that loop as long as
//!   there is the loop: otherwise its value would be live across the points of the iterations;
//! * an access or a point without origin was made up by a pass (E0841);
//! * where an access was dropped for an equal one, both followed the same points (E0842). That is checked at the end of the pass that
//!   drops accesses ([`check_merges`]), because branches with points may be decided before and after it.
//!
//! What is provably uniform ([`Uniformity`]) may be anywhere.
//!
//! Where passes make copies (inlining, unrolling, choices between resources), the copies share an origin and may be in any of
//! their original's intervals; so the pipeline takes a new snapshot after these passes, and each copy is
//! independent from there on. Accesses may disappear: whether their values are needed is not audited.

mod flow;
mod sets;

use rtc_base::{Diagnostic, EntitySet, Span};
use rtc_ir::{Effects, Func, Function, Inst, InstData, Module, Opcode};
use rtc_tables::diagnostics as codes;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::uniformity::Uniformity;
use crate::util::callees;
use flow::{BOUNDARY, ENDED, Flow, Naming, Summary};
use sets::{Set, Sets};

const RULE: &str =
    "an access that may differ between threads stays between the reorder points where it was written (DXR 1.31, reorder points)";
const BUG: &str = "this is an error of the compiler, not of the program; `-Od` may avoid it";

/// What the source says of one access, point or loop.
#[derive(Clone, Copy)]
struct Record {
    op: Opcode,
    span: Span,
    before: Set,
    after: Set,
    /// The innermost loop with points around it; of a loop the next one.
    inside: u32,
}

/// A snapshot of a module's accesses and reorder points.
pub struct Audit {
    sets: Sets,
    /// By origin. Empty if there is nothing to watch: a module without points, or one that calls itself.
    records: Vec<Record>,
}

impl Audit {
    /// Takes a snapshot of `m`: numbers the accesses and points, and records their intervals.
    pub fn take(m: &mut Module) -> Audit {
        let mut audit = Audit { sets: Sets::new(), records: Vec::new() };
        audit.retake(m);
        audit
    }

    /// Takes a new snapshot.
    pub fn retake(&mut self, m: &mut Module) {
        self.records.clear();
        if !m.funcs.values().any(|f| f.insts.values().any(|d| is_point(m, d))) {
            return;
        }
        let mut next = ENDED + 1;
        let Some(flows) = survey(m, &mut self.sets, &mut Naming::Give(&mut next)) else {
            return;
        };
        let nothing = Record { op: Opcode::loop_, span: Span::NONE, before: Set::EMPTY, after: Set::EMPTY, inside: 0 };
        self.records.resize(next as usize, nothing);
        for (id, flow) in flows {
            let f = &mut m.funcs[id];
            for s in &flow.spots {
                self.records[s.origin as usize] =
                    Record { op: f.op(s.inst), span: f.spans[s.inst], before: s.before, after: s.after, inside: s.inside };
            }
            for &(origin, outer) in &flow.loops {
                self.records[origin as usize].inside = outer;
            }
            f.origins = flow.origins;
            f.misplaced.clear();
        }
    }

    /// What moved since the snapshot. `copies`: control flow was copied and changed since then, so that one copy of a
    /// loop may be gone while another is there.
    pub fn check(&mut self, m: &Module, copies: bool) -> Vec<Diagnostic> {
        let mut out = Vec::new();
        if self.records.is_empty() {
            return out;
        }
        let Some(flows) = survey(m, &mut self.sets, &mut Naming::Keep) else {
            return out;
        };
        let loops: FxHashSet<u32> = flows.iter().flat_map(|(_, f)| f.loops.iter().map(|l| l.0)).collect();
        for (id, flow) in &flows {
            let f = &m.funcs[*id];
            let outer: FxHashMap<u32, u32> = flow.loops.iter().copied().collect();
            let mut uniformity: Option<Uniformity> = None;
            let mut misplaced: FxHashMap<u32, u32> = FxHashMap::default();
            for &(dropped, kept) in &f.misplaced {
                misplaced.entry(kept).or_insert(dropped);
            }
            for s in &flow.spots {
                if s.calls.is_some() {
                    continue;
                }
                let merged = misplaced.get(&s.origin).and_then(|&dropped| self.merged(dropped, s.origin));
                let found = match self.records.get(s.origin as usize) {
                    _ if merged.is_some() => merged,
                    Some(r) if s.origin != BOUNDARY => self.moved(r, s, if copies { None } else { Some((&loops, &outer)) }),
                    _ => Some(unknown(f.op(s.inst), f.spans[s.inst])),
                };
                let Some(found) = found else { continue };
                let known = uniformity.get_or_insert_with(|| Uniformity::of(m, f));
                if s.point || known.effects(m, f, s.inst).contains(Effects::READS_PLACEMENT) {
                    out.push(found);
                }
            }
        }
        out
    }

    /// Access `dropped`, whose place `kept` took although they do not follow the same points.
    fn merged(&self, dropped: u32, kept: u32) -> Option<Diagnostic> {
        let (r, k) = (self.records.get(dropped as usize)?, self.records.get(kept as usize)?);
        let d =
            Diagnostic::new(&codes::E0842, r.span, format!("internal error: `{}` was replaced by one before another reorder point", r.op));
        Some(d.label(k.span, "what it gave is used instead").note(RULE).note(BUG))
    }

    fn moved(&self, r: &Record, now: &flow::Spot, loops: Option<(&FxHashSet<u32>, &FxHashMap<u32, u32>)>) -> Option<Diagnostic> {
        // Control never came to it.
        if r.before == Set::EMPTY {
            return None;
        }
        for (is, was, which) in [
            (now.before, r.before, "comes before it now and did not in the source"),
            (now.after, r.after, "comes after it now and did not in the source"),
        ] {
            let Some(point) = self.sets.beyond(is, was) else {
                continue;
            };
            let d = Diagnostic::new(&codes::E0840, r.span, format!("internal error: `{}` was moved across a reorder point", r.op));
            let d = match point {
                Some(p) if p != BOUNDARY && p != ENDED => d.label(self.records[p as usize].span, format!("this reorder point {which}")),
                _ => d.note("no reorder point is between it and the shader's start or end now"),
            };
            return Some(d.note(RULE).note(BUG));
        }
        let (there, outer) = loops?;
        if now.before == r.before && now.after == r.after {
            return None;
        }
        // Fewer points: still in every loop that there is?
        let mut was = r.inside;
        while was != 0 {
            let mut at = now.inside;
            while at != 0 && at != was {
                at = outer.get(&at).copied().unwrap_or(0);
            }
            if at != was && there.contains(&was) {
                let d = Diagnostic::new(
                    &codes::E0840,
                    r.span,
                    format!("internal error: `{}` was moved out of a loop with reorder points", r.op),
                );
                return Some(d.note(RULE).note(BUG));
            }
            was = self.records[was as usize].inside;
        }
        None
    }
}

/// Compares the intervals of the accesses that a pass dropped in `f` with those of the equal ones that take their place; all are still
/// in their regions. What does not follow the same points is noted for the next [`Audit::check`].
pub fn check_merges(m: &Module, f: &mut Function) {
    if f.merged.is_empty() {
        return;
    }
    let merged = std::mem::take(&mut f.merged);
    let mut sets = Sets::new();
    let flow = flow::build(m, f, &calls_as_points(m, f, &mut sets), &mut sets, &mut Naming::Keep);
    let before: FxHashMap<Inst, Set> = flow.spots.iter().map(|s| (s.inst, s.before)).collect();
    // What control does not reach follows no point.
    let reached = |i: &Inst| before.get(i).is_some_and(|&s| s != Set::EMPTY);
    let differ = merged.iter().filter(|(dropped, kept)| reached(dropped) && before.get(dropped) != before.get(kept));
    let origins: Vec<(u32, u32)> = differ.map(|&(dropped, kept)| (f.origins[dropped], f.origins[kept])).collect();
    f.misplaced.extend(origins);
}

/// The functions with points that `f` may call, each as a single point.
fn calls_as_points(m: &Module, f: &Function, sets: &mut Sets) -> FxHashMap<Func, Summary> {
    let mut points = FxHashMap::default();
    for callee in callees(f) {
        let mut seen = EntitySet::<Func>::new();
        let mut worklist = vec![callee];
        let mut has_point = false;
        while let (Some(id), false) = (worklist.pop(), has_point) {
            let Some(g) = m.funcs.get(id).filter(|_| seen.insert(id)) else { continue };
            has_point = g.insts.values().any(|d| is_point(m, d));
            worklist.extend(callees(g));
        }
        if has_point {
            let set = sets.one(u32::MAX - callee.as_u32());
            points.insert(callee, Summary { first: set, last: set, points: true, ends: false });
        }
    }
    points
}

fn unknown(op: Opcode, span: Span) -> Diagnostic {
    let d = Diagnostic::new(&codes::E0841, span, format!("internal error: a pass made `{op}`, that has no counterpart in the source"));
    d.note(RULE).note(BUG)
}

/// Whether it is a reorder point by itself. Calls of functions that are declared only are, conservatively.
fn is_point(m: &Module, data: &InstData) -> bool {
    match *data {
        // Calls that were inlined stay in the arena, in no region; their callee may not exist any more.
        InstData::Call { func, .. } => m.funcs.get(func).is_some_and(|f| f.declared && f.inline.as_ref().is_none_or(|i| i.runs_shaders())),
        ref data => data.op().effects().contains(Effects::REORDERS),
    }
}

/// The flows of all functions, with what callers add. `None` if functions call themselves.
fn survey(m: &Module, sets: &mut Sets, naming: &mut Naming<'_>) -> Option<Vec<(Func, Flow)>> {
    let mut summaries = FxHashMap::default();
    let mut flows = Vec::with_capacity(m.funcs.len());
    for id in callees_first(m)? {
        let f = &m.funcs[id];
        // Control may stay in a loop, or the shader may end, and control not come to the end of the function.
        let moves = |d: &InstData| match d {
            InstData::Loop { .. } => true,
            InstData::Exit { op, .. } if flow::ends_shader(*op) => true,
            InstData::Call { func, .. } if summaries.contains_key(func) => true,
            _ => is_point(m, d),
        };
        let flow = match f.insts.values().any(moves) {
            true => flow::build(m, f, &summaries, sets, naming),
            false => flow::plain(m, f, sets, naming),
        };
        if flow.summary.points || flow.summary.ends {
            summaries.insert(id, flow.summary);
        }
        flows.push((id, flow));
    }
    // Callers first: the points at a function's boundary.
    let mut around: FxHashMap<Func, (Set, Set)> = FxHashMap::default();
    let boundary = sets.one(BOUNDARY);
    for (id, _) in m.roots() {
        around.insert(id, (boundary, boundary));
    }
    for (id, flow) in flows.iter_mut().rev() {
        let (start, end) = around.get(id).copied().unwrap_or((Set::EMPTY, Set::EMPTY));
        for s in &mut flow.spots {
            s.before = sets.replace(s.before, BOUNDARY, start);
            s.after = sets.replace(s.after, BOUNDARY, end);
            if let Some(g) = s.calls {
                let a = around.entry(g).or_insert((Set::EMPTY, Set::EMPTY));
                *a = (sets.union(a.0, s.before), sets.union(a.1, s.after));
            }
        }
    }
    Some(flows)
}

/// All functions, callees first.
fn callees_first(m: &Module) -> Option<Vec<Func>> {
    let mut order = Vec::with_capacity(m.funcs.len());
    let (mut done, mut open) = (EntitySet::<Func>::new(), EntitySet::<Func>::new());
    for root in m.funcs.keys() {
        let mut todo = vec![(root, false)];
        while let Some((id, left)) = todo.pop() {
            if left {
                order.push(id);
                done.insert(id);
                continue;
            }
            if done.contains(id) {
                continue;
            }
            if !open.insert(id) {
                return None;
            }
            todo.push((id, true));
            let f = &m.funcs[id];
            let mut calls = callees(f);
            calls.retain(|g| !done.contains(*g));
            calls.sort_unstable();
            todo.extend(calls.into_iter().map(|g| (g, false)));
        }
    }
    Some(order)
}
