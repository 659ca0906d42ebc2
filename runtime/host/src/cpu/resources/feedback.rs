//! Sampler feedback maps: which mips or regions of a texture sampling would have read.
//!
//! A map has an atomic word for each region, which threads update with a minimum level or a flag; the host sees bytes. The
//! recorded texels are those with a filter weight. A texel of a coarser level belongs to the region that contains its centre.

use super::image::Image;
use super::memory::Memory;
use crate::device::{FeedbackKind, NO_MIP, REGION_USED, feedback_regions};
use crate::error::{ErrorKind, Result, RunError};
use rtc_dxil_container::ResourceKind;
use rtc_tables::resources::AtomicOp;
use std::sync::Arc;

/// A feedback map.
#[derive(Debug)]
pub struct FeedbackMap {
    kind: FeedbackKind,
    paired: Arc<Image>,
    region: [u32; 2],
    /// Columns, rows and first word of each level.
    levels: Vec<([u32; 2], u64)>,
    layers: u32,
    memory: Memory,
}

impl FeedbackMap {
    /// An empty map.
    ///
    /// # Errors
    /// A texture that is not a single-sampled 2D texture; regions that are no powers of two, less than 4 or more than half of the
    /// texture.
    pub fn new(kind: FeedbackKind, paired: Arc<Image>, region: [u32; 2]) -> Result<FeedbackMap> {
        let desc = *paired.desc();
        let no = |why: String| Err(RunError::new(ErrorKind::Limit, format!("a feedback map: {why}")));
        if !matches!(desc.kind, ResourceKind::Texture2D | ResourceKind::Texture2DArray) {
            return no(format!("it is paired with a {}, expected a 2D texture", desc.kind));
        }
        for (side, n, texels) in [("width", region[0], desc.width), ("height", region[1], desc.height)] {
            if !n.is_power_of_two() || n < 4 || n > texels / 2 {
                return no(format!("regions of {side} {n}: expected powers of two from 4 to half of {texels}"));
            }
        }
        let mut words = 0u64;
        let levels = feedback_regions(kind, region, &desc)
            .into_iter()
            .map(|size| {
                let first = words;
                words += u64::from(size[0]) * u64::from(size[1]) * u64::from(desc.depth);
                (size, first)
            })
            .collect();
        let map = FeedbackMap { kind, paired, region, levels, layers: desc.depth, memory: Memory::zeroed(words * 4)? };
        map.clear();
        Ok(map)
    }

    /// The type of the map.
    pub fn kind(&self) -> FeedbackKind {
        self.kind
    }

    /// Whether it is paired with a texture.
    pub fn is_of(&self, image: &Image) -> bool {
        std::ptr::eq(&*self.paired, image)
    }

    /// Whether a shader's view of that kind is compatible.
    pub fn is_viewable_as(&self, kind: ResourceKind) -> bool {
        match kind {
            ResourceKind::FeedbackTexture2D => self.paired.desc().kind == ResourceKind::Texture2D,
            ResourceKind::FeedbackTexture2DArray => self.paired.desc().kind == ResourceKind::Texture2DArray,
            _ => false,
        }
    }

    /// Records the access to a texel (column, row, layer) of a level of the texture.
    pub fn record(&self, level: usize, [x, y, layer]: [u32; 3]) {
        let sizes = self.paired.levels();
        let (Some(level_of), Some(first)) = (sizes.get(level), sizes.first()) else { return };
        let (at_level, texel) = match self.kind {
            FeedbackKind::MipRegionUsed => (level, [x, y]),
            // The position of its centre in the first level.
            FeedbackKind::MinMip => {
                let whole = |a: usize, i: u32| {
                    let (own, all) = (u64::from(level_of.size[a]), u64::from(first.size[a]));
                    (((2 * u64::from(i) + 1) * all) / (2 * own)) as u32
                };
                (0, [whole(0, x), whole(1, y)])
            }
        };
        let Some(&([columns, rows], begin)) = self.levels.get(at_level) else { return };
        let (column, row) = (texel[0] / self.region[0], texel[1] / self.region[1]);
        if column >= columns || row >= rows || layer >= self.layers {
            return;
        }
        let word = (u64::from(layer) * u64::from(rows) + u64::from(row)) * u64::from(columns) + u64::from(column);
        let at = (begin + word) * 4;
        match self.kind {
            // It stays unchanged.
            FeedbackKind::MinMip => self.memory.atomic_u32(at, AtomicOp::UMin, level as u32).map_or((), |_| ()),
            FeedbackKind::MipRegionUsed => _ = self.memory.set_u32(at, REGION_USED.into()),
        }
    }

    /// The map as bytes: rows, then layers, then levels.
    pub fn decode(&self) -> Vec<u8> {
        // Both types are one byte per region.
        self.memory.to_vec().chunks_exact(4).map(|w| w[0]).collect()
    }

    /// Sets the map from bytes in the layout of [`FeedbackMap::decode`].
    ///
    /// # Errors
    /// Another number of bytes.
    pub fn encode(&self, bytes: &[u8]) -> Result<()> {
        let words = self.memory.size() / 4;
        if bytes.len() as u64 != words {
            let why = format!("{} bytes for a feedback map of {words} regions", bytes.len());
            return Err(RunError::new(ErrorKind::Binding, why));
        }
        for (i, &b) in (0u64..).zip(bytes) {
            let value = match self.kind {
                FeedbackKind::MinMip => b,
                FeedbackKind::MipRegionUsed if b == 0 => 0,
                FeedbackKind::MipRegionUsed => REGION_USED,
            };
            self.memory.set_u32(4 * i, value.into());
        }
        Ok(())
    }

    /// Clears the map.
    pub fn clear(&self) {
        let nothing = if self.kind == FeedbackKind::MinMip { NO_MIP } else { 0 };
        (0..self.memory.size() / 4).for_each(|i| _ = self.memory.set_u32(4 * i, nothing.into()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::{Format, ImageDesc};

    fn image(kind: ResourceKind, size: [u32; 3], levels: u32) -> Arc<Image> {
        let [width, height, depth] = size;
        let desc = ImageDesc { kind, depth, levels, ..ImageDesc::flat(width, height, Format::R8Unorm, false) };
        Arc::new(Image::new(&desc, &[]).unwrap())
    }

    #[test]
    fn texels_of_any_level_belong_to_one_region() {
        // The specification's example of sizes that are no powers of two: 15 by 15, regions of 4 by 4.
        let map = FeedbackMap::new(FeedbackKind::MinMip, image(ResourceKind::Texture2D, [15, 15, 1], 4), [4, 4]).unwrap();
        assert_eq!(map.decode(), [NO_MIP; 16]);
        map.record(1, [6, 0, 0]);
        map.record(1, [1, 3, 0]);
        map.record(0, [3, 7, 0]);
        map.record(2, [1, 1, 0]);
        let mut expected = [NO_MIP; 16];
        // Seven texels of level 1: the last one's centre is at 13.9, that of (1, 3) at (3.2, 7.5); three of level 2.
        (expected[3], expected[4], expected[5]) = (1, 0, 2);
        assert_eq!(map.decode(), expected);
        // A smaller level stays; a texel that does not exist changes nothing.
        map.record(3, [0, 0, 0]);
        map.record(9, [0, 0, 0]);
        map.record(0, [99, 0, 0]);
        map.record(0, [0, 0, 1]);
        expected[5] = 2;
        assert_eq!(map.decode(), expected);
        map.clear();
        assert_eq!(map.decode(), [NO_MIP; 16]);
    }

    #[test]
    fn regions_of_every_level_and_layer_are_apart() {
        let map = FeedbackMap::new(FeedbackKind::MipRegionUsed, image(ResourceKind::Texture2DArray, [16, 8, 2], 5), [8, 4]).unwrap();
        // 2 by 2, then 1 by 1 four times; two layers of each.
        let mut expected = vec![0; 16];
        assert_eq!(map.decode(), expected);
        for (level, at, byte) in [(0, [9, 3, 0], 1), (0, [0, 4, 1], 6), (1, [7, 3, 0], 8), (4, [0, 0, 1], 15)] {
            map.record(level, at);
            expected[byte] = REGION_USED;
            assert_eq!(map.decode(), expected);
        }
        let other = FeedbackMap::new(FeedbackKind::MipRegionUsed, image(ResourceKind::Texture2DArray, [16, 8, 2], 5), [8, 4]).unwrap();
        other.encode(&expected).unwrap();
        assert_eq!(other.decode(), expected);
        assert!(other.encode(&[0]).is_err());
    }

    #[test]
    fn invalid_maps_are_rejected() {
        let flat = || image(ResourceKind::Texture2D, [100, 100, 1], 1);
        for region in [[0, 4], [3, 4], [2, 2], [4, 64], [12, 4], [u32::MAX, 4]] {
            assert!(FeedbackMap::new(FeedbackKind::MinMip, flat(), region).is_err(), "{region:?}");
        }
        assert!(FeedbackMap::new(FeedbackKind::MinMip, flat(), [32, 4]).is_ok());
        let volume = image(ResourceKind::Texture3D, [16, 16, 16], 1);
        assert!(FeedbackMap::new(FeedbackKind::MinMip, volume, [4, 4]).unwrap_err().message.contains("paired with"));
    }
}
