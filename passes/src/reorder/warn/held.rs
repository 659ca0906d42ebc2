//! Results of wave operations in variables: arrays, structures, payloads and groupshared memory that hold one across a reorder point.
//!
//! A forward dataflow analysis keeps which parts of variables hold such a result, and the first point since it was stored there. A load of
//! the part after the point is a use of the result in another wave. An element that is chosen at run time may be any.

use rtc_base::{PackedOption, Span};
use rtc_ir::{Effects, Function, Inst, InstData, Module, Opcode, PaqStage, Place, Region, Root, Step, Value};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::wave_values::Waves;
use crate::reorder::elements::Part;
use crate::reorder::live::paq;

/// More parts are not followed at one time.
const MAX_HELD: usize = 128;
/// Regions that nest deeper are not followed.
const MAX_DEPTH: u32 = 120;
/// The most instructions that are walked over in one function, repetitions included.
const MAX_STEPS: u32 = 1 << 20;

/// A load of a result after a point.
pub(super) struct Carried {
    pub wave: Inst,
    pub point: Inst,
    pub used: Span,
}

/// The way to a part; an index that is chosen at run time is none.
type Path = SmallVec<[Option<u32>; 4]>;

/// A part of a variable that may hold a result.
#[derive(Clone, PartialEq)]
struct Held {
    root: Root,
    path: Path,
    /// The wave operation.
    wave: Inst,
    /// The first reorder point since it was stored.
    point: PackedOption<Inst>,
}

type State = Vec<Held>;

fn join(into: &mut State, other: State) {
    for h in other {
        match into.iter().position(|o| o.root == h.root && o.path == h.path) {
            Some(n) => into[n].point = into[n].point.expand().or(h.point.expand()).into(),
            None if into.len() < MAX_HELD => into.push(h),
            None => {}
        }
    }
}

fn joined(a: Option<State>, b: Option<State>) -> Option<State> {
    match (a, b) {
        (Some(mut a), Some(b)) => {
            join(&mut a, b);
            Some(a)
        }
        (a, b) => a.or(b),
    }
}

/// Whether the parts may be the same as far as both paths go.
fn may_meet(a: &[Option<u32>], b: &[Option<u32>]) -> bool {
    a.iter().zip(b).all(|(a, b)| a.is_none() || b.is_none() || a == b)
}

struct Walk<'a, 'w> {
    m: &'a Module,
    f: &'a Function,
    waves: &'w mut Waves<'a>,
    /// The state that terminators pass to the end of each construct and to the continuing region of each loop.
    leaves: FxHashMap<Inst, State>,
    continues: FxHashMap<Inst, State>,
    found: Vec<Carried>,
    steps: u32,
}

/// The loads in `f` of results that variables hold across a point. `waves` knows afterwards which loads give a result.
pub(super) fn find<'a>(m: &'a Module, f: &'a Function, waves: &mut Waves<'a>) -> Vec<Carried> {
    let (leaves, continues) = (FxHashMap::default(), FxHashMap::default());
    let mut w = Walk { m, f, waves, leaves, continues, found: Vec::new(), steps: 0 };
    w.region(f.body, State::new(), 0);
    w.found
}

impl Walk<'_, '_> {
    /// Walks region `r`. What holds where it ends normally, if it does.
    fn region(&mut self, r: Region, mut s: State, depth: u32) -> Option<State> {
        let f = self.f;
        if depth > MAX_DEPTH {
            return None;
        }
        for &i in &f.regions[r].insts {
            self.steps += 1;
            if self.steps > MAX_STEPS {
                return None;
            }
            match f.insts[i] {
                InstData::If { .. } | InstData::Switch { .. } | InstData::Block { .. } => {
                    let mut after = None;
                    for arm in f.regions_of(i) {
                        let end = self.region(arm, s.clone(), depth + 1);
                        after = joined(after, end);
                    }
                    s = joined(after, self.leaves.remove(&i))?;
                }
                InstData::Loop { body, continuing, .. } => s = self.repeat(i, body, continuing, s, depth)?,
                InstData::Exit { op, target, .. } => return self.exit(op, target.expand(), s),
                _ => self.inst(i, &mut s),
            }
        }
        None
    }

    fn repeat(&mut self, i: Inst, body: Region, continuing: Region, start: State, depth: u32) -> Option<State> {
        let mut head = start;
        loop {
            self.region(body, head.clone(), depth + 1);
            let back = self.continues.remove(&i).and_then(|next| self.region(continuing, next, depth + 1));
            let mut again = head.clone();
            join(&mut again, back.clone().unwrap_or_default());
            if again == head || self.steps > MAX_STEPS {
                // The last iteration may end at its end.
                let last = ends_with(self.f, continuing, Opcode::next_if).then_some(back).flatten();
                return joined(self.leaves.remove(&i), last);
            }
            head = again;
        }
    }

    fn exit(&mut self, op: Opcode, target: Option<Region>, s: State) -> Option<State> {
        let owner = target.and_then(|r| self.f.regions[r].owner);
        let to = match (op, owner) {
            (Opcode::yield_ | Opcode::next | Opcode::next_if, _) => return Some(s),
            (Opcode::break_, Some(o)) => self.leaves.entry(o).or_default(),
            (Opcode::continue_, Some(o)) => self.continues.entry(o).or_default(),
            _ => return None,
        };
        join(to, s);
        None
    }

    fn inst(&mut self, i: Inst, s: &mut State) {
        let f = self.f;
        let e = f.op(i).effects();
        match f.insts[i] {
            InstData::Access { op: Opcode::store, place, args, .. } => {
                let (root, path) = self.path(place);
                overwrite(s, root, &path);
                let stored: Option<Value> = f.get(args).last().copied();
                if let Some(wave) = stored.and_then(|v| self.waves.source(v)) {
                    join(s, vec![Held { root, path, wave, point: None.into() }]);
                }
            }
            InstData::Access { place, .. } => {
                let (root, path) = self.path(place);
                let of = s.iter().filter(|h| h.root == root && h.path.len() <= path.len() && may_meet(&h.path, &path));
                let mut held: SmallVec<[(Inst, Option<Inst>); 2]> = of.map(|h| (h.wave, h.point.expand())).collect();
                // Several are parts of an array: one that a point came after says most.
                held.sort_by_key(|h| h.1.is_none());
                if let Some(&(wave, point)) = held.first() {
                    match point {
                        Some(point) => self.found.push(Carried { wave, point, used: f.spans[i] }),
                        None => self.waves.loads(i, wave),
                    }
                }
            }
            InstData::Copy { to, from, .. } => {
                let ((to, to_path), (from, from_path)) = (self.path(to), self.path(from));
                let of = s.iter().filter(|h| h.root == from && h.path.len() >= from_path.len() && may_meet(&h.path, &from_path));
                let moved = of.map(|h| {
                    let path = to_path.iter().chain(&h.path[from_path.len()..]).copied().collect();
                    Held { root: to, path, ..h.clone() }
                });
                let moved: State = moved.collect();
                overwrite(s, to, &to_path);
                join(s, moved);
            }
            InstData::Call { .. } => {
                // A function of another library: nothing is certain after it.
                s.clear();
                return;
            }
            _ => {}
        }
        if e.contains(Effects::REORDERS) {
            for h in s.iter_mut().filter(|h| h.point.expand().is_none()) {
                h.point = Some(i).into();
            }
        }
        if let InstData::Slot { slot, .. } = f.insts[i]
            && e.contains(Effects::WRITES_VAR)
        {
            s.retain(|h| h.root != Root::Slot(slot) || self.comes_back(h));
        }
    }

    /// Whether a part of a payload is, after a trace with it, what the caller set: no other shader writes it.
    fn comes_back(&self, h: &Held) -> bool {
        let fields = h.path.iter().map_while(|step| *step).collect();
        let Root::Slot(slot) = h.root else { return false };
        let part = Part { root: h.root, path: fields, ty: self.f.slots[slot].ty };
        let qualifiers = paq(self.m, self.f, &part);
        qualifiers.is_some_and(|q| q.reads(PaqStage::Caller) && q.write == PaqStage::Caller.bit())
    }

    fn path(&self, place: Place) -> (Root, Path) {
        let p = &self.f.places[place];
        let step = |s: &Step| match *s {
            Step::At(n) => Some(n),
            Step::Dyn => None,
        };
        (p.root, p.steps.iter().map(step).collect())
    }
}

/// Everything in this part is written, if the path names one part.
fn overwrite(s: &mut State, root: Root, path: &[Option<u32>]) {
    if path.iter().all(Option::is_some) {
        s.retain(|h| h.root != root || !h.path.starts_with(path));
    }
}

/// Whether a region ends with an instruction of this opcode.
pub(super) fn ends_with(f: &Function, r: Region, op: Opcode) -> bool {
    f.regions[r].insts.last().is_some_and(|&i| f.op(i) == op)
}
