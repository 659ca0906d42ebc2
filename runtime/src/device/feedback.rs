//! Sampler feedback, as a host describes it (Direct3D, Sampler Feedback): maps that remember what sampling a texture would read.
//!
//! A map is paired with a texture and divides it into regions. Shaders write into it as if they sampled; the host reads what it
//! remembers as one byte for each region.

use super::{Image, ImageDesc};

/// What a map remembers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum FeedbackKind {
    /// For each region of the first level the most detailed level that was wanted there; [`NO_MIP`]: none.
    MinMip = 0,
    /// For each region of each level whether it was wanted: [`REGION_USED`] or 0.
    MipRegionUsed = 1,
}

/// A region of which no level was wanted.
pub const NO_MIP: u8 = 0xff;
/// A region that was wanted.
pub const REGION_USED: u8 = 0xff;

/// A feedback map to make. It remembers nothing at first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FeedbackDesc {
    /// What it remembers.
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
