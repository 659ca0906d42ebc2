//! Writes that nobody sees: backward over a flow.
//!
//! A write is seen if a load reads it, if it goes into a trace with its variable, or if it leaves with the payload that
//! the shader got. Copies of whole payloads hand on what becomes of their copies, but not that: the specification's
//! example warns of a write that only a copy carries into a trace.

use rtc_ir::PaqStage;

use super::define::{Qualifiers, masks};
use super::flow::{Event, Flow, Kind};
use super::keys::Assume;
use super::states::States;
use super::types::Part;

/// A load reads it.
const LOADED: u8 = 1;
/// It goes into a trace.
const FORWARDED: u8 = 2;
/// It leaves the shader.
const LEAVES: u8 = 4;
const SEEN: u8 = LOADED | FORWARDED | LEAVES;
/// It is there when the shader ends, and stays behind.
const LOST_AT_END: u8 = 8;
/// It stays behind when a trace begins.
const LOST_IN_TRACE: u8 = 16;

/// A write.
#[derive(Clone, Copy, Debug)]
pub(super) struct Write {
    /// The store or copy.
    pub event: u32,
    /// Somebody sees some of it.
    pub seen: bool,
    /// The event at which it is lost: a trace, or the end.
    pub lost: Option<u32>,
    /// What is assumed on the way from the beginning there.
    pub assume: Assume,
}

struct Back<'a> {
    flow: &'a Flow,
    quals: &'a Qualifiers,
    stage: Option<PaqStage>,
}

impl Back<'_> {
    fn step(&self, e: &Event, s: &mut [u8]) {
        match e.kind {
            Kind::Fresh(p) => s[p.cells()].fill(0),
            Kind::Load(p) | Kind::Escape { part: p, .. } => s[p.cells()].iter_mut().for_each(|x| *x |= LOADED),
            Kind::Store { to, .. } => {
                if !to.weak {
                    s[to.cells()].fill(0);
                }
            }
            Kind::Copy { to, from, passing, .. } => {
                let kept = if passing { 0xff } else { LOADED | LEAVES };
                let mut after: smallvec::SmallVec<[u8; 64]> = smallvec::SmallVec::from_slice(&s[to.cells()]);
                if !to.weak {
                    s[to.cells()].fill(0);
                }
                for (c, x) in from.cells().zip(after.drain(..)) {
                    s[c] |= x & kept;
                }
            }
            Kind::Trace { slot, ty, op } => {
                let (into, _) = masks(op);
                for (c, paq) in slot.cells().zip(self.quals.get(ty)) {
                    s[c] = match paq {
                        Some(q) if q.write & into == 0 => LOST_IN_TRACE,
                        Some(_) => FORWARDED,
                        None => s[c] | FORWARDED,
                    };
                }
            }
            Kind::Exit => {
                s.fill(0);
                self.flow.shared.iter().for_each(|p| s[p.cells()].fill(LEAVES));
                if let Some((p, ty)) = self.flow.incoming {
                    for (c, paq) in p.cells().zip(self.quals.get(ty)) {
                        let leaves = match (paq, self.stage) {
                            (Some(q), Some(stage)) => q.write & 1 << stage as u8 != 0,
                            _ => true,
                        };
                        s[c] = if leaves { LEAVES } else { LOST_AT_END };
                    }
                }
            }
        }
    }
}

/// The writes of the source to fields, and what becomes of them.
pub(super) fn writes(
    flow: &mut Flow,
    quals: &Qualifiers,
    stage: Option<PaqStage>,
    reached: &rustc_hash::FxHashMap<u32, u32>,
    states: &States,
) -> Vec<Write> {
    let back = Back { flow, quals, stage };
    let n = flow.cells as usize;
    let mut starts: Vec<Vec<u8>> = vec![vec![0; n]; flow.blocks.len()];
    let end_of = |starts: &[Vec<u8>], b: u32| {
        let mut s = vec![0; n];
        for e in &flow.blocks[b as usize].succs {
            s.iter_mut().zip(&starts[e.to as usize]).for_each(|(x, y)| *x |= y);
        }
        s
    };
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for &b in flow.order.iter().rev() {
            let mut s = end_of(&starts, b);
            flow.events(b).rev().for_each(|n| back.step(&flow.events[n], &mut s));
            if s != starts[b as usize] {
                starts[b as usize] = s;
                changed = true;
            }
        }
    }
    let mut out = Vec::new();
    for &b in &flow.order {
        let mut s = end_of(&starts, b);
        for n in flow.events(b).rev() {
            let e = &flow.events[n];
            if let Kind::Store { to, named: true } | Kind::Copy { to, named: true, .. } = e.kind
                && reached.contains_key(&(n as u32))
            {
                let all = s[to.cells()].iter().fold(0, |a, x| a | x);
                out.push((n as u32, b, to, all));
            }
            back.step(e, &mut s);
        }
    }
    let mut done = Vec::new();
    for (event, block, to, all) in out {
        let mut w = Write { event, seen: all & SEEN != 0, lost: None, assume: 0 };
        if !w.seen && all & (LOST_AT_END | LOST_IN_TRACE) != 0 {
            let ways = &states.get(reached[&event]).ways;
            if let Some((at, a)) = ways.iter().find_map(|way| follow(flow, quals, stage, block, event, to, way.1)) {
                (w.lost, w.assume) = (Some(at), a);
            }
        }
        done.push(w);
    }
    done
}

/// So many steps on the search for the place where a write is lost.
const STEPS: usize = 400;

/// The event that loses what `from` wrote, on a way that assumes nothing impossible.
fn follow(
    flow: &mut Flow,
    quals: &Qualifiers,
    stage: Option<PaqStage>,
    block: u32,
    from: u32,
    part: Part,
    assume: Assume,
) -> Option<(u32, Assume)> {
    // Copies on the way to a trace are the same value.
    let mut todo = vec![(block, from as usize + 1, part, assume)];
    let mut seen = rustc_hash::FxHashSet::default();
    for _ in 0..STEPS {
        let (b, at, mut part, assume) = todo.pop()?;
        let mut gone = false;
        let mut fork = None;
        for n in at..flow.events(b).end {
            let overlaps = |p: Part| p.start < part.start + part.len && part.start < p.start + p.len;
            match flow.events[n].kind {
                Kind::Fresh(p) => gone = overlaps(p),
                Kind::Store { to, .. } | Kind::Escape { part: to, writes: true } => gone = overlaps(to) && !to.weak,
                Kind::Copy { to, from, passing, .. } => {
                    if passing && overlaps(from) && part.start >= from.start && to.len == from.len {
                        // The copy goes on, and so does what was copied.
                        let moved = Part { start: part.start - from.start + to.start, ..part };
                        fork = Some((b, n + 1, part, assume));
                        part = moved;
                    } else {
                        gone = overlaps(to) && !to.weak;
                    }
                }
                Kind::Trace { slot, ty, op } if overlaps(slot) => {
                    let (into, _) = masks(op);
                    let k = part.start.max(slot.start) - slot.start;
                    let lost = quals.get(ty).get(k as usize).copied().flatten().is_some_and(|q| q.write & into == 0);
                    if lost {
                        return Some((n as u32, assume));
                    }
                    gone = true;
                }
                Kind::Exit => {
                    if let (Some((p, ty)), Some(stage)) = (flow.incoming, stage)
                        && overlaps(p)
                    {
                        let k = part.start.max(p.start) - p.start;
                        let paq = quals.get(ty).get(k as usize).copied().flatten();
                        if paq.is_some_and(|q| q.write & 1 << stage as u8 == 0) {
                            return Some((n as u32, assume));
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
        todo.extend(fork);
        if gone {
            continue;
        }
        for e in flow.blocks[b as usize].succs.clone() {
            let mut a = Some(match e.back {
                Some(l) => flow.keys.forget(assume, l),
                None => assume,
            });
            for &lit in &e.lits {
                a = a.and_then(|a| flow.keys.add(a, lit).ok());
            }
            if let Some(a) = a
                && seen.insert((e.to, part.start, a))
            {
                let first = flow.blocks[e.to as usize].first as usize;
                todo.push((e.to, first, part, a));
            }
        }
    }
    None
}
