//! Checks of ray queries: methods called before any trace, without a candidate, for the wrong type of hit, or without a check that there is a hit;
//! ignored results of `Proceed`; infinite loops.
//!
//! A warning holds on every path to the call ([`crate::queries`] computes states, [`Ranges`] adds the conditions on results of earlier
//! calls). Queries that cannot be followed are not reported.

use rtc_base::{Diagnostic, EntitySet, SecondaryMap, Span};
use rtc_ir::analysis::{parents, target_construct};
use rtc_ir::{Function, Inst, InstData, Opcode as O, Slot, SlotRole, TypeTable, Value};
use rtc_tables::diagnostics as c;
use rtc_tables::ray_flags;
use rtc_tables::raytracing::{QueryOp, RtInfo};

use crate::queries::{Candidate, Committed, QueryState, Traversal, walk};
use crate::ranges::{Range, Ranges};

/// Checks the ray queries of `f`.
pub(crate) fn check(types: &TypeTable, f: &Function, ranges: &Ranges, out: &mut Vec<Diagnostic>) {
    if !f.slots.values().any(|s| s.role == SlotRole::RayQuery) {
        return;
    }
    let mut used: EntitySet<Value> = EntitySet::new();
    f.for_each_inst(f.body, |_, i| f.for_each_operand(i, |v| _ = used.insert(v)));
    // Queries whose candidates are inspected or committed: there, a single step may be intended.
    let mut decided: EntitySet<Slot> = EntitySet::new();
    walk(types, f, Some(ranges), &mut |i, slot, _| {
        let subject = RtInfo::of(f.op(i)).and_then(|r| r.query);
        let commits = matches!(f.op(i), O::ray_query_commit_non_opaque_triangle_hit | O::ray_query_commit_procedural_primitive_hit);
        if commits || matches!(subject, Some(QueryOp::Candidate(_))) {
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
        let name = |what: &str| Call { query: f.slots[slot].name.clone(), what: what.to_owned(), span };
        if let Some(d) = one(f, i, known, ranges, &used, &name) {
            out.push(d);
        }
    });
    endless(f, out);
}

/// A method call for diagnostics.
struct Call {
    query: String,
    what: String,
    span: Span,
}

impl Call {
    fn diagnostic(&self, code: &'static rtc_base::Code, says: &str) -> Diagnostic {
        let of = if self.query.is_empty() { String::new() } else { format!("{}.", self.query) };
        Diagnostic::new(code, self.span, format!("`{of}{}` {says}", self.what))
    }
}

/// The HLSL name of the method of an instruction.
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

fn one(
    f: &Function,
    i: Inst,
    known: &QueryState,
    ranges: &Ranges,
    used: &EntitySet<Value>,
    name: &dyn Fn(&str) -> Call,
) -> Option<Diagnostic> {
    let op = f.op(i);
    if op == O::ray_query_trace_ray_inline {
        return None;
    }
    let say = |code, says: &str| Some(name(&method(op)).diagnostic(code, says).note(RULE));
    let at = known.traversal;
    if at == Traversal::UNTRACED {
        return say(&c::W0673, "is called before any `TraceRayInline` of the query");
    }
    let subject = match RtInfo::of(op).and_then(|r| r.query) {
        Some(QueryOp::Candidate(_)) => Subject::Candidate,
        Some(QueryOp::Committed(_)) => Subject::Committed,
        _ => Subject::Other,
    };
    let commits = matches!(op, O::ray_query_commit_non_opaque_triangle_hit | O::ray_query_commit_procedural_primitive_hit);
    let candidate = subject == Subject::Candidate || commits || op == O::ray_query_candidate_procedural_primitive_non_opaque;
    if candidate && !at.intersects(Traversal::CANDIDATE | Traversal::ENDED) {
        let says = match at {
            Traversal::STARTED => "has no candidate yet: call `Proceed` first",
            _ => "has no candidate any more: `Proceed` returned false",
        };
        return say(&c::W0674, says);
    }
    if candidate && let Some(d) = check_candidate(op, i, known, ranges, &say) {
        return Some(d);
    }
    match op {
        O::ray_query_proceed => {
            // No flag is set that makes every triangle opaque or culls it.
            let clear = known.flags.1 & NOTHING_TO_DECIDE == NOTHING_TO_DECIDE;
            (clear && !used.contains(f.result(i))).then(|| {
                name("Proceed")
                    .diagnostic(&c::W0677, "stops at the first candidate, and its result is ignored")
                    .note("write `while (q.Proceed())`, or trace with `RAY_FLAG_FORCE_OPAQUE` or `RAY_FLAG_CULL_NON_OPAQUE` if candidates need no decision")
            })
        }
        O::ray_query_committed_status | O::ray_query_committed_ray_t => None,
        _ if subject == Subject::Committed => check_committed(op, i, known, ranges, &say),
        _ => None,
    }
}

/// Flags with which traversal does not stop at triangles.
const NOTHING_TO_DECIDE: u32 = ray_flags::FORCE_OPAQUE | ray_flags::CULL_NON_OPAQUE | ray_flags::SKIP_TRIANGLES;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Subject {
    Candidate,
    Committed,
    Other,
}

/// The possible values of a status or type at `i`, as a set of bits.
fn numbers(v: Option<Value>, i: Inst, ranges: &Ranges) -> u8 {
    let Some(v) = v else { return u8::MAX };
    let r = ranges.at(v, i);
    (0..3).filter(|&n| !r.meet(Range::just(n)).is_empty()).fold(0, |sum, n| sum | 1 << n)
}

fn check_candidate(
    op: O,
    i: Inst,
    known: &QueryState,
    ranges: &Ranges,
    say: &dyn Fn(&'static rtc_base::Code, &str) -> Option<Diagnostic>,
) -> Option<Diagnostic> {
    let possible = Candidate::from_bits_truncate(numbers(known.kind, i, ranges));
    let mut may = known.candidate & possible;
    // With flags that leave no triangle candidates, code for triangles is unreachable and not an error.
    if known.flags.0 & (ray_flags::FORCE_OPAQUE | ray_flags::CULL_NON_OPAQUE) != 0 {
        may |= Candidate::TRIANGLE & possible;
    }
    if may.is_empty() {
        // Unreachable, or flags leave no candidates: the loop around it does not run.
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
        say(&c::W0675, "requires a triangle, but the candidate is a procedural primitive here")
    } else if procedural && may == Candidate::TRIANGLE {
        say(&c::W0675, "requires a procedural primitive, but the candidate is a triangle here")
    } else {
        None
    }
}

fn check_committed(
    op: O,
    i: Inst,
    known: &QueryState,
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
        say(&c::W0676, "requires a committed hit, but no hit is committed here")
    } else if triangle && may == Committed::PROCEDURAL {
        say(&c::W0675, "requires a triangle, but a procedural primitive is committed here")
    } else if may.contains(Committed::NOTHING) && !known.status_checked && !known.commits {
        say(&c::W0676, "requires a committed hit, but `CommittedStatus` was not checked")
    } else {
        None
    }
}

/// Infinite loops: without an exit, or with exits that all depend on a result of `Proceed` from before the loop.
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
    let mut exits: SecondaryMap<Inst, LoopExits> = SecondaryMap::with_default(LoopExits::None);
    exits.resize(f.insts.len());
    f.for_each_inst(f.body, |r, i| {
        let InstData::Exit { op, .. } = f.insts[i] else { return };
        let target = target_construct(f, r, i);
        if matches!(op, O::continue_ | O::next) {
            return;
        }
        // The conditions of the exit, if no other construct decides.
        let mut guards: Option<Vec<Value>> = Some(Vec::new());
        if op == O::next_if {
            guards = Some(vec![f.operands(i)[0]]);
        }
        let mut region = r;
        while let Some(owner) = f.regions[region].owner {
            match f.insts[owner] {
                InstData::Loop { .. } => {
                    let old = guards.take().and_then(|g| all_old(f, &g, at[owner], &at));
                    exits[owner] = match (exits[owner], old) {
                        (LoopExits::None, Some(v)) => LoopExits::Old(v),
                        (LoopExits::Old(v), Some(_)) => LoopExits::Old(v),
                        _ => LoopExits::Open,
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
        match exits[i] {
            LoopExits::None if steps_inside => {
                let d = Diagnostic::new(&c::W0678, f.spans[i], "infinite loop: it steps a ray query and has no exit");
                out.push(d.note("exit when `Proceed` returns false"));
            }
            LoopExits::Old(v) => {
                let message = "infinite loop: its condition is a result of `Proceed` from before the loop";
                let call = f.def_inst(v).map_or(Span::NONE, |d| f.spans[d]);
                out.push(Diagnostic::new(&c::W0678, f.spans[i], message).label(call, "called once here"));
            }
            _ => {}
        }
    });
}

/// The exits of a loop.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LoopExits {
    /// None.
    None,
    /// Only exits that depend on a result of `Proceed` from before the loop: this.
    Old(Value),
    /// Others.
    Open,
}

/// The first result if all `guards` are results of `Proceed` before `start`, or negations of such.
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
