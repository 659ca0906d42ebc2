//! What the passes that unroll without a hint may cost, and what they count.

use rtc_ir::{Effects, Function, Inst, InstData, Module, SlotRole, effects};

use super::count::work;

/// The most instructions of a loop that is unrolled without a hint.
const MAX_INSTS: usize = 64;
/// The most iterations of one that chooses elements of what another shader passes, and the most instructions of all copies of it.
pub(super) const MAX_INTERFACE_ITERATIONS: u32 = 64;
pub(super) const MAX_INTERFACE_COPIES: usize = 1 << 11;
/// The most instructions that counting one loop looks at.
pub(super) const MAX_STEPS: u32 = 1 << 13;

/// Whether a variable of this role is what another shader passes.
pub(super) fn is_passed(role: SlotRole) -> bool {
    matches!(role, SlotRole::PayloadIn | SlotRole::CallableIn | SlotRole::AttrIn)
}

/// The work of one iteration of loop `i` if nothing is known, with what the loop itself takes; `None` for a loop that stays as it is.
pub(super) fn size(m: &Module, f: &Function, i: Inst) -> Option<usize> {
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
