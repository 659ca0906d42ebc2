//! Copies of instructions: one walk over all that an instruction names, for everything that copies functions, loops or regions.

use smallvec::SmallVec;

use crate::{Function, Inst, InstData, Place, PlaceList, Region, Slot, Value, ValueList};

/// What a copy names in place of what the original names. [`Mapper::copy`] maps in the order of the operands: first values, then places as they come
/// with their indices, then regions.
pub trait Mapper {
    /// The function with the original.
    fn source(&self) -> &Function;

    /// The function with the copy, which may be the same.
    fn target(&mut self) -> &mut Function;

    /// The value for an operand.
    fn value(&mut self, v: Value) -> Value;

    /// The region for one that the instruction owns.
    fn region(&mut self, r: Region) -> Region;

    /// The region for one that an exit leaves.
    fn left(&mut self, r: Region) -> Region {
        self.region(r)
    }

    /// The slot for a slot.
    fn slot(&mut self, s: Slot) -> Slot {
        s
    }

    /// The place for a place, and the index values that come before those of the original: where a reference stood, it has indices of its own.
    fn place(&mut self, p: Place) -> (Place, SmallVec<[Value; 4]>) {
        (p, SmallVec::new())
    }

    /// A list with the values for those of a list.
    fn list(&mut self, l: ValueList) -> ValueList {
        let values = self.values(l);
        self.target().list(&values)
    }

    /// The values for those of a list.
    fn values(&mut self, l: ValueList) -> SmallVec<[Value; 8]> {
        let mut values: SmallVec<[Value; 8]> = self.source().get(l).into();
        values.iter_mut().for_each(|v| *v = self.value(*v));
        values
    }

    /// The data of a copy of `i`. Regions that it owns are those of [`Mapper::region`], which the caller fills.
    fn copy(&mut self, i: Inst) -> InstData {
        let mut data = self.source().insts[i];
        match &mut data {
            InstData::Nullary { .. } => {}
            InstData::Unary { arg, .. } => *arg = self.value(*arg),
            InstData::Binary { args, .. } => args.iter_mut().for_each(|v| *v = self.value(*v)),
            InstData::Ternary { args, .. } => args.iter_mut().for_each(|v| *v = self.value(*v)),
            InstData::Many { args, .. } => *args = self.list(*args),
            InstData::Access { place, args, .. } => {
                let (new, before) = self.place(*place);
                *place = new;
                *args = match before.is_empty() {
                    true => self.list(*args),
                    false => {
                        let own = self.values(*args);
                        let all: SmallVec<[Value; 8]> = before.into_iter().chain(own).collect();
                        self.target().list(&all)
                    }
                };
            }
            InstData::Copy { to, from, args } => {
                let indices = self.source().places[*to].dyn_count();
                let old: SmallVec<[Value; 8]> = self.source().get(*args).into();
                let (of_to, of_from) = old.split_at(indices);
                let mut all: SmallVec<[Value; 8]> = SmallVec::new();
                *to = self.indexed(*to, of_to, &mut all);
                *from = self.indexed(*from, of_from, &mut all);
                *args = self.target().list(&all);
            }
            InstData::Slot { slot, args, .. } => {
                *slot = self.slot(*slot);
                *args = self.list(*args);
            }
            InstData::Resource { index, .. } => *index = index.expand().map(|v| self.value(v)).into(),
            InstData::If { cond, then_, else_ } => {
                *cond = self.value(*cond);
                (*then_, *else_) = (self.region(*then_), self.region(*else_));
            }
            InstData::Switch { on, cases } => {
                *on = self.value(*on);
                let mut table = self.source().cases[*cases].clone();
                table.arms.iter_mut().for_each(|arm| arm.1 = self.region(arm.1));
                table.default = self.region(table.default);
                *cases = self.target().cases.push(table);
            }
            InstData::Loop { init, body, continuing } => {
                *init = self.list(*init);
                (*body, *continuing) = (self.region(*body), self.region(*continuing));
            }
            InstData::Block { body } => *body = self.region(*body),
            InstData::Call { args, refs, .. } => {
                let places: SmallVec<[Place; 4]> = self.source().get_places(*refs).into();
                if places.is_empty() {
                    *args = self.list(*args);
                    *refs = PlaceList::default();
                } else {
                    (*args, *refs) = self.call_by_reference(*args, &places);
                }
            }
            InstData::Exit { target, args, .. } => {
                *args = self.list(*args);
                *target = target.expand().map(|r| self.left(r)).into();
            }
        }
        data
    }

    /// The place for `p`; all its indices, of which `own` are those of the original, are added to `out`.
    fn indexed(&mut self, p: Place, own: &[Value], out: &mut SmallVec<[Value; 8]>) -> Place {
        let (new, before) = self.place(p);
        out.extend(before);
        out.extend(own.iter().map(|&v| self.value(v)));
        new
    }

    /// The operands of a call: values, then the indices of each place.
    fn call_by_reference(&mut self, args: ValueList, places: &[Place]) -> (ValueList, PlaceList) {
        let old: SmallVec<[Value; 8]> = self.source().get(args).into();
        let counts: SmallVec<[usize; 4]> = places.iter().map(|&p| self.source().places[p].dyn_count()).collect();
        let (values, mut indices) = old.split_at(old.len() - counts.iter().sum::<usize>());
        let mut all: SmallVec<[Value; 8]> = values.iter().map(|&v| self.value(v)).collect();
        let mut new: SmallVec<[Place; 4]> = SmallVec::new();
        for (&p, count) in places.iter().zip(counts) {
            let (own, rest) = indices.split_at(count);
            new.push(self.indexed(p, own, &mut all));
            indices = rest;
        }
        let target = self.target();
        (target.list(&all), target.place_list(&new))
    }
}
