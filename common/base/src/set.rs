//! Sets as a bit for each number: [`BitSet`] of numbers, [`EntitySet`] of entities. They are what passes mark most, so an insertion below the capacity
//! is a few instructions.

use std::fmt;
use std::marker::PhantomData;

use cranelift_entity::EntityRef;

/// A set of small numbers.
#[derive(Clone, Default)]
pub struct BitSet {
    words: Vec<u64>,
}

/// The word of a number, and its bit there.
#[inline]
fn position(n: u32) -> (usize, u64) {
    (n as usize / 64, 1 << (n % 64))
}

impl BitSet {
    /// A set without members.
    pub const fn new() -> Self {
        BitSet { words: Vec::new() }
    }

    /// A set without members, with room for the numbers below `len`.
    pub fn with_capacity(len: usize) -> Self {
        BitSet { words: vec![0; len.div_ceil(64)] }
    }

    /// Whether `n` is a member.
    #[inline]
    pub fn contains(&self, n: u32) -> bool {
        let (word, bit) = position(n);
        self.words.get(word).is_some_and(|w| w & bit != 0)
    }

    /// Makes `n` a member. Whether it was none.
    #[inline]
    pub fn insert(&mut self, n: u32) -> bool {
        let (word, bit) = position(n);
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

    /// Makes `n` no member. Whether it was one.
    #[inline]
    pub fn remove(&mut self, n: u32) -> bool {
        let (word, bit) = position(n);
        let Some(w) = self.words.get_mut(word) else { return false };
        let was = *w & bit != 0;
        *w &= !bit;
        was
    }

    /// Makes the members of `other` members. Whether some were none.
    pub fn union(&mut self, other: &BitSet) -> bool {
        if self.words.len() < other.words.len() {
            self.words.resize(other.words.len(), 0);
        }
        let mut new = 0;
        for (a, b) in self.words.iter_mut().zip(&other.words) {
            new |= b & !*a;
            *a |= b;
        }
        new != 0
    }

    /// Whether there are no members.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&w| w == 0)
    }

    /// Removes all members.
    pub fn clear(&mut self) {
        self.words.fill(0);
    }

    /// The members, the smallest first.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.words.iter().enumerate().flat_map(|(n, &word)| {
            // All but the lowest bit, again and again.
            let rest = std::iter::successors(Some(word), |w| Some(w & w.wrapping_sub(1)));
            rest.take_while(|&w| w != 0).map(move |w| 64 * n as u32 + w.trailing_zeros())
        })
    }
}

impl PartialEq for BitSet {
    /// Sets with the same members are equal, whatever their capacity.
    fn eq(&self, other: &Self) -> bool {
        let (a, b) = if self.words.len() < other.words.len() { (self, other) } else { (other, self) };
        let (same, more) = b.words.split_at(a.words.len());
        a.words == same && more.iter().all(|&w| w == 0)
    }
}

impl Eq for BitSet {}

impl fmt::Debug for BitSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

/// A set of densely numbered entities.
#[derive(Clone, PartialEq, Eq)]
pub struct EntitySet<K> {
    numbers: BitSet,
    keys: PhantomData<K>,
}

impl<K: EntityRef> EntitySet<K> {
    /// A set without members.
    pub const fn new() -> Self {
        EntitySet { numbers: BitSet::new(), keys: PhantomData }
    }

    /// A set without members, with room for those below number `len`.
    pub fn with_capacity(len: usize) -> Self {
        EntitySet { numbers: BitSet::with_capacity(len), keys: PhantomData }
    }

    /// Whether `k` is a member.
    #[inline]
    pub fn contains(&self, k: K) -> bool {
        self.numbers.contains(k.index() as u32)
    }

    /// Makes `k` a member. Whether it was none.
    #[inline]
    pub fn insert(&mut self, k: K) -> bool {
        self.numbers.insert(k.index() as u32)
    }

    /// Makes `k` no member. Whether it was one.
    #[inline]
    pub fn remove(&mut self, k: K) -> bool {
        self.numbers.remove(k.index() as u32)
    }

    /// Whether there are no members.
    pub fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }

    /// Removes all members.
    pub fn clear(&mut self) {
        self.numbers.clear();
    }

    /// The members in the order of their numbers.
    pub fn iter(&self) -> impl Iterator<Item = K> + '_ {
        self.numbers.iter().map(|n| K::new(n as usize))
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
    fn a_union_says_whether_it_grew() {
        let of = |numbers: &[u32]| {
            let mut set = BitSet::new();
            numbers.iter().for_each(|&n| _ = set.insert(n));
            set
        };
        let mut set = of(&[1, 64]);
        assert!(!set.union(&of(&[])) && !set.union(&of(&[64])) && set.union(&of(&[1, 200])) && !set.union(&of(&[200])));
        assert_eq!(set.iter().collect::<Vec<_>>(), [1, 64, 200]);
        assert_eq!(set, of(&[200, 64, 1]));
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
