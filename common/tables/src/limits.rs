//! Limits of Direct3D 12 and DXIL that a program may not exceed, and the range of shader models.

use std::ops::RangeInclusive;

/// The minor number of the newest shader model, of its DXIL version and of its validator.
pub const NEWEST_MODEL: u32 = 10;
/// The minor number of the newest shader model that is released: containers of newer ones are marked as preview.
pub const RELEASED_MODEL: u32 = 9;
/// The first shader model with `ResourceDescriptorHeap` and `SamplerDescriptorHeap`.
pub const HEAP_MODEL: u32 = 6;
/// The minor number of libraries that are made to be linked (`lib_6_x`).
pub const OFFLINE_MODEL: u32 = 15;

/// The minor number of the DXIL version of a shader model. Libraries for linking are written in the newest.
pub const fn dxil_minor(model: u32) -> u32 {
    if model == OFFLINE_MODEL { NEWEST_MODEL } else { model }
}

/// Most threads of a group in each dimension.
pub const GROUP_THREADS: [u32; 3] = [1024, 1024, 64];
/// Most threads of a group.
pub const GROUP_THREADS_IN_ALL: u64 = 1024;
/// Most threads of a group of a mesh or amplification shader, in each dimension and in all.
pub const MESH_GROUP_THREADS: u64 = 128;
/// Most vertices of a mesh shader's group, and most primitives.
pub const MESH_OUTPUTS: u32 = 256;
/// Bytes of all outputs of a mesh shader's group.
pub const MESH_OUTPUT_BYTES: u64 = 32768;
/// Bytes of the payload and all outputs of a mesh shader's group.
pub const MESH_BYTES: u64 = 48128;
/// The outputs of a mesh shader's group are counted in multiples of so many vertices or primitives.
pub const MESH_OUTPUT_GRANULE: u32 = 32;
/// Bytes of the payload that an amplification shader passes.
pub const MESH_PAYLOAD_BYTES: u32 = 16384;
/// Bytes of groupshared memory of a mesh shader.
pub const MESH_GROUPSHARED_BYTES: u64 = 28672;
/// Most bytes of groupshared memory of a compute shader that sets no limit of its own.
pub const GROUPSHARED_BYTES: u64 = 32768;
/// Fewest and most lanes of a wave.
pub const WAVE_LANES: RangeInclusive<u32> = 4..=128;

/// Most vertices that one run of a geometry shader makes.
pub const GEOMETRY_VERTICES: u32 = 1024;
/// Most components of all of them together.
pub const GEOMETRY_SCALARS: u32 = 1024;
/// Most runs of a geometry shader for one primitive.
pub const GEOMETRY_INSTANCES: u32 = 32;
/// Streams of a geometry shader.
pub const GEOMETRY_STREAMS: usize = 4;
/// Most control points of a patch.
pub const PATCH_POINTS: u32 = 32;
/// Most components of all control points together that a hull shader without code passes on.
pub const PASSED_POINT_SCALARS: u32 = 3968;
/// Registers of a signature.
pub const SIGNATURE_ROWS: u32 = 32;
/// Planes of `[clipplanes]`.
pub const CLIP_PLANES: usize = 6;
/// Registers of clip and cull distances.
pub const DISTANCE_ROWS: usize = 2;
/// Clip and cull distances together.
pub const DISTANCES: u32 = 8;
/// Characters of the name of a semantic.
pub const SEMANTIC_NAME: RangeInclusive<usize> = 1..=64;
/// What `[maxtessfactor]` may be.
pub const TESSELLATION_FACTORS: RangeInclusive<f32> = 1.0..=64.0;

/// Most bytes of a constant buffer.
pub const CONSTANT_BUFFER_BYTES: u32 = 65536;
/// Most bytes of an element of a structured buffer.
pub const STRUCTURE_STRIDE: u32 = 2048;

/// The limit of texels along a side of a texture other than a volume, and of a cube's face.
pub const TEXTURE_SIDE: u32 = 16384;
/// Most texels along a side of a volume.
pub const VOLUME_SIDE: u32 = 2048;
/// Most layers of a texture array; faces of cubes are layers.
pub const TEXTURE_LAYERS: u32 = 2048;
/// Most samples of a texel.
pub const TEXEL_SAMPLES: u32 = 32;

/// An array of more resources is no value.
pub const LARGEST_RESOURCE_ARRAY: u32 = 1024;
