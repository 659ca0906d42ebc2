//! Demand analysis: for each field that a shader receives and for each field that comes back from a trace, the uses of the value from
//! there on, whatever the qualifiers say. A backward dataflow analysis.
//!
//! A use may depend on others: a value that is passed to another trace is needed if the shaders of that trace use it, and one that leaves
//! with the payload of the shader is needed if a later stage uses it. So the demand of several libraries can be solved together;
//! inference does.

use rtc_base::Span;
use rtc_ir::{Func, Module, Opcode, PaqStage, Struct};
use rustc_hash::FxHashMap;

use super::build::{cfg, is_root};
use super::cfg::{Cfg, Kind};
use super::facts::ModuleFacts;
use super::hit_kinds::Runs;
use super::summary::field_cells;
use super::types::{Cells, Field};

/// A use of a value, directly or by others.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Demand {
    /// It is read.
    Read,
    /// It is passed to a trace of this kind, which may run these shaders, as this field of this payload type.
    Trace(Struct, u32, Opcode, Runs),
    /// It leaves the shader as this field of its own payload.
    Leaves(u32),
}

/// The uses of one value.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct DemandSet {
    /// All of them, sorted.
    pub all: Vec<Demand>,
    /// The source location of a read, if there is one.
    pub read: Option<Span>,
}

/// A shader that receives a payload.
#[derive(Clone, PartialEq, Debug)]
pub struct ShaderDemand {
    /// The entry point.
    pub func: Func,
    /// Its stage.
    pub stage: PaqStage,
    /// The type of its payload.
    pub ty: Struct,
    /// The demand for each field that it receives.
    pub fields: Vec<DemandSet>,
}

/// A trace.
#[derive(Clone, PartialEq, Debug)]
pub struct TraceDemand {
    /// The entry point that traces.
    pub root: Func,
    /// The payload type of that entry point and its stage, if it receives one.
    pub own: Option<(Struct, PaqStage)>,
    /// The type of the payload that is traced with.
    pub ty: Struct,
    /// `trace_ray`, `hit_trace` or `hit_invoke`.
    pub op: Opcode,
    /// Which shaders it may run.
    pub runs: Runs,
    /// The call.
    pub span: Span,
    /// The demand for each field that comes back.
    pub fields: Vec<DemandSet>,
}

/// DemandSet of all shaders and traces of a module; traces are in the order of [`super::summarize`] for each type.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ModuleDemand {
    /// Shaders with payloads.
    pub shaders: Vec<ShaderDemand>,
    /// Traces.
    pub traces: Vec<TraceDemand>,
}

/// The demand of a module as it was lowered. Functions that are too large are missing; [`super::summarize`] reports them.
pub fn demand(m: &Module) -> ModuleDemand {
    let mut facts = ModuleFacts::new(Cells::new(m));
    let payloads = facts.cells.payloads.clone();
    let fields: FxHashMap<Struct, Vec<Field>> = payloads.iter().map(|&s| (s, facts.cells.fields_of_elements(s))).collect();
    let mut out = ModuleDemand::default();
    for (id, _) in m.funcs.iter().filter(|(_, f)| is_root(f)) {
        if let Ok(Some(cfg)) = cfg(&mut facts, id) {
            of_cfg(m, &cfg, &fields, &mut out);
        }
    }
    out
}

/// Sets of uses, interned: there are few different ones.
#[derive(Default)]
struct Sets {
    list: Vec<Vec<Demand>>,
    ids: FxHashMap<Vec<Demand>, u32>,
    unions: FxHashMap<(u32, u32), u32>,
}

const EMPTY: u32 = 0;

impl Sets {
    fn new() -> Sets {
        let mut s = Sets::default();
        s.id(Vec::new());
        s
    }
    fn id(&mut self, set: Vec<Demand>) -> u32 {
        if let Some(&id) = self.ids.get(&set) {
            return id;
        }
        let id = self.list.len() as u32;
        self.list.push(set.clone());
        self.ids.insert(set, id);
        id
    }
    fn one(&mut self, n: Demand) -> u32 {
        self.id(vec![n])
    }
    fn union(&mut self, a: u32, b: u32) -> u32 {
        if a == b || b == EMPTY {
            return a;
        }
        if a == EMPTY {
            return b;
        }
        let key = (a.min(b), a.max(b));
        if let Some(&u) = self.unions.get(&key) {
            return u;
        }
        let mut set = [&self.list[a as usize][..], &self.list[b as usize][..]].concat();
        set.sort_unstable();
        set.dedup();
        let u = self.id(set);
        self.unions.insert(key, u);
        u
    }
}

/// The demand for each cell: a set, and the first event that reads it.
type State = Vec<(u32, u32)>;
const NO_DEMAND: (u32, u32) = (EMPTY, u32::MAX);

struct Walk<'a> {
    cfg: &'a Cfg,
    fields: &'a FxHashMap<Struct, Vec<Field>>,
    sets: Sets,
}

impl Walk<'_> {
    fn join(&mut self, a: (u32, u32), b: (u32, u32)) -> (u32, u32) {
        (self.sets.union(a.0, b.0), a.1.min(b.1))
    }

    /// The state before event `n` from the one after it.
    fn step(&mut self, n: usize, s: &mut State) {
        let read = (self.sets.one(Demand::Read), n as u32);
        match self.cfg.events[n].kind {
            Kind::Fresh(p) => p.fill(s, NO_DEMAND),
            Kind::Load(p) | Kind::Escape { part: p, .. } => {
                for c in p.cells() {
                    s[c] = self.join(s[c], read);
                }
            }
            Kind::Store { to, .. } => {
                if !to.weak {
                    to.fill(s, NO_DEMAND);
                }
            }
            Kind::Copy { to, from, .. } => {
                let used: Vec<_> = to.cells().map(|c| s[c]).collect();
                if !to.weak {
                    to.fill(s, NO_DEMAND);
                }
                for (c, add) in from.cells().zip(used) {
                    s[c] = self.join(s[c], add);
                }
            }
            Kind::Returned { .. } | Kind::Hit { .. } | Kind::Refine { .. } => {}
            Kind::Trace { slot, ty, op, runs } => {
                let all = self.fields;
                for (i, f) in all[&ty].iter().enumerate() {
                    let need = (self.sets.one(Demand::Trace(ty, i as u32, op, runs)), u32::MAX);
                    s[field_cells(slot, f)].fill(need);
                }
            }
            Kind::Exit => {
                s.fill(NO_DEMAND);
                let all = self.fields;
                if let Some((own, ty)) = self.cfg.incoming {
                    for (i, f) in all[&ty].iter().enumerate() {
                        let need = (self.sets.one(Demand::Leaves(i as u32)), u32::MAX);
                        s[field_cells(own, f)].fill(need);
                    }
                }
                for p in &self.cfg.shared {
                    p.fill(s, read);
                }
            }
        }
    }

    fn at_end(&mut self, before: &[State], b: u32) -> State {
        let cfg = self.cfg;
        let mut s = vec![NO_DEMAND; cfg.cells as usize];
        for e in &cfg.blocks[b as usize].succs {
            for (c, &next) in before[e.to as usize].iter().enumerate() {
                s[c] = self.join(s[c], next);
            }
        }
        s
    }

    fn demand_of(&self, m: &Module, cells: &[(u32, u32)]) -> DemandSet {
        let mut all: Vec<Demand> = cells.iter().flat_map(|c| self.sets.list[c.0 as usize].iter().copied()).collect();
        all.sort_unstable();
        all.dedup();
        let read = cells.iter().map(|c| c.1).min().filter(|&e| e != u32::MAX);
        DemandSet { all, read: read.map(|e| span(m, self.cfg, e as usize)) }
    }
}

fn span(m: &Module, cfg: &Cfg, event: usize) -> Span {
    let e = &cfg.events[event];
    m.funcs[cfg.frames[e.frame as usize].func].spans[e.inst]
}

fn of_cfg(m: &Module, cfg: &Cfg, fields: &FxHashMap<Struct, Vec<Field>>, out: &mut ModuleDemand) {
    let mut w = Walk { cfg, fields, sets: Sets::new() };
    let mut before: Vec<State> = vec![Vec::new(); cfg.blocks.len()];
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for &b in cfg.order.iter().rev() {
            let mut s = w.at_end(&before, b);
            cfg.events(b).rev().for_each(|n| w.step(n, &mut s));
            if s != before[b as usize] {
                before[b as usize] = s;
                changed = true;
            }
        }
    }
    let stage = PaqStage::of_shader(m.funcs[cfg.root].stage);
    let own = cfg.incoming.zip(stage).map(|((_, ty), stage)| (ty, stage));
    for &b in &cfg.order {
        let mut s = w.at_end(&before, b);
        let mut traces = Vec::new();
        for n in cfg.events(b).rev() {
            let e = &cfg.events[n];
            if let Kind::Trace { slot, ty, op, runs } = e.kind {
                let of = |f: &Field| w.demand_of(m, &s[field_cells(slot, f)]);
                let needed = fields[&ty].iter().map(of).collect();
                let span = span(m, cfg, n);
                traces.push(TraceDemand { root: cfg.root, own, ty, op, runs, span, fields: needed });
            }
            w.step(n, &mut s);
        }
        out.traces.extend(traces.into_iter().rev());
    }
    if let (Some((part, ty)), Some(stage)) = (cfg.incoming, stage) {
        let s = &before[0];
        let of = |f: &Field| w.demand_of(m, &s[field_cells(part, f)]);
        let needed = fields[&ty].iter().map(of).collect();
        out.shaders.push(ShaderDemand { func: cfg.root, stage, ty, fields: needed });
    }
}
