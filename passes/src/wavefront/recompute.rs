//! Which live values a resumed shader computes itself rather than finding them among the saved words.
//!
//! A value is recomputed if its definition has no effect, gives the same bits wherever it is executed, and needs only constants and other live
//! values. Rounding arithmetic on floats is saved: a driver may fuse it with its neighbours at one place and not at the other.

use rtc_ir::{Function, Inst, InstData, Module, Value};
use rustc_hash::FxHashMap;

use crate::reorder::remat::Search;

/// The most work for each word that is not saved, in additions.
const WORK_PER_WORD: u32 = 8;

/// The components that are live of each live value, a bit each (of values with more than four components all are).
pub(super) type Live = FxHashMap<Value, u32>;

/// Whether `v`, which is live, is recomputed instead of being saved in `words` words.
pub(super) fn pays(m: &Module, f: &Function, live: &Live, v: Value, words: u32) -> bool {
    let kept = |v| live.get(&v).copied().unwrap_or(0);
    Search { m, f, kept: &kept, allows: &|i| is_exact(f, i) }.work(v, WORK_PER_WORD * words).is_some()
}

/// Whether `inst` gives the same bits wherever it is executed.
fn is_exact(f: &Function, inst: Inst) -> bool {
    f.results(inst).len() == 1
        && !f.op(inst).may_round()
        && !matches!(f.insts[inst], InstData::Copy { .. } | InstData::Call { .. } | InstData::Exit { .. })
}
