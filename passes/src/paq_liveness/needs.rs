//! What a payload's values are needed for, whatever the qualifiers say: for each field that a shader gets and for each
//! field that comes back from a trace, who uses the value from there on. A use may depend on others: a value that goes into
//! another trace is needed if the shaders of that trace need it, one that leaves with the shader's own payload if whoever
//! comes after needs it. So the needs of several libraries can be solved together; inference does.

use rtc_base::Span;
use rtc_ir::{Func, InstData, Module, Opcode, PaqStage, Struct};
use rustc_hash::FxHashMap;

use super::build::{Builder, is_root};
use super::flow::{Flow, Kind};
use super::summary::{field_cells, stage_of};
use super::types::{Cells, Field};

/// A use of a value, directly or by others.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Need {
    /// It is read.
    Read,
    /// It goes into a trace as this field of this payload type.
    Trace(Struct, u32),
    /// It leaves the shader as this field of its own payload.
    Leaves(u32),
}

/// The uses of one value.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Needs {
    /// All of them, sorted.
    pub all: Vec<Need>,
    /// A place where it is read, if it is.
    pub read: Option<Span>,
}

/// A shader that gets a payload.
#[derive(Clone, PartialEq, Debug)]
pub struct ShaderNeeds {
    /// The entry point.
    pub func: Func,
    /// Its stage.
    pub stage: PaqStage,
    /// The type of its payload.
    pub ty: Struct,
    /// What it needs of each field that comes in.
    pub fields: Vec<Needs>,
}

/// A trace.
#[derive(Clone, PartialEq, Debug)]
pub struct TraceNeeds {
    /// The entry point in which it happens.
    pub root: Func,
    /// The payload type of that entry point and its stage, if it gets one.
    pub own: Option<(Struct, PaqStage)>,
    /// The type of the payload that is traced with.
    pub ty: Struct,
    /// `trace_ray`, `hit_trace` or `hit_invoke`.
    pub op: Opcode,
    /// Its ray flags if they are constant (none for `hit_invoke`).
    pub flags: Option<u32>,
    /// The call.
    pub span: Span,
    /// What is needed of each field that comes back.
    pub fields: Vec<Needs>,
}

/// Needs of all shaders and traces of a module; traces are in the order of [`super::summarize`] for each type.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ModuleNeeds {
    /// Shaders with payloads.
    pub shaders: Vec<ShaderNeeds>,
    /// Traces.
    pub traces: Vec<TraceNeeds>,
}

/// The needs of a module as it was lowered. What cannot be followed is missing; [`super::summarize`] says so.
pub fn needs(m: &Module) -> ModuleNeeds {
    let mut b = Builder::new(Cells::new(m));
    let payloads = b.cells.payloads.clone();
    let fields: FxHashMap<Struct, Vec<Field>> = payloads.iter().map(|&s| (s, b.cells.fields(s))).collect();
    let mut out = ModuleNeeds::default();
    for (id, _) in m.funcs.iter().filter(|(_, f)| is_root(f)) {
        if let Ok(Some(flow)) = b.flow(id) {
            of_flow(m, &flow, &fields, &mut out);
        }
    }
    out
}

/// Sets of needs, interned: most cells share few.
#[derive(Default)]
struct Sets {
    list: Vec<Vec<Need>>,
    ids: FxHashMap<Vec<Need>, u32>,
    unions: FxHashMap<(u32, u32), u32>,
}

const EMPTY: u32 = 0;

impl Sets {
    fn new() -> Sets {
        let mut s = Sets::default();
        s.id(Vec::new());
        s
    }
    fn id(&mut self, set: Vec<Need>) -> u32 {
        if let Some(&id) = self.ids.get(&set) {
            return id;
        }
        let id = self.list.len() as u32;
        self.list.push(set.clone());
        self.ids.insert(set, id);
        id
    }
    fn one(&mut self, n: Need) -> u32 {
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

/// What is needed of each cell: a set, and the first event that reads it.
type State = Vec<(u32, u32)>;
const NOBODY: (u32, u32) = (EMPTY, u32::MAX);

struct Walk<'a> {
    flow: &'a Flow,
    fields: &'a FxHashMap<Struct, Vec<Field>>,
    sets: Sets,
}

impl Walk<'_> {
    fn join(&mut self, a: (u32, u32), b: (u32, u32)) -> (u32, u32) {
        (self.sets.union(a.0, b.0), a.1.min(b.1))
    }

    /// The state before event `n` from the one after it.
    fn step(&mut self, n: usize, s: &mut State) {
        let read = (self.sets.one(Need::Read), n as u32);
        match self.flow.events[n].kind {
            Kind::Fresh(p) => s[p.cells()].fill(NOBODY),
            Kind::Load(p) | Kind::Escape { part: p, .. } => {
                for c in p.cells() {
                    s[c] = self.join(s[c], read);
                }
            }
            Kind::Store { to, .. } => {
                if !to.weak {
                    s[to.cells()].fill(NOBODY);
                }
            }
            Kind::Copy { to, from, .. } => {
                let used: Vec<_> = s[to.cells()].to_vec();
                if !to.weak {
                    s[to.cells()].fill(NOBODY);
                }
                // An element that is not known may be any of them.
                let all = used.iter().fold(NOBODY, |a, &b| self.join(a, b));
                for (i, c) in from.cells().enumerate() {
                    let add = if to.weak || from.weak { all } else { used.get(i).copied().unwrap_or(all) };
                    s[c] = self.join(s[c], add);
                }
            }
            Kind::Trace { slot, ty, .. } => {
                let all = self.fields;
                for (i, f) in all[&ty].iter().enumerate() {
                    let need = (self.sets.one(Need::Trace(ty, i as u32)), u32::MAX);
                    s[field_cells(slot, f)].fill(need);
                }
            }
            Kind::Exit => {
                s.fill(NOBODY);
                let all = self.fields;
                if let Some((own, ty)) = self.flow.incoming {
                    for (i, f) in all[&ty].iter().enumerate() {
                        let need = (self.sets.one(Need::Leaves(i as u32)), u32::MAX);
                        s[field_cells(own, f)].fill(need);
                    }
                }
                for p in &self.flow.shared {
                    s[p.cells()].fill(read);
                }
            }
        }
    }

    fn at_end(&mut self, before: &[State], b: u32) -> State {
        let flow = self.flow;
        let mut s = vec![NOBODY; flow.cells as usize];
        for e in &flow.blocks[b as usize].succs {
            for (c, &next) in before[e.to as usize].iter().enumerate() {
                s[c] = self.join(s[c], next);
            }
        }
        s
    }

    fn needs(&self, m: &Module, cells: &[(u32, u32)]) -> Needs {
        let mut all: Vec<Need> = cells.iter().flat_map(|c| self.sets.list[c.0 as usize].iter().copied()).collect();
        all.sort_unstable();
        all.dedup();
        let read = cells.iter().map(|c| c.1).min().filter(|&e| e != u32::MAX);
        Needs { all, read: read.map(|e| span(m, self.flow, e as usize)) }
    }
}

fn span(m: &Module, flow: &Flow, event: usize) -> Span {
    let e = &flow.events[event];
    m.funcs[flow.frames[e.frame as usize].func].spans[e.inst]
}

fn of_flow(m: &Module, flow: &Flow, fields: &FxHashMap<Struct, Vec<Field>>, out: &mut ModuleNeeds) {
    let mut w = Walk { flow, fields, sets: Sets::new() };
    let mut before: Vec<State> = vec![Vec::new(); flow.blocks.len()];
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for &b in flow.order.iter().rev() {
            let mut s = w.at_end(&before, b);
            flow.events(b).rev().for_each(|n| w.step(n, &mut s));
            if s != before[b as usize] {
                before[b as usize] = s;
                changed = true;
            }
        }
    }
    let stage = stage_of(m.funcs[flow.root].stage);
    let own = flow.incoming.zip(stage).map(|((_, ty), stage)| (ty, stage));
    for &b in &flow.order {
        let mut s = w.at_end(&before, b);
        let mut traces = Vec::new();
        for n in flow.events(b).rev() {
            let e = &flow.events[n];
            if let Kind::Trace { slot, ty, op } = e.kind {
                let of = |f: &Field| w.needs(m, &s[field_cells(slot, f)]);
                let needed = fields[&ty].iter().map(of).collect();
                let f = &m.funcs[flow.frames[e.frame as usize].func];
                let flags = match f.insts[e.inst] {
                    InstData::Slot { args, .. } if op != Opcode::hit_invoke => {
                        f.get(args).get(1).and_then(|&v| f.as_const(v)).map(|c| c as u32)
                    }
                    _ => None,
                };
                let span = span(m, flow, n);
                traces.push(TraceNeeds { root: flow.root, own, ty, op, flags, span, fields: needed });
            }
            w.step(n, &mut s);
        }
        out.traces.extend(traces.into_iter().rev());
    }
    if let (Some((part, ty)), Some(stage)) = (flow.incoming, stage) {
        let s = &before[0];
        let of = |f: &Field| w.needs(m, &s[field_cells(part, f)]);
        let needed = fields[&ty].iter().map(of).collect();
        out.shaders.push(ShaderNeeds { func: flow.root, stage, ty, fields: needed });
    }
}
