//! Arrays that are copies of an array in another variable, as when a function takes a structure by value: nothing writes the other one between the copy and
//! the last read, so that reads go there. In a loop that saves the whole copy each time round; a payload that is read so is copied once, at entry.

use rtc_ir::{Effects, Function, Inst, InstData, Module, Opcode, Root, Step, effects};
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use super::{Array, scalars, stored};
use crate::sroa::place_type;

/// The other array.
pub(super) struct Source {
    root: Root,
    steps: SmallVec<[Step; 4]>,
}

impl Source {
    /// What `array` is a copy of, whole, if reads may go there.
    pub fn of(m: &Module, f: &Function, array: &Array) -> Option<Source> {
        let ty = f.locals[array.local].ty;
        let mut source: Option<Source> = None;
        let (mut copied, mut seen, mut reads) = (0_u64, FxHashSet::default(), Vec::new());
        for &i in &array.stores {
            let (to, value) = stored(f, i)?;
            let read = f.def_inst(value)?;
            let InstData::Access { op: Opcode::load, place, .. } = f.insts[read] else { return None };
            let from = &f.places[place];
            let prefix = from.steps.strip_suffix(to)?;
            let other = from.root == Root::Local(array.local) || matches!(from.root, Root::Global(_));
            if other || from.dyn_count() > 0 || !seen.insert(to.to_vec()) {
                return None;
            }
            match &source {
                Some(s) if s.root == from.root && s.steps[..] == *prefix => {}
                Some(_) => return None,
                None => source = Some(Source { root: from.root, steps: prefix.into() }),
            }
            copied += scalars(m, f.ty(value))?;
            reads.push(read);
        }
        let source = source?;
        let whole = copied == scalars(m, ty)? && place_type(m, f, source.root, &source.steps) == Some(ty);
        (whole && source.stays(m, f, array, &reads)).then_some(source)
    }

    /// Whether nothing writes the source from the first of these `reads` on to the last load of the array. They are in the region of the stores, where a
    /// loop around them repeats all.
    fn stays(&self, m: &Module, f: &Function, array: &Array, reads: &[Inst]) -> bool {
        let here: FxHashSet<Inst> = f.regions[array.region].insts.iter().copied().collect();
        if !reads.iter().all(|i| here.contains(i)) {
            return false;
        }
        let begin: FxHashSet<Inst> = reads.iter().copied().collect();
        let mut left: FxHashSet<Inst> = array.loads.iter().map(|l| l.1).collect();
        let (mut between, mut stays) = (false, true);
        f.for_each_inst(f.body, |_, i| {
            between |= begin.contains(&i);
            if between && !left.is_empty() {
                stays &= !self.is_written(m, f, i);
                left.remove(&i);
            }
        });
        stays && left.is_empty()
    }

    /// Whether `i` may write the source.
    fn is_written(&self, m: &Module, f: &Function, i: Inst) -> bool {
        let to = match f.insts[i] {
            InstData::Access { op: Opcode::load, .. } => return false,
            InstData::Access { place, .. } | InstData::Copy { to: place, .. } => place,
            _ => return !f.owns_regions(i) && effects::of_inst(m, f, i).contains(Effects::WRITES_VAR),
        };
        let to = &f.places[to];
        to.root == self.root && to.steps.iter().zip(&self.steps).all(|(a, b)| a == b || *a == Step::Dyn || *b == Step::Dyn)
    }

    /// Makes the loads of the array loads of the source.
    pub fn serve(&self, f: &mut Function, array: &Array) {
        for &(_, i) in &array.loads {
            if let InstData::Access { op, imm, place, args } = f.insts[i] {
                let steps: Vec<Step> = self.steps.iter().chain(&f.places[place].steps).copied().collect();
                let place = f.place(self.root, &steps);
                f.insts[i] = InstData::Access { op, imm, place, args };
            }
        }
    }
}
