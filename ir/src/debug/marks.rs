//! Marks: the position from which a part of a variable has a value (compare `llvm.dbg.value`).
//!
//! A mark is attached to the instruction after it. Replaced values are replaced in marks too ([`Debug::replace`]); a mark whose
//! instruction is removed moves to the next one that remains, which [`Anchors`] do for any pass. So passes need not know of marks,
//! and their decisions do not depend on them.

use rtc_base::{EntityRef, PackedOption, SecondaryMap};
use smallvec::SmallVec;

use super::{Debug, Named};
use crate::{Func, Function, Inst, InstData, Module, Opcode, Region, Type, Value, ValueDef};

/// A value or some components of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// A value of the function.
    Value(Value),
    /// The bits of a constant of a scalar type, which the function need not have.
    Const(Type, u64),
    /// Components of a type that are unknown.
    Unknown(Type),
}

/// From an instruction on, `what` has the value.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    /// The part of a variable.
    pub what: Named,
    /// Its value: the components of these one after the other. Empty: unknown from here on.
    pub value: SmallVec<[Part; 1]>,
}

impl Mark {
    /// From here on, `what` is `v`.
    pub fn new(what: Named, v: Value) -> Mark {
        Mark { what, value: SmallVec::from_slice(&[Part::Value(v)]) }
    }
}

impl Debug {
    /// Puts `mark` before `i`, after the marks that are there.
    pub fn mark(&mut self, i: Inst, mark: Mark) {
        self.marks.entry(i).or_default().push(mark);
    }

    /// Asks `now` of every value in a mark what it is now.
    pub fn replace(&mut self, mut now: impl FnMut(Value) -> Value) {
        for mark in self.marks.values_mut().flatten() {
            for part in &mut mark.value {
                if let Part::Value(v) = part {
                    *v = now(*v);
                }
            }
        }
    }

    /// Copies the marks before `of` to `copy`, with values as `map` has them.
    pub fn copy_marks(&mut self, of: Inst, copy: Inst, mut map: impl FnMut(Value) -> Value) {
        let Some(old) = self.marks.get(&of) else { return };
        let mut new = old.clone();
        for part in new.iter_mut().flat_map(|m| &mut m.value) {
            if let Part::Value(v) = part {
                *v = map(*v);
            }
        }
        self.marks.entry(copy).or_default().extend(new);
    }

    /// The marks before `from` go before `to` (ahead of those there).
    pub fn move_marks(&mut self, from: Inst, to: Inst) {
        if let Some(mut list) = self.marks.remove(&from) {
            let there = self.marks.entry(to).or_default();
            list.append(there);
            *there = list;
        }
    }
}

impl Function {
    /// Renumbers the values in a mark; a value without a new number is expressed by the others, if possible, or dropped. Says whether
    /// the mark still says something: that paths meet is nothing to say, if what comes of it is not kept.
    pub(crate) fn renumber_mark(&self, mark: &mut Mark, number: &dyn Fn(Value) -> Option<Value>) -> bool {
        let joined = |v: Value| match self.values[v].def {
            ValueDef::Param(..) => true,
            ValueDef::Result(i, _) => self.owns_regions(i),
            _ => false,
        };
        if let [Part::Value(v)] = mark.value[..]
            && joined(v)
            && number(v).is_none()
        {
            return false;
        }
        let mut out = SmallVec::new();
        for &part in &mark.value {
            if !self.salvage(part, number, 4, &mut out) {
                out.clear();
                break;
            }
        }
        if out.iter().all(|p| matches!(p, Part::Unknown(_))) {
            out.clear();
        }
        mark.value = out;
        true
    }

    fn salvage(&self, part: Part, number: &dyn Fn(Value) -> Option<Value>, depth: u32, out: &mut SmallVec<[Part; 1]>) -> bool {
        let Part::Value(v) = part else {
            out.push(part);
            return true;
        };
        match self.values[v].def {
            ValueDef::Const(bits) => out.push(Part::Const(self.ty(v), bits)),
            _ if let Some(n) = number(v) => out.push(Part::Value(n)),
            // A vector that is no longer put together is its components.
            ValueDef::Result(i, _) if depth > 0 => match self.insts[i] {
                InstData::Many { op: Opcode::construct, args, .. } => {
                    for &a in self.get(args) {
                        let known = out.len();
                        if !self.salvage(Part::Value(a), number, depth - 1, out) {
                            out.truncate(known);
                            out.push(Part::Unknown(self.ty(a)));
                        }
                    }
                    return true;
                }
                _ => return false,
            },
            _ => return false,
        }
        true
    }
}

/// The positions of the instructions of a function before a pass changed it.
#[derive(Default)]
pub struct Anchors {
    /// All instructions, region by region.
    order: Vec<Inst>,
    /// Each region, what owns it, and where its instructions start in `order`.
    regions: Vec<(Region, Option<Inst>, u32)>,
    /// One more than the place in `order` of each instruction; 0: it was in no region.
    place: Vec<u32>,
}

impl Anchors {
    /// Notes where instructions are, if the function has marks.
    pub fn take(f: &Function) -> Option<Anchors> {
        if f.debug.as_ref()?.marks.is_empty() {
            return None;
        }
        let mut out = Anchors { place: vec![0; f.insts.len()], ..Anchors::default() };
        f.for_each_region(f.body, |r: Region| {
            let data = &f.regions[r];
            out.regions.push((r, data.owner, out.order.len() as u32));
            out.order.extend_from_slice(&data.insts);
        });
        for (n, i) in out.order.iter().enumerate() {
            out.place[i.index()] = n as u32 + 1;
        }
        Some(out)
    }

    /// [`Anchors::take`] of every function.
    pub fn take_all(m: &Module) -> Vec<(Func, Anchors)> {
        m.funcs.iter().filter_map(|(func, f)| Some((func, Anchors::take(f)?))).collect()
    }

    /// [`Anchors::restore`] of these functions.
    pub fn restore_all(all: Vec<(Func, Anchors)>, m: &mut Module) {
        all.into_iter().for_each(|(func, anchors)| anchors.restore(&mut m.funcs[func]));
    }

    /// Moves the marks of instructions that are gone to the next that is still there. The function must not have been compacted
    /// since.
    pub fn restore(self, f: &mut Function) {
        let Some(mut d) = f.debug.take() else { return };
        let mut there = vec![false; f.insts.len()];
        let mut ends: SecondaryMap<Region, PackedOption<Inst>> = SecondaryMap::new();
        f.for_each_region(f.body, |r| {
            let insts = &f.regions[r].insts;
            insts.iter().for_each(|i| there[i.index()] = true);
            ends[r] = insts.last().copied().into();
        });
        let mut gone: Vec<(u32, Inst)> = Vec::new();
        for &i in d.marks.keys().filter(|i| !there[i.index()]) {
            gone.push((self.place.get(i.index()).map_or(0, |&p| p), i));
        }
        // The last first, so that those of one place keep their order.
        gone.sort_unstable_by(|a, b| b.cmp(a));
        for (place, i) in gone {
            match place.checked_sub(1).and_then(|at| self.next(at, &there, &ends)) {
                Some(to) => d.move_marks(i, to),
                None => _ = d.marks.remove(&i),
            }
        }
        f.debug = Some(d);
    }

    /// The first instruction after position `at` that still exists. A terminator in the place of a region's old one is that one.
    fn next(&self, mut at: u32, there: &[bool], ends: &SecondaryMap<Region, PackedOption<Inst>>) -> Option<Inst> {
        for _ in 0..self.regions.len() {
            // The region around: the last that starts there or before.
            let r = self.regions.partition_point(|r| r.2 <= at) - 1;
            let end = self.regions.get(r + 1).map_or(self.order.len(), |r| r.2 as usize);
            if let Some(&i) = self.order[at as usize + 1..end].iter().find(|i| there[i.index()]) {
                return Some(i);
            }
            let (region, owner, _) = self.regions[r];
            let is_new = |i: &Inst| self.place.get(i.index()).is_none_or(|&p| p == 0);
            if let Some(terminator) = ends[region].expand().filter(is_new) {
                return Some(terminator);
            }
            at = self.place[owner?.index()].checked_sub(1)?;
        }
        None
    }
}
