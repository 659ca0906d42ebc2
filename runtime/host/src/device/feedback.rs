//! Descriptions of sampler feedback maps (Direct3D, Sampler Feedback): records of the texels that sampling a texture would read.
//!
//! A map is paired with a texture and divides it into regions. Shaders write to it as if they sampled; the host reads one byte
//! for each region.

use super::{Image, ImageDesc};

/// What a map records.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum FeedbackKind {
    /// For each region of the first level the most detailed level that was requested there; [`NO_MIP`]: none.
    MinMip = 0,
    /// For each region of each level whether it was requested: [`REGION_USED`] or 0.
    MipRegionUsed = 1,
}

/// A region of which no level was requested.
pub const NO_MIP: u8 = 0xff;
/// A region that was requested.
pub const REGION_USED: u8 = 0xff;

/// A feedback map to create; empty at first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FeedbackDesc {
    /// What it records.
    pub kind: FeedbackKind,
    /// The texture that it is paired with, of two dimensions and one sample.
    pub paired: Image,
    /// Width and height of a region in texels: powers of two from 4 to half of the texture.
    pub region: [u32; 2],
}

/// Columns and rows of regions of each level that a map of a texture has; of a [`FeedbackKind::MinMip`] map there is one level.
pub fn feedback_regions(kind: FeedbackKind, region: [u32; 2], paired: &ImageDesc) -> Vec<[u32; 2]> {
    let levels = if kind == FeedbackKind::MinMip { 1 } else { paired.levels };
    let of = |level| {
        let [width, height, _] = paired.size(level);
        [width.div_ceil(region[0].max(1)), height.div_ceil(region[1].max(1))]
    };
    (0..levels).map(of).collect()
}
