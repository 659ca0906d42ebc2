//! Reaching definedness: a forward dataflow analysis over the CFG of payload events (DXR, payload access qualifiers, detailed semantics). A
//! cell that a trace or the beginning of a shader leaves undefined stays undefined, wherever it is copied, until it is written.

use std::borrow::Cow;
use std::ops::Range;

use rtc_base::dataflow::{Forward, forward};
use rtc_ir::{Opcode, Paq, PaqStage, Struct};
use rtc_tables::payload_access::trace_boundary;
use rustc_hash::FxHashMap;

use super::cfg::{Cfg, Invoked, Kind};
use super::hit_kinds::{Runs, VAGUE, kinds_of};
use super::invoked::{Objects, left};
use super::lattice::{Cause, DEFINED, Decided, NO_DOUBT, State, States, UNKNOWN, UNREACHED, UndefPath, like};
use super::path_conditions::NONE;
use super::types::{Cells, Part};

/// The qualifiers of every cell of payload types.
#[derive(Default)]
pub(super) struct Qualifiers(FxHashMap<Struct, Vec<Option<Paq>>>);

impl Qualifiers {
    pub fn of(&mut self, cells: &mut Cells, s: Struct) -> &[Option<Paq>] {
        self.0.entry(s).or_insert_with(|| {
            let fields = cells.fields_of_elements(s);
            fields.iter().flat_map(|f| std::iter::repeat_n(f.paq, f.len as usize)).collect()
        })
    }
    pub fn get(&self, s: Struct) -> &[Option<Paq>] {
        self.0.get(&s).map_or(&[], Vec::as_slice)
    }
}

/// An undefined cell where it is used.
#[derive(Clone, Copy, Debug)]
pub(super) struct UndefinedUse {
    /// The event: a load, a trace or an exit.
    pub event: u32,
    /// The cell.
    pub cell: u32,
    pub path: UndefPath,
}

/// The result for one CFG.
pub(super) struct Defined {
    pub undefined: Vec<UndefinedUse>,
    /// For each load: whether what it reads is defined on every path.
    pub loads: Vec<(u32, bool)>,
    /// The paths that reach each event that stores or copies.
    pub reached: FxHashMap<u32, State>,
    pub states: States,
}

/// More iterations over the blocks than any nest of loops requires.
const MAX_ITERATIONS: usize = 201;

struct Step<'a, 'm> {
    cells: &'a mut Cells<'m>,
    cfg: &'a mut Cfg,
    quals: &'a Qualifiers,
    states: States,
    /// The hit objects of invocations.
    objects: &'a Objects,
    /// The cell that represents reachability.
    reach: usize,
}

impl Step<'_, '_> {
    fn step(&mut self, n: usize, s: &mut [State]) {
        let replaced = self.objects.replaced(self.cfg.events[n].kind);
        if !replaced.is_empty() {
            // A test of the new object says nothing about what was invoked.
            let gone = |cause: Cause| match cause {
                Cause::Otherwise(event, _) if replaced.contains(&event) => Decided::Open,
                Cause::Ran(event, k, kinds) if replaced.contains(&event) => Decided::Is(Cause::Ran(event, k, kinds | VAGUE)),
                _ => Decided::Same,
            };
            s.iter_mut().for_each(|x| *x = self.states.decided(*x, gone));
        }
        match self.cfg.events[n].kind {
            Kind::Fresh(p) => {
                let x = self.states.undefined(Cause::Fresh(n as u32), s[self.reach]);
                p.fill(s, x);
            }
            Kind::Store { to, once: true, .. } => {
                let cells = self.cells.count(to.ty);
                for c in to.cells() {
                    s[c] = self.states.one_written(s[c], n as u32, cells);
                }
            }
            Kind::Store { to, .. } if to.weak => {
                for c in to.cells() {
                    s[c] = self.states.maybe_written(s[c]);
                }
            }
            Kind::Store { to, .. } => to.fill(s, DEFINED),
            // Of elements that are followed as one it is not known which have values.
            Kind::Copy { to, from, .. } if from.weak => to.fill(s, UNKNOWN),
            Kind::Copy { to, from, .. } if to.weak => {
                for (a, b) in to.cells().zip(from.cells()) {
                    s[a] = self.states.one_of(s[a], s[b]);
                }
            }
            Kind::Copy { to, from, .. } => s.copy_within(from.range(), to.start as usize),
            Kind::Trace { slot, ty, op, runs } => self.trace(n, s, (slot, ty), op, runs),
            Kind::Escape { part, writes: true } => part.fill(s, UNKNOWN),
            Kind::Refine { cell, kinds } => {
                self.found_out(cell, kinds, s);
                if let Some(left) = self.cfg.refined_to.get(&(n as u32)) {
                    s.iter_mut().for_each(|x| *x = self.states.where_possible(&mut self.cfg.conds, *x, left));
                }
            }
            Kind::Load(_) | Kind::Escape { .. } | Kind::Returned { .. } | Kind::Hit { .. } | Kind::Exit => {}
        }
    }

    fn trace(&mut self, n: usize, s: &mut [State], (slot, ty): (Part, Struct), op: Opcode, runs: Runs) {
        let boundary = trace_boundary(op);
        for (k, paq) in self.quals.get(ty).iter().enumerate() {
            let c = slot.start as usize + k;
            let Some(q) = paq else {
                s[c] = UNKNOWN;
                continue;
            };
            let (goes_in, comes_back) = (q.write & boundary.writers != 0, q.read & boundary.readers != 0);
            s[c] = match (goes_in, comes_back, q.write & runs.stages != 0) {
                (_, false, _) => self.states.undefined(Cause::Trace(n as u32, k as u32), s[self.reach]),
                // It comes back, but no shader gives it a value that this trace, or what is split from it, may run. (That none may at all is a
                // mistake of the qualifiers.)
                (false, true, false) if op != Opcode::trace_ray || q.write != 0 => {
                    self.states.undefined(Cause::Trace(n as u32, k as u32), s[self.reach])
                }
                // It comes back unchanged. What went in undefined was reported, except where no shader that reads it runs.
                (true, true, false) if s[c] == DEFINED || op == Opcode::hit_trace => s[c],
                (false, true, true) => {
                    let other = self.on_other_paths(n as u32, k as u32, s[self.reach]);
                    match op == Opcode::hit_invoke && (runs.stages & !q.write != 0 || runs.nothing) {
                        true => {
                            let open = self.states.undefined(Cause::Otherwise(n as u32, k as u32), s[self.reach]);
                            self.states.join(&mut self.cfg.conds, other, open)
                        }
                        false => other,
                    }
                }
                _ => UNKNOWN,
            };
        }
    }

    /// The hit object in a cell is one of these kinds: what was invoked with it ran their shaders.
    fn found_out(&mut self, cell: u32, kinds: u8, s: &mut [State]) {
        let invocations = self.objects.of_cell(cell);
        if invocations.is_empty() {
            return;
        }
        let (cfg, quals) = (&*self.cfg, self.quals);
        // Whether it was written, and what the object was.
        let written_by = |event: u32, k: u32| {
            let Kind::Trace { ty, runs, .. } = cfg.events[event as usize].kind else { return None };
            let write = quals.get(ty).get(k as usize).copied().flatten()?.write;
            Some((left(kinds, (runs.stages, runs.nothing), write)?, kinds & kinds_of(runs)))
        };
        let becomes = |cause: Cause| match cause {
            Cause::Otherwise(event, k) if invocations.contains(&event) => match written_by(event, k) {
                None => Decided::Same,
                Some((true, _)) => Decided::Open,
                Some((false, kinds)) => Decided::Is(Cause::Ran(event, k, kinds)),
            },
            Cause::Ran(event, k, before) if invocations.contains(&event) && before & VAGUE == 0 => match before & kinds {
                0 => Decided::Never,
                both => Decided::Is(Cause::Ran(event, k, both)),
            },
            _ => Decided::Same,
        };
        s.iter_mut().for_each(|x| *x = self.states.decided(*x, becomes));
    }

    /// A field that a shader writes which the invocation of a hit object runs on some paths: undefined where it runs none.
    fn on_other_paths(&mut self, n: u32, k: u32, reach: State) -> State {
        let mut all = UNKNOWN;
        for Invoked { stages, certain, assumed } in self.cfg.invoked_on.get(&n).cloned().unwrap_or_default() {
            // What a shader leaves that does run tells its caller what it has written.
            if !certain || stages != 0 {
                continue;
            }
            let mut s = self.states.undefined(Cause::Trace(n, k), reach);
            for lit in self.cfg.conds.lits(assumed).to_vec() {
                s = self.states.assume(&mut self.cfg.conds, s, lit);
            }
            all = self.states.join(&mut self.cfg.conds, all, s);
        }
        all
    }
}

/// Whether a field that its caller writes must have a value in a trace. Of a hit object: if a shader runs that reads it, and at the
/// invocation, which runs the last ones, if it comes back.
fn is_needed(q: Paq, op: Opcode, runs: Runs) -> bool {
    match op {
        Opcode::hit_trace => q.read & runs.stages != 0,
        Opcode::hit_invoke => runs.stages != 0 && q.read & (runs.stages | PaqStage::Caller.bit()) != 0,
        _ => true,
    }
}

impl Forward for Step<'_, '_> {
    /// The state of each cell, and of reachability.
    type State = Vec<State>;

    fn block(&mut self, b: u32, s: &mut Vec<State>) {
        for n in self.cfg.events(b) {
            self.step(n, s);
        }
    }

    fn edges(&self, b: u32) -> usize {
        self.cfg.blocks[b as usize].succs.len()
    }

    fn edge<'s>(&mut self, b: u32, n: usize, s: &'s Vec<State>) -> Option<(u32, Cow<'s, Vec<State>>)> {
        let e = self.cfg.blocks[b as usize].succs[n].clone();
        let mut t = s.clone();
        for x in &mut t {
            if let Some(l) = e.back {
                *x = self.states.forget(&mut self.cfg.conds, *x, l);
            }
            for &lit in &e.lits {
                *x = self.states.assume(&mut self.cfg.conds, *x, lit);
            }
        }
        (t[self.reach] != UNREACHED).then_some((e.to, Cow::Owned(t)))
    }

    fn join(&mut self, to: &mut Vec<State>, from: &Vec<State>) -> bool {
        let mut new = false;
        for (x, y) in to.iter_mut().zip(from) {
            let z = self.states.join(&mut self.cfg.conds, *x, *y);
            new |= z != *x;
            *x = z;
        }
        new
    }
}

/// Solves the dataflow problem for `cfg`. `stage`: that of the incoming payload. `None`: too large, or no fixpoint was reached.
pub(super) fn define(cells: &mut Cells, cfg: &mut Cfg, quals: &Qualifiers, stage: Option<PaqStage>) -> Option<Defined> {
    let types = cells;
    let cells = cfg.cells as usize;
    let reach = cells;
    if (cells + 1).saturating_mul(cfg.blocks.len()) > 1 << 24 {
        return None;
    }
    let objects = Objects::new(cfg);
    let mut w = Step { cells: types, cfg, quals, states: States::new(), objects: &objects, reach };
    let mut first = vec![DEFINED; cells + 1];
    first[reach] = w.states.seed(Cause::Reached, NONE);
    if let (Some((p, ty)), Some(stage)) = (w.cfg.incoming, stage) {
        for (k, paq) in quals.get(ty).iter().enumerate() {
            first[p.start as usize + k] = match paq {
                Some(q) if !q.reads(stage) => w.states.undefined(Cause::Entry(k as u32), first[reach]),
                _ => UNKNOWN,
            };
        }
    }
    for p in w.cfg.shared.clone() {
        p.fill(&mut first, UNKNOWN);
    }
    let (blocks, order) = (w.cfg.blocks.len(), w.cfg.order.clone());
    let at = forward(&mut w, blocks, &order, first, MAX_ITERATIONS)?;
    Some(collect(w, &at, stage))
}

fn collect(mut w: Step<'_, '_>, at: &[Option<Vec<State>>], stage: Option<PaqStage>) -> Defined {
    let mut out = Defined { undefined: Vec::new(), loads: Vec::new(), reached: FxHashMap::default(), states: States::new() };
    for &b in &w.cfg.order.clone() {
        let Some(mut s) = at[b as usize].clone() else {
            continue;
        };
        for n in w.cfg.events(b) {
            let event = n as u32;
            let undefined = |w: &Step, s: &[State], c: usize, all: Range<usize>| -> Vec<UndefinedUse> {
                let cell = c as u32;
                // Writes to unknown elements leave some undefined if there are more of these.
                let others = |p: &UndefPath| all.clone().filter(|&d| w.states.get(s[d]).paths.iter().any(|&o| like(o, *p))).count();
                let paths = w.states.get(s[c]).paths.iter().filter(|p| !matches!(p.0, Cause::Otherwise(..)));
                let paths = paths.filter(|p| p.2 == NO_DOUBT || others(p) > p.2.1 as usize);
                paths.map(|&path| UndefinedUse { event, cell, path }).collect()
            };
            match w.cfg.events[n].kind {
                Kind::Load(p) if p.weak => {
                    // One of several elements: undefined on the paths on which all are undefined for the same reason.
                    let in_all = |a: &UndefPath| p.cells().all(|c| w.states.get(s[c]).paths.iter().any(|&b| like(*a, b)));
                    let paths = w
                        .states
                        .get(s[p.start as usize])
                        .paths
                        .iter()
                        .filter(|a| a.2 == NO_DOUBT && !matches!(a.0, Cause::Otherwise(..)) && in_all(a));
                    out.undefined.extend(paths.map(|&path| UndefinedUse { event, cell: p.start, path }));
                    out.loads.push((event, p.cells().all(|c| s[c] == DEFINED)));
                }
                Kind::Load(p) => {
                    p.cells().for_each(|c| out.undefined.extend(undefined(&w, &s, c, c..c)));
                    out.loads.push((event, p.cells().all(|c| s[c] == DEFINED)));
                }
                Kind::Trace { slot, ty, op, runs } => {
                    for (k, paq) in w.quals.get(ty).iter().enumerate() {
                        let Some(q) = paq.filter(|q| q.writes(PaqStage::Caller) && is_needed(*q, op, runs)) else { continue };
                        let mut found = undefined(&w, &s, slot.start as usize + k, slot.range());
                        // On a path it is needed by what runs on that path.
                        if let Some(paths) = w.cfg.invoked_on.get(&event) {
                            found.retain(|u| {
                                let on = paths.iter().filter(|i| w.cfg.conds.agree(i.assumed, u.path.1));
                                is_needed(q, op, Runs { stages: on.fold(0, |all, i| all | i.stages), ..runs })
                            });
                        }
                        out.undefined.append(&mut found);
                    }
                }
                Kind::Exit => {
                    if let (Some((p, ty)), Some(stage)) = (w.cfg.incoming, stage) {
                        for (k, paq) in w.quals.get(ty).iter().enumerate() {
                            if paq.is_some_and(|q| q.writes(stage)) {
                                out.undefined.extend(undefined(&w, &s, p.start as usize + k, p.range()));
                            }
                        }
                    }
                }
                Kind::Store { .. } | Kind::Copy { .. } | Kind::Returned { .. } => {
                    out.reached.insert(event, s[w.reach]);
                }
                Kind::Fresh(_) | Kind::Escape { .. } | Kind::Hit { .. } | Kind::Refine { .. } => {}
            }
            w.step(n, &mut s);
        }
    }
    out.states = w.states;
    out
}
