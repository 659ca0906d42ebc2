//! Shader flags of entry properties, and the feature bits derived from them.

/// Bits of the flags property (tag 0) of an entry point.
pub mod bit {
    /// Not optimised.
    pub const DISABLE_OPTIMIZATIONS: u64 = 1;
    /// All arithmetic is as written.
    pub const DISABLE_MATH_REFACTORING: u64 = 1 << 1;
    /// Double precision.
    pub const DOUBLES: u64 = 1 << 2;
    /// Depth and stencil are tested before a pixel shader runs.
    pub const EARLY_DEPTH_STENCIL: u64 = 1 << 3;
    /// Raw or structured buffers are declared.
    pub const RAW_AND_STRUCTURED: u64 = 1 << 4;
    /// 16-bit types.
    pub const LOW_PRECISION: u64 = 1 << 5;
    /// Division, fused multiplication or conversion of doubles.
    pub const DOUBLE_EXTENSIONS: u64 = 1 << 6;
    /// Sums of absolute differences.
    pub const MSAD: u64 = 1 << 7;
    /// The application promises that all resources are bound.
    pub const ALL_RESOURCES_BOUND: u64 = 1 << 8;
    /// Viewport or layer are chosen before the rasteriser.
    pub const VIEWPORT_ARRAY_INDEX: u64 = 1 << 9;
    /// Inner coverage.
    pub const INNER_COVERAGE: u64 = 1 << 10;
    /// The stencil reference is written.
    pub const STENCIL_REF: u64 = 1 << 11;
    /// The shader queries residency.
    pub const TILED: u64 = 1 << 12;
    /// Typed UAVs of several components are read.
    pub const TYPED_UAV_LOAD: u64 = 1 << 13;
    /// More than eight UAVs.
    pub const UAVS_64: u64 = 1 << 15;
    /// UAVs outside pixel and compute shaders.
    pub const UAVS_EVERY_STAGE: u64 = 1 << 16;
    /// Rasteriser-ordered views are declared.
    pub const ROV: u64 = 1 << 18;
    /// Wave operations.
    pub const WAVE: u64 = 1 << 19;
    /// 64-bit integers.
    pub const INT64: u64 = 1 << 20;
    /// The view id.
    pub const VIEW_ID: u64 = 1 << 21;
    /// Barycentrics.
    pub const BARYCENTRICS: u64 = 1 << 22;
    /// 16-bit types are native.
    pub const NATIVE_LOW_PRECISION: u64 = 1 << 23;
    /// Shading rates.
    pub const SHADING_RATE: u64 = 1 << 24;
    /// Ray queries or the geometry index.
    pub const RAYTRACING_TIER_1_1: u64 = 1 << 25;
    /// Sampler feedback is written.
    pub const SAMPLER_FEEDBACK: u64 = 1 << 26;
    /// 64-bit atomics on typed resources.
    pub const ATOMIC64_TYPED: u64 = 1 << 27;
    /// 64-bit atomics on groupshared memory.
    pub const ATOMIC64_GROUPSHARED: u64 = 1 << 28;
    /// Resources are taken from the descriptor heap.
    pub const RESOURCE_HEAP: u64 = 1 << 30;
    /// Samplers are taken from the descriptor heap.
    pub const SAMPLER_HEAP: u64 = 1 << 31;
    /// 64-bit atomics on resources of the descriptor heap.
    pub const ATOMIC64_HEAP: u64 = 1 << 32;
    /// Derivatives in mesh and amplification shaders.
    pub const MESH_DERIVATIVES: u64 = 1 << 29;
    /// UAVs do not alias.
    pub const UAVS_DO_NOT_ALIAS: u64 = 1 << 33;
    /// Advanced texture operations.
    pub const ADVANCED_TEXTURE: u64 = 1 << 34;
    /// Multisampled textures that are written.
    pub const WRITEABLE_MSAA: u64 = 1 << 35;
    /// Comparison with gradients or a bias.
    pub const SAMPLE_CMP_GRADIENT_OR_BIAS: u64 = 1 << 37;
    /// Where the vertices or instances of a draw begin.
    pub const EXTENDED_COMMAND_INFO: u64 = 1 << 38;
    /// Derivatives; of functions only.
    pub const DERIVATIVES: u64 = 1 << 39;
    /// Needs a thread group; of functions only.
    pub const NEEDS_GROUP: u64 = 1 << 40;
    /// What describes functions and is never said of modules.
    pub const FUNCTION_ONLY: u64 = DERIVATIVES | NEEDS_GROUP;
}

/// Flag bit number and feature bit.
#[rustfmt::skip]
const FEATURES: &[(u32, u64)] = &[
    (2, 0x1), (6, 0x20), (7, 0x40), (9, 0x2000), (10, 0x400), (11, 0x200), (12, 0x100), (13, 0x800), (14, 0x80), (15, 0x8),
    (16, 0x4), (17, 0x2), (18, 0x1000), (19, 0x4000), (20, 0x8000), (21, 0x1_0000), (22, 0x2_0000), (24, 0x8_0000),
    (25, 0x10_0000), (26, 0x20_0000), (27, 0x40_0000), (28, 0x80_0000), (29, 0x100_0000), (30, 0x200_0000),
    (31, 0x400_0000), (32, 0x1000_0000), (34, 0x2000_0000), (35, 0x4000_0000), (37, 0x8000_0000), (38, 1 << 32),
    (39, 1 << 40), (40, 1 << 41),
];

/// The feature bits of `SFI0` and RDAT that flags mean.
pub fn features(flags: u64) -> u64 {
    let mut out = 0;
    for &(n, feature) in FEATURES {
        if flags >> n & 1 != 0 {
            out |= feature;
        }
    }
    if flags & bit::LOW_PRECISION != 0 {
        let native = flags & bit::NATIVE_LOW_PRECISION != 0;
        out |= if native { 0x4_0000 } else { 0x10 };
    }
    out
}

/// The shader model that flags ask for (minor number of 6).
pub fn min_model(flags: u64) -> u32 {
    let native = bit::NATIVE_LOW_PRECISION | bit::LOW_PRECISION;
    let rows = [
        (bit::SAMPLE_CMP_GRADIENT_OR_BIAS | bit::EXTENDED_COMMAND_INFO, 8),
        (bit::ADVANCED_TEXTURE | bit::WRITEABLE_MSAA, 7),
        (bit::ATOMIC64_TYPED | bit::ATOMIC64_GROUPSHARED, 6),
        (bit::RESOURCE_HEAP | bit::SAMPLER_HEAP | bit::ATOMIC64_HEAP, 6),
        (bit::RAYTRACING_TIER_1_1 | bit::SAMPLER_FEEDBACK, 5),
        (bit::SHADING_RATE, 4),
        (bit::VIEW_ID | bit::BARYCENTRICS, 1),
    ];
    let required = rows.iter().filter(|r| flags & r.0 != 0).map(|r| r.1);
    let required = required.max().unwrap_or(0);
    required.max(if flags & native == native { 2 } else { 0 })
}
