//! Texture address modes: wrap, mirror, clamp, border.

use crate::device::Address;

/// The texel for coordinate `i` in a row of `size`; `None`: the border.
#[inline]
pub(super) fn texel(mode: Address, i: i64, size: u32) -> Option<u32> {
    let n = i64::from(size);
    if (0..n).contains(&i) {
        return Some(i as u32);
    }
    let inside = match mode {
        Address::Wrap => i.rem_euclid(n),
        Address::Mirror => {
            let at = i.rem_euclid(2 * n);
            at.min(2 * n - 1 - at)
        }
        Address::Clamp => i.clamp(0, n - 1),
        Address::Border => return None,
        Address::MirrorOnce => (if i < 0 { -1 - i } else { i }).min(n - 1),
    };
    Some(inside as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mode_extends_the_texture() {
        let row = |mode| (-9..10).map(|i| texel(mode, i, 4).map_or(-1, i64::from)).collect::<Vec<_>>();
        #[rustfmt::skip]
        let rows = [
            (Address::Wrap,       [ 3,  0,  1,  2,  3,  0,  1,  2,  3,  0, 1, 2, 3, 0,  1,  2,  3,  0,  1]),
            (Address::Mirror,     [ 0,  0,  1,  2,  3,  3,  2,  1,  0,  0, 1, 2, 3, 3,  2,  1,  0,  0,  1]),
            (Address::Clamp,      [ 0,  0,  0,  0,  0,  0,  0,  0,  0,  0, 1, 2, 3, 3,  3,  3,  3,  3,  3]),
            (Address::Border,     [-1, -1, -1, -1, -1, -1, -1, -1, -1,  0, 1, 2, 3, -1, -1, -1, -1, -1, -1]),
            (Address::MirrorOnce, [ 3,  3,  3,  3,  3,  3,  2,  1,  0,  0, 1, 2, 3, 3,  3,  3,  3,  3,  3]),
        ];
        for (mode, expected) in rows {
            assert_eq!(row(mode), expected, "{mode:?}");
        }
    }

    #[test]
    fn a_single_texel_extends_everywhere() {
        for mode in [Address::Wrap, Address::Mirror, Address::Clamp, Address::MirrorOnce] {
            for i in [i64::MIN / 4, -2, -1, 0, 1, 2, i64::MAX / 4] {
                assert_eq!(texel(mode, i, 1), Some(0), "{mode:?} {i}");
            }
        }
    }
}
