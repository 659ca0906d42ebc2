//! `drop_reorders`: deletes the calls of `MaybeReorderThread`, for devices that cannot reorder.
//!
//! What only their hints needed is dead afterwards: `dce` removes it, and with it often the last question to a hit object.

use rtc_ir::{Function, Module, Opcode};

use crate::util::{all_regions, each_function};
use crate::{Changed, PassCtx, PassError};

/// Runs the pass.
pub(crate) fn run(m: &mut Module, _: &PassCtx) -> Result<Changed, PassError> {
    Ok(drop_where(m, &|_| true))
}

/// Deletes the calls in the functions that `wanted` says.
pub fn drop_where(m: &mut Module, wanted: &dyn Fn(&Function) -> bool) -> Changed {
    each_function(m, |_, f| {
        let mut any = false;
        if !wanted(f) {
            return any;
        }
        for r in all_regions(f) {
            let mut list = std::mem::take(&mut f.regions[r].insts);
            let before = list.len();
            list.retain(|&i| f.op(i) != Opcode::reorder);
            any |= list.len() < before;
            f.regions[r].insts = list;
        }
        any
    })
}
