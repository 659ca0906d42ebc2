//! What invocations of hit objects have run, by what the caller finds out about the objects: a field that its miss shader alone writes is undefined after the
//! invocation of a hit (DXR, hit object interaction with payload access qualifiers).
//!
//! Where nothing is known about the object, the shader that ran may have left a field that says what it wrote, so nothing is reported. A test of the object itself
//! decides it.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::cfg::{Cfg, Kind};
use super::hit_kinds::{ANY, Origin, invoked};
use super::types::Part;

/// The objects of invocations.
pub(super) struct Objects {
    /// By invocation (event): the cells that hold its object.
    of: Vec<(u32, SmallVec<[u32; 2]>)>,
    /// The cell that a cell always equals, if it is another one.
    same: FxHashMap<u32, u32>,
}

impl Objects {
    pub fn new(cfg: &Cfg) -> Objects {
        if cfg.invoked.is_empty() {
            return Objects { of: Vec::new(), same: FxHashMap::default() };
        }
        let mut writes: FxHashMap<u32, u32> = FxHashMap::default();
        let mut from: FxHashMap<u32, u32> = FxHashMap::default();
        for e in &cfg.events {
            let Some(to) = written(e.kind) else { continue };
            to.cells().for_each(|c| *writes.entry(c as u32).or_default() += 1);
            let source = match e.kind {
                Kind::Hit { made: Origin::From(source), .. } | Kind::Copy { from: source, .. } => source,
                _ => continue,
            };
            if !to.weak && !source.weak && to.cells().count() == 1 && source.cells().count() == 1 {
                from.insert(to.start, source.start);
            }
        }
        let once = |c: &u32| writes.get(c).is_none_or(|&n| n == 1);
        let same = from.into_iter().filter(|(to, source)| once(to) && once(source)).collect();
        let mut out = Objects { of: Vec::new(), same };
        out.of = cfg.invoked.iter().map(|(n, cells)| (*n, cells.iter().map(|&c| out.first(c)).collect())).collect();
        out
    }

    /// The cell from which a cell has its value for good.
    fn first(&self, mut cell: u32) -> u32 {
        for _ in 0..self.same.len() {
            match self.same.get(&cell) {
                Some(&source) => cell = source,
                None => break,
            }
        }
        cell
    }

    /// The invocations whose object an event replaces.
    pub fn replaced(&self, kind: Kind) -> SmallVec<[u32; 2]> {
        if self.of.is_empty() {
            return SmallVec::new();
        }
        let Some(to) = written(kind) else { return SmallVec::new() };
        let is_in = |c: &u32| to.cells().any(|w| w as u32 == *c);
        self.of.iter().filter(|o| o.1.iter().any(is_in)).map(|o| o.0).collect()
    }

    /// The invocations whose object is in a cell.
    pub fn of_cell(&self, cell: u32) -> SmallVec<[u32; 2]> {
        let first = self.first(cell);
        self.of.iter().filter(|o| o.1.contains(&first)).map(|o| o.0).collect()
    }
}

/// What an event writes.
fn written(kind: Kind) -> Option<Part> {
    match kind {
        Kind::Fresh(to)
        | Kind::Store { to, .. }
        | Kind::Copy { to, .. }
        | Kind::Hit { to, .. }
        | Kind::Escape { part: to, writes: true } => Some(to),
        _ => None,
    }
}

/// Whether invoking an object that is one of `kinds`, which ran shaders of `stages` or perhaps none, gave a value to a field that shaders of the stages `write`
/// write; no answer if it may have.
pub(super) fn left(kinds: u8, (stages, nothing): (u8, bool), write: u8) -> Option<bool> {
    let ran = invoked(kinds & ANY);
    let (stages, nothing) = (stages & ran.stages, nothing && ran.nothing);
    match (write & stages, stages & !write != 0 || nothing) {
        (0, true) => Some(false),
        (_, false) => Some(true),
        (_, true) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::hit_kinds::{HIT, HITS, MISS, NOP};
    use super::*;
    use rtc_ir::PaqStage;

    #[test]
    fn a_test_of_the_object_decides() {
        let (close, miss) = (PaqStage::ClosestHit.bit(), PaqStage::Miss.bit());
        let both = (close | miss, false);
        assert_eq!(left(HITS, both, miss), Some(false));
        assert_eq!(left(HITS, both, close), Some(true));
        assert_eq!(left(HITS, both, close | miss), Some(true));
        assert_eq!(left(!HITS, both, close), Some(false));
        assert_eq!(left(HIT | MISS, both, close), None);
        // An object that may be a nop runs nothing.
        assert_eq!(left(NOP, (close | miss, true), close), Some(false));
        assert_eq!(left(NOP | MISS, (close | miss, true), miss), None);
        assert_eq!(left(NOP | MISS, (close | miss, true), close), Some(false));
        assert_eq!(left(NOP, both, close), Some(true), "no path");
    }
}
