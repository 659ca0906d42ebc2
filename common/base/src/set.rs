//! A set of entities as a bit for each number: what passes mark most, so that an insertion below the capacity is a few instructions.

use std::fmt;
use std::marker::PhantomData;

use cranelift_entity::EntityRef;

/// A set of densely numbered entities.
#[derive(Clone)]
pub struct EntitySet<K> {
    words: Vec<u64>,
    keys: PhantomData<K>,
}

/// The word of a number, and its bit there.
#[inline]
fn position(n: usize) -> (usize, u64) {
    (n / 64, 1 << (n % 64))
}

impl<K: EntityRef> EntitySet<K> {
    /// A set without members.
    pub const fn new() -> Self {
        EntitySet { words: Vec::new(), keys: PhantomData }
    }

    /// A set without members, with room for those below number `len`.
    pub fn with_capacity(len: usize) -> Self {
        EntitySet { words: vec![0; len.div_ceil(64)], keys: PhantomData }
    }

    /// Whether `k` is a member.
    #[inline]
    pub fn contains(&self, k: K) -> bool {
        let (word, bit) = position(k.index());
        self.words.get(word).is_some_and(|w| w & bit != 0)
    }

    /// Makes `k` a member. Whether it was none.
    #[inline]
    pub fn insert(&mut self, k: K) -> bool {
        let (word, bit) = position(k.index());
        if word >= self.words.len() {
            self.grow(word);
        }
        let w = &mut self.words[word];
        let new = *w & bit == 0;
        *w |= bit;
        new
    }

    #[cold]
    fn grow(&mut self, word: usize) {
        self.words.resize((word + 1).max(2 * self.words.len()), 0);
    }

    /// Makes `k` no member. Whether it was one.
    #[inline]
    pub fn remove(&mut self, k: K) -> bool {
        let (word, bit) = position(k.index());
        let Some(w) = self.words.get_mut(word) else { return false };
        let was = *w & bit != 0;
        *w &= !bit;
        was
    }

    /// Whether there are no members.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&w| w == 0)
    }

    /// Removes all members.
    pub fn clear(&mut self) {
        self.words.fill(0);
    }

    /// The members in the order of their numbers.
    pub fn iter(&self) -> impl Iterator<Item = K> + '_ {
        self.words.iter().enumerate().flat_map(|(n, &word)| {
            // All but the lowest bit, again and again.
            let rest = std::iter::successors(Some(word), |w| Some(w & w.wrapping_sub(1)));
            rest.take_while(|&w| w != 0).map(move |w| K::new(64 * n + w.trailing_zeros() as usize))
        })
    }
}

impl<K: EntityRef> Default for EntitySet<K> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K: EntityRef> Extend<K> for EntitySet<K> {
    fn extend<T: IntoIterator<Item = K>>(&mut self, all: T) {
        all.into_iter().for_each(|k| _ = self.insert(k));
    }
}

impl<K: EntityRef> FromIterator<K> for EntitySet<K> {
    fn from_iter<T: IntoIterator<Item = K>>(all: T) -> Self {
        let mut set = Self::new();
        set.extend(all);
        set
    }
}

impl<K> PartialEq for EntitySet<K> {
    /// Sets with the same members are equal, whatever their capacity.
    fn eq(&self, other: &Self) -> bool {
        let (a, b) = if self.words.len() < other.words.len() { (self, other) } else { (other, self) };
        let (same, more) = b.words.split_at(a.words.len());
        a.words == same && more.iter().all(|&w| w == 0)
    }
}

impl<K> Eq for EntitySet<K> {}

impl<K: EntityRef + fmt::Debug> fmt::Debug for EntitySet<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Symbol;

    #[test]
    fn members_are_what_was_inserted() {
        let mut set = EntitySet::new();
        let numbers = [0, 1, 63, 64, 65, 127, 128, 1000];
        for n in numbers {
            assert!(set.insert(Symbol::number(n)) && !set.insert(Symbol::number(n)));
        }
        assert_eq!(set.iter().map(|t| t.as_u32()).collect::<Vec<_>>(), numbers);
        assert!(set.remove(Symbol::number(64)) && !set.remove(Symbol::number(64)) && !set.remove(Symbol::number(5000)));
        assert!(!set.contains(Symbol::number(64)) && !set.contains(Symbol::number(9999)) && set.contains(Symbol::number(1000)));
        set.clear();
        assert!(set.is_empty() && set.iter().next().is_none());
    }

    #[test]
    fn capacity_makes_no_difference() {
        let (mut a, mut b) = (EntitySet::with_capacity(500), EntitySet::new());
        assert_eq!(a, b);
        a.insert(Symbol::number(3));
        assert_ne!(a, b);
        b.insert(Symbol::number(3));
        assert_eq!(a, b);
        b.insert(Symbol::number(700));
        assert_ne!(a, b);
    }
}
