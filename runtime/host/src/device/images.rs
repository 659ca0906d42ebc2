//! Images: formats of texels, what an image is made from, and which images there can be on any device.

use crate::error::{ErrorKind, Result, RunError};
use rtc_dxil_container::ResourceKind;
use rtc_tables::limits::{TEXEL_SAMPLES, TEXTURE_LAYERS, TEXTURE_SIDE, VOLUME_SIDE};

/// The format of a texel, named as DXGI does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[allow(missing_docs)]
pub enum Format {
    R8Unorm,
    Rg8Unorm,
    Rgba8Unorm,
    Rgba8UnormSrgb,
    R16Float,
    Rgba16Float,
    R32Float,
    Rg32Float,
    Rgba32Float,
    R32Uint,
    Rg32Uint,
    Rgba32Uint,
    R32Sint,
    Rgba32Sint,
}

/// What the channels of a format hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Channel {
    /// 8-bit numbers that stand for 0 to 1.
    Unorm8,
    /// 16-bit floating point.
    Float16,
    /// 32-bit floating point.
    Float32,
    /// 32-bit unsigned integers.
    Uint32,
    /// 32-bit signed integers.
    Sint32,
}

impl Format {
    /// Every format with its name in scenes, number of channels and what a channel holds.
    #[rustfmt::skip]
    pub const ALL: [(Format, &'static str, u32, Channel); 14] = [
        (Format::R8Unorm,        "r8_unorm",         1, Channel::Unorm8),
        (Format::Rg8Unorm,       "rg8_unorm",        2, Channel::Unorm8),
        (Format::Rgba8Unorm,     "rgba8_unorm",      4, Channel::Unorm8),
        (Format::Rgba8UnormSrgb, "rgba8_unorm_srgb", 4, Channel::Unorm8),
        (Format::R16Float,       "r16_float",        1, Channel::Float16),
        (Format::Rgba16Float,    "rgba16_float",     4, Channel::Float16),
        (Format::R32Float,       "r32_float",        1, Channel::Float32),
        (Format::Rg32Float,      "rg32_float",       2, Channel::Float32),
        (Format::Rgba32Float,    "rgba32_float",     4, Channel::Float32),
        (Format::R32Uint,        "r32_uint",         1, Channel::Uint32),
        (Format::Rg32Uint,       "rg32_uint",        2, Channel::Uint32),
        (Format::Rgba32Uint,     "rgba32_uint",      4, Channel::Uint32),
        (Format::R32Sint,        "r32_sint",         1, Channel::Sint32),
        (Format::Rgba32Sint,     "rgba32_sint",      4, Channel::Sint32),
    ];

    fn row(self) -> &'static (Format, &'static str, u32, Channel) {
        // The table has one row per variant, in order; a test holds it to that.
        &Format::ALL[self as usize]
    }
    /// Its name in scenes.
    pub fn name(self) -> &'static str {
        self.row().1
    }
    /// How many channels a texel has.
    pub fn channels(self) -> u32 {
        self.row().2
    }
    /// What a channel holds.
    pub fn channel(self) -> Channel {
        self.row().3
    }
    /// Bytes of one texel.
    pub fn texel_size(self) -> u32 {
        self.channels()
            * match self.channel() {
                Channel::Unorm8 => 1,
                Channel::Float16 => 2,
                Channel::Float32 | Channel::Uint32 | Channel::Sint32 => 4,
            }
    }
    /// The format of that name.
    pub fn from_name(name: &str) -> Option<Format> {
        Format::ALL.iter().find(|row| row.1 == name).map(|row| row.0)
    }
}

/// An image to make.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ImageDesc {
    /// What texture it is: its dimensions, whether it is an array, multisampled, a cube.
    pub kind: ResourceKind,
    /// Width in texels.
    pub width: u32,
    /// Height in texels; 1 for what has one dimension.
    pub height: u32,
    /// Depth of a volume in texels, layers of an array (six for each cube), else 1; six for a cube.
    pub depth: u32,
    /// Mip levels.
    pub levels: u32,
    /// Samples of a texel.
    pub samples: u32,
    /// Its format.
    pub format: Format,
    /// Whether shaders write it (`RWTexture2D`); sRGB formats cannot be written.
    pub writable: bool,
}

impl ImageDesc {
    /// A two-dimensional image of one level.
    pub fn flat(width: u32, height: u32, format: Format, writable: bool) -> ImageDesc {
        ImageDesc { kind: ResourceKind::Texture2D, width, height, depth: 1, levels: 1, samples: 1, format, writable }
    }
    /// Width, height and depth (or layers) of a level.
    pub fn size(&self, level: u32) -> [u32; 3] {
        let at = |n: u32| n.checked_shr(level).unwrap_or(0).max(1);
        let depth = match self.kind {
            ResourceKind::Texture3D => at(self.depth),
            _ => self.depth,
        };
        [at(self.width), at(self.height), depth]
    }
    /// Bytes of all levels, one after the other without gaps: rows, then slices or layers, then levels.
    pub fn bytes(&self) -> u64 {
        let texels = (0..self.levels).map(|l| self.size(l).iter().map(|&n| u64::from(n)).product::<u64>());
        texels.sum::<u64>() * u64::from(self.format.texel_size())
    }

    /// Nothing if there can be such an image, and `data` are its texels as [`ImageDesc::bytes`] lays them out, or nothing. A device may
    /// have limits of its own.
    ///
    /// # Errors
    /// Direct3D 12 has no such image, or `data` has another size.
    pub fn check(&self, data: &[u8]) -> Result<()> {
        use ResourceKind as K;
        if !self.kind.is_texture() {
            return limit(format!("`{}` is no image", self.kind));
        }
        let volume = self.kind == K::Texture3D;
        self.within(if volume { VOLUME_SIDE } else { TEXTURE_SIDE }, if volume { VOLUME_SIDE } else { TEXTURE_LAYERS }, "")?;
        let longest = self.width.max(self.height).max(if volume { self.depth } else { 1 });
        let most = u32::BITS - longest.leading_zeros();
        if !(1..=most).contains(&self.levels) {
            return limit(format!("{} mip levels: 1 to {most} are possible", self.levels));
        }
        let line = matches!(self.kind, K::Texture1D | K::Texture1DArray);
        let cube = matches!(self.kind, K::TextureCube | K::TextureCubeArray);
        let one = matches!(self.kind, K::Texture1D | K::Texture2D | K::Texture2DMS);
        if (line && self.height != 1)
            || (one && self.depth != 1)
            || (cube && (!self.depth.is_multiple_of(6) || self.width != self.height))
            || (self.kind == K::TextureCube && self.depth != 6)
        {
            return limit(format!("`{}` cannot have {} x {} x {} texels", self.kind, self.width, self.height, self.depth));
        }
        let many = self.kind.is_multisampled();
        let known = self.samples.is_power_of_two() && self.samples <= TEXEL_SAMPLES;
        if !known || (many && self.levels != 1) || (!many && self.samples != 1) {
            return limit(format!("`{}` of {} samples and {} levels is not possible", self.kind, self.samples, self.levels));
        }
        if self.writable && self.format == Format::Rgba8UnormSrgb {
            return limit(format!("images of format {} cannot be written by shaders", self.format.name()));
        }
        if !data.is_empty() && (data.len() as u64 != self.bytes() || many) {
            let text = format!("{} bytes are not a {} image of {} x {}", data.len(), self.format.name(), self.width, self.height);
            return Err(RunError::new(ErrorKind::Binding, text));
        }
        Ok(())
    }

    /// Nothing if its sides are of up to `side` texels, its slices or layers up to `deepest`; `prefix` names the owner of the
    /// limits in messages.
    ///
    /// # Errors
    /// They are more, or one of them is zero.
    pub fn within(&self, side: u32, deepest: u32, prefix: &str) -> Result<()> {
        if !(1..=side).contains(&self.width) || !(1..=side).contains(&self.height) {
            return limit(format!("{prefix}an image of {} x {} texels: sides from 1 to {side} are possible", self.width, self.height));
        }
        if !(1..=deepest).contains(&self.depth) {
            return limit(format!("{prefix}an image of {} slices or layers: 1 to {deepest} are possible", self.depth));
        }
        Ok(())
    }

    /// Nothing if the host can read its texels.
    ///
    /// # Errors
    /// It is multisampled; the order of samples is undefined.
    pub fn check_read(&self) -> Result<()> {
        match self.samples {
            1 => Ok(()),
            _ => limit("a multisampled image cannot be read back; copy its samples in a shader".into()),
        }
    }
}

fn limit(text: String) -> Result<()> {
    Err(RunError::new(ErrorKind::Limit, text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ResourceKind as K;

    const GOOD: ImageDesc =
        ImageDesc { kind: K::Texture2D, width: 4, height: 4, depth: 1, levels: 1, samples: 1, format: Format::R8Unorm, writable: false };

    #[test]
    fn format_table_is_in_order() {
        for (i, row) in Format::ALL.iter().enumerate() {
            assert_eq!(row.0 as usize, i);
            assert_eq!(Format::from_name(row.1), Some(row.0));
        }
        assert_eq!(Format::Rgba16Float.texel_size(), 8);
    }

    #[test]
    fn the_largest_are_possible() {
        for (kind, [width, height, depth], levels, samples) in [
            (K::Texture1D, [16384, 1, 1], 15, 1),
            (K::Texture1DArray, [16384, 1, 2048], 15, 1),
            (K::Texture2D, [16384, 1, 1], 15, 1),
            (K::Texture2DArray, [1, 16384, 2048], 15, 1),
            (K::Texture2DMS, [16384, 16384, 1], 1, 32),
            (K::Texture3D, [1, 2, 2048], 12, 1),
            (K::TextureCube, [16384, 16384, 6], 15, 1),
            (K::TextureCubeArray, [16384, 16384, 2046], 15, 1),
        ] {
            let desc = ImageDesc { kind, width, height, depth, levels, samples, ..GOOD };
            desc.check(&[]).unwrap_or_else(|e| panic!("{kind}: {e}"));
            for worse in [
                ImageDesc { levels: levels + 1, ..desc },
                ImageDesc { samples: samples * 2, ..desc },
                ImageDesc { width: 16385, height: if height == width { 16385 } else { height }, ..desc },
                ImageDesc { depth: 2052, ..desc },
            ] {
                let e = worse.check(&[]).expect_err(&format!("{worse:?}"));
                assert_eq!(e.kind, ErrorKind::Limit);
            }
        }
    }

    #[test]
    fn what_cannot_be_is_refused() {
        assert_eq!(GOOD.check(&[]), Ok(()));
        for bad in [
            ImageDesc { width: 0, ..GOOD },
            ImageDesc { height: 16385, ..GOOD },
            ImageDesc { depth: 2, ..GOOD },
            ImageDesc { depth: 0, ..GOOD },
            ImageDesc { levels: 0, ..GOOD },
            ImageDesc { levels: 4, ..GOOD },
            ImageDesc { samples: 2, ..GOOD },
            ImageDesc { samples: 0, ..GOOD },
            ImageDesc { kind: K::TypedBuffer, ..GOOD },
            ImageDesc { kind: K::Texture1D, ..GOOD },
            ImageDesc { kind: K::TextureCube, ..GOOD },
            ImageDesc { kind: K::TextureCubeArray, depth: 8, ..GOOD },
            ImageDesc { kind: K::TextureCube, depth: 6, height: 2, ..GOOD },
            ImageDesc { kind: K::Texture2DMS, samples: 3, ..GOOD },
            ImageDesc { kind: K::Texture2DMS, samples: 4, levels: 2, ..GOOD },
            ImageDesc { kind: K::Texture3D, width: 4096, ..GOOD },
            ImageDesc { format: Format::Rgba8UnormSrgb, writable: true, ..GOOD },
        ] {
            assert_eq!(bad.check(&[]).map_err(|e| e.kind), Err(ErrorKind::Limit), "{bad:?}");
        }
        assert_eq!(GOOD.check(&[0; 15]).map_err(|e| e.kind), Err(ErrorKind::Binding));
        assert_eq!(GOOD.check(&[0; 16]), Ok(()));
        let many = ImageDesc { kind: K::Texture2DMS, samples: 4, ..GOOD };
        assert!(many.check(&[0; 16]).is_err() && many.check_read().is_err());
    }
}
