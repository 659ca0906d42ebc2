//! `unroll`: full unrolling of loops with `[unroll]` whose trip count is a compile-time constant.
//!
//! The trip count is found by abstract execution ([`count`]): the loop runs, iteration by iteration, on the constants among its
//! parameters until a `break` that is certainly reached. Both sides of a branch on an unknown value are followed; a value is a
//! constant after the branch only if both sides agree. Each iteration becomes a block with a copy of the body, followed by a copy of
//! the continuing region, in which the constants are substituted. A `break` on an unknown condition leaves all the copies. The last
//! copy ends at the certain `break`, so no bound is assumed that was not computed.
//!
//! A loop without such a trip count, or whose copies would be too large, stays as it is; drivers may still unroll it.
//! [`still_rolled`] finds such loops for a warning: the program computes the same, but may rely on constants.
//!
//! Regions that are copied are visited again, so these passes keep a worklist of regions instead of the shared traversal.

mod copy;
mod cost;
mod count;
mod periodic;
pub(crate) mod small;

use rtc_base::{Diagnostic, Span};
use rtc_ir::{Func, Function, Hint, Inst, InstData, Module, Region, Stage, Value};
use rtc_tables::diagnostics as codes;
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use crate::pipeline::optimize_these;
use crate::util::each_function;
use crate::{Changed, PassCtx, PassError, simplify};
use copy::copy_iterations;
use count::count;

/// The largest trip count.
pub(crate) const MAX_ITERATIONS: u32 = 1024;
/// The most instructions that the copies of one function may have.
const MAX_COPIES: usize = 1 << 16;
/// The most visits of a function: what bounds an inner loop may come of a table or a `switch`, which only the optimised copies of the outer one choose from.
const MAX_VISITS: u32 = 4;
/// The most instructions that abstract execution visits.
const MAX_STEPS: u32 = 1 << 20;

type Values = SmallVec<[Value; 8]>;

/// The pass.
pub(crate) fn run(m: &mut Module, cx: &PassCtx) -> Result<Changed, PassError> {
    each(m, cx, MAX_VISITS, function)
}

/// The pass of unoptimised code, which has no other loops unrolled and nothing folded after it but the tests of the iterations, which the copies decide.
pub(crate) fn run_alone(m: &mut Module, _: &PassCtx) -> Result<Changed, PassError> {
    Ok(each_function(m, |m, f| {
        let unrolled = function(m, f);
        if unrolled {
            simplify::decide(m, f);
        }
        unrolled
    }))
}

/// Unrolls something in each function, and optimizes those in which there was something, which it visits again: at most `visits` times.
fn each(m: &mut Module, cx: &PassCtx, visits: u32, unroll: fn(&mut Module, &mut Function) -> bool) -> Result<Changed, PassError> {
    let mut out = Function::new("", Stage::Library);
    let mut todo: Vec<Func> = m.funcs.keys().collect();
    let mut changed = Changed::No;
    for _ in 0..visits {
        todo.retain(|&id| {
            std::mem::swap(&mut out, &mut m.funcs[id]);
            let unrolled = unroll(m, &mut out);
            out.settled &= !unrolled;
            std::mem::swap(&mut out, &mut m.funcs[id]);
            unrolled
        });
        if todo.is_empty() {
            break;
        }
        // The copies are full of constants.
        optimize_these(m, cx, todo.clone())?;
        changed = Changed::Yes;
    }
    Ok(changed)
}

/// A warning for each loop under a bare `[unroll]` that is still a loop. A count, as in `[unroll(4)]`, is only a limit.
pub fn still_rolled(m: &Module) -> Vec<Diagnostic> {
    let mut places: Vec<Span> = Vec::new();
    for f in m.funcs.values() {
        f.for_each_inst(f.body, |_, i| {
            if f.hints[i] == Hint::Unroll(0) && matches!(f.insts[i], InstData::Loop { .. }) {
                places.push(f.spans[i]);
            }
        });
    }
    // Inlining makes copies.
    let mut seen = FxHashSet::default();
    places.retain(|&s| seen.insert(s));
    let said = |span| {
        Diagnostic::new(&codes::W0320, span, "this loop is not unrolled: its trip count is unknown, or its copies would be too large")
            .note(format!("loops of at most {MAX_ITERATIONS} iterations are unrolled, if the trip count is known at compile time"))
            .note("give it such a bound, or write `[loop]`")
    };
    places.into_iter().map(said).collect()
}

/// Unrolls what asks for it in `f`.
pub(crate) fn function(m: &mut Module, f: &mut Function) -> bool {
    let mut budget = MAX_COPIES;
    let mut changed = false;
    // What is copied is looked at again: loops inside have other constants now.
    let mut todo: Vec<Region> = vec![f.body];
    while let Some(r) = todo.pop() {
        for at in 0..f.regions[r].insts.len() {
            let i = f.regions[r].insts[at];
            if !f.owns_regions(i) {
                continue;
            }
            if let Hint::Unroll(most) = f.hints[i]
                && matches!(f.insts[i], InstData::Loop { .. })
                && let Some(iterations) = count(m, f, i, most, MAX_STEPS).map(|c| c.iterations)
            {
                let size = size_of(f, i).saturating_mul(iterations.len());
                if size <= budget {
                    budget -= size;
                    copy_iterations(m, f, i, &iterations);
                    changed = true;
                }
            }
            todo.extend(f.regions_of(i));
        }
    }
    changed
}

/// Instructions inside of `i`.
fn size_of(f: &Function, i: Inst) -> usize {
    let mut n = 0;
    for r in f.regions_of(i) {
        f.for_each_inst(r, |_, _| n += 1);
    }
    n
}
