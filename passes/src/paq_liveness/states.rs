//! What may be in a cell: a defined value, something unknown, or nothing, with the ways that lead to nothing.
//!
//! States are interned, and so are the answers of the operations on them, so that following a branch costs a look-up
//! for each cell.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::keys::{Assume, Keys, Lit, LoopId};

/// An interned set of possibilities.
pub(super) type State = u32;

/// Why nothing is in a cell.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Cause {
    /// None: control comes here at all. (Of the cell that stands for that.)
    Reached,
    /// The shader began, and this cell of the payload does not come in.
    Entry(u32),
    /// The variable came into being with this event.
    Fresh(u32),
    /// This trace (event) does not give back this cell of the payload.
    Trace(u32, u32),
}

/// A way to nothing: why, and what is assumed on the way.
pub(super) type Way = (Cause, Assume);

/// So many ways are kept.
const MAX: usize = 4;

#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct Data {
    /// There may be a way on which a defined value is there.
    pub defined: bool,
    /// There may be a way on which what is there is not known.
    pub unknown: bool,
    /// Ways on which nothing is there.
    pub ways: SmallVec<[Way; 2]>,
}

#[derive(Default)]
pub(super) struct States {
    data: Vec<Data>,
    ids: FxHashMap<Data, State>,
    joins: FxHashMap<(State, State), State>,
    assumed: FxHashMap<(State, Lit), State>,
    forgotten: FxHashMap<(State, LoopId), State>,
}

/// Control does not come here.
pub(super) const NEVER: State = 0;
/// A defined value.
pub(super) const DEFINED: State = 1;
/// Who knows.
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
    /// Nothing, for one reason, on one way.
    pub fn seed(&mut self, cause: Cause, a: Assume) -> State {
        self.intern(Data { ways: SmallVec::from_slice(&[(cause, a)]), ..Data::default() })
    }
    /// Nothing, for the reason `cause`, on the ways of `reached`.
    pub fn nothing(&mut self, cause: Cause, reached: State) -> State {
        let r = self.get(reached).clone();
        let ways = r.ways.iter().map(|w| (cause, w.1)).collect();
        self.intern(Data { defined: false, unknown: r.unknown, ways })
    }
    /// What is there after something that may or may not have been a write.
    pub fn perhaps_written(&mut self, s: State) -> State {
        let mut d = self.get(s).clone();
        d.unknown |= !d.ways.is_empty();
        d.ways.clear();
        d.defined = true;
        self.intern(d)
    }

    /// Either.
    pub fn join(&mut self, keys: &mut Keys, a: State, b: State) -> State {
        if a == b || b == NEVER {
            return a;
        }
        if a == NEVER {
            return b;
        }
        let id = (a.min(b), a.max(b));
        if let Some(&s) = self.joins.get(&id) {
            return s;
        }
        let (x, y) = (self.get(a), self.get(b));
        let (defined, unknown) = (x.defined | y.defined, x.unknown | y.unknown);
        let mut ways: SmallVec<[Way; 8]> = x.ways.iter().chain(&y.ways).copied().collect();
        simplify(keys, &mut ways);
        ways.sort_by_key(|w| (keys.lits(w.1).len(), *w));
        ways.truncate(MAX);
        ways.sort_unstable();
        let s = self.intern(Data { defined, unknown, ways: ways.into_iter().collect() });
        self.joins.insert(id, s);
        s
    }

    /// Only the ways on which `lit` may hold.
    pub fn assume(&mut self, keys: &mut Keys, s: State, lit: Lit) -> State {
        if self.get(s).ways.is_empty() {
            return s;
        }
        if let Some(&t) = self.assumed.get(&(s, lit)) {
            return t;
        }
        let mut d = self.get(s).clone();
        let mut ways = SmallVec::new();
        for (cause, a) in d.ways {
            match keys.add(a, lit) {
                Ok(a) => ways.push((cause, a)),
                Err(impossible) => d.unknown |= !impossible,
            }
        }
        ways.sort_unstable();
        ways.dedup();
        d.ways = ways;
        let t = self.intern(d);
        self.assumed.insert((s, lit), t);
        t
    }

    /// When the next round of loop `l` begins.
    pub fn forget(&mut self, keys: &mut Keys, s: State, l: LoopId) -> State {
        if self.get(s).ways.is_empty() {
            return s;
        }
        if let Some(&t) = self.forgotten.get(&(s, l)) {
            return t;
        }
        let mut d = self.get(s).clone();
        let mut ways: SmallVec<[Way; 8]> = d.ways.iter().map(|w| (w.0, keys.forget(w.1, l))).collect();
        simplify(keys, &mut ways);
        ways.sort_unstable();
        d.ways = ways.into_iter().collect();
        let t = self.intern(d);
        self.forgotten.insert((s, l), t);
        t
    }
}

/// Drops ways that assume more than another one for the same reason; two that differ in one condition become one.
fn simplify(keys: &mut Keys, ways: &mut SmallVec<[Way; 8]>) {
    'again: loop {
        ways.sort_unstable();
        ways.dedup();
        for i in 0..ways.len() {
            for j in 0..ways.len() {
                if i == j || ways[i].0 != ways[j].0 {
                    continue;
                }
                if keys.weaker(ways[i].1, ways[j].1) {
                    ways.remove(j);
                    continue 'again;
                }
                if i < j
                    && let Some(a) = keys.resolve(ways[i].1, ways[j].1)
                {
                    ways[i].1 = a;
                    ways.remove(j);
                    continue 'again;
                }
            }
        }
        return;
    }
}
