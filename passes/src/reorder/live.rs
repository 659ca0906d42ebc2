//! Liveness at reorder points: a backward dataflow analysis over the regions.
//!
//! One backward traversal keeps the set of live elements. A terminator starts from the set after the construct that it leaves, so
//! leaving several levels at once is like leaving one. The back edge of a loop is open in the first traversal: at its source a
//! mark for the loop is put into the set instead. Every point from which the mark is reachable backward also has the live-in set
//! of the loop's body; SSA values are defined once, so no definition on the path can kill them, and one traversal is enough.
//! Variables can be overwritten on the path: if the live-in set of a loop gains variables, the traversal is repeated with them at
//! the back edge until a fixpoint.
//!
//! A variable is live only where a definition may reach. The payload that a point passes belongs to the point and is not live
//! across it; other payloads are.

use rtc_base::{BitSet, SecondaryMap};
use rtc_ir::analysis::{Backward, Event};
use rtc_ir::{
    Effects, Function, Inst, InstData, Module, Opcode, PaqStage, Param, RefMode, Region, Root, Slot, SlotRole, TypeKind, Value, ValueList,
};
use smallvec::SmallVec;

use super::elements::{Element, Elements, Part, Text, goes_back};
use super::points::ReorderingFuncs;

/// What is live across one point.
#[derive(Clone, Debug)]
pub struct LiveState {
    /// The point: an instruction, or a call of a function with one.
    pub point: Inst,
    /// Values, in the order of their numbers.
    pub values: Vec<LiveValue>,
    /// Values that are live too, but need no storage: they can be rematerialised from constants and live values without work.
    pub free: Vec<Value>,
    /// Parts of variables: incoming payloads first, then in the order in which the text names the variables.
    pub parts: Vec<LivePart>,
}

/// A value that is live across a point.
#[derive(Clone, Debug)]
pub struct LiveValue {
    /// The value.
    pub value: Value,
    /// The components that are needed, a bit each; of values with more than four components one bit for all.
    pub components: u32,
    /// Bytes of these components; 0 for hit objects, whose size is up to the device.
    pub bytes: u32,
    /// How much work it would be to compute it again from what is live anyway, constants, and reads of constant buffers;
    /// `None` if that is not possible or too much. See [`remat`](super::remat).
    pub recompute: Option<u32>,
}

/// A part of a variable that is live across a point.
#[derive(Clone, Debug)]
pub struct LivePart {
    /// Which.
    pub part: Part,
    /// Its bytes; 0 for ray queries and hit objects.
    pub bytes: u32,
}

impl LiveState {
    /// All bytes. Hit objects and ray queries, whose size is up to the device, count as 0.
    pub fn bytes(&self) -> u32 {
        let values = self.values.iter().map(|v| v.bytes);
        let parts = self.parts.iter().map(|p| p.bytes);
        values.chain(parts).fold(0, u32::saturating_add)
    }
}

/// What is live across each point of `f`, in the order of the text. `f` must be verified.
///
/// Empty if the problem is too large ([`MAX_ITEMS`], [`MAX_WORDS`]).
pub fn across(m: &Module, f: &Function) -> Vec<LiveState> {
    let mut calls = false;
    f.for_each_inst(f.body, |_, i| calls |= matches!(f.insts[i], InstData::Call { .. }));
    // Other functions matter only if they are called.
    let moving = if calls { ReorderingFuncs::of(m) } else { ReorderingFuncs::default() };
    across_points(m, f, &moving)
}

/// The most points times things that may be live.
const MAX_ITEMS: usize = 1 << 22;
/// The most words of sets that are looked at.
const MAX_WORDS: usize = 1 << 28;

/// Does that when it is known which functions have points.
pub fn across_points(m: &Module, f: &Function, moving: &ReorderingFuncs) -> Vec<LiveState> {
    let text = Text::of(f, moving);
    if text.points.is_empty() {
        return Vec::new();
    }
    let elements = Elements::of(m, f, &text);
    let count = elements.all.len();
    if text.points.len().saturating_mul(count) > MAX_ITEMS || f.regions.len().saturating_mul(count / 64) > MAX_WORDS {
        return Vec::new();
    }
    let mut w = Walk::new(m, f, moving, text, elements);
    // Live-in sets propagate through nested loops one level per iteration.
    let settled = (0..MAX_WALKS).any(|_| !w.walk());
    w.finish(settled)
}

/// The bytes that are live across all points of all functions of `m`: one number to compare modules with.
pub fn bytes_across(m: &Module) -> u64 {
    let moving = ReorderingFuncs::of(m);
    let all = m.funcs.values().flat_map(|f| across_points(m, f, &moving));
    all.map(|s| u64::from(s.bytes())).sum()
}

/// The most iterations; loops nested deeper (with variables live across iterations) get the union of their live-in sets.
const MAX_WALKS: usize = 16;

/// A control instruction whose regions are being walked.
pub(super) struct Frame {
    inst: Inst,
    /// The live set after it.
    after: BitSet,
    /// The join of the live-in sets of the regions visited so far.
    before: BitSet,
    /// Of a loop: the live-in set of its continuing region, parameters included.
    continuing: Option<BitSet>,
}

pub(super) struct Walk<'a> {
    pub(super) m: &'a Module,
    pub(super) f: &'a Function,
    pub(super) moving: &'a ReorderingFuncs,
    pub(super) text: Text,
    pub(super) elements: Elements,
    pub(super) capacity: usize,
    /// The mark of each loop.
    pub(super) marks: SecondaryMap<Inst, u32>,
    pub(super) loops: Vec<Inst>,
    /// The live-in set of the body of each loop.
    pub(super) header: SecondaryMap<Inst, BitSet>,
    /// Variables that are live out of the function.
    pub(super) at_end: BitSet,
    pub(super) frames: Vec<Frame>,
    pub(super) found: Vec<(Inst, BitSet)>,
}

impl<'a> Walk<'a> {
    fn new(m: &'a Module, f: &'a Function, moving: &'a ReorderingFuncs, text: Text, elements: Elements) -> Self {
        let mut loops = Vec::new();
        let mut marks = SecondaryMap::new();
        let mut count = elements.all.len() as u32;
        f.for_each_inst(f.body, |_, i| {
            if matches!(f.insts[i], InstData::Loop { .. }) {
                marks[i] = count;
                count += 1;
                loops.push(i);
            }
        });
        let capacity = count as usize;
        let empty = BitSet::with_capacity(capacity);
        let mut at_end = empty.clone();
        let roots: Vec<(Root, (u32, u32))> = elements.roots.iter().map(|(r, n)| (*r, *n)).collect();
        for (root, (first, count)) in roots {
            for n in first..first + count {
                if needed_at_end(m, f, root, &elements.all[n as usize].0) {
                    at_end.insert(n);
                }
            }
        }
        let mut header = SecondaryMap::new();
        for &l in &loops {
            header[l] = empty.clone();
        }
        Walk { m, f, moving, text, elements, capacity, marks, loops, header, at_end, frames: Vec::new(), found: Vec::new() }
    }

    fn empty(&self) -> BitSet {
        BitSet::with_capacity(self.capacity)
    }

    /// Applies all transfer functions once. Whether the live-in set of some loop gained variables.
    fn walk(&mut self) -> bool {
        let mut grew = false;
        self.found.clear();
        let mut set = self.empty();
        let mut walk = Backward::new(self.f.body);
        while let Some(event) = walk.next(self.f) {
            match event {
                // The set after the construct is kept while its regions are visited, the last one first.
                Event::End(_, i) => {
                    let after = std::mem::replace(&mut set, self.empty());
                    self.frames.push(Frame { inst: i, after, before: self.empty(), continuing: None });
                }
                Event::Leave(_) => {}
                Event::Enter(r) => {
                    let Some(frame) = self.frames.last_mut() else { break };
                    let set = std::mem::replace(&mut set, BitSet::with_capacity(self.capacity));
                    match self.f.insts[frame.inst] {
                        InstData::Loop { body, .. } if r != body => frame.continuing = Some(set),
                        InstData::Loop { .. } => frame.before = set,
                        _ => _ = frame.before.union(&set),
                    }
                }
                Event::Inst(_, i) if self.f.owns_regions(i) => {
                    if let Some(frame) = self.frames.pop() {
                        set = frame.before;
                    }
                    if let InstData::Loop { init, body, .. } = self.f.insts[i] {
                        grew |= self.loop_header(i, init, body, &mut set);
                    } else {
                        self.f.for_each_operand(i, |v| self.use_all(&mut set, v));
                    }
                }
                Event::Inst(_, i) => self.inst(i, &mut set),
            }
        }
        grew
    }

    /// From what is live at the beginning of loop `l`'s body to what is live before the loop. Whether the live-in set of the
    /// body has new variables.
    fn loop_header(&mut self, l: Inst, init: ValueList, body: Region, set: &mut BitSet) -> bool {
        let params = &self.f.regions[body].params;
        let needed: SmallVec<[bool; 8]> = params.iter().map(|&p| self.is_needed(set, p)).collect();
        params.iter().for_each(|&p| self.kill(set, p));
        set.remove(self.marks[l]);
        let grew = self.new_in_header(l, set);
        self.header[l] = set.clone();
        for ((&v, &p), needed) in self.f.get(init).iter().zip(params).zip(needed) {
            if needed {
                self.pass(set, v, None, p);
            }
        }
        grew
    }

    /// Whether `set` has variables that are not yet in the live-in set of the loop.
    fn new_in_header(&self, l: Inst, set: &BitSet) -> bool {
        self.elements.roots.values().any(|&(first, count)| (first..first + count).any(|n| set.contains(n) && !self.header[l].contains(n)))
    }

    // Values ------------------------------------------------------------------------------------

    fn kill(&self, set: &mut BitSet, v: Value) {
        self.elements.of_value(self.m, self.f, v).for_each(|n| _ = set.remove(n));
    }

    fn use_all(&self, set: &mut BitSet, v: Value) {
        self.elements.of_value(self.m, self.f, v).for_each(|n| _ = set.insert(n));
    }

    /// Whether something of `v` is needed; values without a number are taken to be.
    fn is_needed(&self, set: &BitSet, v: Value) -> bool {
        let mut range = self.elements.of_value(self.m, self.f, v);
        range.is_empty() || range.any(|n| set.contains(n))
    }

    /// Operand `v` is passed to `to`: those components of `v` are live that are live of `to` in `after` (none: all).
    fn pass(&self, set: &mut BitSet, v: Value, after: Option<&BitSet>, to: Value) {
        let (from, to) = (self.elements.of_value(self.m, self.f, v), self.elements.of_value(self.m, self.f, to));
        match after {
            Some(after) if from.len() == to.len() => {
                from.zip(to).filter(|(_, t)| after.contains(*t)).for_each(|(n, _)| _ = set.insert(n));
            }
            Some(after) if !to.is_empty() && !to.clone().any(|t| after.contains(t)) => {}
            _ => from.for_each(|n| _ = set.insert(n)),
        }
    }

    // Instructions ------------------------------------------------------------------------------

    fn inst(&mut self, i: Inst, set: &mut BitSet) {
        let f = self.f;
        if let InstData::Exit { .. } = f.insts[i] {
            *set = self.exit(i);
            return;
        }
        for &v in f.results(i) {
            self.kill(set, v);
        }
        if self.moving.is_point(f, i) {
            self.found.push((i, set.clone()));
        }
        match f.insts[i] {
            InstData::Many { op: Opcode::extract, imm, args } => {
                let v = f.get(args)[0];
                match self.elements.of_value(self.m, f, v) {
                    r if r.len() > 1 => _ = set.insert(r.start + imm),
                    r => r.for_each(|n| _ = set.insert(n)),
                }
            }
            _ => f.for_each_operand(i, |v| self.use_all(set, v)),
        }
        self.variables(i, set);
    }

    fn variables(&mut self, i: Inst, set: &mut BitSet) {
        let (m, f) = (self.m, self.f);
        match f.insts[i] {
            InstData::Access { op, place, .. } => {
                let p = &f.places[place];
                let Some(range) = self.elements.range(m, f, p.root, &p.steps) else { return };
                let all = range.first..range.first + range.count;
                match op {
                    Opcode::store if range.exact => all.for_each(|n| _ = set.remove(n)),
                    Opcode::store => {}
                    _ => all.for_each(|n| _ = set.insert(n)),
                }
            }
            InstData::Copy { to, from, .. } => {
                let (to, from) = (&f.places[to], &f.places[from]);
                if let Some(r) = self.elements.range(m, f, to.root, &to.steps).filter(|r| r.exact) {
                    (r.first..r.first + r.count).for_each(|n| _ = set.remove(n));
                }
                if let Some(r) = self.elements.range(m, f, from.root, &from.steps) {
                    (r.first..r.first + r.count).for_each(|n| _ = set.insert(n));
                }
            }
            InstData::Slot { op, slot, .. } => self.slot(op, slot, set),
            InstData::Call { func, refs, .. } => {
                let modes: Vec<RefMode> = m.funcs.get(func).map_or(Vec::new(), |g| {
                    g.params
                        .iter()
                        .filter_map(|p| match p {
                            Param::Ref(l) => g.locals[*l].param,
                            Param::Value(_) => None,
                        })
                        .collect()
                });
                for (n, &p) in f.get_places(refs).iter().enumerate() {
                    let p = &f.places[p];
                    let Some(r) = self.elements.range(m, f, p.root, &p.steps) else { continue };
                    let out = modes.get(n) == Some(&RefMode::Out);
                    match (out, r.exact) {
                        (true, true) => (r.first..r.first + r.count).for_each(|n| _ = set.remove(n)),
                        (true, false) => {}
                        _ => (r.first..r.first + r.count).for_each(|n| _ = set.insert(n)),
                    }
                }
            }
            InstData::Many { op, args, .. } if op.effects().intersects(Effects::READS_QUERY | Effects::WRITES_QUERY) => {
                self.query(op, f.get(args).first().copied(), set);
            }
            _ => {}
        }
    }

    /// An instruction that names a slot: what the callee is given is needed, what only it writes is not.
    fn slot(&mut self, op: Opcode, slot: Slot, set: &mut BitSet) {
        let Some(&(first, count)) = self.elements.roots.get(&Root::Slot(slot)) else { return };
        if self.f.slots[slot].role == SlotRole::RayQuery || !op.effects().intersects(Effects::READS_VAR | Effects::WRITES_VAR) {
            return;
        }
        if !op.effects().contains(Effects::READS_VAR) {
            return (first..first + count).for_each(|n| _ = set.remove(n));
        }
        for n in first..first + count {
            let Element::Part(part) = &self.elements.all[n as usize].0 else { continue };
            match paq(self.m, self.f, part) {
                Some(p) if !p.writes(PaqStage::Caller) => _ = set.remove(n),
                _ => _ = set.insert(n),
            }
        }
    }

    /// An instruction on a ray query: starting anew does not need what was in it.
    fn query(&mut self, op: Opcode, query: Option<Value>, set: &mut BitSet) {
        let slot = query.and_then(|v| self.f.def_inst(v)).and_then(|d| match self.f.insts[d] {
            InstData::Slot { slot, .. } => Some(slot),
            _ => None,
        });
        for (root, &(first, _)) in &self.elements.roots {
            let Root::Slot(s) = *root else { continue };
            let other = slot.is_some_and(|q| q != s);
            if self.f.slots[s].role != SlotRole::RayQuery || other {
                continue;
            }
            if op.effects().contains(Effects::READS_QUERY) {
                set.insert(first);
            } else if slot.is_some() {
                set.remove(first);
            }
        }
    }

    /// What is needed before an exit.
    fn exit(&mut self, i: Inst) -> BitSet {
        let InstData::Exit { op, imm, target, args } = self.f.insts[i] else { return self.empty() };
        let args: SmallVec<[Value; 8]> = self.f.get(args).into();
        let owner = target.expand().and_then(|r| self.f.regions[r].owner);
        let frame = match op {
            Opcode::break_ | Opcode::continue_ => self.frames.iter().rev().find(|fr| Some(fr.inst) == owner),
            Opcode::yield_ | Opcode::next | Opcode::next_if => self.frames.last(),
            Opcode::unreachable => return self.empty(),
            _ => {
                let mut set = self.at_end.clone();
                args.iter().for_each(|&v| self.use_all(&mut set, v));
                return set;
            }
        };
        let Some(frame) = frame else { return self.empty() };
        let mut set;
        let mut results = args.as_slice();
        match op {
            Opcode::continue_ => {
                let InstData::Loop { continuing, .. } = self.f.insts[frame.inst] else { return self.empty() };
                let Some(after) = &frame.continuing else { return self.empty() };
                set = after.clone();
                let params = &self.f.regions[continuing].params;
                params.iter().for_each(|&p| self.kill(&mut set, p));
                for (&v, &p) in args.iter().zip(params) {
                    self.pass(&mut set, v, Some(after), p);
                }
                return set;
            }
            Opcode::next | Opcode::next_if => {
                set = self.empty();
                set.insert(self.marks[frame.inst]);
                let known = &self.header[frame.inst];
                for &(first, count) in self.elements.roots.values() {
                    (first..first + count).filter(|&n| known.contains(n)).for_each(|n| _ = set.insert(n));
                }
                let (again, rest) = match op {
                    Opcode::next => (args.len(), args.len()),
                    _ => (1 + imm as usize, 1 + imm as usize),
                };
                args[..again].iter().for_each(|&v| self.use_all(&mut set, v));
                if op == Opcode::next {
                    return set;
                }
                set.union(&frame.after);
                results = &args[rest..];
            }
            _ => set = frame.after.clone(),
        }
        let gives = self.f.results(frame.inst);
        gives.iter().for_each(|&v| self.kill(&mut set, v));
        for (&v, &to) in results.iter().zip(gives) {
            self.pass(&mut set, v, Some(&frame.after), to);
        }
        set
    }
}

/// The qualifiers of the payload field that `part` is in.
pub(super) fn paq(m: &Module, f: &Function, part: &Part) -> Option<rtc_ir::Paq> {
    let Root::Slot(s) = part.root else { return None };
    if !matches!(f.slots[s].role, SlotRole::PayloadIn | SlotRole::PayloadOut) {
        return None;
    }
    let mut ty = f.slots[s].ty;
    for &n in &part.path {
        // Of bases and nested payloads it is their fields that have them.
        let TypeKind::Struct(id) = m.types.kind(ty) else { return None };
        let field = m.structs[id].fields.get(n as usize)?;
        if field.paq.is_some() {
            return field.paq;
        }
        ty = field.ty;
    }
    None
}

/// Whether the caller of the shader, or a shader that follows it, may read the part.
fn needed_at_end(m: &Module, f: &Function, root: Root, e: &Element) -> bool {
    let Element::Part(part) = e else { return false };
    match root {
        Root::Local(l) => matches!(f.locals[l].param, Some(RefMode::Out | RefMode::InOut)),
        Root::Slot(s) if goes_back(f.slots[s].role) => {
            let later = PaqStage::of_shader(f.stage).map_or(PaqStage::Caller.bit(), PaqStage::successors);
            paq(m, f, part).is_none_or(|p| p.read & later != 0)
        }
        _ => false,
    }
}
