//! Interned sets of small numbers (hash consing): two sets are equal exactly when their ids are, and unions are cached. A set with
//! more than [`MAX`] elements is top: it contains everything.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// The most elements of a set below top.
const MAX: usize = 64;

/// The number of a set.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Set(u32);

impl Set {
    pub const EMPTY: Set = Set(0);
    const ALL: Set = Set(1);
}

/// All sets that there are.
pub(super) struct Sets {
    elements: Vec<Box<[u32]>>,
    ids: FxHashMap<Box<[u32]>, Set>,
    unions: FxHashMap<(Set, Set), Set>,
}

impl Sets {
    pub fn new() -> Self {
        let none: Box<[u32]> = Box::default();
        Sets {
            // What is everything has no list.
            elements: vec![none.clone(), Box::default()],
            ids: FxHashMap::from_iter([(none, Set::EMPTY)]),
            unions: FxHashMap::default(),
        }
    }

    fn of(&mut self, sorted: &[u32]) -> Set {
        if sorted.len() > MAX {
            return Set::ALL;
        }
        if let Some(&s) = self.ids.get(sorted) {
            return s;
        }
        let s = Set(self.elements.len() as u32);
        self.elements.push(sorted.into());
        self.ids.insert(sorted.into(), s);
        s
    }

    /// The set of `x` alone.
    pub fn one(&mut self, x: u32) -> Set {
        self.of(&[x])
    }

    pub fn union(&mut self, a: Set, b: Set) -> Set {
        match (a, b) {
            _ if a == b => return a,
            (Set::EMPTY, x) | (x, Set::EMPTY) => return x,
            (Set::ALL, _) | (_, Set::ALL) => return Set::ALL,
            _ => {}
        }
        let key = if a.0 < b.0 { (a, b) } else { (b, a) };
        if let Some(&s) = self.unions.get(&key) {
            return s;
        }
        let mut all: SmallVec<[u32; 16]> = self.elements[a.0 as usize].iter().copied().collect();
        all.extend_from_slice(&self.elements[b.0 as usize]);
        all.sort_unstable();
        all.dedup();
        let s = self.of(&all);
        self.unions.insert(key, s);
        s
    }

    pub fn contains(&self, s: Set, x: u32) -> bool {
        s == Set::ALL || self.elements[s.0 as usize].binary_search(&x).is_ok()
    }

    /// `s` with `by` in the place of element `x`.
    pub fn replace(&mut self, s: Set, x: u32, by: Set) -> Set {
        if s == Set::ALL || !self.contains(s, x) {
            return s;
        }
        let rest: SmallVec<[u32; 16]> = self.list(s).iter().copied().filter(|&e| e != x).collect();
        let rest = self.of(&rest);
        self.union(rest, by)
    }

    /// The elements; none of what is everything.
    pub fn list(&self, s: Set) -> &[u32] {
        &self.elements[s.0 as usize]
    }

    /// An element of `a` that `b` does not have; `None` inside if `a` is everything and `b` is not.
    pub fn beyond(&self, a: Set, b: Set) -> Option<Option<u32>> {
        if a == b || b == Set::ALL {
            return None;
        }
        if a == Set::ALL {
            return Some(None);
        }
        self.list(a).iter().find(|&&x| !self.contains(b, x)).map(|&x| Some(x))
    }
}
