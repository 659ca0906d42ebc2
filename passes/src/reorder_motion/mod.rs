//! `reorder_motion`: less is carried across reorder points.
//!
//! What is needed behind a reorder point and was computed before it has to be saved and restored, or moved with the
//! thread. Three motions make that less:
//!
//! * [`adjacent`]: what stands between a traversal, the reorder of its hit object and its invocation goes above or below, so
//!   that they stand back to back, which devices know as one point;
//! * [`recompute`]: a value that can be computed from what is carried anyway, from constants, constant buffers and other
//!   uniform reads, is computed again behind the point; if it is not needed before, it sinks;
//! * [`hoist`]: what makes a small value of large ones behind the point, and is all that needs them there, is computed
//!   before it.
//!
//! Points stay where and as often as they are. What moves has no effects, with what [`Uniformity`] proves counted
//! in: no access that may differ between threads, no wave operation. Packing that the author wrote stays packed, because
//! neither motion is made unless fewer bytes are carried across some point and no more across any ([`live state`]). That is
//! looked at again afterwards, and what did not keep the promise is taken back.
//!
//! It comes last: `cse` would undo it.
//!
//! [`live state`]: crate::reorder::across

mod adjacent;
mod hoist;
mod layout;
mod recompute;

use rtc_ir::{Function, Inst, Module};

use rustc_hash::FxHashMap;

use crate::reorder::{LiveState, across};
use crate::uniformity::Uniformity;
use crate::util::each_function;
use crate::{Changed, PassCtx, PassError, dce};

/// How often the motions are tried in turn.
const MOST_ROUNDS: usize = 3;

/// Runs the pass.
pub(crate) fn run(m: &mut Module, _: &PassCtx) -> Result<Changed, PassError> {
    Ok(each_function(m, function))
}

/// Runs the pass over one function.
fn function(m: &mut Module, f: &mut Function) -> bool {
    let mut any = false;
    f.for_each_inst(f.body, |_, i| any |= layout::is_point(f, i));
    if !any {
        return false;
    }
    let mut changed = adjacent::function(m, f);
    let mut states = across(m, f);
    for _ in 0..MOST_ROUNDS {
        let before = changed;
        for motion in [recompute::thrifty, recompute::greedy, hoist::function] {
            if let Some(now) = attempt(m, f, &states, motion) {
                states = now;
                changed = true;
            }
        }
        if changed == before {
            break;
        }
    }
    changed
}

/// A motion: what it does to a function, whose live state it is given. Whether it did something.
type Motion = fn(&Module, &mut Function, &[LiveState], &Uniformity) -> bool;

/// Makes `motion` if it keeps its promise; the new state if it did.
fn attempt(m: &mut Module, f: &mut Function, states: &[LiveState], motion: Motion) -> Option<Vec<LiveState>> {
    if states.iter().all(|s| s.bytes() == 0) {
        return None;
    }
    let uniformity = Uniformity::of(m, f);
    let mut new = f.clone();
    if !motion(m, &mut new, states, &uniformity) {
        return None;
    }
    dce::function(m, &mut new);
    let now = across(m, &new);
    if is_less(states, &now) {
        *f = new;
        return Some(now);
    }
    None
}

/// Whether there is less across some point and no more across any. Points that are gone were never reached.
fn is_less(before: &[LiveState], after: &[LiveState]) -> bool {
    let old: FxHashMap<Inst, u32> = before.iter().map(|s| (s.point, s.bytes())).collect();
    let pairs: Vec<(u32, u32)> = after
        .iter()
        .filter_map(|s| Some((*old.get(&s.point)?, s.bytes())))
        .collect();
    pairs.len() == after.len() && pairs.iter().all(|(b, a)| a <= b) && pairs.iter().any(|(b, a)| a < b)
}
