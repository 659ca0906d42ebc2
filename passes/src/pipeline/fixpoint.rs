//! Passes that are made of others: `optimize` iterates scalar passes to a fixpoint, function by function; `tidy` runs one iteration
//! over callees before they are inlined.

use rtc_ir::debug::Anchors;
use rtc_ir::{Func, Function, Module, Stage};

use super::run::check;
use crate::{Changed, PassCtx, PassError, PipelineError};

/// A pass over one function.
struct FunctionPass {
    name: &'static str,
    /// Says whether it changed something.
    run: fn(&mut Module, &mut Function) -> bool,
    /// It also deletes instructions when it says that nothing changed, because their removal enables no other pass.
    deletes_silently: bool,
}

const fn pass(name: &'static str, run: fn(&mut Module, &mut Function) -> bool) -> FunctionPass {
    FunctionPass { name, run, deletes_silently: false }
}

/// The passes of one iteration of `optimize`.
const ITERATION: [FunctionPass; 5] = [
    pass("fold", crate::fold::function),
    pass("cse", crate::cse::function),
    pass("forward", crate::forward::function),
    pass("simplify", crate::simplify::function),
    FunctionPass { name: "dce", run: crate::dce::in_round, deletes_silently: true },
];

/// The fixpoint is given up after this many iterations.
const MAX_ITERATIONS: usize = 8;

/// Iterates over all functions to a fixpoint.
pub(crate) fn optimize(m: &mut Module, cx: &PassCtx) -> Result<Changed, PassError> {
    let worklist: Vec<Func> = m.funcs.keys().collect();
    optimize_these(m, cx, worklist)
}

/// Iterates over the functions of `worklist` to a fixpoint. A function that an iteration did not change leaves the list.
pub(crate) fn optimize_these(m: &mut Module, cx: &PassCtx, mut worklist: Vec<Func>) -> Result<Changed, PassError> {
    let mut changed = Changed::No;
    for _ in 0..MAX_ITERATIONS {
        changed = changed.or(iterate(m, cx, &mut worklist)?);
        if worklist.is_empty() {
            break;
        }
    }
    Ok(changed)
}

/// Runs one iteration over the functions of `worklist`, and leaves those there in which something changed.
fn iterate(m: &mut Module, cx: &PassCtx, worklist: &mut Vec<Func>) -> Result<Changed, PassError> {
    let mut out = Function::new("", Stage::Library);
    let mut changed_in = vec![false; worklist.len()];
    for pass in &ITERATION {
        for (&id, changed_here) in worklist.iter().zip(&mut changed_in) {
            std::mem::swap(&mut out, &mut m.funcs[id]);
            let anchors = Anchors::take(&out);
            let changed = (pass.run)(m, &mut out);
            *changed_here |= changed;
            if let (Some(a), true) = (anchors, changed || pass.deletes_silently) {
                a.restore(&mut out);
            }
            std::mem::swap(&mut out, &mut m.funcs[id]);
        }
        if cx.check {
            check(m).map_err(|text| PassError::Inner(PipelineError::Broken { pass: pass.name, text }))?;
        }
    }
    let mut flags = changed_in.into_iter();
    worklist.retain(|_| flags.next() == Some(true));
    for &id in worklist.iter() {
        compact_if_sparse(&mut m.funcs[id]);
    }
    Ok((!worklist.is_empty()).into())
}

/// Makes functions small before `inline` copies them into their callers: once here instead of once for each call.
/// Entry points, which are not copied, are left to what follows.
pub(crate) fn tidy(m: &mut Module, cx: &PassCtx) -> Result<Changed, PassError> {
    let callees: Vec<Func> = m.funcs.iter().filter(|(_, f)| !f.is_entry()).map(|(id, _)| id).collect();
    let mut changed = false;
    for &id in &callees {
        crate::inline::refuse_too_deep(&m.funcs[id])?;
        changed |= crate::sroa::function(m, id);
        changed |= crate::mem2reg::function(m, id);
    }
    let mut worklist = callees;
    Ok(Changed::from(changed).or(iterate(m, cx, &mut worklist)?))
}

/// Compacts a function of which most instructions are deleted.
fn compact_if_sparse(f: &mut Function) {
    let mut live = 0;
    f.for_each_region(f.body, |r| live += f.regions[r].insts.len());
    if f.insts.len() > 2 * live {
        f.compact();
    }
}
