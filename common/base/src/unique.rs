//! Arenas in which each value is there once: a [`Unique`] finds the entity of a value without a copy of it.

use std::hash::{BuildHasher, Hash};

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

use crate::entity::{EntityRef, PrimaryMap};

/// The entities of an arena by their values. The values are those of the arena, so both have to change together.
#[derive(Clone)]
pub struct Unique<E>(HashTable<E>);

impl<E> Default for Unique<E> {
    fn default() -> Self {
        Unique(HashTable::new())
    }
}

impl<E> std::fmt::Debug for Unique<E> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Unique({})", self.0.len())
    }
}

impl<E: EntityRef> Unique<E> {
    /// The entity of `value` in `all`; a new one if there is none.
    pub fn find_or_push<V: Hash + Eq>(&mut self, all: &mut PrimaryMap<E, V>, value: V) -> E {
        let hash = FxBuildHasher.hash_one(&value);
        if let Some(&e) = self.0.find(hash, |&e| all[e] == value) {
            return e;
        }
        let e = all.push(value);
        let all = &*all;
        self.0.insert_unique(hash, e, |&e| FxBuildHasher.hash_one(&all[e]));
        e
    }

    /// Finds the values of `all` from now on, whatever was found before: of equal ones the last.
    pub fn find_all<V: Hash + Eq>(&mut self, all: &PrimaryMap<E, V>) {
        self.0.clear();
        for (e, value) in all.iter() {
            let hash = FxBuildHasher.hash_one(value);
            match self.0.find_mut(hash, |&other| all[other] == *value) {
                Some(other) => *other = e,
                None => _ = self.0.insert_unique(hash, e, |&e| FxBuildHasher.hash_one(&all[e])),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    crate::entity! {
        /// A word.
        pub struct Word = "w";
    }

    #[test]
    fn values_are_there_once() {
        let (mut all, mut ids) = (PrimaryMap::<Word, String>::new(), Unique::default());
        let mut of = |text: &str| ids.find_or_push(&mut all, text.to_owned());
        let words: Vec<Word> = (0..100).map(|n| of(&(n % 40).to_string())).collect();
        assert!((40..100).all(|n| words[n] == words[n % 40]) && all.len() == 40, "there are {} of {}", all.len(), Word::PREFIX);
    }

    #[test]
    fn of_equal_ones_the_last_is_found() {
        let (mut all, mut ids) = (PrimaryMap::<Word, u32>::new(), Unique::default());
        let [a, b] = [1, 2].map(|n| ids.find_or_push(&mut all, n));
        all[a] = 2;
        ids.find_all(&all);
        assert_eq!([2, 1].map(|n| ids.find_or_push(&mut all, n)), [b, Word::number(2)]);
    }
}
