//! Summaries of payload accesses, whatever the qualifiers say: for each field what a shader reads of the payload that
//! it receives, what it writes and whether on every path, and for each trace what its caller writes before and reads
//! after. Inference and reports use them.

use std::borrow::Cow;

use rtc_base::Span;
use rtc_base::dataflow::{Backward, Forward, Starts, forward};
use rtc_ir::{Func, Opcode, PaqStage, Struct};
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use super::build::{cfg, is_root};
use super::cfg::{Cfg, Kind};
use super::dead_writes::unread;
use super::facts::ModuleFacts;
use super::types::{Cells, Field, Part};

/// What one shader does with one field of the payload that it was traced with.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Access {
    /// A read of the value that came in, before anything was written over it on some path.
    pub read: Option<Span>,
    /// The value that came in may go on into a trace of this shader (which may read it).
    pub passed_on: Option<Span>,
    /// The shader writes it on some path that reaches its end.
    pub write: Option<Span>,
    /// What is written may come from a store to it alone that the shader does not read: without `write` for the stage it is lost (W0712).
    pub stored: bool,
    /// Every path to every end of the shader (`IgnoreHit` and `AcceptHitAndEndSearch` are ends) writes all of it.
    pub always_written: bool,
    /// A trace of this shader with the payload that it got may change it.
    pub traced: Option<Span>,
}

/// A shader that receives a payload.
#[derive(Clone, PartialEq, Debug)]
pub struct ShaderUse {
    /// The entry point.
    pub func: Func,
    /// Its stage.
    pub stage: PaqStage,
    /// One for each field of the type.
    pub fields: Vec<Access>,
}

/// What a caller does with one field around a trace.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct CallerAccess {
    /// A value that the caller assigned may go in: where it traces.
    pub written: bool,
    /// The caller assigned all of it on every path.
    pub always_written: bool,
    /// What goes in may come from a store to it alone that the caller does not read: without `write(caller)` it is lost (W0713).
    pub stored: bool,
    /// A value that came into the calling shader with its own payload may go in.
    pub passed_on: bool,
    /// A value that came back from an earlier trace may go in.
    pub kept: bool,
    /// What came back is read, or leaves the caller with its own payload.
    pub read: Option<Span>,
}

/// A trace: `TraceRay`, `HitObject::TraceRay` or `HitObject::Invoke`.
#[derive(Clone, PartialEq, Debug)]
pub struct TraceUse {
    /// The entry point in which it happens.
    pub root: Func,
    /// The function with the call.
    pub func: Func,
    /// `trace_ray`, `hit_trace` or `hit_invoke`.
    pub op: Opcode,
    /// The call.
    pub span: Span,
    /// One for each field of the type.
    pub fields: Vec<CallerAccess>,
}

/// A payload type and everything that happens to it in the library.
#[derive(Clone, PartialEq, Debug)]
pub struct PayloadType {
    /// The structure.
    pub ty: Struct,
    /// Its members, those of payloads inside of it one by one.
    pub members: Vec<Field>,
    /// Its fields: the members, but of an array of payloads those of each element.
    pub fields: Vec<Field>,
    /// The shaders that receive it, in the order of the module.
    pub shaders: Vec<ShaderUse>,
    /// The traces with it.
    pub traces: Vec<TraceUse>,
    /// Functions whose accesses are unknown: exported or only declared ones, and those that are too large.
    pub unknown: Vec<Func>,
}

impl PayloadType {
    /// The member that field `n` is, or is in.
    pub fn member_of(&self, n: usize) -> usize {
        field_at(&self.members, self.fields[n].start).expect("each field is in a member")
    }
}

/// Every payload type of the module with what its shaders do.
pub fn summarize(m: &rtc_ir::Module) -> Vec<PayloadType> {
    let mut facts = ModuleFacts::new(Cells::new(m));
    let payloads = facts.cells.payloads.clone();
    let mut out: Vec<PayloadType> = payloads
        .iter()
        .map(|&ty| PayloadType {
            ty,
            members: facts.cells.fields(ty),
            fields: facts.cells.fields_of_elements(ty),
            shaders: Vec::new(),
            traces: Vec::new(),
            unknown: Vec::new(),
        })
        .collect();
    for (id, f) in m.funcs.iter().filter(|(_, f)| f.declared) {
        if facts.cells.concerns(f) {
            out.iter_mut().for_each(|t| t.unknown.push(id));
        }
    }
    for (id, f) in m.funcs.iter().filter(|(_, f)| is_root(f)) {
        let unknown = match cfg(&mut facts, id) {
            Ok(Some(mut cfg)) => {
                let unread = unread(&mut facts.cells, &mut cfg);
                of_cfg(m, &cfg, &unread, &mut out);
                !f.is_entry()
            }
            Ok(None) => false,
            Err(_) => true,
        };
        if unknown {
            // Of any payload type.
            out.iter_mut().for_each(|t| t.unknown.push(id));
        }
    }
    out
}

/// Where the value of a cell may come from.
const CAME_IN: u8 = 1;
const ASSIGNED: u8 = 2;
const EMPTY: u8 = 4;
const TRACED: u8 = 8;

/// `unread`: what dead write analysis says of the stores.
fn of_cfg(m: &rtc_ir::Module, cfg: &Cfg, unread: &FxHashSet<u32>, out: &mut [PayloadType]) {
    let span = |e: &super::cfg::Event| m.funcs[cfg.frames[e.frame as usize].func].spans[e.inst];
    let type_of = |out: &[PayloadType], ty: Struct| out.iter().position(|t| t.ty == ty).expect("found with all others");
    let states = sources(cfg);
    let after = uses(cfg);
    let stored = |s: &Sources, c: usize, f: &Field| {
        s.writer[c].is_some_and(|e| match cfg.events[e as usize].kind {
            Kind::Store { to, .. } => to.len <= f.len && unread.contains(&e),
            _ => false,
        })
    };
    // Of several stores that come to the end of a shader one is known.
    let direct = |c: usize, f: &Field| {
        unread.iter().any(|&e| match cfg.events[e as usize].kind {
            Kind::Store { to, .. } => to.len <= f.len && to.cells().any(|k| k == c),
            _ => false,
        })
    };
    let root = &m.funcs[cfg.root];
    let mine = cfg.incoming.zip(PaqStage::of_shader(root.stage)).map(|((part, ty), stage)| (part, type_of(out, ty), stage));
    let mut own = mine.map(|(_, t, _)| vec![Access { always_written: true, ..Access::default() }; out[t].fields.len()]);
    for &b in &cfg.order {
        let Some(mut s) = states[b as usize].clone() else {
            continue;
        };
        for n in cfg.events(b) {
            let e = &cfg.events[n];
            match e.kind {
                Kind::Load(p) | Kind::Escape { part: p, .. } => {
                    if let (Some(own), Some((_, t, _))) = (&mut own, mine) {
                        // The origin of the cell determines the field.
                        for c in p.cells() {
                            for f in s.from[c].iter().filter_map(|&k| field_at(&out[t].fields, k)) {
                                own[f].read.get_or_insert(span(e));
                            }
                        }
                    }
                }
                Kind::Trace { slot, ty, op, .. } => {
                    let t = type_of(out, ty);
                    let fields = out[t].fields.iter().map(|f| {
                        let cells = slot.start as usize + f.start as usize..(slot.start + f.start + f.len) as usize;
                        let any = |bit: u8| cells.clone().any(|c| s.bits[c] & bit != 0);
                        CallerAccess {
                            written: any(ASSIGNED),
                            always_written: cells.clone().all(|c| s.bits[c] == ASSIGNED),
                            stored: cells.clone().any(|c| stored(&s, c, f)),
                            passed_on: any(CAME_IN),
                            kept: any(TRACED),
                            read: cells.clone().find_map(|c| after.after_trace(n, c)).map(|e| span(&cfg.events[e])),
                        }
                    });
                    let use_ =
                        TraceUse { root: cfg.root, func: cfg.frames[e.frame as usize].func, op, span: span(e), fields: fields.collect() };
                    if let (Some(own), Some((_, mine, _))) = (&mut own, mine) {
                        for c in slot.cells() {
                            for f in s.from[c].iter().filter_map(|&k| field_at(&out[mine].fields, k)) {
                                own[f].passed_on.get_or_insert(span(e));
                            }
                        }
                    }
                    out[t].traces.push(use_);
                }
                Kind::Exit => {
                    if let (Some(own), Some((part, t, _))) = (&mut own, mine) {
                        for (f, a) in out[t].fields.iter().zip(own.iter_mut()) {
                            for c in field_cells(part, f) {
                                let from_elsewhere = s.from[c].iter().any(|&k| k != c as u32 - part.start);
                                if s.bits[c] & ASSIGNED != 0 || from_elsewhere {
                                    let at = s.writer[c].map(|e| span(&cfg.events[e as usize]));
                                    a.write.get_or_insert(at.unwrap_or(root.span));
                                    a.stored |= stored(&s, c, f) || direct(c, f);
                                }
                                if s.bits[c] & TRACED != 0 {
                                    let at = s.writer[c].map(|e| span(&cfg.events[e as usize]));
                                    a.traced.get_or_insert(at.unwrap_or(root.span));
                                }
                                a.always_written &= s.bits[c] & !(ASSIGNED | TRACED) == 0 && s.bits[c] != 0;
                            }
                        }
                    }
                }
                _ => {}
            }
            s.step(cfg, n);
        }
    }
    if let (Some(fields), Some((_, t, stage))) = (own, mine) {
        out[t].shaders.push(ShaderUse { func: cfg.root, stage, fields });
    }
}

fn field_at(fields: &[Field], cell: u32) -> Option<usize> {
    fields.iter().position(|f| (f.start..f.start + f.len).contains(&cell))
}

pub(super) fn field_cells(p: Part, f: &Field) -> std::ops::Range<usize> {
    (p.start + f.start) as usize..(p.start + f.start + f.len) as usize
}

/// Cells of the incoming payload, in their order.
type Came = SmallVec<[u32; 2]>;

/// The origins of values at one program point.
#[derive(Clone, PartialEq)]
struct Sources {
    bits: Vec<u8>,
    /// The cells of the incoming payload that the value may be of.
    from: Vec<Came>,
    /// The event that wrote it.
    writer: Vec<Option<u32>>,
}

impl Sources {
    fn put(&mut self, p: Part, bits: u8, n: usize, weak: bool) {
        for c in p.cells() {
            self.bits[c] = if weak { self.bits[c] | bits } else { bits };
            self.writer[c] = Some(n as u32);
            if !weak {
                self.from[c].clear();
            }
        }
    }
    fn step(&mut self, cfg: &Cfg, n: usize) {
        match cfg.events[n].kind {
            Kind::Fresh(p) => self.put(p, EMPTY, n, false),
            Kind::Store { to, .. } => self.put(to, ASSIGNED, n, to.weak),
            Kind::Trace { slot, .. } => self.put(slot, TRACED, n, false),
            Kind::Copy { to, from, .. } => {
                for (a, b) in to.cells().zip(from.cells()) {
                    self.bits[a] = if to.weak { self.bits[a] | self.bits[b] } else { self.bits[b] };
                    let from = self.from[b].clone();
                    if to.weak {
                        unite(&mut self.from[a], &from);
                    } else {
                        self.from[a] = from;
                    }
                    self.writer[a] = self.writer[b];
                }
            }
            Kind::Escape { part, writes: true } => self.put(part, ASSIGNED, n, true),
            Kind::Load(_) | Kind::Escape { .. } | Kind::Returned { .. } | Kind::Hit { .. } | Kind::Refine { .. } | Kind::Exit => {}
        }
    }
    /// The join. Whether the state changed.
    fn join(&mut self, other: &Sources) -> bool {
        let mut changed = false;
        for c in 0..self.bits.len() {
            let bits = self.bits[c] | other.bits[c];
            let writer = self.writer[c].max(other.writer[c]);
            changed |= unite(&mut self.from[c], &other.from[c]) || (bits, writer) != (self.bits[c], self.writer[c]);
            (self.bits[c], self.writer[c]) = (bits, writer);
        }
        changed
    }
}

/// Adds cells. Whether there are more then.
fn unite(to: &mut Came, from: &[u32]) -> bool {
    let before = to.len();
    for k in from {
        if let Err(at) = to.binary_search(k) {
            to.insert(at, *k);
        }
    }
    to.len() > before
}

/// The sources of all cells where each block begins.
fn sources(cfg: &Cfg) -> Vec<Option<Sources>> {
    let n = cfg.cells as usize;
    let mut first = Sources { bits: vec![ASSIGNED; n], from: vec![Came::new(); n], writer: vec![None; n] };
    if let Some((p, _)) = cfg.incoming {
        for c in p.cells() {
            first.bits[c] = CAME_IN;
            first.from[c] = Came::from_slice(&[c as u32 - p.start]);
        }
    }
    // Each join adds origins, of which there are finitely many.
    forward(&mut Origins(cfg), cfg.blocks.len(), &cfg.order, first, usize::MAX).unwrap_or_default()
}

/// The analysis of origins.
struct Origins<'a>(&'a Cfg);

impl Forward for Origins<'_> {
    type State = Sources;

    fn block(&mut self, b: u32, s: &mut Sources) {
        self.0.events(b).for_each(|n| s.step(self.0, n));
    }

    fn edges(&self, b: u32) -> usize {
        self.0.blocks[b as usize].succs.len()
    }

    fn edge<'s>(&mut self, b: u32, n: usize, s: &'s Sources) -> Option<(u32, Cow<'s, Sources>)> {
        Some((self.0.blocks[b as usize].succs[n].to, Cow::Borrowed(s)))
    }

    fn join(&mut self, to: &mut Sources, from: &Sources) -> bool {
        to.join(from)
    }
}

/// The event that uses the value of each cell; of several, the last in the order of events.
struct Uses {
    /// For each trace: the uses of its cells afterwards.
    traces: rustc_hash::FxHashMap<usize, (u32, Vec<Option<u32>>)>,
}

impl Uses {
    /// The event that uses cell `c` after the trace that is event `n`.
    fn after_trace(&self, n: usize, c: usize) -> Option<usize> {
        let (start, cells) = self.traces.get(&n)?;
        cells[c - *start as usize].map(|e| e as usize)
    }
}

/// The analysis of uses: for each cell the event that uses its value.
struct NextUses<'a>(&'a Cfg);

impl NextUses<'_> {
    fn step(&self, n: usize, s: &mut [Option<u32>]) {
        let own = self.0.incoming.map(|p| p.0);
        match self.0.events[n].kind {
            Kind::Fresh(p) => p.fill(s, None),
            Kind::Load(p) | Kind::Escape { part: p, .. } => p.fill(s, Some(n as u32)),
            Kind::Store { to, .. } => {
                if !to.weak {
                    to.fill(s, None);
                }
            }
            Kind::Copy { to, from, .. } => {
                for (a, b) in to.cells().zip(from.cells()) {
                    let used = s[a];
                    if !to.weak {
                        s[a] = None;
                    }
                    s[b] = s[b].max(used);
                }
            }
            Kind::Returned { .. } | Kind::Hit { .. } | Kind::Refine { .. } => {}
            // What goes into a trace may be read there: that is the business of that trace.
            Kind::Trace { slot, .. } => slot.fill(s, None),
            Kind::Exit => {
                s.fill(None);
                own.into_iter().chain(self.0.shared.iter().copied()).for_each(|p| p.fill(s, Some(n as u32)));
            }
        }
    }
}

impl Backward for NextUses<'_> {
    type State = Vec<Option<u32>>;

    fn end(&self) -> Self::State {
        vec![None; self.0.cells as usize]
    }

    fn successors(&self, b: u32) -> impl Iterator<Item = u32> {
        self.0.blocks[b as usize].succs.iter().map(|e| e.to)
    }

    fn block(&self, b: u32, s: &mut Self::State) {
        self.0.events(b).rev().for_each(|n| self.step(n, s));
    }

    fn join(&self, to: &mut Self::State, from: &Self::State) {
        to.iter_mut().zip(from).for_each(|(x, y)| *x = (*x).max(*y));
    }
}

fn uses(cfg: &Cfg) -> Uses {
    let analysis = NextUses(cfg);
    let starts = Starts::solve(&analysis, cfg.blocks.len(), &cfg.order);
    let mut traces = rustc_hash::FxHashMap::default();
    for &b in &cfg.order {
        let mut s = starts.end_of(&analysis, b);
        for n in cfg.events(b).rev() {
            if let Kind::Trace { slot, .. } = cfg.events[n].kind {
                traces.insert(n, (slot.start, s[slot.range()].to_vec()));
            }
            analysis.step(n, &mut s);
        }
    }
    Uses { traces }
}
