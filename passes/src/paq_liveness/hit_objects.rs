//! What hit objects may be where they are invoked, and so which shaders a trace may run: a forward dataflow analysis over the cells of hit objects,
//! in variables and as values, with the assumptions of each path (DXR, HitObject).

use smallvec::SmallVec;

use super::cfg::{Cfg, Invoked, Kind};
use super::hit_kinds::{ANY, HIT, NOP, Origin, UNBOUND, VAGUE, invoked};
use super::path_conditions::{Assumptions, Lit, LoopId, NONE, NoAssumptions, PathConditions};
use super::types::Part;

/// The kinds that a cell may have, each with the assumptions of the paths on which it has them.
type State = SmallVec<[(u8, Assumptions); 2]>;

/// More paths are joined, without their assumptions.
const MAX_PATHS: usize = 8;

/// Adds paths to a state. Whether it changed.
fn join(conds: &PathConditions, s: &mut State, other: &State) -> bool {
    let mut changed = false;
    for &(kinds, a) in other {
        // What a path that assumes no more has already.
        let known = s.iter().filter(|p| conds.subsumes(p.1, a)).fold(0, |all, p| all | p.0);
        if kinds & !known == 0 {
            continue;
        }
        changed = true;
        match s.iter_mut().find(|p| p.1 == a) {
            Some(p) => p.0 |= kinds,
            None => s.push((kinds, a)),
        }
    }
    if s.len() > MAX_PATHS {
        let all = s.iter().fold(0, |all, p| all | p.0);
        *s = SmallVec::from_slice(&[(all | VAGUE, NONE)]);
    }
    changed
}

fn put(conds: &PathConditions, states: &mut [State], to: Part, new: &State) {
    for c in to.cells() {
        match to.weak {
            // It may be another cell that is written, so which one of the kinds it is on a path is not known.
            true => {
                join(conds, &mut states[c], new);
                states[c].iter_mut().for_each(|p| p.0 |= VAGUE);
            }
            false => states[c].clone_from(new),
        }
    }
}

/// Those paths of `s` on which every one of `lits` may hold, in the next iteration of `back`.
fn along(conds: &mut PathConditions, s: &State, lits: &[Lit], back: Option<LoopId>) -> State {
    let mut out = State::new();
    'paths: for &(mut kinds, a) in s {
        let mut a = back.map_or(a, |l| conds.forget(a, l));
        for &lit in lits {
            match conds.add(a, lit) {
                Ok(b) => a = b,
                Err(NoAssumptions::Contradiction) => continue 'paths,
                Err(NoAssumptions::TooMany) => kinds |= VAGUE,
            }
        }
        join(conds, &mut out, &SmallVec::from_slice(&[(kinds, a)]));
    }
    out
}

fn step(conds: &PathConditions, kind: Kind, s: &mut [State], reach: &State) {
    // On the paths that come here.
    let one = |kinds: u8| -> State { reach.iter().map(|p| (kinds, p.1)).collect() };
    match kind {
        Kind::Fresh(p) => put(conds, s, p, &one(NOP)),
        Kind::Store { to, .. } | Kind::Escape { part: to, writes: true } => put(conds, s, Part { weak: true, ..to }, &one(ANY)),
        Kind::Copy { to, from, .. } => {
            for (a, b) in to.cells().zip(from.cells()) {
                let new = s[b].clone();
                put(conds, s, Part { start: a as u32, len: 1, ..to }, &new);
            }
        }
        Kind::Hit { to, made } => {
            let new = match made {
                Origin::One(kinds) => one(kinds),
                Origin::From(from) => {
                    let mut all = State::new();
                    from.cells().for_each(|c| _ = join(conds, &mut all, &s[c].clone()));
                    if from.cells().count() > 1 {
                        all.iter_mut().for_each(|p| p.0 |= VAGUE);
                    }
                    all
                }
                // A nop stays one.
                Origin::Bound(cell) => {
                    let bound = |k: u8| if k & UNBOUND != 0 { k & !UNBOUND | HIT } else { k };
                    s[cell as usize].iter().map(|p| (bound(p.0), p.1)).collect()
                }
            };
            put(conds, s, to, &new);
        }
        Kind::Refine { cell, kinds } => {
            let state = &mut s[cell as usize];
            state.iter_mut().for_each(|p| p.0 &= kinds | VAGUE);
            state.retain(|p| p.0 & ANY != 0);
        }
        Kind::Load(_) | Kind::Escape { .. } | Kind::Returned { .. } | Kind::Trace { .. } | Kind::Exit => {}
    }
}

/// No more than this many states: with more every invocation may do anything.
const MAX_STATES: usize = 1 << 22;

/// Finds out what each invocation of a hit object runs. `objects`: the cells of the hit objects of invocations, by event.
pub(super) fn resolve(cfg: &mut Cfg, objects: &[(u32, u32)]) {
    let cells = cfg.cells as usize;
    if objects.is_empty() || (cells + 1).saturating_mul(cfg.blocks.len()) > MAX_STATES {
        return;
    }
    let mut conds = std::mem::take(&mut cfg.conds);
    let anything: State = SmallVec::from_slice(&[(ANY, NONE)]);
    let mut at: Vec<Option<Vec<State>>> = vec![None; cfg.blocks.len()];
    // The last one stands for the paths themselves.
    at[0] = Some(vec![anything; cells + 1]);
    let mut todo = vec![true; cfg.blocks.len()];
    let run = |conds: &PathConditions, s: &mut [State], n: usize| {
        let (s, reach) = s.split_at_mut(cells);
        step(conds, cfg.events[n].kind, s, &reach[0]);
    };
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for &b in &cfg.order {
            if !std::mem::take(&mut todo[b as usize]) {
                continue;
            }
            let Some(mut s) = at[b as usize].clone() else { continue };
            cfg.events(b).for_each(|n| run(&conds, &mut s, n));
            for e in &cfg.blocks[b as usize].succs {
                let t: Vec<State> = s.iter().map(|x| along(&mut conds, x, &e.lits, e.back)).collect();
                if t[cells].is_empty() {
                    continue;
                }
                let new = match &mut at[e.to as usize] {
                    Some(old) => old.iter_mut().zip(&t).fold(false, |new, (x, y)| join(&conds, x, y) | new),
                    none => {
                        *none = Some(t);
                        true
                    }
                };
                todo[e.to as usize] |= new;
                changed |= new;
            }
        }
    }
    let (mut found, mut refined) = (Vec::new(), Vec::new());
    for &b in &cfg.order {
        let Some(mut s) = at[b as usize].clone() else { continue };
        for n in cfg.events(b) {
            if let Ok(k) = objects.binary_search_by_key(&(n as u32), |o| o.0) {
                found.push((n, s[objects[k].1 as usize].clone()));
            }
            if let Kind::Refine { cell, kinds } = cfg.events[n].kind {
                let paths = &s[cell as usize];
                let left: SmallVec<[Assumptions; 2]> = paths.iter().filter(|p| p.0 & kinds & ANY != 0).map(|p| p.1).collect();
                if left.len() < paths.len() {
                    refined.push((n as u32, left));
                }
            }
            run(&conds, &mut s, n);
        }
    }
    for (n, paths) in found {
        let kinds = paths.iter().fold(0, |all, p| all | p.0);
        if let Kind::Trace { runs, .. } = &mut cfg.events[n].kind {
            *runs = invoked(kinds);
        }
        let on = |p: &(u8, Assumptions)| Invoked { stages: invoked(p.0).stages, certain: p.0 & VAGUE == 0, assumed: p.1 };
        cfg.invoked_on.insert(n as u32, paths.iter().map(on).collect());
    }
    cfg.refined_to.extend(refined);
    cfg.conds = conds;
}
