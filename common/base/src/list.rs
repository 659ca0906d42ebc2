//! Lists in pools: a start and a length instead of a vector each, for trees in arenas.

use std::marker::PhantomData;

/// A list of `T`s in a pool; the context says which pool.
pub struct List<T> {
    start: u32,
    len: u32,
    of: PhantomData<fn() -> T>,
}

impl<T> List<T> {
    /// The empty list.
    pub const EMPTY: List<T> = List { start: 0, len: 0, of: PhantomData };

    /// Appends `items` to `pool`.
    pub fn put(pool: &mut Vec<T>, items: impl IntoIterator<Item = T>) -> List<T> {
        let start = pool.len() as u32;
        pool.extend(items);
        List { start, len: pool.len() as u32 - start, of: PhantomData }
    }
    /// The elements, given the pool.
    pub fn of(self, pool: &[T]) -> &[T] {
        &pool[self.start as usize..][..self.len as usize]
    }
    /// How many elements there are.
    pub fn len(self) -> usize {
        self.len as usize
    }
    /// Whether there are none.
    pub fn is_empty(self) -> bool {
        self.len == 0
    }
}

impl<T> Clone for List<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for List<T> {}
impl<T> Default for List<T> {
    fn default() -> Self {
        Self::EMPTY
    }
}
impl<T> PartialEq for List<T> {
    fn eq(&self, other: &Self) -> bool {
        (self.start, self.len) == (other.start, other.len)
    }
}
impl<T> std::fmt::Debug for List<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "[{}..+{}]", self.start, self.len)
    }
}
