//! `reorder_motion`: code motion that shrinks the live state across reorder points.
//!
//! A value that is live across a reorder point has to be saved and restored, or moved with the thread. Three motions reduce that:
//!
//! * [`adjacent`]: instructions between a traversal, the reorder of its hit object and its invocation move above or below, so
//!   that the three are back to back, which devices take as one point;
//! * [`remat`]: a value that can be computed from what is live anyway, from constants, constant buffers and other
//!   uniform reads, is rematerialised after the point; if it has no use before, it sinks;
//! * [`hoist`]: an instruction after the point that computes a small value from large ones, and is their only use there, is
//!   hoisted above it.
//!
//! Points stay where and as often as they are. What moves has no effects, given what [uniformity](crate::uniformity) proves: no
//! access that may differ between threads, no wave operation. Packing that the author wrote stays packed, because a motion must
//! make fewer bytes live across some point and no more across any ([`live state`]). The live state is recomputed
//! afterwards, and a motion that did not improve it is undone.
//!
//! The pass comes last: `cse` would undo it.
//!
//! [`live state`]: crate::reorder::across

pub(crate) mod adjacent;
mod hoist;
mod layout;
mod remat;

use rtc_ir::{Function, Inst, Module};

use rustc_hash::FxHashMap;

use crate::reorder::{LiveState, across};
use crate::util::each_function;
use crate::{Changed, PassCtx, PassError};

/// How many iterations of the motions there are.
const MAX_ITERATIONS: usize = 3;

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
    for _ in 0..MAX_ITERATIONS {
        // Operands of fewer bytes may become live instead; if that does not help, only operands that are live anyway.
        let again = attempt(m, f, &mut states, remat::greedy) || attempt(m, f, &mut states, remat::thrifty);
        let risen = attempt(m, f, &mut states, hoist::function);
        changed |= again | risen;
        if !risen {
            break;
        }
    }
    changed
}

/// A motion: changes the function, whose live state it gets.
type Motion = fn(&Module, &mut Function, &[LiveState]) -> Changed;

/// Applies `motion` if it shrinks the live state. `states` are then the new ones.
fn attempt(m: &Module, f: &mut Function, states: &mut Vec<LiveState>, motion: Motion) -> bool {
    if states.iter().all(|s| s.bytes() == 0) {
        return false;
    }
    let mut new = f.clone();
    if motion(m, &mut new, states) == Changed::No {
        return false;
    }
    let now = across(m, &new);
    let less = is_less(states, &now);
    if less {
        (*f, *states) = (new, now);
    }
    less
}

/// Whether less is live across some point and no more across any. Points that are gone were unreachable.
fn is_less(before: &[LiveState], after: &[LiveState]) -> bool {
    let old: FxHashMap<Inst, u32> = before.iter().map(|s| (s.point, s.bytes())).collect();
    let pairs: Vec<(u32, u32)> = after.iter().filter_map(|s| Some((*old.get(&s.point)?, s.bytes()))).collect();
    pairs.len() == after.len() && pairs.iter().all(|(b, a)| a <= b) && pairs.iter().any(|(b, a)| a < b)
}
