//! `unroll_small`: full unrolling of small loops without a hint, where the cost model says that it pays: where little work is left in all
//! copies together, because what the iterations compute from the induction variable is constant, branches on it are decided, and
//! arrays that it indexes become values.
//!
//! Inner loops come first, and a loop that contains another one stays: copies of copies would grow exponentially. So does one
//! with a reorder point, as the number of those must not grow.

use rtc_ir::{Effects, Function, Hint, Inst, InstData, Module, effects};

use super::copy::copy_iterations;
use super::count::{count, work};
use super::{each, size_of};
use crate::util::all_regions;
use crate::{Changed, PassCtx, PassError};

/// The most iterations of such a loop.
const MAX_ITERATIONS: u32 = 32;
/// The most instructions of such a loop.
const MAX_INSTS: usize = 64;
/// The most instructions that counting one loop looks at.
const MAX_STEPS: u32 = 1 << 12;
/// So much work of all iterations always pays; more, if the loop itself is as much.
const LITTLE_WORK: usize = 24;
/// The most instructions that the copies of one function may have.
const MAX_COPIES: usize = 1 << 13;

/// The pass.
pub(crate) fn run(m: &mut Module, cx: &PassCtx) -> Result<Changed, PassError> {
    each(m, cx, 1, function)
}

fn function(m: &mut Module, f: &mut Function) -> bool {
    let mut budget = MAX_COPIES;
    let mut changed = false;
    for r in all_regions(f).into_iter().rev() {
        for at in 0..f.regions[r].insts.len() {
            let i = f.regions[r].insts[at];
            if !matches!(f.insts[i], InstData::Loop { .. }) || f.hints[i] != Hint::None {
                continue;
            }
            let Some(rolled) = size(m, f, i) else {
                continue;
            };
            let Some(counted) = count(m, f, i, MAX_ITERATIONS, MAX_STEPS) else {
                continue;
            };
            let copies = size_of(f, i).saturating_mul(counted.iterations.len());
            if counted.work <= rolled.max(LITTLE_WORK) && copies <= budget {
                budget -= copies;
                copy_iterations(m, f, i, &counted.iterations);
                changed = true;
            }
        }
    }
    changed
}

/// The work of one iteration of loop `i` if nothing is known, with what the loop itself takes; `None` for a loop that stays as it is.
fn size(m: &Module, f: &Function, i: Inst) -> Option<usize> {
    let (mut sum, mut insts) = (work(m, f, i, &|_| false), 0);
    let mut todo = f.regions_of(i);
    while let Some(r) = todo.pop() {
        for &x in &f.regions[r].insts {
            insts += 1;
            let moves = || effects::of_inst(m, f, x).contains(Effects::REORDERS);
            if insts > MAX_INSTS || matches!(f.insts[x], InstData::Loop { .. }) || !f.owns_regions(x) && moves() {
                return None;
            }
            sum += work(m, f, x, &|v| f.as_const(v).is_some());
            todo.extend(f.regions_of(x));
        }
    }
    Some(sum)
}
