//! Checks of mesh and amplification shaders: how often, and where, groups say what they make.
//!
//! An amplification shader calls `DispatchMesh` once, in every thread and as its last effect on other stages. A mesh shader calls
//! `SetMeshOutputCounts` at most once.

use rtc_base::{Code, Diagnostic, Span};
use rtc_ir::analysis::RegionTree;
use rtc_ir::{Function, Inst, InstData, Opcode, Region};
use rtc_tables::diagnostics as c;
use rtc_tables::stages::Stage;

/// Checks `f`, in which everything that it calls is inlined. `lenient`: outputs may come before the counts, as in Vulkan, where they are
/// undefined then.
pub(crate) fn check(f: &Function, lenient: bool, out: &mut Vec<Diagnostic>) {
    match f.stage {
        Stage::Amplification => dispatches(f, out),
        Stage::Mesh => counts(f, lenient, out),
        _ => {}
    }
}

/// The instructions with an opcode, each with its region.
fn all(f: &Function, op: Opcode) -> Vec<(Region, Inst)> {
    let mut found = Vec::new();
    f.for_each_inst(f.body, |r, i| {
        if f.op(i) == op {
            found.push((r, i));
        }
    });
    found
}

/// The first of the calls, and a later one that must not be.
fn twice(name: &str, code: &'static Code, f: &Function, calls: (Inst, Inst)) -> Diagnostic {
    let text = format!("`{name}` must be called once, and this is a second call");
    Diagnostic::new(code, f.spans[calls.1], text).label(f.spans[calls.0], "the first is here")
}

fn dispatches(f: &Function, out: &mut Vec<Diagnostic>) {
    let calls = all(f, Opcode::dispatch_mesh);
    let Some(&(region, call)) = calls.first() else {
        let text = "an amplification shader must call `DispatchMesh`, with no groups if there is nothing to draw";
        return out.push(Diagnostic::new(&c::E0684, f.span, text));
    };
    if let [first, second, ..] = calls[..] {
        out.push(twice("DispatchMesh", &c::E0684, f, (first.1, second.1)));
    }
    let early = early_return(f, call);
    if region != f.body || early.is_some() {
        let text = "`DispatchMesh` must be called by every thread of the group";
        let d = Diagnostic::new(&c::E0684, f.spans[call], text)
            .note("call it outside of branches and loops, with no groups where there is nothing to draw");
        out.push(match early {
            Some(span) => d.label(span, "a thread may end here before"),
            None => d,
        });
    }
}

/// Where a thread may end before `call`.
fn early_return(f: &Function, call: Inst) -> Option<Span> {
    let (mut found, mut before) = (None, true);
    f.for_each_inst(f.body, |_, i| {
        before &= i != call;
        if before && matches!(f.insts[i], InstData::Exit { op: Opcode::return_, .. }) {
            found = found.or(Some(f.spans[i]));
        }
    });
    found
}

/// Calls that are not the only one. Direct3D has one in the text. In Vulkan branches may have one each; one after another is undefined, so it is
/// left out if it says the same.
fn repeated_counts(f: &Function, tree: &RegionTree, lenient: bool, calls: &[(Region, Inst)], out: &mut Vec<Diagnostic>) {
    let numbers = |i: Inst| f.operands(i).into_iter().map(|v| f.as_const(v).ok_or(v)).collect::<Vec<_>>();
    let mut left_out = None;
    for (n, &(region, second)) in calls.iter().enumerate() {
        for &(outer, first) in &calls[..n] {
            if !lenient {
                return out.push(twice("SetMeshOutputCounts", &c::E0684, f, (first, second)));
            }
            if tree.contains(outer, region) && numbers(first) == numbers(second) {
                left_out = left_out.or(Some((first, second)));
            } else if !in_other_branch(f, tree, outer, region) {
                return out.push(twice("SetMeshOutputCounts", &c::E0684, f, (first, second)));
            }
        }
    }
    if let Some(calls) = left_out {
        out.push(twice("SetMeshOutputCounts", &c::W0687, f, calls).note("it says the same, and is left out"));
    }
}

/// Whether two regions are in different branches of an instruction.
fn in_other_branch(f: &Function, tree: &RegionTree, a: Region, b: Region) -> bool {
    let around = tree.common(a, b);
    if around == a || around == b {
        return false;
    }
    let (a, b, mut found) = (tree.interval(a), tree.interval(b), false);
    f.for_each_inst(around, |r, i| {
        let branches = r == around && matches!(f.insts[i], InstData::If { .. } | InstData::Switch { .. });
        let inside = tree.number(i)..tree.end_of(f, i);
        found |= branches && [&a, &b].iter().all(|r| inside.start < r.start && r.end <= inside.end);
    });
    found
}

fn counts(f: &Function, lenient: bool, out: &mut Vec<Diagnostic>) {
    let calls = all(f, Opcode::set_mesh_output_counts);
    let tree = RegionTree::of(f);
    repeated_counts(f, &tree, lenient, &calls, out);
    let first = calls.first().copied();
    let (mut set, mut wrong) = (false, None);
    // Whether control flow is between what is wrong and the call.
    let mut apart = true;
    f.for_each_inst(f.body, |region, i| {
        if first.is_some_and(|(_, call)| call == i) {
            set = true;
            apart = apart || wrong.is_none();
        }
        let after = set && first.is_some_and(|(outer, _)| tree.contains(outer, region));
        if !after && wrong.is_none() && matches!(f.op(i), Opcode::store_output | Opcode::emit_indices) {
            wrong = Some(i);
            apart = set || first.is_none_or(|(outer, _)| outer != region);
        }
        apart |= wrong.is_some() && !set && f.owns_regions(i);
    });
    // In straight code the order does not matter to Direct3D's validator.
    let code = if lenient || !apart { &c::W0687 } else { &c::E0684 };
    match (wrong, first) {
        (Some(i), None) => {
            let text = "a mesh shader must call `SetMeshOutputCounts` before it writes outputs";
            out.push(Diagnostic::new(code, f.spans[i], text));
        }
        // Where a branch ends the thread, what follows it may be after the call all the same.
        (Some(i), Some((_, call))) if early_return(f, i).is_none() => {
            let text = "this output may be written before `SetMeshOutputCounts` is called";
            let d = Diagnostic::new(code, f.spans[i], text).label(f.spans[call], "the call");
            out.push(d.note("call it outside of branches and loops, before all outputs"));
        }
        _ => {}
    }
}
