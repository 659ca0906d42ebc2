//! Reproducible pseudo-random numbers, and random damage to bytes.

/// A xorshift generator: the same sequence in every run. The seed must not be 0.
pub struct Random(pub u64);

impl Random {
    /// A number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as usize % n
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
}
