//! Ray queries used in an order that means nothing: untraced, without candidate, for the wrong kind of hit, for a hit that
//! nobody knows to exist, without looking at what `Proceed` says, or for ever.
//!
//! Said is what holds on every way to the place ([`crate::queries`] finds it, [`Ranges`] adds what conditions say of answers that were
//! asked for before), so that a query whose use depends on things that cannot be followed is left alone.

use rtc_base::{Diagnostic, EntitySet, SecondaryMap, Span};
use rtc_ir::{Function, Inst, InstData, Opcode as O, Slot, SlotRole, TypeTable, Value};
use rtc_tables::diagnostics as c;
use rtc_tables::ray_flags;
use rtc_tables::raytracing::{QueryOp, RtInfo};

use crate::queries::{Candidate, Committed, Known, Traversal, walk};
use crate::ranges::{Range, Ranges};
use crate::util::{parents, target_construct};

/// Finds them in `f`.
pub(crate) fn check(types: &TypeTable, f: &Function, ranges: &Ranges, out: &mut Vec<Diagnostic>) {
    if !f.slots.values().any(|s| s.role == SlotRole::RayQuery) {
        return;
    }
    let mut used: EntitySet<Value> = EntitySet::new();
    f.for_each_inst(f.body, |_, i| f.for_each_operand(i, |v| _ = used.insert(v)));
    // Queries whose candidates somebody looks at or commits: there, a step by itself may be meant.
    let mut decided: EntitySet<Slot> = EntitySet::new();
    walk(types, f, Some(ranges), &mut |i, slot, _| {
        let asks = RtInfo::of(f.op(i)).and_then(|r| r.query);
        let commits = matches!(f.op(i), O::ray_query_commit_non_opaque_triangle_hit | O::ray_query_commit_procedural_primitive_hit);
        if commits || matches!(asks, Some(QueryOp::Candidate(_))) {
            decided.insert(slot);
        }
    });
    let mut untraced: EntitySet<Slot> = EntitySet::new();
    walk(types, f, Some(ranges), &mut |i, slot, known| {
        if known.traversal == Traversal::UNTRACED && f.op(i) != O::ray_query_trace_ray_inline && !untraced.insert(slot) {
            return;
        }
        if f.op(i) == O::ray_query_proceed && decided.contains(slot) && known.traversal != Traversal::UNTRACED {
            return;
        }
        let span = f.spans[i];
        let name = |what: &str| Name { query: f.slots[slot].name.clone(), what: what.to_owned(), span };
        if let Some(d) = one(f, i, known, ranges, &used, &name) {
            out.push(d);
        }
    });
    endless(f, out);
}

/// A use of a query in words.
struct Name {
    query: String,
    what: String,
    span: Span,
}

impl Name {
    fn diagnostic(&self, code: &'static rtc_base::Code, says: &str) -> Diagnostic {
        let of = if self.query.is_empty() { String::new() } else { format!("{}.", self.query) };
        Diagnostic::new(code, self.span, format!("`{of}{}` {says}", self.what))
    }
}

/// The method that an instruction came from, without the query.
fn method(op: O) -> String {
    let name = op.name().trim_start_matches("ray_query_");
    let mut out = String::new();
    for word in name.split('_') {
        match word {
            "id" => out.push_str("ID"),
            "tmin" => out.push_str("TMin"),
            _ => {
                let (first, rest) = word.split_at(1);
                out.push_str(&first.to_uppercase());
                out.push_str(rest);
            }
        }
    }
    match out.strip_suffix("TriangleObjectPosition") {
        Some(which) => format!("{which}TriangleObjectPositions"),
        None => out,
    }
}

const RULE: &str = "DXR, RayQuery: the table of methods by state";

fn one(f: &Function, i: Inst, known: &Known, ranges: &Ranges, used: &EntitySet<Value>, name: &dyn Fn(&str) -> Name) -> Option<Diagnostic> {
    let op = f.op(i);
    if op == O::ray_query_trace_ray_inline {
        return None;
    }
    let say = |code, says: &str| Some(name(&method(op)).diagnostic(code, says).note(RULE));
    let at = known.traversal;
    if at == Traversal::UNTRACED {
        return say(&c::W0673, "comes before any `TraceRayInline` of the query");
    }
    let asks = match RtInfo::of(op).and_then(|r| r.query) {
        Some(QueryOp::Candidate(_)) => Asks::Candidate,
        Some(QueryOp::Committed(_)) => Asks::Committed,
        _ => Asks::Other,
    };
    let commits = matches!(op, O::ray_query_commit_non_opaque_triangle_hit | O::ray_query_commit_procedural_primitive_hit);
    let candidate = asks == Asks::Candidate || commits || op == O::ray_query_candidate_procedural_primitive_non_opaque;
    if candidate && !at.intersects(Traversal::CANDIDATE | Traversal::ENDED) {
        let says = match at {
            Traversal::STARTED => "has no candidate yet: `Proceed` finds one",
            _ => "has no candidate any more: `Proceed` gave false",
        };
        return say(&c::W0674, says);
    }
    if candidate && let Some(d) = wrong_candidate(op, i, known, ranges, &say) {
        return Some(d);
    }
    match op {
        O::ray_query_proceed => {
            // None of the flags is set that leave no triangle to decide about.
            let clear = known.flags.1 & NOTHING_TO_DECIDE == NOTHING_TO_DECIDE;
            (clear && !used.contains(f.result(i))).then(|| {
                name("Proceed")
                    .diagnostic(&c::W0677, "stops at the first candidate, and nobody looks at what it gives")
                    .note("write `while (q.Proceed())`, or trace with `RAY_FLAG_FORCE_OPAQUE` or `RAY_FLAG_CULL_NON_OPAQUE` if there is nothing to decide")
            })
        }
        O::ray_query_committed_status | O::ray_query_committed_ray_t => None,
        _ if asks == Asks::Committed => wrong_committed(op, i, known, ranges, &say),
        _ => None,
    }
}

/// Flags with which traversal stops at no triangle.
const NOTHING_TO_DECIDE: u32 = ray_flags::FORCE_OPAQUE | ray_flags::CULL_NON_OPAQUE | ray_flags::SKIP_TRIANGLES;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Asks {
    Candidate,
    Committed,
    Other,
}

/// The numbers that a status or type may be here, as a set of bits.
fn numbers(v: Option<Value>, i: Inst, ranges: &Ranges) -> u8 {
    let Some(v) = v else { return u8::MAX };
    let r = ranges.at(v, i);
    (0..3).filter(|&n| !r.meet(Range::just(n)).is_empty()).fold(0, |sum, n| sum | 1 << n)
}

fn wrong_candidate(
    op: O,
    i: Inst,
    known: &Known,
    ranges: &Ranges,
    say: &dyn Fn(&'static rtc_base::Code, &str) -> Option<Diagnostic>,
) -> Option<Diagnostic> {
    let asked = Candidate::from_bits_truncate(numbers(known.kind, i, ranges));
    let mut may = known.candidate & asked;
    // Code for any flags is not wrong for those with which there is no triangle to decide about: it does not run.
    if known.flags.0 & (ray_flags::FORCE_OPAQUE | ray_flags::CULL_NON_OPAQUE) != 0 {
        may |= Candidate::TRIANGLE & asked;
    }
    if may.is_empty() {
        // Never reached, or flags leave nothing: the loop around it does not run.
        return None;
    }
    let triangle = matches!(
        op,
        O::ray_query_commit_non_opaque_triangle_hit
            | O::ray_query_candidate_triangle_ray_t
            | O::ray_query_candidate_triangle_front_face
            | O::ray_query_candidate_triangle_barycentrics
            | O::ray_query_candidate_triangle_object_position
            | O::ray_query_candidate_cluster_id
    );
    let procedural = matches!(op, O::ray_query_commit_procedural_primitive_hit | O::ray_query_candidate_procedural_primitive_non_opaque);
    if triangle && may == Candidate::PROCEDURAL {
        say(&c::W0675, "is about triangles, but the candidate is a procedural primitive here")
    } else if procedural && may == Candidate::TRIANGLE {
        say(&c::W0675, "is about procedural primitives, but the candidate is a triangle here")
    } else {
        None
    }
}

fn wrong_committed(
    op: O,
    i: Inst,
    known: &Known,
    ranges: &Ranges,
    say: &dyn Fn(&'static rtc_base::Code, &str) -> Option<Diagnostic>,
) -> Option<Diagnostic> {
    let may = known.committed & Committed::from_bits_truncate(numbers(known.status, i, ranges));
    let triangle = matches!(
        op,
        O::ray_query_committed_triangle_front_face
            | O::ray_query_committed_triangle_barycentrics
            | O::ray_query_committed_triangle_object_position
            | O::ray_query_committed_cluster_id
    );
    if may.is_empty() {
        None
    } else if may == Committed::NOTHING {
        say(&c::W0676, "is about the committed hit, and nothing is committed here")
    } else if triangle && may == Committed::PROCEDURAL {
        say(&c::W0675, "is about triangles, but a procedural primitive is committed here")
    } else if may.contains(Committed::NOTHING) && !known.asked && !known.commits {
        say(&c::W0676, "is about the committed hit, and nobody asked `CommittedStatus` whether there is one")
    } else {
        None
    }
}

/// Loops that go on for ever once they are entered: no way leads out, or all ways out look at what `Proceed` gave before the loop.
fn endless(f: &Function, out: &mut Vec<Diagnostic>) {
    let mut at: SecondaryMap<Inst, u32> = SecondaryMap::with_default(0);
    at.resize(f.insts.len());
    let mut n = 0;
    let mut steps: Vec<u32> = Vec::new();
    f.for_each_inst(f.body, |_, i| {
        at[i] = n;
        n += 1;
        if f.op(i) == O::ray_query_proceed {
            steps.push(at[i]);
        }
    });
    if steps.is_empty() {
        return;
    }
    let parents = parents(f);
    let mut ways: SecondaryMap<Inst, Ways> = SecondaryMap::with_default(Ways::None);
    ways.resize(f.insts.len());
    f.for_each_inst(f.body, |r, i| {
        let InstData::Exit { op, .. } = f.insts[i] else { return };
        let target = target_construct(f, r, i);
        if matches!(op, O::continue_ | O::next) {
            return;
        }
        // The conditions on the way out, if nothing else decides.
        let mut guards: Option<Vec<Value>> = Some(Vec::new());
        if op == O::next_if {
            guards = Some(vec![f.operands(i)[0]]);
        }
        let mut region = r;
        while let Some(owner) = f.regions[region].owner {
            match f.insts[owner] {
                InstData::Loop { .. } => {
                    let old = guards.take().and_then(|g| all_old(f, &g, at[owner], &at));
                    ways[owner] = match (ways[owner], old) {
                        (Ways::None, Some(v)) => Ways::Old(v),
                        (Ways::Old(v), Some(_)) => Ways::Old(v),
                        _ => Ways::Open,
                    };
                }
                InstData::If { cond, .. } => {
                    if let Some(g) = &mut guards {
                        g.push(cond);
                    }
                }
                InstData::Block { .. } => {}
                _ => guards = None,
            }
            if Some(owner) == target {
                return;
            }
            region = parents[owner];
        }
    });
    f.for_each_inst(f.body, |_, i| {
        let InstData::Loop { continuing, body, .. } = f.insts[i] else { return };
        let last = f.terminator(continuing).or(f.terminator(body)).map_or(0, |l| at[l]);
        let steps_inside = steps.partition_point(|&s| s <= last) > steps.partition_point(|&s| s < at[i]);
        match ways[i] {
            Ways::None if steps_inside => {
                let d = Diagnostic::new(&c::W0678, f.spans[i], "this loop steps a ray query for ever: no way leads out of it");
                out.push(d.note("leave it when `Proceed` gives false"));
            }
            Ways::Old(v) => {
                let said = "this loop never ends: it looks at what `Proceed` gave before it, which stays as it is";
                let asked = f.def_inst(v).map_or(Span::NONE, |d| f.spans[d]);
                out.push(Diagnostic::new(&c::W0678, f.spans[i], said).label(asked, "asked once"));
            }
            _ => {}
        }
    });
}

/// The ways out of a loop.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ways {
    /// None.
    None,
    /// Only such as depend on what `Proceed` gave before the loop: this.
    Old(Value),
    /// Others.
    Open,
}

/// If all `guards` are what `Proceed` gave before `start`, or its opposite: the first.
fn all_old(f: &Function, guards: &[Value], start: u32, at: &SecondaryMap<Inst, u32>) -> Option<Value> {
    let old = |mut v: Value| loop {
        let def = f.def_inst(v)?;
        match f.insts[def] {
            InstData::Unary { op: O::not, arg } => v = arg,
            InstData::Many { op: O::ray_query_proceed, .. } if at[def] < start => return Some(v),
            _ => return None,
        }
    };
    let first = old(*guards.first()?)?;
    guards.iter().all(|&g| old(g).is_some()).then_some(first)
}
