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
//! Points stay where and as often as they are. What moves has no effects, with what [uniformity](crate::uniformity) proves
//! counted in: no access that may differ between threads, no wave operation. Packing that the author wrote stays packed, because
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
use crate::util::each_function;
use crate::{Changed, PassCtx, PassError};

/// How often the motions are tried in turn.
const MAX_ROUNDS: usize = 3;

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
    for _ in 0..MAX_ROUNDS {
        // What fewer bytes are computed from may be carried instead; if that does not work out, only what is there anyway.
        let again = attempt(m, f, &mut states, recompute::greedy) || attempt(m, f, &mut states, recompute::thrifty);
        let risen = attempt(m, f, &mut states, hoist::function);
        changed |= again | risen;
        if !risen {
            break;
        }
    }
    changed
}

/// What a motion did to a function, whose live state it is given.
#[derive(PartialEq, Eq)]
enum Done {
    Nothing,
    Something,
}

type Motion = fn(&Module, &mut Function, &[LiveState]) -> Done;

/// Makes `motion` if it keeps its promise. `states` are then the new ones.
fn attempt(m: &Module, f: &mut Function, states: &mut Vec<LiveState>, motion: Motion) -> bool {
    if states.iter().all(|s| s.bytes() == 0) {
        return false;
    }
    let mut new = f.clone();
    if motion(m, &mut new, states) == Done::Nothing {
        return false;
    }
    let now = across(m, &new);
    let less = is_less(states, &now);
    if less {
        (*f, *states) = (new, now);
    }
    less
}

/// Whether there is less across some point and no more across any. Points that are gone were never reached.
fn is_less(before: &[LiveState], after: &[LiveState]) -> bool {
    let old: FxHashMap<Inst, u32> = before.iter().map(|s| (s.point, s.bytes())).collect();
    let pairs: Vec<(u32, u32)> = after.iter().filter_map(|s| Some((*old.get(&s.point)?, s.bytes()))).collect();
    pairs.len() == after.len() && pairs.iter().all(|(b, a)| a <= b) && pairs.iter().any(|(b, a)| a < b)
}
