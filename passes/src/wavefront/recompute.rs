//! Which live values a resumed shader computes itself rather than finding them among the saved words.
//!
//! A value is recomputed if its definition has no effect, gives the same bits wherever it is executed, and needs only constants and other live
//! values. Rounding arithmetic on floats is saved: a driver may fuse it with its neighbours at one place and not at the other.

use rtc_ir::{Function, Inst, InstData, Module, Opcode, Value, ValueDef, effects};
use rtc_tables::insts::{Arg, HEAP_NONUNIFORM};
use rustc_hash::FxHashMap;

use crate::reorder::remat::weight;

/// The most work for each word that is not saved, in additions.
const WORK_PER_WORD: u32 = 8;
/// The most instructions for one value.
const MAX_INSTS: usize = 32;

/// The components that are live of each live value, a bit each (of values with more than four components all are).
pub(super) type Live = FxHashMap<Value, u32>;

/// All components of `v`.
pub(super) fn whole(m: &Module, f: &Function, v: Value) -> u32 {
    match m.types.numeric(f.ty(v)) {
        Some((_, n @ 2..=4)) => (1 << n) - 1,
        _ => 1,
    }
}

/// Whether `v`, which is live, is recomputed instead of being saved in `words` words.
pub(super) fn pays(m: &Module, f: &Function, live: &Live, v: Value, words: u32) -> bool {
    let mut seen = Vec::new();
    work(m, f, live, v, true, &mut seen).is_some_and(|w| w <= WORK_PER_WORD * words)
}

/// The work to compute `v`. Operands that several instructions share count once: `seen` has those that are counted.
fn work(m: &Module, f: &Function, live: &Live, v: Value, itself: bool, seen: &mut Vec<Inst>) -> Option<u32> {
    if !itself && live.get(&v).is_some_and(|&c| c == whole(m, f, v)) {
        return Some(0);
    }
    let inst = match f.values[v].def {
        ValueDef::Const(_) | ValueDef::Undef => return Some(0),
        ValueDef::Result(inst, _) => inst,
        ValueDef::Param(..) => return None,
    };
    if seen.contains(&inst) {
        return Some(0);
    }
    if seen.len() == MAX_INSTS || !is_exact(m, f, inst) {
        return None;
    }
    seen.push(inst);
    let mut total = weight(f.op(inst));
    for o in f.operands(inst) {
        if let InstData::Many { op: Opcode::extract, imm, .. } = f.insts[inst]
            && live.get(&o).is_some_and(|c| c >> imm.min(31) & 1 != 0)
        {
            continue;
        }
        total += work(m, f, live, o, false, seen)?;
    }
    Some(total)
}

/// Whether `inst` gives the same bits wherever it is executed.
fn is_exact(m: &Module, f: &Function, inst: Inst) -> bool {
    if f.owns_regions(inst) || f.results(inst).len() != 1 || !effects::of_inst(m, f, inst).is_pure() {
        return false;
    }
    use Opcode as O;
    match f.insts[inst] {
        InstData::Resource { nonuniform, .. } => !nonuniform,
        InstData::Many { op: O::heap_resource, imm, .. } => imm & HEAP_NONUNIFORM == 0,
        InstData::Slot { .. } | InstData::Access { .. } | InstData::Copy { .. } | InstData::Call { .. } | InstData::Exit { .. } => false,
        ref data => {
            let inexact = data.op().info().operands.first() == Some(&Arg::Float)
                && !matches!(
                    data.op(),
                    O::fneg
                        | O::fabs
                        | O::floor
                        | O::ceil
                        | O::trunc
                        | O::isnan
                        | O::isinf
                        | O::feq
                        | O::fne
                        | O::flt
                        | O::fle
                        | O::fgt
                        | O::fge
                        | O::ftos
                        | O::ftou
                        | O::split_double
                );
            !inexact
        }
    }
}
