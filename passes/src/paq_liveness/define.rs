//! What is defined where, as the qualifiers say (DXR, payload access qualifiers, detailed semantics): forward over a
//! flow. A cell that the trace or the beginning of a shader leaves undefined is *nothing* from there on, wherever it is
//! copied, until it is written.

use rtc_ir::{Opcode, Paq, PaqStage, Struct};
use rustc_hash::FxHashMap;

use super::flow::{Flow, Kind};
use super::keys::NONE;
use super::states::{Cause, DEFINED, NEVER, State, States, UNKNOWN, Way};
use super::types::{Cells, Part};

const CALLER: u8 = 1 << PaqStage::Caller as u8;
const CLOSEST_HIT: u8 = 1 << PaqStage::ClosestHit as u8;
const MISS: u8 = 1 << PaqStage::Miss as u8;
const ANY_HIT: u8 = 1 << PaqStage::AnyHit as u8;

/// Which fields go into a trace (any of their writers is here) and come out (any of their readers is).
///
/// A hit object's trace ends before closest-hit and miss shaders, its invocation begins with them: the halves are
/// callers of each other (DXR, hit object interaction with payload access qualifiers).
pub(super) fn masks(op: Opcode) -> (u8, u8) {
    match op {
        Opcode::hit_trace => (CALLER, CALLER | CLOSEST_HIT | MISS),
        Opcode::hit_invoke => (CALLER | ANY_HIT, CALLER),
        _ => (CALLER, CALLER),
    }
}

/// The qualifiers of every cell of payload types.
#[derive(Default)]
pub(super) struct Qualifiers(FxHashMap<Struct, Vec<Option<Paq>>>);

impl Qualifiers {
    pub fn of(&mut self, cells: &mut Cells, s: Struct) -> &[Option<Paq>] {
        self.0.entry(s).or_insert_with(|| {
            let fields = cells.fields(s);
            fields.iter().flat_map(|f| std::iter::repeat_n(f.paq, f.len as usize)).collect()
        })
    }
    pub fn get(&self, s: Struct) -> &[Option<Paq>] {
        self.0.get(&s).map_or(&[], Vec::as_slice)
    }
}

/// Something undefined where it matters.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    /// The event: a load, a trace, an exit.
    pub event: u32,
    /// The cell.
    pub cell: u32,
    pub way: Way,
}

/// The outcome for one flow.
pub(super) struct Defined {
    pub found: Vec<Found>,
    /// For each load: whether what it reads is defined on every path.
    pub loads: Vec<(u32, bool)>,
    /// The ways to each event that stores or copies.
    pub reached: FxHashMap<u32, State>,
    pub states: States,
}

/// Rounds over the blocks, more than any nest of loops needs.
const ROUNDS: usize = 200;

struct Step<'a> {
    flow: &'a mut Flow,
    quals: &'a Qualifiers,
    states: States,
    /// The cell that stands for reaching a point.
    reach: usize,
}

impl Step<'_> {
    fn fill(&mut self, s: &mut [State], p: Part, x: State) {
        s[p.cells()].fill(x);
    }

    fn step(&mut self, n: usize, s: &mut [State]) {
        match self.flow.events[n].kind {
            Kind::Fresh(p) => {
                let x = self.states.nothing(Cause::Fresh(n as u32), s[self.reach]);
                self.fill(s, p, x);
            }
            Kind::Store { to, .. } if to.weak => {
                for c in to.cells() {
                    s[c] = self.states.perhaps_written(s[c]);
                }
            }
            Kind::Store { to, .. } => self.fill(s, to, DEFINED),
            Kind::Copy { to, .. } if to.weak => self.fill(s, to, UNKNOWN),
            Kind::Copy { to, from, .. } => s.copy_within(from.cells(), to.start as usize),
            Kind::Trace { slot, ty, op } => self.trace(n, s, slot, ty, op),
            Kind::Escape { part, writes: true } => self.fill(s, part, UNKNOWN),
            Kind::Load(_) | Kind::Escape { .. } | Kind::Exit => {}
        }
    }

    fn trace(&mut self, n: usize, s: &mut [State], slot: Part, ty: Struct, op: Opcode) {
        let (into, out) = masks(op);
        for (k, paq) in self.quals.get(ty).iter().enumerate() {
            let c = slot.start as usize + k;
            s[c] = match paq {
                None => UNKNOWN,
                Some(q) if q.read & out == 0 => self.states.nothing(Cause::Trace(n as u32, k as u32), s[self.reach]),
                // Nobody but the caller writes it: it comes back as it was.
                Some(q) if q.write & into != 0 && q.write & !CALLER == 0 && s[c] == DEFINED => DEFINED,
                Some(_) => UNKNOWN,
            };
        }
    }
}

/// Follows what is defined through `flow`. `stage`: that of the incoming payload. `None`: it does not come to an end.
pub(super) fn define(flow: &mut Flow, quals: &Qualifiers, stage: Option<PaqStage>) -> Option<Defined> {
    let cells = flow.cells as usize;
    let reach = cells;
    if (cells + 1).saturating_mul(flow.blocks.len()) > 1 << 24 {
        return None;
    }
    let mut w = Step { flow, quals, states: States::new(), reach };
    let mut first = vec![DEFINED; cells + 1];
    first[reach] = w.states.seed(Cause::Reached, NONE);
    if let (Some((p, ty)), Some(stage)) = (w.flow.incoming, stage) {
        for (k, paq) in quals.get(ty).iter().enumerate() {
            first[p.start as usize + k] = match paq {
                Some(q) if q.read & 1 << stage as u8 == 0 => w.states.nothing(Cause::Entry(k as u32), first[reach]),
                _ => UNKNOWN,
            };
        }
    }
    for p in w.flow.shared.clone() {
        w.fill(&mut first, p, UNKNOWN);
    }
    let mut at: Vec<Option<Vec<State>>> = vec![None; w.flow.blocks.len()];
    at[0] = Some(first);
    let order = w.flow.order.clone();
    let mut todo = vec![true; w.flow.blocks.len()];
    for round in 0.. {
        if round > ROUNDS {
            return None;
        }
        let mut changed = false;
        for &b in &order {
            if !std::mem::take(&mut todo[b as usize]) {
                continue;
            }
            let Some(mut s) = at[b as usize].clone() else {
                continue;
            };
            for n in w.flow.events(b) {
                w.step(n, &mut s);
            }
            for e in w.flow.blocks[b as usize].succs.clone() {
                let mut t = s.clone();
                for x in &mut t {
                    if let Some(l) = e.back {
                        *x = w.states.forget(&mut w.flow.keys, *x, l);
                    }
                    for &lit in &e.lits {
                        *x = w.states.assume(&mut w.flow.keys, *x, lit);
                    }
                }
                if t[reach] == NEVER {
                    continue;
                }
                let new = match &mut at[e.to as usize] {
                    Some(old) => {
                        let mut new = false;
                        for (x, y) in old.iter_mut().zip(&t) {
                            let z = w.states.join(&mut w.flow.keys, *x, *y);
                            new |= z != *x;
                            *x = z;
                        }
                        new
                    }
                    none => {
                        *none = Some(t);
                        true
                    }
                };
                if new {
                    todo[e.to as usize] = true;
                    changed = true;
                }
            }
        }
        if !changed {
            break;
        }
    }
    Some(collect(w, &at, stage))
}

fn collect(mut w: Step, at: &[Option<Vec<State>>], stage: Option<PaqStage>) -> Defined {
    let mut out = Defined { found: Vec::new(), loads: Vec::new(), reached: FxHashMap::default(), states: States::new() };
    for &b in &w.flow.order.clone() {
        let Some(mut s) = at[b as usize].clone() else {
            continue;
        };
        for n in w.flow.events(b) {
            let event = n as u32;
            let mut note = |w: &Step, s: &[State], c: usize| {
                let cell = c as u32;
                let ways = w.states.get(s[c]).ways.iter();
                out.found.extend(ways.map(|&way| Found { event, cell, way }));
            };
            match w.flow.events[n].kind {
                Kind::Load(p) => {
                    // One of several that nobody knows: undefined if all are, in the same way.
                    let same = p.cells().all(|c| s[c] == s[p.start as usize]);
                    if !p.weak {
                        p.cells().for_each(|c| note(&w, &s, c));
                    } else if same {
                        note(&w, &s, p.start as usize);
                    }
                    out.loads.push((event, p.cells().all(|c| s[c] == DEFINED)));
                }
                Kind::Trace { slot, ty, .. } => {
                    for (k, paq) in w.quals.get(ty).iter().enumerate() {
                        if paq.is_some_and(|q| q.write & CALLER != 0) {
                            note(&w, &s, slot.start as usize + k);
                        }
                    }
                }
                Kind::Exit => {
                    if let (Some((p, ty)), Some(stage)) = (w.flow.incoming, stage) {
                        for (k, paq) in w.quals.get(ty).iter().enumerate() {
                            if paq.is_some_and(|q| q.write & 1 << stage as u8 != 0) {
                                note(&w, &s, p.start as usize + k);
                            }
                        }
                    }
                }
                Kind::Store { .. } | Kind::Copy { .. } => {
                    out.reached.insert(event, s[w.reach]);
                }
                Kind::Fresh(_) | Kind::Escape { .. } => {}
            }
            w.step(n, &mut s);
        }
    }
    out.states = w.states;
    out
}
