//! A bit set of elements and loop marks, of fixed size: the lattice element of the liveness analysis.

/// A set of elements and marks.
#[derive(Clone, PartialEq, Default)]
pub(super) struct BitSet(pub Vec<u64>);

impl BitSet {
    pub fn has(&self, n: u32) -> bool {
        self.0[n as usize / 64] >> (n % 64) & 1 != 0
    }
    pub fn add(&mut self, n: u32) {
        self.0[n as usize / 64] |= 1 << (n % 64);
    }
    pub fn remove(&mut self, n: u32) {
        self.0[n as usize / 64] &= !(1 << (n % 64));
    }
    pub fn join(&mut self, other: &BitSet) {
        for (a, b) in self.0.iter_mut().zip(&other.0) {
            *a |= b;
        }
    }
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.0.iter().enumerate().flat_map(|(w, &bits)| {
            let ones = std::iter::successors(Some(bits), |b| Some(b & b.wrapping_sub(1)));
            ones.take_while(|b| *b != 0).map(move |b| w as u32 * 64 + b.trailing_zeros())
        })
    }
}
