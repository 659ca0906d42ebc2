//! Construction of the CFG: the cells of payloads that the iterations of a loop may change, of which so nothing is known at its head but what edges tell.

use rtc_ir::{Function, Inst, InstData, Opcode, Param, Place, RefMode, Region, Root, Type};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::build::{Walk, Watched};
use super::path_conditions::ExprId;
use super::types::Part;

/// A cell that a loop may change.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Changed {
    /// Each iteration stores to it: then what it holds tells only the first one apart.
    always: bool,
    /// Its type: booleans are most likely to tell paths apart.
    rank: u32,
    pub what: Watched,
    /// What it holds before the loop.
    pub before: ExprId,
}

/// Stores in more instructions of functions that a loop calls are not looked at one by one.
const MAX_CALLED: usize = 4000;

/// Nor those in calls that are deeper.
const MAX_DEPTH: u32 = 32;

/// The stores of a loop.
#[derive(Default)]
struct Stores {
    parts: SmallVec<[(Part, bool); 8]>,
    /// How many instructions of called functions were looked at.
    called: usize,
    /// How many calls are inside of each other.
    depth: u32,
}

/// The parts of payloads that places of a function are.
type Parts = FxHashMap<Root, Part>;

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
                    None => out.push(Changed { always, rank: u32::from(self.type_of(what) != Type::BOOL), what, before }),
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
        let always = self.function_facts().parents[i] == body;
        let places = self.call().places.clone();
        self.note_inst(self.f(), i, &places, always, stores);
    }

    /// What an instruction of a function stores to, of which some places are these parts.
    fn note_inst(&mut self, f: &Function, i: Inst, places: &Parts, always: bool, stores: &mut Stores) {
        match f.insts[i] {
            InstData::Access { op: Opcode::load, .. } => {}
            InstData::Access { place, .. } | InstData::Copy { to: place, .. } => {
                if let Some(part) = self.part_of(f, place, places) {
                    stores.parts.push((part, always && !part.weak));
                }
            }
            InstData::Slot { slot, .. } => stores.parts.extend(places.get(&Root::Slot(slot)).map(|&p| (p, always))),
            InstData::Call { func, refs, .. } => {
                let m = self.facts.cells.m;
                let callee = &m.funcs[func];
                let given: SmallVec<[Option<Part>; 4]> = f.get_places(refs).iter().map(|&p| self.part_of(f, p, places)).collect();
                let params = callee.params.iter().filter_map(|p| match *p {
                    Param::Ref(l) => Some(l),
                    Param::Value(_) => None,
                });
                let given: Parts =
                    params.zip(given).filter_map(|(l, part)| Some((Root::Local(l), Part { ty: callee.locals[l].ty, ..part? }))).collect();
                // An `out` parameter is undefined when the function begins.
                let all = callee.declared || stores.called > MAX_CALLED || stores.depth > MAX_DEPTH;
                let out = |root: &Root| matches!(*root, Root::Local(l) if callee.locals[l].param == Some(RefMode::Out));
                stores.parts.extend(given.iter().filter(|(root, _)| all || out(root)).map(|(_, &part)| (part, false)));
                if all {
                    stores.parts.extend(self.globals.values().map(|&part| (part, false)));
                    return;
                }
                stores.depth += 1;
                callee.for_each_inst(callee.body, |_, i| {
                    stores.called += 1;
                    self.note_inst(callee, i, &given, false, stores);
                });
                stores.depth -= 1;
            }
            _ => {}
        }
    }

    fn part_of(&mut self, f: &Function, place: Place, places: &Parts) -> Option<Part> {
        let data = &f.places[place];
        let whole = match data.root {
            Root::Global(g) => self.globals.get(&g).copied(),
            root => places.get(&root).copied(),
        };
        // An index may have another value in each iteration.
        whole.map(|whole| self.facts.cells.part(whole, &data.steps))
    }
}
