//! The lattice of definedness: a cell may be defined, unknown or undefined, the last with the paths on which it is.
//!
//! States are interned, and the results of operations on them are cached, so that following an edge costs a look-up
//! for each cell.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::path_conditions::{Assumptions, Lit, LoopId, NoAssumptions, PathConditions};

/// An interned element of the lattice.
pub(super) type State = u32;

/// Why a cell is undefined.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Cause {
    /// Not undefined: control reaches this point. (Of the cell that represents reachability.)
    Reached,
    /// The shader does not receive this cell of its payload.
    Entry(u32),
    /// This event created the variable.
    Fresh(u32),
    /// This trace (event) does not return this cell of the payload.
    Trace(u32, u32),
    /// Not known to be undefined: it is if this invocation of a hit object (event) has run a shader that does not write this cell of the payload.
    Otherwise(u32, u32),
    /// This invocation (event) had an object of these kinds, for which no shader runs that writes this cell of the payload. With `VAGUE` the object is
    /// gone: what a test of another one in its place finds does not concern it.
    Ran(u32, u32, u8),
}

impl Cause {
    /// Whether another cell became undefined with this one.
    pub fn is_like(self, other: Cause) -> bool {
        match (self, other) {
            (Cause::Entry(_), Cause::Entry(_)) => true,
            (Cause::Trace(a, _), Cause::Trace(b, _)) => a == b,
            (Cause::Ran(a, _, x), Cause::Ran(b, _, y)) => (a, x) == (b, y),
            (a, b) => a == b,
        }
    }
}

/// A path on which a cell is undefined, unless one of the writes to an unknown element of its array was to it.
pub(super) type UndefPath = (Cause, Assumptions, Doubt);

/// What a test of a hit object makes of a cause.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Decided {
    /// It does not concern it.
    Same,
    /// This is the cause.
    Is(Cause),
    /// The cell may have a value.
    Open,
    /// There is no such path.
    Never,
}

/// Whether two cells are undefined on the same path for the same reason.
pub(super) fn like(a: UndefPath, b: UndefPath) -> bool {
    (a.1, a.2) == (b.1, b.2) && a.0.is_like(b.0)
}

/// Writes to unknown elements since the cell became undefined: the last one (its event and one), and how many cells all of them write at most.
pub(super) type Doubt = (u32, u32);
/// It is certainly undefined.
pub(super) const NO_DOUBT: Doubt = (0, 0);

/// More paths are not kept.
pub(super) const MAX_PATHS: usize = 4;

#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct Data {
    /// There may be a path on which it is defined.
    pub defined: bool,
    /// There may be a path on which this is unknown.
    pub unknown: bool,
    /// Paths on which it is undefined.
    pub paths: SmallVec<[UndefPath; 2]>,
}

#[derive(Default)]
pub(super) struct States {
    data: Vec<Data>,
    ids: FxHashMap<Data, State>,
    joins: FxHashMap<(State, State), State>,
    assumed: FxHashMap<(State, Lit), State>,
    forgotten: FxHashMap<(State, LoopId), State>,
}

/// The bottom element: control does not reach this point.
pub(super) const UNREACHED: State = 0;
/// A defined value.
pub(super) const DEFINED: State = 1;
/// Possibly defined.
pub(super) const UNKNOWN: State = 2;

impl States {
    pub fn new() -> Self {
        let mut s = States::default();
        s.intern(Data::default());
        s.intern(Data { defined: true, ..Data::default() });
        s.intern(Data { unknown: true, ..Data::default() });
        s
    }
    fn intern(&mut self, d: Data) -> State {
        if let Some(&id) = self.ids.get(&d) {
            return id;
        }
        let id = self.data.len() as State;
        self.ids.insert(d.clone(), id);
        self.data.push(d);
        id
    }
    pub fn get(&self, s: State) -> &Data {
        &self.data[s as usize]
    }
    /// Undefined for one reason on one path.
    pub fn seed(&mut self, cause: Cause, a: Assumptions) -> State {
        self.intern(Data { paths: SmallVec::from_slice(&[(cause, a, NO_DOUBT)]), ..Data::default() })
    }
    /// Undefined for the reason `cause` on the paths of `reached`.
    pub fn undefined(&mut self, cause: Cause, reached: State) -> State {
        let r = self.get(reached).clone();
        let paths = r.paths.iter().map(|w| (cause, w.1, NO_DOUBT)).collect();
        self.intern(Data { defined: false, unknown: r.unknown, paths })
    }
    /// The state after a single write, by this event, of so many cells of several.
    pub fn one_written(&mut self, s: State, event: u32, cells: u32) -> State {
        let mut d = self.get(s).clone();
        d.paths.iter_mut().for_each(|p| p.2 = (event + 1, p.2.1 + cells));
        d.paths.sort_unstable();
        d.defined = true;
        self.intern(d)
    }
    /// The state after a write that may have changed another element.
    pub fn maybe_written(&mut self, s: State) -> State {
        let mut d = self.get(s).clone();
        d.unknown |= !d.paths.is_empty();
        d.paths.clear();
        d.defined = true;
        self.intern(d)
    }

    /// The state of a value that is one of two, which is not known: undefined where both are.
    pub fn one_of(&mut self, a: State, b: State) -> State {
        if a == b {
            return a;
        }
        let (x, y) = (self.get(a), self.get(b));
        let paths: SmallVec<[UndefPath; 2]> = x.paths.iter().copied().filter(|&p| y.paths.iter().any(|&q| like(p, q))).collect();
        let dropped = paths.len() < x.paths.len().max(y.paths.len());
        let d = Data { defined: x.defined | y.defined, unknown: x.unknown | y.unknown | dropped, paths };
        self.intern(d)
    }

    /// The join.
    pub fn join(&mut self, conds: &mut PathConditions, a: State, b: State) -> State {
        if a == b || b == UNREACHED {
            return a;
        }
        if a == UNREACHED {
            return b;
        }
        let id = (a.min(b), a.max(b));
        if let Some(&s) = self.joins.get(&id) {
            return s;
        }
        let (x, y) = (self.get(a), self.get(b));
        let (defined, unknown) = (x.defined | y.defined, x.unknown | y.unknown);
        let mut paths: SmallVec<[UndefPath; 8]> = x.paths.iter().chain(&y.paths).copied().collect();
        simplify(conds, &mut paths);
        paths.sort_by_key(|w| (matches!(w.0, Cause::Otherwise(..)), conds.lits(w.1).len(), *w));
        paths.truncate(MAX_PATHS);
        paths.sort_unstable();
        let s = self.intern(Data { defined, unknown, paths: paths.into_iter().collect() });
        self.joins.insert(id, s);
        s
    }

    /// The transfer function of an edge: only the paths on which `lit` may hold.
    pub fn assume(&mut self, conds: &mut PathConditions, s: State, lit: Lit) -> State {
        if self.get(s).paths.is_empty() {
            return s;
        }
        if let Some(&t) = self.assumed.get(&(s, lit)) {
            return t;
        }
        let mut d = self.get(s).clone();
        let mut paths = SmallVec::new();
        for (cause, a, doubt) in d.paths {
            match conds.add(a, lit) {
                Ok(a) => paths.push((cause, a, doubt)),
                Err(NoAssumptions::Contradiction) => {}
                Err(NoAssumptions::TooMany) => d.unknown = true,
            }
        }
        paths.sort_unstable();
        paths.dedup();
        d.paths = paths;
        let t = self.intern(d);
        self.assumed.insert((s, lit), t);
        t
    }

    /// The state of a cell that invocations of hit objects may have left undefined, after a test of their objects.
    pub fn decided(&mut self, s: State, becomes: impl Fn(Cause) -> Decided) -> State {
        if !self.get(s).paths.iter().any(|p| matches!(p.0, Cause::Otherwise(..) | Cause::Ran(..))) {
            return s;
        }
        let mut d = self.get(s).clone();
        let mut paths: SmallVec<[UndefPath; 2]> = SmallVec::new();
        for path in d.paths {
            match becomes(path.0) {
                Decided::Same => paths.push(path),
                Decided::Is(cause) => paths.push((cause, path.1, path.2)),
                Decided::Open => d.unknown = true,
                Decided::Never => {}
            }
        }
        paths.sort_unstable();
        paths.dedup();
        d.paths = paths;
        self.intern(d)
    }

    /// Only the paths on which one of these sets of assumptions may hold, too.
    pub fn where_possible(&mut self, conds: &mut PathConditions, s: State, any: &[Assumptions]) -> State {
        let mut d = self.get(s).clone();
        d.paths.retain(|p| any.iter().any(|&a| conds.agree(p.1, a)));
        self.intern(d)
    }

    /// The transfer function of a back edge of loop `l`.
    pub fn forget(&mut self, conds: &mut PathConditions, s: State, l: LoopId) -> State {
        if self.get(s).paths.is_empty() {
            return s;
        }
        if let Some(&t) = self.forgotten.get(&(s, l)) {
            return t;
        }
        let mut d = self.get(s).clone();
        let mut paths: SmallVec<[UndefPath; 8]> = d.paths.iter().map(|w| (w.0, conds.forget(w.1, l), w.2)).collect();
        simplify(conds, &mut paths);
        paths.sort_unstable();
        d.paths = paths.into_iter().collect();
        let t = self.intern(d);
        self.forgotten.insert((s, l), t);
        t
    }
}

/// Drops paths that assume more than another one for the same reason; merges two that differ in one condition.
fn simplify(conds: &mut PathConditions, paths: &mut SmallVec<[UndefPath; 8]>) {
    'again: loop {
        paths.sort_unstable();
        paths.dedup();
        for i in 0..paths.len() {
            for j in 0..paths.len() {
                if i == j || (paths[i].0, paths[i].2) != (paths[j].0, paths[j].2) {
                    continue;
                }
                if conds.subsumes(paths[i].1, paths[j].1) {
                    paths.remove(j);
                    continue 'again;
                }
                if i < j
                    && let Some(a) = conds.resolve(paths[i].1, paths[j].1)
                {
                    paths[i].1 = a;
                    paths.remove(j);
                    continue 'again;
                }
            }
        }
        return;
    }
}

#[cfg(test)]
mod tests {
    use super::super::path_conditions::{ExprId, NO_LOOP, NONE};
    use super::*;

    /// A state with these facts.
    fn data(defined: bool, unknown: bool, paths: &[UndefPath]) -> Data {
        Data { defined, unknown, paths: paths.iter().copied().collect() }
    }

    /// Two paths: on which a condition holds, and on which it does not.
    fn sides(k: &mut PathConditions) -> (ExprId, Assumptions, Assumptions) {
        let c = k.opaque(NO_LOOP);
        (c, k.add(NONE, (c, true)).unwrap(), k.add(NONE, (c, false)).unwrap())
    }

    #[test]
    fn cells_that_became_undefined_together_are_alike() {
        let (entry, fresh) = (Cause::Entry(1), Cause::Fresh(1));
        assert!(entry.is_like(Cause::Entry(2)) && fresh.is_like(fresh) && Cause::Trace(1, 0).is_like(Cause::Trace(1, 3)));
        assert!(!Cause::Trace(1, 0).is_like(Cause::Trace(2, 0)) && !fresh.is_like(Cause::Fresh(2)) && !entry.is_like(fresh));
        let (_, yes, no) = sides(&mut PathConditions::new());
        let path = (entry, yes, (4, 2));
        assert!(like(path, (Cause::Entry(9), yes, (4, 2))));
        assert!(!like(path, (entry, no, (4, 2))) && !like(path, (entry, yes, (4, 1))) && !like(path, (fresh, yes, (4, 2))));
    }

    #[test]
    fn a_write_to_one_of_several_leaves_a_doubt() {
        let mut s = States::new();
        let undefined = s.seed(Cause::Entry(0), NONE);
        let written = s.maybe_written(undefined);
        assert_eq!(*s.get(written), data(true, true, &[]));
        assert_eq!([s.maybe_written(DEFINED), s.maybe_written(UNREACHED)], [DEFINED; 2]);
        let unknown = s.maybe_written(UNKNOWN);
        assert_eq!(*s.get(unknown), data(true, true, &[]));
        // Each of them is counted, with the last one.
        let once = s.one_written(undefined, 6, 2);
        assert_eq!(*s.get(once), data(true, false, &[(Cause::Entry(0), NONE, (7, 2))]));
        let twice = s.one_written(once, 3, 4);
        assert_eq!(*s.get(twice), data(true, false, &[(Cause::Entry(0), NONE, (4, 6))]));
    }

    #[test]
    fn one_of_two_is_undefined_where_both_are() {
        let (mut s, mut k) = (States::new(), PathConditions::new());
        let (_, yes, no) = sides(&mut k);
        let (a, b) = (s.seed(Cause::Entry(0), yes), s.seed(Cause::Entry(1), yes));
        assert_eq!(s.one_of(a, a), a);
        let both = s.one_of(a, b);
        assert_eq!(*s.get(both), data(false, false, &[(Cause::Entry(0), yes, NO_DOUBT)]));
        // On another path, or with a value, it is not known.
        let other = s.seed(Cause::Entry(0), no);
        for (x, y, defined) in [(a, other, false), (a, DEFINED, true), (DEFINED, a, true), (a, UNKNOWN, false), (UNKNOWN, a, false)] {
            let one = s.one_of(x, y);
            assert_eq!(*s.get(one), data(defined, true, &[]), "{x} {y}");
        }
        for (x, y) in [(DEFINED, UNKNOWN), (UNKNOWN, DEFINED)] {
            let one = s.one_of(x, y);
            assert_eq!(*s.get(one), data(true, true, &[]));
        }
        // One path of two is left.
        let two = s.join(&mut k, a, other);
        assert_eq!(s.get(two).paths.len(), 1, "they are one path without the condition");
        let fresh = s.seed(Cause::Fresh(3), no);
        let two = s.join(&mut k, a, fresh);
        for one in [s.one_of(two, a), s.one_of(a, two)] {
            assert_eq!(*s.get(one), data(false, true, &[(Cause::Entry(0), yes, NO_DOUBT)]));
        }
    }

    #[test]
    fn joins_have_what_either_has_on_the_paths_that_assume_least() {
        let (mut s, mut k) = (States::new(), PathConditions::new());
        let (c, yes, no) = sides(&mut k);
        let a = s.seed(Cause::Entry(0), yes);
        for (x, defined, unknown) in [(DEFINED, true, false), (UNKNOWN, false, true)] {
            for joined in [s.join(&mut k, a, x), s.join(&mut k, x, a)] {
                assert_eq!(*s.get(joined), data(defined, unknown, &[(Cause::Entry(0), yes, NO_DOUBT)]));
            }
        }
        assert_eq!([s.join(&mut k, a, UNREACHED), s.join(&mut k, UNREACHED, a), s.join(&mut k, a, a)], [a; 3]);
        let (everywhere, b) = (s.seed(Cause::Entry(0), NONE), s.seed(Cause::Entry(0), no));
        assert_eq!([s.join(&mut k, a, everywhere), s.join(&mut k, everywhere, b), s.join(&mut k, a, b)], [everywhere; 3]);
        // Of more paths those stay that assume least.
        let mut all = UNREACHED;
        let mut last = NONE;
        for n in 0..MAX_PATHS as u32 + 2 {
            let cause = s.seed(Cause::Fresh(n), last);
            all = s.join(&mut k, cause, all);
            let more = k.opaque(NO_LOOP);
            last = k.add(last, (more, true)).unwrap();
        }
        let kept: Vec<Cause> = s.get(all).paths.iter().map(|p| p.0).collect();
        assert_eq!(kept, (0..MAX_PATHS as u32).map(Cause::Fresh).collect::<Vec<_>>());
        // An edge drops the paths that contradict it; of possible ones those stay that one of them agrees with.
        let fresh = s.seed(Cause::Fresh(1), no);
        let two = s.join(&mut k, a, fresh);
        assert_eq!([s.assume(&mut k, two, (c, true)), s.assume(&mut k, two, (c, false))], [a, fresh]);
        assert_eq!([s.where_possible(&mut k, two, &[yes]), s.where_possible(&mut k, two, &[no])], [a, fresh]);
        assert_eq!(s.where_possible(&mut k, two, &[yes, no]), two);
        assert_eq!(s.where_possible(&mut k, two, &[]), UNREACHED);
        let reached = s.seed(Cause::Reached, yes);
        assert_eq!(s.undefined(Cause::Entry(0), reached), a);
    }

    #[test]
    fn a_path_that_assumes_too_much_is_not_known() {
        let (mut s, mut k) = (States::new(), PathConditions::new());
        let mut path = s.seed(Cause::Entry(0), NONE);
        for n in 0.. {
            let c = k.opaque(NO_LOOP);
            path = s.assume(&mut k, path, (c, true));
            if s.get(path).paths.is_empty() {
                assert!(n > 4);
                break;
            }
            assert!(!s.get(path).unknown);
        }
        assert_eq!(path, UNKNOWN);
        // What a loop recomputes is no assumption in the next iteration.
        k.parents.push(NO_LOOP);
        let (inside, outside) = (k.opaque(1), k.opaque(NO_LOOP));
        let kept = k.add(NONE, (outside, true)).unwrap();
        let both = k.add(kept, (inside, true)).unwrap();
        let (before, after) = (s.seed(Cause::Entry(0), both), s.seed(Cause::Entry(0), kept));
        assert_eq!([s.forget(&mut k, before, 1), s.forget(&mut k, after, 1), s.forget(&mut k, DEFINED, 1)], [after, after, DEFINED]);
    }
}
