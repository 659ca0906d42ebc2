//! RDAT, the runtime data of a library: which functions it has, what each needs, and the subobjects.
//!
//! The model holds plain strings and lists; [`Rdat::write`] lays it out as the reference compiler
//! does, byte for byte (a validator compares), [`Rdat::read`] takes any producer's.
//!
//! The file is a set of tables that point into three pools: strings, arrays of indices, raw bytes.
//! Equal entries of a pool are shared, in order of first use; so the order in which the writer walks
//! the model *is* the format: resources, names of external functions, functions (each with what its stage adds), subobjects.

pub mod associate;
mod read;
#[cfg(test)]
mod tests;
mod write;

use super::Version;
use super::kinds::{HitGroupType, ResourceClass, ResourceKind, ShaderKind, SubobjectKind};

/// The contents of an RDAT part.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Rdat {
    /// Resources: constant buffers, samplers, SRVs, UAVs, in this order.
    pub resources: Vec<Resource>,
    /// Names of the external functions that functions of this library call (not intrinsics), in
    /// module order.
    pub externals: Vec<String>,
    /// Functions with a body, in module order.
    pub functions: Vec<Function>,
    /// Subobjects, in source order.
    pub subobjects: Vec<Subobject>,
    /// Tables that this model does not describe (work graph nodes and the like), as they were read.
    /// The writer leaves them out: their references point into the old pools.
    pub other_tables: Vec<OtherTable>,
}

/// A table that is known to exist but not described.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OtherTable {
    /// Type number of the table.
    pub part_type: u32,
    /// Its bytes.
    pub data: Vec<u8>,
}

/// One resource of a library.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Resource {
    /// Register class.
    pub class: ResourceClass,
    /// Shape.
    pub kind: ResourceKind,
    /// Number within its class.
    pub id: u32,
    /// Register space.
    pub space: u32,
    /// First register.
    pub lower: u32,
    /// Last register, inclusive; `u32::MAX` without bound.
    pub upper: u32,
    /// HLSL name.
    pub name: String,
    /// Bits of [`resource_flags`].
    pub flags: u32,
}

impl Resource {
    /// Number of registers, `u32::MAX` without bound.
    pub fn count(&self) -> u32 {
        if self.upper == u32::MAX { u32::MAX } else { self.upper.saturating_sub(self.lower).saturating_add(1) }
    }
}

/// Bits of [`Resource::flags`].
pub mod resource_flags {
    /// Declared `globallycoherent`.
    pub const GLOBALLY_COHERENT: u32 = 1;
    /// Has a hidden counter.
    pub const COUNTER: u32 = 2;
    /// Rasteriser ordered.
    pub const ROV: u32 = 4;
    /// Indexed dynamically (never set by the reference compiler).
    pub const DYNAMIC_INDEX: u32 = 8;
    /// 64-bit atomics are used on it.
    pub const ATOMICS_64: u32 = 16;
    /// Declared `reordercoherent`.
    pub const REORDER_COHERENT: u32 = 32;
}

/// Bits of [`FunctionV2::flags`].
pub mod function_flags {
    /// Entry of a work-graph program.
    pub const NODE_PROGRAM_ENTRY: u16 = 1;
    /// Writes a position.
    pub const OUTPUT_POSITION: u16 = 2;
    /// Writes a depth.
    pub const DEPTH_OUTPUT: u16 = 4;
    /// Runs at sample frequency.
    pub const SAMPLE_FREQUENCY: u16 = 8;
    /// Uses the view id.
    pub const VIEW_ID: u16 = 16;
}

/// One function of a library.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Function {
    /// Name in the module (mangled).
    pub name: String,
    /// Name for the API; see [`unmangle`].
    pub unmangled: String,
    /// Rows of [`Rdat::resources`] that its own body names, ascending.
    pub resources: Vec<u32>,
    /// External functions that it calls.
    pub dependencies: Vec<String>,
    /// Stage, or [`ShaderKind::Library`] for a plain function.
    pub kind: ShaderKind,
    /// Bytes of payload (closest-hit, any-hit, miss) or of the parameter (callable), else 0.
    pub payload_size: u32,
    /// Bytes of hit attributes (closest-hit, any-hit), else 0.
    pub attribute_size: u32,
    /// Feature bits ([`crate::sfi0`]).
    pub features: u64,
    /// Stages that the code may run in, a bit for each [`ShaderKind`].
    pub stage_mask: u32,
    /// Lowest target.
    pub min_target: MinTarget,
    /// What records of validator 1.8 and up add.
    pub v2: FunctionV2,
}

/// The lowest target that a function runs on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MinTarget {
    /// Shader kind of the target.
    pub kind: ShaderKind,
    /// Shader model; both numbers below 16.
    pub model: Version,
}

impl MinTarget {
    /// As one word: `kind << 16 | major << 4 | minor`.
    pub fn pack(self) -> u32 {
        self.kind.as_u32() << 16 | (self.model.major & 0xfff) << 4 | self.model.minor & 0xf
    }
}

/// The second half of a function record.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct FunctionV2 {
    /// Fewest lanes of a wave, 0 if not said.
    pub min_wave_lanes: u8,
    /// Most lanes of a wave, 0 if not said.
    pub max_wave_lanes: u8,
    /// Bits of [`function_flags`].
    pub flags: u16,
    /// What shader models before their release say of a compute shader.
    pub compute: Option<ComputeInfo>,
    /// Row in the table of another stage (nodes and the like), which this model does not describe; ray tracing has none.
    pub stage_info: Option<u32>,
}

/// A compute shader of a library, for a shader model that is newer than the last released one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ComputeInfo {
    /// Threads of a group: x, y, z.
    pub threads: [u32; 3],
    /// Bytes of the groupshared variables that it names.
    pub groupshared: u32,
}

/// A subobject and its name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Subobject {
    /// HLSL name.
    pub name: String,
    /// What it says.
    pub value: SubobjectValue,
}

/// What a subobject says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SubobjectValue {
    /// Properties of the whole state object.
    StateObjectConfig {
        /// 1 local dependencies on external definitions, 2 external on local, 4 additions.
        flags: u32,
    },
    /// A global root signature in its binary form (crate `rtc-rootsig` reads it).
    GlobalRootSignature {
        /// The binary form.
        data: Vec<u8>,
    },
    /// A local root signature in its binary form.
    LocalRootSignature {
        /// The binary form.
        data: Vec<u8>,
    },
    /// Says which exports another subobject is for.
    Association {
        /// Name of the other subobject.
        subobject: String,
        /// Exports; empty for all that have no other of this kind.
        exports: Vec<String>,
    },
    /// Sizes that all shaders of a pipeline agree on.
    ShaderConfig {
        /// Most bytes of a payload.
        max_payload: u32,
        /// Most bytes of hit attributes.
        max_attributes: u32,
    },
    /// Recursion limit.
    PipelineConfig {
        /// Deepest recursion of traces.
        max_recursion: u32,
    },
    /// Recursion limit and flags.
    PipelineConfig1 {
        /// Deepest recursion of traces.
        max_recursion: u32,
        /// 0x100 skip triangles, 0x200 skip procedural primitives, 0x400 allow opacity micromaps.
        flags: u32,
    },
    /// A hit group.
    HitGroup {
        /// What it intersects.
        ty: HitGroupType,
        /// Any-hit shader, or empty.
        any_hit: String,
        /// Closest-hit shader, or empty.
        closest_hit: String,
        /// Intersection shader, or empty.
        intersection: String,
    },
}

impl SubobjectValue {
    /// Its kind.
    pub fn kind(&self) -> SubobjectKind {
        match self {
            SubobjectValue::StateObjectConfig { .. } => SubobjectKind::StateObjectConfig,
            SubobjectValue::GlobalRootSignature { .. } => SubobjectKind::GlobalRootSignature,
            SubobjectValue::LocalRootSignature { .. } => SubobjectKind::LocalRootSignature,
            SubobjectValue::Association { .. } => SubobjectKind::SubobjectToExportsAssociation,
            SubobjectValue::ShaderConfig { .. } => SubobjectKind::RaytracingShaderConfig,
            SubobjectValue::PipelineConfig { .. } => SubobjectKind::RaytracingPipelineConfig,
            SubobjectValue::PipelineConfig1 { .. } => SubobjectKind::RaytracingPipelineConfig1,
            SubobjectValue::HitGroup { .. } => SubobjectKind::HitGroup,
        }
    }
}

impl Rdat {
    /// The function with this unmangled name.
    pub fn function(&self, unmangled: &str) -> Option<&Function> {
        self.functions.iter().find(|f| f.unmangled == unmangled)
    }

    /// The subobject with this name.
    pub fn subobject(&self, name: &str) -> Option<&Subobject> {
        self.subobjects.iter().find(|s| s.name == name)
    }

    /// The hit groups, with their names.
    pub fn hit_groups(&self) -> impl Iterator<Item = &Subobject> {
        self.subobjects.iter().filter(|s| s.value.kind() == SubobjectKind::HitGroup)
    }
}

/// The name that the API knows a function by: of `\x01?Name@@…` the `Name`, else the name itself.
pub fn unmangle(name: &str) -> &str {
    match name.strip_prefix("\u{1}?") {
        Some(rest) => rest.split('@').next().unwrap_or(rest),
        None => name,
    }
}

/// Type numbers of the tables.
mod part {
    pub const STRINGS: u32 = 1;
    pub const INDEX_ARRAYS: u32 = 2;
    pub const RESOURCES: u32 = 3;
    pub const FUNCTIONS: u32 = 4;
    pub const RAW_BYTES: u32 = 5;
    pub const SUBOBJECTS: u32 = 6;
    pub const COMPUTE: u32 = 19;
}

/// The version word of the part.
const RDAT_VERSION: u32 = 0x10;
/// A reference to nothing.
const NULL: u32 = u32::MAX;
/// Bytes of a resource record.
const RESOURCE_STRIDE: usize = 32;
/// Bytes of a function record before validator 1.8.
const FUNCTION_STRIDE_V1: usize = 44;
/// Bytes of a function record since validator 1.8.
const FUNCTION_STRIDE_V2: usize = 52;
/// Bytes of a subobject record.
const SUBOBJECT_STRIDE: usize = 24;
/// Bytes of a compute shader's record.
const COMPUTE_STRIDE: usize = 8;
