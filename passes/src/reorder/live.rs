//! Liveness at reorder points: a backward analysis over the control-flow graph of the regions ([`rtc_base::dataflow`]).
//!
//! The state is the set of live elements. An edge of the graph turns results and parameters into what is passed for them, so leaving several
//! constructs at once is like leaving one. Once no state changes, each block that has a point is walked once more to see what is live there.
//!
//! A variable is live only where a definition may reach. The payload that a point passes belongs to the point and is not live
//! across it; other payloads are.

use std::borrow::Cow;

use rtc_base::BitSet;
use rtc_base::dataflow::{Backward, Starts};
use rtc_ir::analysis::Graph;
use rtc_ir::{Effects, Function, Inst, InstData, Module, Opcode, PaqStage, Param, RefMode, Root, Slot, SlotRole, TypeKind, Value};

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
/// The most words of sets that are kept: one set for each block of the graph.
const MAX_WORDS: usize = 1 << 25;

/// Does that when it is known which functions have points.
pub fn across_points(m: &Module, f: &Function, moving: &ReorderingFuncs) -> Vec<LiveState> {
    let text = Text::of(f, moving);
    if text.points.is_empty() {
        return Vec::new();
    }
    let elements = Elements::of(m, f, &text);
    let count = elements.all.len();
    let graph = Graph::of(f);
    if text.points.len().saturating_mul(count) > MAX_ITEMS || graph.blocks.len().saturating_mul(count / 64) > MAX_WORDS {
        return Vec::new();
    }
    let live = Liveness { m, f, moving, at_end: live_at_end(m, f, &elements), text, elements, graph };
    let found = live.at_points();
    live.states(found)
}

/// The bytes that are live across all points of all functions of `m`: one number to compare modules with.
pub fn bytes_across(m: &Module) -> u64 {
    let moving = ReorderingFuncs::of(m);
    let all = m.funcs.values().flat_map(|f| across_points(m, f, &moving));
    all.map(|s| u64::from(s.bytes())).sum()
}

/// The analysis of one function.
pub(super) struct Liveness<'a> {
    pub(super) m: &'a Module,
    pub(super) f: &'a Function,
    moving: &'a ReorderingFuncs,
    pub(super) text: Text,
    pub(super) elements: Elements,
    graph: Graph,
    /// Variables that are live out of the function.
    at_end: BitSet,
}

/// The variables that are live out of `f`.
fn live_at_end(m: &Module, f: &Function, elements: &Elements) -> BitSet {
    let mut at_end = BitSet::with_capacity(elements.all.len());
    for (&root, &(first, count)) in &elements.roots {
        for n in first..first + count {
            if needed_at_end(m, f, root, &elements.all[n as usize].0) {
                at_end.insert(n);
            }
        }
    }
    at_end
}

impl Backward for Liveness<'_> {
    type State = BitSet;

    fn end(&self) -> BitSet {
        BitSet::with_capacity(self.elements.all.len())
    }

    fn successors(&self, b: u32) -> impl Iterator<Item = u32> {
        self.graph.blocks[b as usize].edges.iter().map(|e| e.to)
    }

    fn edge<'s>(&self, b: u32, n: usize, start: &'s BitSet) -> Cow<'s, BitSet> {
        let passed = &self.graph.blocks[b as usize].edges[n].passed;
        let has_elements = |v: Value| !self.elements.of_value(self.m, self.f, v).is_empty();
        if !passed.pairs().any(|(from, to)| has_elements(from) || has_elements(to)) {
            return Cow::Borrowed(start);
        }
        let mut set = start.clone();
        // All are passed at once, so that a value may replace another one.
        passed.to.iter().for_each(|&to| self.kill(&mut set, to));
        let how = self.last(b).map_or(Passing::Components, |i| Passing::of(&self.f.insts[i], n));
        for (from, to) in passed.pairs() {
            match how {
                Passing::Components => self.pass(&mut set, from, start, to),
                Passing::Whole if !self.is_needed(start, to) => {}
                Passing::Whole | Passing::Always => self.use_all(&mut set, from),
            }
        }
        Cow::Owned(set)
    }

    fn block(&self, b: u32, set: &mut BitSet) {
        self.walk(b, set, |_, _| {});
    }

    fn join(&self, to: &mut BitSet, from: &BitSet) {
        to.union(from);
    }
}

/// How much is live of a value that an edge passes.
#[derive(Clone, Copy)]
enum Passing {
    /// The components that are live of what it becomes.
    Components,
    /// All of it if something of what it becomes is live: what begins a loop.
    Whole,
    /// All of it: what begins another iteration.
    Always,
}

impl Passing {
    /// That of edge `n` of a block that ends with an instruction.
    fn of(last: &InstData, n: usize) -> Passing {
        match *last {
            InstData::Loop { .. } => Passing::Whole,
            InstData::Exit { op: Opcode::next, .. } => Passing::Always,
            InstData::Exit { op: Opcode::next_if, .. } if n == 0 => Passing::Always,
            _ => Passing::Components,
        }
    }
}

impl Liveness<'_> {
    /// The last instruction of block `b`.
    fn last(&self, b: u32) -> Option<Inst> {
        self.graph.insts(self.f, b).last().copied()
    }

    /// What is live after each point.
    fn at_points(&self) -> Vec<(Inst, BitSet)> {
        let blocks = self.graph.blocks.len();
        let starts = Starts::solve(self, blocks, &self.graph.order);
        let mut found = Vec::with_capacity(self.text.points.len());
        for b in 0..blocks as u32 {
            if self.graph.insts(self.f, b).iter().any(|&i| self.moving.is_point(self.f, i)) {
                self.walk(b, &mut starts.end_of(self, b), |i, set| found.push((i, set.clone())));
            }
        }
        found
    }

    /// From what is live where block `b` ends to what is where it begins. `at_point` gets what is live after each point.
    fn walk(&self, b: u32, set: &mut BitSet, mut at_point: impl FnMut(Inst, &BitSet)) {
        for &i in self.graph.insts(self.f, b).iter().rev() {
            if matches!(self.f.insts[i], InstData::Exit { .. }) {
                self.exit(i, set);
            } else if self.f.owns_regions(i) {
                self.control(i, set);
            } else {
                self.inst(i, set, &mut at_point);
            }
        }
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

    /// Operand `v` is passed to `to`: those components of `v` are live that are live of `to` in `after`.
    fn pass(&self, set: &mut BitSet, v: Value, after: &BitSet, to: Value) {
        let (from, to) = (self.elements.of_value(self.m, self.f, v), self.elements.of_value(self.m, self.f, to));
        if from.len() == to.len() {
            from.zip(to).filter(|(_, t)| after.contains(*t)).for_each(|(n, _)| _ = set.insert(n));
        } else if to.is_empty() || to.clone().any(|t| after.contains(t)) {
            from.for_each(|n| _ = set.insert(n));
        }
    }

    // Instructions ------------------------------------------------------------------------------

    fn inst(&self, i: Inst, set: &mut BitSet, at_point: &mut impl FnMut(Inst, &BitSet)) {
        let f = self.f;
        for &v in f.results(i) {
            self.kill(set, v);
        }
        if self.moving.is_point(f, i) {
            at_point(i, set);
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

    fn variables(&self, i: Inst, set: &mut BitSet) {
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
    fn slot(&self, op: Opcode, slot: Slot, set: &mut BitSet) {
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
    fn query(&self, op: Opcode, query: Option<Value>, set: &mut BitSet) {
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

    /// A control instruction needs its operands. What a loop begins with is passed along its edge.
    fn control(&self, i: Inst, set: &mut BitSet) {
        if !matches!(self.f.insts[i], InstData::Loop { .. }) {
            self.f.for_each_operand(i, |v| self.use_all(set, v));
        }
    }

    /// What an exit needs besides what it passes.
    fn exit(&self, i: Inst, set: &mut BitSet) {
        let InstData::Exit { op, args, .. } = self.f.insts[i] else { return };
        let args = self.f.get(args);
        match op {
            Opcode::break_ | Opcode::continue_ | Opcode::yield_ | Opcode::next | Opcode::unreachable => {}
            Opcode::next_if => args.iter().take(1).for_each(|&condition| self.use_all(set, condition)),
            // The others leave the function.
            _ => {
                set.union(&self.at_end);
                args.iter().for_each(|&v| self.use_all(set, v));
            }
        }
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
