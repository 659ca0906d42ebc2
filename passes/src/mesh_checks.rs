//! Checks of mesh and amplification shaders: how often, and where, groups say what they make.
//!
//! An amplification shader calls `DispatchMesh` once, in every thread and as its last effect on other stages. A mesh shader calls
//! `SetMeshOutputCounts` at most once.

use rtc_base::{Diagnostic, Span};
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

fn twice(name: &str, f: &Function, calls: &[(Region, Inst)]) -> Option<Diagnostic> {
    let [first, second, ..] = calls else { return None };
    let text = format!("`{name}` must be called once, and this is a second call");
    Some(Diagnostic::new(&c::E0684, f.spans[second.1], text).label(f.spans[first.1], "the first is here"))
}

fn dispatches(f: &Function, out: &mut Vec<Diagnostic>) {
    let calls = all(f, Opcode::dispatch_mesh);
    let Some(&(region, call)) = calls.first() else {
        let text = "an amplification shader must call `DispatchMesh`, with no groups if there is nothing to draw";
        return out.push(Diagnostic::new(&c::E0684, f.span, text));
    };
    out.extend(twice("DispatchMesh", f, &calls));
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

fn counts(f: &Function, lenient: bool, out: &mut Vec<Diagnostic>) {
    let calls = all(f, Opcode::set_mesh_output_counts);
    out.extend(twice("SetMeshOutputCounts", f, &calls));
    let tree = RegionTree::of(f);
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
