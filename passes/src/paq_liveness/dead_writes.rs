//! Dead write analysis: a backward dataflow analysis over the CFG of payload events.
//!
//! A write is live if a load reads it, if it is passed to a trace with its variable, or if it leaves with the payload of
//! the shader. A load counts on a path that is possible: one that assumes no condition together with its negation. A copy of a whole payload is as live as its destination, and lost where that is,
//! except that a copy which a trace receives does not make a write live that is lost itself: the specification's example warns of that.

use rtc_base::dataflow::{Backward, Starts};
use rtc_ir::PaqStage;
use rtc_tables::payload_access::trace_boundary;
use rustc_hash::{FxHashMap, FxHashSet};

use super::cfg::{Cfg, Event, Kind};
use super::definedness::{Qualifiers, define};
use super::lattice::{Data, MAX_PATHS, States};
use super::path_conditions::{Assumptions, NoAssumptions};
use super::types::{Cells, Part};

/// A load reads it.
const LOADED: u8 = 1;
/// A trace receives it.
const FORWARDED: u8 = 2;
/// It leaves the shader with the payload.
const LEAVES: u8 = 4;
const LIVE: u8 = LOADED | FORWARDED | LEAVES;
/// It is still there when the shader ends, and is dropped.
const LOST_AT_END: u8 = 8;
/// It is dropped when a trace begins.
const LOST_IN_TRACE: u8 = 16;
/// A trace receives a copy of it.
const COPY_FORWARDED: u8 = 32;
/// A copy of it is dropped.
const COPY_LOST: u8 = 64;
const LOST: u8 = LOST_AT_END | LOST_IN_TRACE;

/// What becomes of what is copied, of what becomes of the copy.
fn of_copied(copy: u8) -> u8 {
    let forwarded = if copy & (FORWARDED | COPY_FORWARDED) != 0 { COPY_FORWARDED } else { 0 };
    let lost = if copy & (LOST | COPY_LOST) != 0 { COPY_LOST } else { 0 };
    copy & (LOADED | LEAVES) | forwarded | lost
}

/// Whether what was written is needed. A trace that receives a copy does not need what is lost itself.
fn is_live(fate: u8) -> bool {
    fate & LIVE != 0 || fate & COPY_FORWARDED != 0 && fate & LOST == 0
}

/// A write.
#[derive(Clone, Copy, Debug)]
pub(super) struct Write {
    /// The store or copy.
    pub event: u32,
    /// Some of it is live.
    pub live: bool,
    /// The event at which it is lost: a trace or an exit.
    pub lost: Option<u32>,
    /// The path condition from the entry to that event.
    pub assume: Assumptions,
}

struct Transfer<'a> {
    cfg: &'a Cfg,
    /// Without: nothing is passed to a trace, and nothing leaves the shader.
    quals: Option<&'a Qualifiers>,
    stage: Option<PaqStage>,
}

impl Transfer<'_> {
    fn step(&self, e: &Event, s: &mut [u8]) {
        match e.kind {
            Kind::Fresh(p) => p.fill(s, 0),
            Kind::Load(p) | Kind::Escape { part: p, .. } => p.cells().for_each(|c| s[c] |= LOADED),
            Kind::Store { to, .. } => {
                if !to.weak {
                    to.fill(s, 0);
                }
            }
            Kind::Copy { to, from, passing, .. } => {
                let mut after: smallvec::SmallVec<[u8; 64]> = to.cells().map(|c| s[c]).collect();
                if !to.weak {
                    to.fill(s, 0);
                }
                for (c, x) in from.cells().zip(after.drain(..)) {
                    s[c] |= if passing { x } else { of_copied(x) };
                }
            }
            Kind::Returned { .. } | Kind::Hit { .. } | Kind::Refine { .. } => {}
            Kind::Trace { slot, ty, op, .. } => {
                let Some(quals) = self.quals else {
                    return slot.fill(s, LOST_IN_TRACE);
                };
                let writers = trace_boundary(op).writers;
                for (c, paq) in slot.cells().zip(quals.get(ty)) {
                    s[c] = match paq {
                        Some(q) if q.write & writers == 0 => LOST_IN_TRACE,
                        Some(_) => FORWARDED,
                        None => s[c] | FORWARDED,
                    };
                }
            }
            Kind::Exit => {
                s.fill(0);
                self.cfg.shared.iter().for_each(|p| p.fill(s, LEAVES));
                if let (Some((p, ty)), Some(quals)) = (self.cfg.incoming, self.quals) {
                    for (c, paq) in p.cells().zip(quals.get(ty)) {
                        let leaves = match (paq, self.stage) {
                            (Some(q), Some(stage)) => q.writes(stage),
                            _ => true,
                        };
                        s[c] = if leaves { LEAVES } else { LOST_AT_END };
                    }
                }
            }
        }
    }
}

impl Backward for Transfer<'_> {
    /// Bits of each cell: what becomes of its value.
    type State = Vec<u8>;

    fn end(&self) -> Vec<u8> {
        vec![0; self.cfg.cells as usize]
    }

    fn successors(&self, b: u32) -> impl Iterator<Item = u32> {
        self.cfg.blocks[b as usize].succs.iter().map(|e| e.to)
    }

    fn block(&self, b: u32, s: &mut Vec<u8>) {
        self.cfg.events(b).rev().for_each(|n| self.step(&self.cfg.events[n], s));
    }

    fn join(&self, to: &mut Vec<u8>, from: &Vec<u8>) {
        to.iter_mut().zip(from).for_each(|(x, y)| *x |= y);
    }
}

impl Transfer<'_> {
    fn solve(&self) -> Starts<Vec<u8>> {
        Starts::solve(self, self.cfg.blocks.len(), &self.cfg.order)
    }
}

/// The assignments of the source to fields of which the shader itself reads nothing.
pub(super) fn unread(cells: &mut Cells, cfg: &mut Cfg) -> FxHashSet<u32> {
    let transfer = Transfer { cfg, quals: None, stage: None };
    let starts = transfer.solve();
    let (mut out, mut loaded) = (FxHashSet::default(), Vec::new());
    for &b in &cfg.order {
        let mut s = starts.end_of(&transfer, b);
        for n in cfg.events(b).rev() {
            if let Kind::Store { to, named: true, .. } = cfg.events[n].kind {
                match to.cells().any(|c| s[c] & LOADED != 0) {
                    true => loaded.push((n as u32, b, to)),
                    false => _ = out.insert(n as u32),
                }
            }
            transfer.step(&cfg.events[n], &mut s);
        }
    }
    if !loaded.is_empty()
        && let Some(d) = define(cells, cfg, &Qualifiers::default(), None)
    {
        for (event, block, to) in loaded {
            let mut search = Search { cfg, quals: None, stage: None, whole: true };
            if d.reached.get(&event).is_some_and(|&at| !search.is_read(d.states.get(at), (block, event), to)) {
                out.insert(event);
            }
        }
    }
    out
}

/// The assignments of the source to fields, with whether they are dead.
///
/// The dataflow analysis joins paths, so it calls a write live that is read only on a path whose conditions contradict each other. A write for which such a
/// load is the one reason to be live is looked at again, path by path: first whether any possible path reads it, then where it is lost.
pub(super) fn writes(
    cfg: &mut Cfg,
    quals: &Qualifiers,
    stage: Option<PaqStage>,
    reached: &FxHashMap<u32, u32>,
    states: &States,
) -> Vec<Write> {
    let transfer = Transfer { cfg, quals: Some(quals), stage };
    let starts = transfer.solve();
    // What becomes of each write: the union over the cells that it writes, since one live cell keeps it.
    let mut out = Vec::new();
    for &b in &cfg.order {
        let mut s = starts.end_of(&transfer, b);
        for n in cfg.events(b).rev() {
            let e = &cfg.events[n];
            if let Kind::Store { to, named: true, .. } | Kind::Copy { to, named: true, .. } | Kind::Returned { to, .. } = e.kind
                && reached.contains_key(&(n as u32))
            {
                let all = to.cells().fold(0, |a, c| a | s[c]);
                out.push((n as u32, b, to, all));
            }
            transfer.step(e, &mut s);
        }
    }
    let mut done = Vec::new();
    for (event, block, to, all) in out {
        let mut w = Write { event, live: is_live(all), lost: None, assume: 0 };
        let reached = states.get(reached[&event]);
        let mut search = Search { cfg, quals: Some(quals), stage, whole: false };
        if all & (LOST | COPY_LOST) != 0 {
            // A load alone keeps it: the search may show that no possible path leads there.
            if all & LOADED != 0 && !is_live(all & !LOADED) && !search.is_read(reached, (block, event), to) {
                w.live = false;
            }
            if !w.live {
                search.whole = false;
                let lost = reached.paths.iter().find_map(|path| search.follow((block, event), to, path.1).lost);
                if let Some((at, a)) = lost {
                    (w.lost, w.assume) = (Some(at), a);
                }
            }
        }
        done.push(w);
    }
    done
}

/// So many steps on the search for the place where a write is lost.
const STEPS: usize = 400;

/// A search for what becomes of a write, on paths that assume nothing impossible.
struct Search<'a> {
    cfg: &'a mut Cfg,
    /// Without: no trace and no end of the shader reads anything.
    quals: Option<&'a Qualifiers>,
    stage: Option<PaqStage>,
    /// On all paths, up to a load. Else up to the first place where it is lost, and loads are passed.
    whole: bool,
}

/// What becomes of what was written.
#[derive(Default)]
struct Fate {
    /// The event that loses what was written, and what the path to it assumes.
    lost: Option<(u32, Assumptions)>,
    /// It may be read.
    read: bool,
}

impl Search<'_> {
    /// Whether what an event writes may be read on one of the paths that reach it.
    fn is_read(&mut self, reached: &Data, from: (u32, u32), part: Part) -> bool {
        self.whole = true;
        // Of more paths not all are known.
        reached.unknown || reached.paths.len() >= MAX_PATHS || reached.paths.iter().any(|path| self.follow(from, part, path.1).read)
    }

    /// Follows what `from`, an event of a block, has written.
    fn follow(&mut self, (block, from): (u32, u32), part: Part, assume: Assumptions) -> Fate {
        // Copies are the same value; on all paths, those on the path to a trace. Other copies come last: what is lost itself is lost there.
        let (mut todo, mut copies) = (vec![(block, from as usize + 1, part, assume)], Vec::new());
        let mut seen = FxHashSet::default();
        for _ in 0..STEPS {
            let Some((b, at, mut part, assume)) = todo.pop().or_else(|| copies.pop()) else { return Fate::default() };
            let mut gone = false;
            for n in at..self.cfg.events(b).end {
                let overlaps = |p: Part| p.overlaps(part);
                match self.cfg.events[n].kind {
                    Kind::Load(p) | Kind::Escape { part: p, .. } if self.whole && overlaps(p) => return Fate { read: true, lost: None },
                    Kind::Copy { from, passing: false, .. } if self.whole && overlaps(from) => return Fate { read: true, lost: None },
                    Kind::Fresh(p) => gone = overlaps(p),
                    Kind::Store { to, .. } | Kind::Escape { part: to, writes: true } => gone = covers(to, part, self.whole),
                    Kind::Copy { to, from, passing, .. } => {
                        if (passing || !self.whole) && overlaps(from) && part.start >= from.start && to.len == from.len {
                            // Both the copy and its source are followed.
                            let moved = Part { start: part.start - from.start + to.start, ..part };
                            if passing {
                                todo.push((b, n + 1, part, assume));
                                part = moved;
                            } else {
                                copies.push((b, n + 1, moved, assume));
                            }
                        } else if passing && self.whole && overlaps(from) {
                            return Fate { read: true, lost: None };
                        } else {
                            gone = covers(to, part, self.whole);
                        }
                    }
                    Kind::Trace { slot, ty, op, .. } if overlaps(slot) => {
                        let writers = trace_boundary(op).writers;
                        let k = part.start.max(slot.start) - slot.start;
                        let paq = self.quals.and_then(|q| q.get(ty).get(k as usize).copied().flatten());
                        if !self.whole && paq.is_some_and(|q| q.write & writers == 0) {
                            return Fate { lost: Some((n as u32, assume)), read: false };
                        }
                        gone = true;
                    }
                    Kind::Exit => {
                        if let (Some((p, ty)), Some(stage), false) = (self.cfg.incoming, self.stage, self.whole)
                            && overlaps(p)
                        {
                            let k = part.start.max(p.start) - p.start;
                            let paq = self.quals.and_then(|q| q.get(ty).get(k as usize).copied().flatten());
                            if paq.is_some_and(|q| !q.writes(stage)) {
                                return Fate { lost: Some((n as u32, assume)), read: false };
                            }
                        }
                        gone = true;
                    }
                    _ => {}
                }
                if gone {
                    break;
                }
            }
            if gone {
                continue;
            }
            for e in self.cfg.blocks[b as usize].succs.clone() {
                let conds = &mut self.cfg.conds;
                let mut a = Some(match e.back {
                    Some(l) => conds.forget(assume, l),
                    None => assume,
                });
                for &lit in &e.lits {
                    a = match a.map(|a| (a, conds.add(a, lit))) {
                        // Where not all is known that a path assumes, it may be possible.
                        Some((a, Err(NoAssumptions::TooMany))) if self.whole => Some(a),
                        Some((_, a)) => a.ok(),
                        None => None,
                    };
                }
                if let Some(a) = a
                    && seen.insert((e.to, part.start, a))
                {
                    let first = self.cfg.blocks[e.to as usize].first as usize;
                    todo.push((e.to, first, part, a));
                }
            }
        }
        // The search has not come to its end.
        Fate { read: true, lost: None }
    }
}

/// Whether a store to `to` leaves nothing of `part`: all of it where each reader counts, else any of it.
fn covers(to: Part, part: Part, whole: bool) -> bool {
    let (a, b) = (to.range(), part.range());
    match whole {
        true => !to.weak && to.times == 1 && a.start <= b.start && b.end <= a.end,
        false => !to.weak && to.overlaps(part),
    }
}
