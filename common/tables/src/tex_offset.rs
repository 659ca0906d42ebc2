//! Texel offsets: devices take the low bits of each component, signed.

/// The bits of an offset of a load or a sample.
pub const BITS: u32 = 4;
/// The bits of an offset of a gather.
pub const GATHER_BITS: u32 = 6;

/// The offset that a load or a sample takes for `n`.
pub const fn of_texel(n: i32) -> i32 {
    reduced(n, BITS)
}

/// The offset that a gather takes for `n`.
pub const fn of_gather(n: i32) -> i32 {
    reduced(n, GATHER_BITS)
}

/// The low `bits` of `n`, signed.
const fn reduced(n: i32, bits: u32) -> i32 {
    n << (i32::BITS - bits) >> (i32::BITS - bits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_low_bits_count() {
        let all = |f: fn(i32) -> i32| [-33, -32, -9, -8, -1, 0, 7, 8, 9, 31, 32, i32::MIN, i32::MAX].map(f);
        assert_eq!(all(of_texel), [-1, 0, 7, -8, -1, 0, 7, -8, -7, -1, 0, 0, -1]);
        assert_eq!(all(of_gather), [31, -32, -9, -8, -1, 0, 7, 8, 9, 31, -32, 0, -1]);
    }
}
