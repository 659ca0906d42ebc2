//! Feature bits: what a device must support to run the container. `SFI0` holds those of the whole
//! module; RDAT holds one word for each function, which also has the bits above [`FUNCTION_ONLY`].

use super::{Bytes, FormatError};

/// Features and their bits, in the order of the bits.
#[rustfmt::skip]
pub const FEATURES: &[(u64, &str)] = &[
    (0x1,           "Double-precision floating point"),
    (0x2,           "Raw and Structured buffers"),
    (0x4,           "UAVs at every shader stage"),
    (0x8,           "64 UAV slots"),
    (0x10,          "Minimum-precision data types"),
    (0x20,          "Double-precision extensions for 11.1"),
    (0x40,          "Shader extensions for 11.1"),
    (0x80,          "Comparison filtering for feature level 9"),
    (0x100,         "Tiled resources"),
    (0x200,         "PS Output Stencil Ref"),
    (0x400,         "PS Inner Coverage"),
    (0x800,         "Typed UAV Load Additional Formats"),
    (0x1000,        "Raster Ordered UAVs"),
    (0x2000,        "SV_RenderTargetArrayIndex or SV_ViewportArrayIndex from any shader feeding rasterizer"),
    (0x4000,        "Wave level operations"),
    (0x8000,        "64-Bit integer"),
    (0x1_0000,      "View Instancing"),
    (0x2_0000,      "Barycentrics"),
    (0x4_0000,      "Use native low precision"),
    (0x8_0000,      "Shading Rate"),
    (0x10_0000,     "Raytracing tier 1.1 features"),
    (0x20_0000,     "Sampler feedback"),
    (0x40_0000,     "64-bit Atomics on Typed Resources"),
    (0x80_0000,     "64-bit Atomics on Group Shared"),
    (0x100_0000,    "Derivatives in mesh and amplification shaders"),
    (0x200_0000,    "Resource descriptor heap indexing"),
    (0x400_0000,    "Sampler descriptor heap indexing"),
    (0x1000_0000,   "64-bit Atomics on Heap Resources"),
    (0x2000_0000,   "Advanced Texture Ops"),
    (0x4000_0000,   "Writeable MSAA Textures"),
    (0x8000_0000,   "SampleCmp with gradient or bias"),
    (0x1_0000_0000, "Extended command info"),
];

/// Bits from here up describe functions and never reach `SFI0`: derivatives, needs a thread group.
pub const FUNCTION_ONLY: u64 = 1 << 40;

/// Bit of raytracing tier 1.1.
pub const RAYTRACING_TIER_1_1: u64 = 0x10_0000;

/// Reads the part.
///
/// # Errors
/// When it has not eight bytes.
pub fn read(data: &[u8]) -> Result<u64, FormatError> {
    let b = Bytes::new("SFI0", data);
    if data.len() != 8 {
        return Err(b.error(0, format!("has {} bytes, needed are 8", data.len())));
    }
    b.u64(0)
}

/// The part's data.
pub fn write(features: u64) -> Vec<u8> {
    features.to_le_bytes().to_vec()
}

/// The names of the features in a word of bits.
pub fn names(features: u64) -> impl Iterator<Item = &'static str> {
    FEATURES.iter().filter(move |(bit, _)| features & bit != 0).map(|&(_, name)| name)
}
