//! The digits of a radix sort: which bits of the keys of a shader matter, shared out among as few passes as there can be.

use rtc_package::WavefrontShader;
use rtc_tables::wavefront::KEY_BITS;

/// Most bits of a digit: the kernels keep a counter for each digit and thread.
pub const MAX_BITS: u32 = 6;

/// What a pass sorts by: some bits of a key, and above them, more significant, bits of the number of the point.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Digit {
    /// First bit of the lower part.
    pub low_shift: u32,
    /// Bits of the lower part.
    pub low_bits: u32,
    /// First bit of the higher part.
    pub high_shift: u32,
    /// Bits of the higher part.
    pub high_bits: u32,
}

impl Digit {
    /// How many digits there are.
    pub fn count(&self) -> u32 {
        1 << (self.low_bits + self.high_bits)
    }

    /// The digit of a key, as the kernels compute it.
    pub fn of(&self, key: u32) -> u32 {
        let bits = |shift: u32, bits: u32| (key >> shift) & ((1 << bits) - 1);
        bits(self.low_shift, self.low_bits) | bits(self.high_shift, self.high_bits) << self.low_bits
    }
}

/// The digits for keys of these bits from the lowest, and of this many points; the least significant is the first. There is at least one,
/// which may have no bits: its pass just drops the rays that ended.
pub fn digits(key_bits: u32, points: u32) -> Vec<Digit> {
    let key_bits = key_bits.min(KEY_BITS);
    let point_bits = bits_of(points.into());
    let all = key_bits + point_bits;
    let passes = all.div_ceil(MAX_BITS).max(1);
    let each = all.div_ceil(passes);
    let pass = |n: u32| {
        let (begin, end) = ((n * each).min(all), ((n + 1) * each).min(all));
        let (low, high) = (begin.min(key_bits)..end.min(key_bits), begin.max(key_bits)..end.max(key_bits));
        Digit {
            low_shift: low.start,
            low_bits: low.end - low.start,
            high_shift: KEY_BITS + (high.start - key_bits),
            high_bits: high.end - high.start,
        }
    };
    (0..passes).map(pass).collect()
}

/// The bits of a shader's keys that may differ where its tables have this many rows. Higher bits of a row are zero.
pub fn key_bits(shader: &WavefrontShader, rows: u64) -> u32 {
    let rows = bits_of(rows);
    shader.points.iter().map(|p| p.hint_bits.saturating_add(p.row_bits.min(rows))).max().unwrap_or(0)
}

/// Bits of the numbers below `n`.
fn bits_of(n: u64) -> u32 {
    u64::BITS - n.saturating_sub(1).leading_zeros()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rtc_package::WavefrontPoint;
    use rtc_tables::wavefront::{MAX_POINTS, key};

    #[test]
    fn digits_order_keys() {
        for key_bits in 0..=KEY_BITS {
            for points in [1, 2, 3, MAX_POINTS] {
                let digits = digits(key_bits, points);
                assert!(digits.iter().all(|d| d.low_bits + d.high_bits <= MAX_BITS));
                assert_eq!(digits.len() as u32, (key_bits + bits_of(points.into())).div_ceil(MAX_BITS).max(1));
                let order = |key: u32| digits.iter().rev().fold(0u64, |sum, d| sum << MAX_BITS | u64::from(d.of(key)));
                let mut n = 1u32;
                for _ in 0..200 {
                    n = n.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
                    let mask = (1 << key_bits) - 1;
                    let (a, b) = (((n % points) << KEY_BITS) | ((n >> 7) & mask), (((n >> 11) % points) << KEY_BITS) | ((n >> 3) & mask));
                    assert_eq!(order(a).cmp(&order(b)), a.cmp(&b), "{key_bits} bits, {points} points, {a:#x} and {b:#x}");
                }
            }
        }
    }

    #[test]
    fn bits_that_do_not_differ_are_left_out() {
        assert_eq!(digits(0, 1), [Digit { high_shift: KEY_BITS, ..Digit::default() }]);
        assert_eq!(digits(5, 2).len(), 1);
        assert_eq!(digits(6, 2).len(), 2);
        let point = |row_bits, hint_bits| WavefrontPoint { row_bits, hint_bits, ..WavefrontPoint::default() };
        let shader = WavefrontShader { points: vec![point(20, 4), point(0, 8)], ..WavefrontShader::default() };
        for (rows, bits) in [(0, 8), (1, 8), (16, 8), (17, 9), (64, 10), (u64::MAX, 24)] {
            assert_eq!(key_bits(&shader, rows), bits, "{rows} rows");
        }
        // What is left out are zeros above the rows that there are.
        assert!(key(0, 63, 15, 4) < 1 << key_bits(&shader, 64));
    }
}
