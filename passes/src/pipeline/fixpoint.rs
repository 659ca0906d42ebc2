//! Passes that are made of others: `optimize` iterates scalar passes to a fixpoint, function by function; `tidy` runs one iteration
//! over callees before they are inlined.

use rtc_ir::debug::Anchors;
use rtc_ir::{Func, Function, Module, Stage};

use super::run::check;
use crate::dce::Swept;
use crate::{Changed, PassCtx, PassError, PipelineError};

/// A pass over one function.
struct FunctionPass {
    name: &'static str,
    run: Run,
}

/// How a pass says what it did.
enum Run {
    /// Whether it changed something.
    Changes(fn(&mut Module, &mut Function) -> bool),
    /// What it removed. Computations without uses that go are no reason for another iteration, though a region that is smaller may be
    /// worth something to the next one.
    Sweeps(fn(&mut Module, &mut Function) -> Swept),
}

const fn pass(name: &'static str, run: fn(&mut Module, &mut Function) -> bool) -> FunctionPass {
    FunctionPass { name, run: Run::Changes(run) }
}

/// The passes of one iteration of `optimize`.
const ITERATION: [FunctionPass; 5] = [
    pass("fold", crate::fold::function),
    pass("cse", crate::cse::function),
    pass("forward", crate::forward::function),
    pass("simplify", crate::simplify::function),
    FunctionPass { name: "dce", run: Run::Sweeps(crate::dce::function) },
];

/// The fixpoint is given up after this many iterations.
const MAX_ITERATIONS: usize = 8;

/// A function on the worklist.
struct Item {
    func: Func,
    /// The passes of [`ITERATION`] that would find nothing: they said so, and no pass changed something since.
    done: [bool; ITERATION.len()],
    /// A pass of the last iteration changed something.
    changed: bool,
}

impl Item {
    fn new(func: Func) -> Item {
        Item { func, done: [false; ITERATION.len()], changed: true }
    }

    fn is_settled(&self) -> bool {
        self.done.iter().all(|&d| d)
    }
}

/// Iterates over all functions to a fixpoint.
pub(crate) fn optimize(m: &mut Module, cx: &PassCtx) -> Result<Changed, PassError> {
    let worklist: Vec<Func> = m.funcs.keys().collect();
    optimize_these(m, cx, worklist)
}

/// Iterates over the functions of `worklist` to a fixpoint, those aside that are at one. A function that an iteration did not change
/// leaves the list.
pub(crate) fn optimize_these(m: &mut Module, cx: &PassCtx, worklist: Vec<Func>) -> Result<Changed, PassError> {
    let mut changed = Changed::No;
    let mut worklist: Vec<Item> = worklist.into_iter().filter(|&id| !m.funcs[id].settled).map(Item::new).collect();
    for _ in 0..MAX_ITERATIONS {
        if worklist.is_empty() {
            break;
        }
        changed = changed.or(iterate(m, cx, &mut worklist)?);
        worklist.retain(|item| {
            m.funcs[item.func].settled = item.is_settled();
            item.changed
        });
        for item in &worklist {
            compact_if_sparse(&mut m.funcs[item.func]);
        }
    }
    Ok(changed)
}

/// Runs one iteration over the functions of `worklist`.
fn iterate(m: &mut Module, cx: &PassCtx, worklist: &mut [Item]) -> Result<Changed, PassError> {
    let mut out = Function::new("", Stage::Library);
    worklist.iter_mut().for_each(|item| item.changed = false);
    for (at, pass) in ITERATION.iter().enumerate() {
        for item in worklist.iter_mut().filter(|item| !item.done[at]) {
            std::mem::swap(&mut out, &mut m.funcs[item.func]);
            let anchors = Anchors::take(&out);
            let swept = match pass.run {
                Run::Changes(run) => {
                    if run(m, &mut out) {
                        Swept::More
                    } else {
                        Swept::Nothing
                    }
                }
                Run::Sweeps(run) => run(m, &mut out),
            };
            if let (Some(a), true) = (anchors, swept != Swept::Nothing) {
                a.restore(&mut out);
            }
            std::mem::swap(&mut out, &mut m.funcs[item.func]);
            if swept != Swept::Nothing {
                item.done = [false; ITERATION.len()];
            }
            item.changed |= swept == Swept::More;
            item.done[at] = swept != Swept::More;
            if swept != Swept::Nothing && crate::mem2reg::after_calls(m, item.func) {
                (item.changed, item.done) = (true, [false; ITERATION.len()]);
            }
        }
        if cx.check {
            check(m).map_err(|text| PassError::Inner(PipelineError::Broken { pass: pass.name, text }))?;
        }
    }
    Ok(worklist.iter().any(|item| item.changed).into())
}

/// Makes functions small before `inline` copies them into their callers: once here instead of once for each call.
/// Entry points, which are not copied, are left to what follows.
pub(crate) fn tidy(m: &mut Module, cx: &PassCtx) -> Result<Changed, PassError> {
    let callees: Vec<Func> = m.funcs.iter().filter(|(_, f)| !f.is_entry()).map(|(id, _)| id).collect();
    let mut changed = false;
    for &id in &callees {
        crate::inline::refuse_too_deep(&m.funcs[id])?;
    }
    if m.has_undecided_precision() {
        // Whether a function computes something `precise` depends on its callers.
        return Ok(Changed::No);
    }
    for &id in &callees {
        changed |= crate::sroa::function(m, id);
        changed |= crate::mem2reg::function(m, id);
    }
    let mut worklist: Vec<Item> = callees.into_iter().map(Item::new).collect();
    changed |= iterate(m, cx, &mut worklist)? == Changed::Yes;
    for item in worklist.iter().filter(|item| item.changed) {
        compact_if_sparse(&mut m.funcs[item.func]);
    }
    Ok(changed.into())
}

/// Compacts a function of which most instructions are deleted.
fn compact_if_sparse(f: &mut Function) {
    let mut live = 0;
    f.for_each_region(f.body, |r| live += f.regions[r].insts.len());
    if f.insts.len() > 2 * live {
        f.compact();
    }
}
