//! Texel formats: decoding and encoding.
//!
//! A texel in a shader is four 32-bit values: float bits for normalised and floating-point formats, integers for integer formats.
//! Missing channels read as 0, 0, 0 and 1. Conversions are those of Direct3D's functional specification (3.2.3): a normalised
//! number is clamped (NaN is 0), scaled and rounded to nearest; halves round to nearest even; sRGB is decoded before filtering,
//! and its alpha is linear.

use super::memory::Memory;
use crate::device::{Channel, Format};
use rtc_base::half;
use std::sync::LazyLock;

/// The bits of 1.0.
const ONE: u32 = 0x3f80_0000;

/// Linear values of sRGB bytes.
static LINEAR: LazyLock<[f32; 256]> = LazyLock::new(|| {
    std::array::from_fn(|i| {
        let x = i as f64 / 255.0;
        let linear = if x <= 0.04045 { x / 12.92 } else { ((x + 0.055) / 1.055).powf(2.4) };
        linear as f32
    })
});

impl Format {
    /// Whether channels are integers: such texels are not filtered.
    pub fn is_integer(self) -> bool {
        matches!(self.channel(), Channel::Uint32 | Channel::Sint32)
    }
}

/// The byte for `x`, clamped to [0, 1].
#[inline]
fn to_unorm8(x: f32) -> u8 {
    // NaN fails both comparisons of `clamp` and converts to 0.
    (x.clamp(0.0, 1.0) * 255.0 + 0.5) as u8
}

/// The value of a texel out of bounds: zero in the channels of the format, 0, 0, 0, 1 in others.
pub fn outside(format: Format) -> [u32; 4] {
    let alpha = match format.channels() {
        4 => 0,
        _ if format.is_integer() => 1,
        _ => ONE,
    };
    [0, 0, 0, alpha]
}

/// Decodes the texel at `offset`; [`outside`] if it is not in bounds.
#[inline]
pub fn load(memory: &Memory, offset: u64, format: Format) -> [u32; 4] {
    let mut texel = outside(format);
    let channels = format.channels() as usize;
    match format.channel() {
        Channel::Unorm8 => {
            let Some(bytes) = memory.bits(offset, channels as u32) else { return texel };
            let linear = format == Format::Rgba8UnormSrgb;
            for (i, out) in texel.iter_mut().take(channels).enumerate() {
                let byte = (bytes >> (8 * i)) as u8;
                let value = match linear && i < 3 {
                    true => LINEAR[usize::from(byte)],
                    false => f32::from(byte) / 255.0,
                };
                *out = value.to_bits();
            }
        }
        Channel::Float16 => {
            let Some(bits) = memory.bits(offset, 2 * channels as u32) else { return texel };
            for (i, out) in texel.iter_mut().take(channels).enumerate() {
                *out = half::to_f32((bits >> (16 * i)) as u16).to_bits();
            }
        }
        Channel::Float32 | Channel::Uint32 | Channel::Sint32 => {
            let last = offset.saturating_add(4 * (channels as u64 - 1));
            if memory.u32(last).is_none() {
                return texel;
            }
            for (i, out) in texel.iter_mut().take(channels).enumerate() {
                *out = memory.u32(offset + 4 * i as u64).unwrap_or(0);
            }
        }
    }
    texel
}

/// Encodes the channels of `mask` (bit 0 is red) that the format has; does nothing if the texel is not in bounds.
pub fn store(memory: &Memory, offset: u64, format: Format, value: [u32; 4], mask: u8) {
    let size = format.texel_size() / format.channels();
    if offset.checked_add(format.texel_size().into()).is_none_or(|end| end > memory.size()) {
        return;
    }
    // Common cases: whole texels in few writes.
    let all = (1 << format.channels()) - 1;
    if mask & all == all && offset.is_multiple_of(4) {
        match (format.channel(), format.channels()) {
            (Channel::Unorm8, 4) => {
                let byte = |i: usize| to_unorm8(f32::from_bits(value[i]));
                let bytes = [byte(0), byte(1), byte(2), byte(3)];
                memory.set_u32(offset, u32::from_le_bytes(bytes));
                return;
            }
            (Channel::Float16, n @ (2 | 4)) => {
                let word = |i: usize| u32::from(half::from_f32(f32::from_bits(value[i])));
                for i in (0..n as usize).step_by(2) {
                    memory.set_u32(offset + 2 * i as u64, word(i) | word(i + 1) << 16);
                }
                return;
            }
            (Channel::Float32 | Channel::Uint32 | Channel::Sint32, n) => {
                for (i, x) in (0..u64::from(n)).zip(value) {
                    memory.set_u32(offset + 4 * i, x);
                }
                return;
            }
            _ => {}
        }
    }
    for i in (0..format.channels()).filter(|i| mask >> i & 1 != 0) {
        let x = value[i as usize];
        let bits = match format.channel() {
            Channel::Unorm8 => to_unorm8(f32::from_bits(x)).into(),
            Channel::Float16 => half::from_f32(f32::from_bits(x)).into(),
            Channel::Float32 | Channel::Uint32 | Channel::Sint32 => x.into(),
        };
        memory.set_bits(offset + u64::from(i * size), size, bits);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn floats(texel: [u32; 4]) -> [f32; 4] {
        texel.map(f32::from_bits)
    }

    #[test]
    fn normalised_numbers_are_clamped_and_rounded() {
        let memory = Memory::zeroed(4).expect("memory");
        for (x, byte) in [
            (0.0, 0),
            (1.0, 255),
            (2.0, 255),
            (f32::INFINITY, 255),
            (-1.0, 0),
            (f32::NAN, 0),
            (0.5, 128),
            (0.499, 127),
            (1.4 / 255.0, 1),
            (1.6 / 255.0, 2),
        ] {
            store(&memory, 0, Format::R8Unorm, [f32::to_bits(x), 7, 7, 7], 0xf);
            assert_eq!(memory.to_vec(), [byte, 0, 0, 0], "{x}");
        }
        for byte in 0..=255u8 {
            memory.write(0, &[byte; 4]);
            let read = floats(load(&memory, 0, Format::Rgba8Unorm));
            assert_eq!(read, [f32::from(byte) / 255.0; 4]);
            store(&memory, 0, Format::Rgba8Unorm, read.map(f32::to_bits), 0xf);
            assert_eq!(memory.to_vec(), [byte; 4]);
        }
    }

    #[test]
    fn srgb_is_decoded_and_its_alpha_is_not() {
        let memory = Memory::filled(4, &[188, 10, 255, 188]).expect("memory");
        let [r, g, b, a] = floats(load(&memory, 0, Format::Rgba8UnormSrgb));
        assert!((r - 0.502_886_5).abs() < 1e-6, "{r}");
        assert!((g - 10.0 / 255.0 / 12.92).abs() < 1e-8, "{g}");
        assert_eq!((b, a), (1.0, 188.0 / 255.0));
    }

    #[test]
    fn channels_that_are_missing_have_defaults() {
        let memory = Memory::filled(16, &[0xff; 16]).expect("memory");
        for (format, ..) in Format::ALL {
            let channels = format.channels() as usize;
            let default = if format.is_integer() { 1 } else { ONE };
            let expected = [0, 0, 0, default];
            let there = load(&memory, 0, format);
            assert_eq!(there[channels..], expected[channels..], "{format:?}");
            assert!(there[..channels].iter().all(|&c| c != 0));
            let mut none = expected;
            none[..channels].fill(0);
            // Half of it is out of bounds.
            let at = 16 - u64::from(format.texel_size()) / 2;
            let at = if format.texel_size() == 1 { 16 } else { at };
            assert_eq!(load(&memory, at, format), none, "{format:?}");
            assert_eq!(load(&memory, u64::MAX, format), none, "{format:?}");
            store(&memory, at, format, [0; 4], 0xf);
            assert!(memory.to_vec().iter().all(|&b| b == 0xff), "{format:?}");
        }
    }

    #[test]
    fn masks_keep_other_channels() {
        for (format, _, channels, channel) in Format::ALL {
            let memory = Memory::filled(16, &[0; 16]).expect("memory");
            store(&memory, 0, format, [ONE; 4], 0b1010);
            let full = match channel {
                Channel::Uint32 | Channel::Sint32 => ONE,
                _ => 1.0f32.to_bits(),
            };
            let read = load(&memory, 0, format);
            for i in 0..channels as usize {
                assert_eq!(read[i], if i % 2 == 1 { full } else { 0 }, "{format:?} {i}");
            }
        }
    }
}
