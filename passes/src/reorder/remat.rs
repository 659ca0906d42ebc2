//! Rematerialisation: which live values can be recomputed after a reorder point, and at what cost.
//!
//! A value can if its definition has no effect and its operands are constants, live across the point anyway, or can be
//! rematerialised themselves. A read of a constant buffer, of the shader's index in the dispatch or of its ray is such a
//! definition: the result is the same before and after the point. What depends on a resource that lanes may select differently is
//! not: it stays where it is.

use rtc_base::SecondaryMap;
use rtc_ir::{Function, Inst, InstData, Module, Opcode, Value, ValueDef, effects};
use rtc_tables::insts::HEAP_NONUNIFORM;
use smallvec::SmallVec;

use super::live::LiveState;

/// The most work for one value: about so many additions.
pub const MAX_WORK: u32 = 24;

/// The most instructions for one value.
const MAX_INSTS: usize = 64;

/// Sets the `recompute` of all values of `states`.
pub(super) fn mark(m: &Module, f: &Function, states: &mut [LiveState]) {
    // Which components of a value are kept across the point at hand.
    let mut kept: SecondaryMap<Value, u32> = SecondaryMap::new();
    for s in states {
        for v in &s.values {
            kept[v.value] = v.components;
        }
        for n in 0..s.values.len() {
            let v = s.values[n].value;
            let search = Search { m, f, kept: &|v| kept[v], allows: &|_| true };
            s.values[n].recompute = search.work(v, MAX_WORK);
        }
        for v in &s.values {
            kept[v.value] = 0;
        }
        let free = s.values.iter().filter(|v| v.recompute == Some(0));
        s.free = free.map(|v| v.value).collect();
        s.values.retain(|v| v.recompute != Some(0));
    }
}

/// What values can be recomputed from.
pub(crate) struct Search<'a> {
    pub m: &'a Module,
    pub f: &'a Function,
    /// The components of a value that are there ([`super::live::LiveValue::components`]).
    pub kept: &'a dyn Fn(Value) -> u32,
    /// The instructions that may be executed again, of those without effects.
    pub allows: &'a dyn Fn(Inst) -> bool,
}

impl Search<'_> {
    /// The work to compute `v`, even if it is there; none if that is more than `budget`, or impossible.
    pub fn work(&self, v: Value, budget: u32) -> Option<u32> {
        self.total(v, true, budget, &mut SmallVec::new())
    }

    /// The same for operands. Those that several instructions share count once: `seen` has what is counted already.
    fn total(&self, v: Value, itself: bool, budget: u32, seen: &mut SmallVec<[Inst; 16]>) -> Option<u32> {
        let &Search { m, f, kept, allows } = self;
        let inst = match f.values[v].def {
            ValueDef::Const(_) | ValueDef::Undef => return Some(0),
            ValueDef::Result(..) | ValueDef::Param(..) if !itself && kept(v) == whole(m, f, v) => return Some(0),
            ValueDef::Result(inst, _) => inst,
            ValueDef::Param(..) => return None,
        };
        if seen.contains(&inst) {
            return Some(0);
        }
        if f.owns_regions(inst) || !effects::of_inst(m, f, inst).is_pure() || !allows(inst) {
            return None;
        }
        let own = match f.insts[inst] {
            InstData::Resource { nonuniform: true, .. } => return None,
            InstData::Many { op: Opcode::heap_resource, imm, .. } if imm & HEAP_NONUNIFORM != 0 => return None,
            InstData::Slot { .. } | InstData::Access { .. } => return None,
            ref data => weight(data.op()),
        };
        // What weighs nothing counts for the search all the same, or it would go on for ever in large trees.
        if seen.len() == MAX_INSTS {
            return None;
        }
        seen.push(inst);
        let mut left = budget.checked_sub(own)?;
        let mut total = own;
        for o in f.operands(inst) {
            // A component that is kept suffices where only it is used.
            if let InstData::Many { op: Opcode::extract, imm, .. } = f.insts[inst]
                && kept(o) >> imm.min(31) & 1 != 0
            {
                continue;
            }
            let more = self.total(o, false, left, seen)?;
            left -= more;
            total += more;
        }
        Some(total)
    }
}

/// All components of `v`, as bits of [`super::live::LiveValue::components`].
pub(crate) fn whole(m: &Module, f: &Function, v: Value) -> u32 {
    match m.types.numeric(f.ty(v)) {
        Some((_, n @ 2..=4)) => (1 << n) - 1,
        _ => 1,
    }
}

/// The work of one instruction, in additions: what a device does in its special unit, or by several instructions, is more.
pub(crate) fn weight(op: Opcode) -> u32 {
    use Opcode as O;
    match op {
        O::sqrt | O::rsqrt | O::exp2 | O::log2 | O::sin | O::cos | O::fdiv => 4,
        O::tan | O::asin | O::acos | O::atan | O::sinh | O::cosh | O::tanh | O::frem => 8,
        O::sdiv | O::udiv | O::srem | O::urem => 8,
        O::cbuf_load => 2,
        O::extract | O::construct | O::insert | O::bitcast | O::resource => 0,
        _ => 1,
    }
}
