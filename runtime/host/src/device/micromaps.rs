//! Descriptions of opacity micromaps (DXR, Opacity micromaps).
//!
//! A micromap has a state for each of the 4^level micro-triangles of a triangle: opaque, transparent, or unknown, which an
//! any-hit shader decides. Many of them make an array, which geometries refer to by an index for each triangle.

/// The finest subdivision: 4^12 micro-triangles.
pub const MICROMAP_MAX_LEVEL: u32 = 12;

/// Index of a triangle that is transparent everywhere.
pub const MICROMAP_FULLY_TRANSPARENT: i32 = -1;
/// Index of a triangle that is opaque everywhere.
pub const MICROMAP_FULLY_OPAQUE: i32 = -2;
/// Index of a triangle that is unknown everywhere, and transparent where only two states are used.
pub const MICROMAP_FULLY_UNKNOWN_TRANSPARENT: i32 = -3;
/// Index of a triangle that is unknown everywhere, and opaque where only two states are used.
pub const MICROMAP_FULLY_UNKNOWN_OPAQUE: i32 = -4;
/// Index of a triangle of a cluster that has no micromap: its geometry says whether it is opaque.
pub const MICROMAP_CLUSTER_SKIP: i32 = -5;

/// Bits of a micro-triangle.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum MicromapFormat {
    /// One bit: 0 transparent, 1 opaque.
    TwoState = 1,
    /// Two bits: 0 transparent, 1 opaque, 2 unknown (rather transparent), 3 unknown (rather opaque).
    FourState = 2,
}

impl MicromapFormat {
    /// Bytes of one micromap of that level.
    pub fn bytes(self, level: u32) -> usize {
        let bits = (1usize << (2 * level.min(MICROMAP_MAX_LEVEL))) * self as usize;
        bits.div_ceil(8)
    }
}

/// The location of one micromap in an array.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MicromapEntry {
    /// First byte in [`MicromapArrayDesc::data`].
    pub offset: u32,
    /// Subdivision level, 0 to [`MICROMAP_MAX_LEVEL`].
    pub level: u32,
    /// Bits of a micro-triangle.
    pub format: MicromapFormat,
}

/// An array of micromaps to build.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MicromapArrayDesc {
    /// States of the micro-triangles along the space-filling curve, lowest bits first.
    pub data: Vec<u8>,
    /// The micromaps; geometries refer to them by their index here.
    pub entries: Vec<MicromapEntry>,
}

/// How the triangles of a geometry refer to micromaps.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GeometryMicromaps {
    /// The array; none if all triangles have one of the special indices.
    pub array: Option<super::Micromaps>,
    /// For each triangle an index into the array or one of the special indices (`MICROMAP_FULLY_…`); none: the index is the
    /// triangle's number.
    pub indices: Option<Vec<i32>>,
    /// Added to what is not a special index.
    pub base: u32,
}
