//! Construction of the CFG: the cells of payloads that the iterations of a loop may change, of which so nothing is known at its head but what edges tell.

use rtc_ir::{Func, Inst, InstData, Opcode, Place, Region, Root, Type};
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use super::build::{Walk, Watched};
use super::path_conditions::ExprId;
use super::types::Part;

/// A cell that a loop may change.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Changed {
    /// Its type: booleans are most likely to tell paths apart.
    rank: u32,
    pub what: Watched,
    /// What it holds before the loop.
    pub before: ExprId,
    /// Each iteration stores to it.
    pub always: bool,
}

/// The stores of a loop.
#[derive(Default)]
struct Stores {
    parts: SmallVec<[(Part, bool); 8]>,
    /// Functions whose stores to variables of the library are known.
    functions: FxHashSet<Func>,
}

impl Walk<'_, '_> {
    /// The cells of which something is known before a loop and to which it may store; in the order in which it is useful to tell what they are.
    pub(super) fn cells_changed_by(&mut self, looped: Inst) -> SmallVec<[Changed; 8]> {
        let f = self.f();
        let mut stores = Stores::default();
        let ends_early = self.continues(looped);
        for r in f.regions_of(looped) {
            f.for_each_inst(r, |_, i| self.note_stores(i, r, &mut stores));
        }
        let mut out: SmallVec<[Changed; 8]> = SmallVec::new();
        for (part, always) in stores.parts {
            let always = always && !ends_early;
            for cell in part.cells() {
                let what = Watched::Cell(cell as u32);
                let Some(&before) = self.call().constants.get(&what) else { continue };
                match out.iter_mut().find(|c| c.what == what) {
                    Some(known) => known.always |= always,
                    None => out.push(Changed { rank: u32::from(self.type_of(what) != Type::BOOL), what, before, always }),
                }
            }
        }
        out.sort_unstable();
        out
    }

    /// Whether iterations of a loop may end before the end of its body.
    pub(super) fn continues(&self, looped: Inst) -> bool {
        let f = self.f();
        let InstData::Loop { body, .. } = f.insts[looped] else { return false };
        let mut found = false;
        f.for_each_inst(body, |_, i| {
            found |= matches!(f.insts[i], InstData::Exit { op: Opcode::continue_, target, .. }
                if self.function_facts().parents[i] != body && target.expand().and_then(|r| f.regions[r].owner) == Some(looped));
        });
        found
    }

    /// What an instruction of the loop stores to, `body` being the region of the loop that it is in.
    fn note_stores(&mut self, i: Inst, body: Region, stores: &mut Stores) {
        let f = self.f();
        let always = self.function_facts().parents[i] == body;
        match f.insts[i] {
            InstData::Access { op: Opcode::load, .. } => {}
            InstData::Access { place, .. } | InstData::Copy { to: place, .. } => self.note_place(place, always, stores),
            InstData::Slot { slot, .. } => {
                let part = self.call().places.get(&Root::Slot(slot)).copied();
                stores.parts.extend(part.map(|p| (p, always)));
            }
            InstData::Call { func, refs, .. } => {
                f.get_places(refs).iter().for_each(|&place| self.note_place(place, false, stores));
                self.note_globals(func, stores);
            }
            _ => {}
        }
    }

    fn note_place(&mut self, place: Place, always: bool, stores: &mut Stores) {
        let data = &self.f().places[place];
        let whole = match data.root {
            Root::Global(g) => self.globals.get(&g).copied(),
            root => self.call().places.get(&root).copied(),
        };
        // An index may have another value in each iteration.
        if let Some(part) = whole.map(|whole| self.facts.cells.part(whole, &data.steps)) {
            stores.parts.push((part, always && !part.weak));
        }
    }

    /// What a function stores to variables of the library, itself or through calls.
    fn note_globals(&mut self, func: Func, stores: &mut Stores) {
        let mut todo = vec![func];
        while let Some(func) = todo.pop() {
            if !stores.functions.insert(func) {
                continue;
            }
            let f = &self.facts.cells.m.funcs[func];
            f.for_each_inst(f.body, |_, i| {
                let places = match &f.insts[i] {
                    InstData::Access { op: Opcode::load, .. } => &[],
                    InstData::Access { place, .. } | InstData::Copy { to: place, .. } => std::slice::from_ref(place),
                    InstData::Call { func, refs, .. } => {
                        todo.push(*func);
                        f.get_places(*refs)
                    }
                    _ => &[],
                };
                for &p in places {
                    if let Root::Global(g) = f.places[p].root
                        && let Some(&whole) = self.globals.get(&g)
                    {
                        let part = self.facts.cells.part(whole, &f.places[p].steps);
                        stores.parts.push((part, false));
                    }
                }
            });
        }
    }
}
