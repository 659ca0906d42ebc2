//! `unroll_small`: full unrolling of small loops without a hint, where the cost model says that it pays: where little work is left in all
//! copies together, because what the iterations compute from the induction variable is constant, branches on it are decided, and
//! arrays that it indexes become values.
//!
//! A loop that chooses elements of what another shader passes (payloads, parameters of callable shaders, hit attributes) pays as long as its copies are few:
//! drivers keep these in registers only while each access names its element. One of a number of iterations that is not known is divided into periods for that
//! ([`periodic`]).
//!
//! Inner loops come first, and a loop that contains another one stays: copies of copies would grow exponentially. So does one
//! with a reorder point, as the number of those must not grow.

use rtc_ir::{Function, Hint, Inst, InstData, Module, Root, Step};

use super::copy::copy_iterations;
use super::cost::{MAX_INTERFACE_COPIES, MAX_INTERFACE_ITERATIONS, MAX_STEPS, is_passed, size};
use super::count::count;
use super::{each, periodic, size_of};
use crate::util::all_regions;
use crate::{Changed, PassCtx, PassError};

/// The most iterations of such a loop.
const MAX_ITERATIONS: u32 = 32;
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
            let interface = chooses_of_interface(f, i);
            let most = if interface { MAX_INTERFACE_ITERATIONS } else { MAX_ITERATIONS };
            let Some(counted) = count(m, f, i, most, MAX_STEPS) else {
                continue;
            };
            let copies = size_of(f, i).saturating_mul(counted.iterations.len());
            let pays = counted.work <= rolled.max(LITTLE_WORK) || interface && copies <= MAX_INTERFACE_COPIES;
            if pays && copies <= budget {
                budget -= copies;
                copy_iterations(m, f, i, &counted.iterations);
                changed = true;
            }
        }
    }
    let made = periodic::function(m, f, budget);
    changed || made > 0
}

/// Whether loop `i` accesses an element that is chosen at run time of a variable that another shader passes.
fn chooses_of_interface(f: &Function, i: Inst) -> bool {
    let mut found = false;
    for r in f.regions_of(i) {
        f.for_each_inst(r, |_, x| {
            if let InstData::Access { place, .. } = f.insts[x]
                && let Root::Slot(s) = f.places[place].root
            {
                found |= is_passed(f.slots[s].role) && f.places[place].steps.contains(&Step::Dyn);
            }
        });
    }
    found
}
