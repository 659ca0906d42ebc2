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

#[cfg(test)]
mod tests {
    use rtc_ir::Type;

    use super::super::hit_kinds::{MISS, SKIPS};
    use super::super::path_conditions::{ExprId, NO_LOOP};
    use super::*;

    fn state(paths: &[(u8, Assumptions)]) -> State {
        paths.iter().copied().collect()
    }

    fn cell(n: u32) -> Part {
        Part::one(n, 1, Type::HIT_OBJECT)
    }

    fn sides(k: &mut PathConditions) -> (ExprId, Assumptions, Assumptions) {
        let c = k.opaque(NO_LOOP);
        (c, k.add(NONE, (c, true)).unwrap(), k.add(NONE, (c, false)).unwrap())
    }

    #[test]
    fn a_join_adds_what_no_path_has() {
        let mut k = PathConditions::new();
        let (_, yes, no) = sides(&mut k);
        let mut s = state(&[(HIT, NONE), (MISS, yes)]);
        // A path that assumes no more has them, alone or with others.
        for known in [(HIT, yes), (HIT, no), (MISS, yes), (HIT | MISS, yes), (HIT, NONE)] {
            assert!(!join(&k, &mut s, &state(&[known])), "{known:?}");
        }
        assert_eq!(s, state(&[(HIT, NONE), (MISS, yes)]));
        assert!(join(&k, &mut s, &state(&[(NOP | HIT, yes)])));
        assert_eq!(s, state(&[(HIT, NONE), (NOP | HIT | MISS, yes)]));
        assert!(join(&k, &mut s, &state(&[(MISS, no), (MISS, NONE)])));
        assert_eq!(s, state(&[(HIT | MISS, NONE), (NOP | HIT | MISS, yes), (MISS, no)]));
    }

    #[test]
    fn more_paths_are_one() {
        let mut k = PathConditions::new();
        let mut s = State::new();
        for n in 0..=MAX_PATHS {
            assert_eq!(s.len(), n);
            let (_, yes, _) = sides(&mut k);
            assert!(join(&k, &mut s, &state(&[(if n == 0 { HIT } else { MISS }, yes)])));
        }
        assert_eq!(s, state(&[(HIT | MISS | VAGUE, NONE)]));
    }

    #[test]
    fn an_edge_drops_the_paths_that_contradict_it() {
        let mut k = PathConditions::new();
        let (c, yes, no) = sides(&mut k);
        let s = state(&[(HIT, yes), (MISS, no)]);
        assert_eq!(along(&mut k, &s, &[(c, true)], None), state(&[(HIT, yes)]));
        assert_eq!(along(&mut k, &s, &[(c, false)], None), state(&[(MISS, no)]));
        assert_eq!(along(&mut k, &s, &[], None), s);
        // A path with too many assumptions goes on without one, and may be another.
        let mut full = yes;
        let over = loop {
            let (next, more, _) = sides(&mut k);
            assert_ne!(more, NONE);
            match k.add(full, (next, true)) {
                Ok(more) => full = more,
                Err(why) => {
                    assert_eq!(why, NoAssumptions::TooMany);
                    break next;
                }
            }
        };
        assert_eq!(along(&mut k, &state(&[(HIT, full)]), &[(over, true)], None), state(&[(HIT | VAGUE, full)]));
        // What the loop recomputes is assumed anew.
        k.parents.push(NO_LOOP);
        let inside = k.opaque(1);
        let first = k.add(yes, (inside, true)).unwrap();
        let second = k.add(yes, (inside, false)).unwrap();
        assert_eq!(along(&mut k, &state(&[(HIT, first)]), &[(inside, false)], Some(1)), state(&[(HIT, second)]));
        assert_eq!(along(&mut k, &state(&[(HIT, first)]), &[(inside, false)], None), State::new());
    }

    #[test]
    fn each_event_puts_the_kinds_that_it_makes() {
        let mut k = PathConditions::new();
        let (_, yes, no) = sides(&mut k);
        let reach = state(&[(ANY, yes), (ANY, no)]);
        let both = |kinds: u8| state(&[(kinds, yes), (kinds, no)]);
        let mut s = vec![both(HIT), both(MISS), both(UNBOUND | NOP)];
        let mut run = |kind: Kind| {
            step(&k, kind, &mut s, &reach);
            s.clone()
        };
        assert_eq!(run(Kind::Fresh(cell(0)))[0], both(NOP));
        assert_eq!(run(Kind::Hit { to: cell(0), made: Origin::One(HIT | MISS) })[0], both(HIT | MISS));
        // With a record of its own what a query found is a hit, and a nop stays one.
        assert_eq!(run(Kind::Hit { to: cell(0), made: Origin::Bound(2) })[0], both(NOP | HIT));
        assert_eq!(run(Kind::Hit { to: cell(0), made: Origin::Bound(1) })[0], both(MISS));
        assert_eq!(run(Kind::Copy { to: cell(0), from: cell(2), passing: false, named: false })[0], both(UNBOUND | NOP));
        let one = run(Kind::Hit { to: cell(0), made: Origin::From(cell(1)) });
        assert_eq!(one, [both(MISS), both(MISS), both(UNBOUND | NOP)]);
        // Of several it is not known which.
        let several = Part { weak: true, ..Part::one(1, 1, Type::HIT_OBJECT).elements(2, 1, Type::HIT_OBJECT) };
        assert_eq!(run(Kind::Hit { to: cell(0), made: Origin::From(several) })[0], both(MISS | UNBOUND | NOP | VAGUE));
        let after = run(Kind::Hit { to: several, made: Origin::One(HIT) });
        assert_eq!(after[1..], [both(MISS | HIT | VAGUE), both(UNBOUND | NOP | HIT | VAGUE)]);
        // What a test leaves; a path on which nothing is left is none.
        let refined = run(Kind::Refine { cell: 1, kinds: MISS });
        assert_eq!(refined[1], both(MISS | VAGUE));
        assert_eq!(run(Kind::Refine { cell: 1, kinds: SKIPS })[1], State::new());
        // What another function writes may be anything.
        assert_eq!(run(Kind::Escape { part: cell(0), writes: true })[0], both(ANY | VAGUE));
        let read = run(Kind::Escape { part: cell(2), writes: false });
        assert_eq!(read[2], both(UNBOUND | NOP | HIT | VAGUE));
    }
}
