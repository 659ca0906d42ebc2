//! Marsaglia's xorshift generator of 64 bits: a test that names a seed gets the same sequence on every machine and for ever.

/// The generator; its state, which is not 0.
#[derive(Clone, Debug)]
pub struct Random(pub u64);

impl Random {
    /// The generator of a seed. Neighbouring seeds give unlike sequences (SplitMix64's finaliser).
    pub fn of_seed(seed: u64) -> Random {
        let mut z = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        Random((z ^ (z >> 31)) | 1)
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// A number below `n`; 0 if `n` is 0.
    pub fn below(&mut self, n: usize) -> usize {
        (self.bits() >> 11) as usize % n.max(1)
    }

    /// Whether something happens that does in so many of a hundred cases.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// Damages `data` in one to four places: bits, bytes, or whole words of interesting values.
    pub fn damage(&mut self, data: &mut [u8]) {
        const WORDS: [u32; 6] = [0, 1, 0x7fff_ffff, 0x8000_0000, 0xffff_fff0, 0xffff_ffff];
        for _ in 0..1 + self.below(4) {
            let at = self.below(data.len());
            match self.below(3) {
                0 => data[at] ^= 1 << self.below(8),
                1 => data[at] = self.below(256) as u8,
                _ => {
                    let at = at & !3;
                    let word = WORDS[self.below(WORDS.len())].to_le_bytes();
                    let end = data.len().min(at + 4);
                    data[at..end].copy_from_slice(&word[..end - at]);
                }
            }
        }
    }

    /// One of a list that is not empty.
    pub fn of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sequences_never_change() {
        let mut random = Random(1);
        assert_eq!([random.bits(), random.bits()], [0x4082_2041, 0x1000_4106_0c01_1441]);
        let mut random = Random(0x9e37_79b9_7f4a_7c15);
        let numbers: Vec<usize> = (0..8).map(|_| random.below(10)).collect();
        assert_eq!(numbers, [7, 2, 0, 5, 5, 7, 6, 2]);
        assert_eq!(random.below(0), 0);
        assert_ne!(Random::of_seed(0).bits(), Random::of_seed(1).bits());
    }
}
