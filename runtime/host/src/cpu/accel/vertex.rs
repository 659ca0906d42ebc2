//! Vertex position formats (raytracing2, `D3D12_VERTEX_FORMAT`): decoding, and rounding to their precision.
//!
//! Components that a format lacks are 0. Template instances have the precision of the template's format: normalised numbers round
//! to nearest and ties away from zero, half floats towards zero; out-of-range values clamp.

use super::math::V3;
use crate::device::{Coordinate, VertexFormat};
use rtc_base::half;

/// Decodes the position of a vertex. Compressed formats are not decoded per vertex.
pub fn read(bytes: &[u8], format: VertexFormat) -> V3 {
    let number = |at: usize, size: usize| {
        let some = bytes.get(at..at + size).unwrap_or_default();
        some.iter().rev().fold(0u32, |n, &b| n << 8 | u32::from(b))
    };
    let signed = |n: u32, bits: u32| ((n << (32 - bits)) as i32 >> (32 - bits)) as f32;
    let most = |bits: u32| ((1u32 << bits) - 1) as f32;
    std::array::from_fn(|a| {
        if a >= format.coordinates() as usize {
            return 0.0;
        }
        match format.coordinate() {
            Coordinate::Float32 => f32::from_bits(number(a * 4, 4)),
            Coordinate::Float16 => half::to_f32(number(a * 2, 2) as u16),
            Coordinate::Unorm(10) => (number(0, 4) >> (10 * a) & 0x3ff) as f32 / most(10),
            Coordinate::Unorm(bits) => {
                let size = bits as usize / 8;
                number(a * size, size) as f32 / most(bits)
            }
            Coordinate::Snorm(bits) => {
                let size = bits as usize / 8;
                (signed(number(a * size, size), bits) / most(bits - 1)).max(-1.0)
            }
        }
    })
}

/// Rounds a position to the precision of a format. Compressed formats depend on all positions and leave it unchanged.
pub fn rounded(position: V3, format: VertexFormat) -> V3 {
    if format == VertexFormat::Compressed1 {
        return position;
    }
    let most = |bits: u32| f64::from((1u32 << bits) - 1);
    let nearest = |x: f64, most: f64| (x * most).round() / most;
    std::array::from_fn(|a| {
        let x = position[a];
        if a >= format.coordinates() as usize {
            return 0.0;
        }
        match format.coordinate() {
            Coordinate::Float32 => x,
            Coordinate::Float16 => toward_zero(x),
            _ if x.is_nan() => 0.0,
            Coordinate::Unorm(bits) => nearest(f64::from(x.clamp(0.0, 1.0)), most(bits)) as f32,
            Coordinate::Snorm(bits) => nearest(f64::from(x.clamp(-1.0, 1.0)), most(bits - 1)) as f32,
        }
    })
}

/// The nearest half float that is not further from zero.
fn toward_zero(x: f32) -> f32 {
    const LARGEST: f32 = 65504.0;
    /// The smallest normal half, and the step of the subnormals.
    const NORMAL: f32 = 6.103_515_6e-5;
    const STEP: f32 = 5.960_464_5e-8;
    if !x.is_finite() {
        return x;
    }
    let size = x.abs().min(LARGEST);
    let cut = match size >= NORMAL {
        true => f32::from_bits(size.to_bits() & !0x1fff),
        false => (size / STEP).trunc() * STEP,
    };
    cut.copysign(x)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_read_as_they_are_defined() {
        use VertexFormat as F;
        let floats: Vec<u8> = [1.5f32, -2.0, 3.25].iter().flat_map(|x| x.to_le_bytes()).collect();
        assert_eq!(read(&floats, F::Float32x3), [1.5, -2.0, 3.25]);
        assert_eq!(read(&floats, F::Float32x2), [1.5, -2.0, 0.0]);
        let float16: Vec<u8> = [1.5f32, -2.0, 3.25].iter().flat_map(|&x| half::from_f32(x).to_le_bytes()).collect();
        assert_eq!(read(&float16, F::Float16x3), [1.5, -2.0, 3.25]);
        assert_eq!(read(&float16[..4], F::Float16x2), [1.5, -2.0, 0.0]);
        assert_eq!(read(&[0xff, 0xff, 0, 0x80, 0, 0], F::Unorm16x3), [1.0, 32768.0 / 65535.0, 0.0]);
        assert_eq!(read(&[0xff, 0x7f, 0, 0x80, 1, 0x80], F::Snorm16x3), [1.0, -1.0, -1.0]);
        assert_eq!(read(&[0xff, 0x7f], F::Unorm8x2), [1.0, 127.0 / 255.0, 0.0]);
        assert_eq!(read(&[0x81, 0x80, 0x40], F::Snorm8x3), [-1.0, -1.0, 64.0 / 127.0]);
        let packed = 1023u32 | 512 << 10 | 1 << 20 | 3 << 30;
        assert_eq!(read(&packed.to_le_bytes(), F::Unorm10_10_10_2), [1.0, 512.0 / 1023.0, 1.0 / 1023.0]);
        // Missing bytes are zero.
        assert_eq!(read(&[], F::Float32x3), [0.0; 3]);
    }

    #[test]
    fn what_a_format_holds_stays_and_what_lies_between_is_rounded_as_said() {
        for (format, ..) in VertexFormat::ALL.iter().filter(|f| f.0 != VertexFormat::Compressed1) {
            for n in 0..300u32 {
                let bytes: Vec<u8> =
                    (0..12).map(|i| (n.wrapping_mul(2_654_435_761) >> (i % 4 * 8)) as u8 ^ (i as u8).wrapping_mul(37)).collect();
                let exact = read(&bytes[..format.size() as usize], *format);
                if exact.iter().all(|x| x.is_finite()) {
                    assert_eq!(rounded(exact, *format), exact, "{format:?}");
                }
            }
        }
        use VertexFormat as F;
        assert_eq!(rounded([0.6 / 255.0, 1.4 / 255.0, 7.0], F::Unorm8x2), [1.0 / 255.0, 1.0 / 255.0, 0.0]);
        assert_eq!(rounded([-0.6 / 127.0, -9.0, f32::NAN], F::Snorm8x3), [-1.0 / 127.0, -1.0, 0.0]);
        assert_eq!(rounded([0.5, -0.5, 0.25], F::Snorm8x3), [64.0 / 127.0, -64.0 / 127.0, 32.0 / 127.0]);
        // 1 + 2^-10 is the half after 1; anything below it rounds to 1, also for negative numbers.
        assert_eq!(rounded([1.000_976_4, -1.000_976_4, 1e6], F::Float16x3), [1.0, -1.0, 65504.0]);
        assert_eq!(rounded([5e-8, -1.1e-7, f32::INFINITY], F::Float16x3), [0.0, -5.960_464_5e-8, f32::INFINITY]);
    }
}
