//! What the attributes of a graphics shader say of its stage: the primitives that it takes and makes.

use rtc_tables::pipeline::{Domain, InputPrimitive, MeshTopology, Partitioning, StreamTopology, TessellatorOutput};

use crate::{Func, Type};

/// The fixed state of an entry point's stage.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub enum StageState {
    /// The stage has none.
    #[default]
    None,
    /// A geometry shader.
    Geometry(GeometryState),
    /// A hull shader.
    Hull(HullState),
    /// The patch constant function of a hull shader.
    PatchConstants,
    /// A domain shader.
    Domain(DomainState),
    /// A mesh shader.
    Mesh(MeshState),
}

impl StageState {
    /// The patch constant function of a hull shader.
    pub fn patch_constants(&self) -> Option<Func> {
        match self {
            StageState::Hull(s) => s.patch_constants,
            _ => None,
        }
    }
}

/// The state of a geometry shader.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GeometryState {
    /// What it runs for.
    pub primitive: InputPrimitive,
    /// What it makes, in all streams.
    pub topology: StreamTopology,
    /// The most vertices that one run makes.
    pub max_vertices: u32,
    /// Runs for each primitive.
    pub instances: u32,
    /// Its streams: stream `n` is bit `1 << n`.
    pub streams: u32,
}

/// The state of a hull shader.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HullState {
    /// The function that runs for each patch.
    pub patch_constants: Option<Func>,
    /// Control points of its input patch.
    pub input_points: u32,
    /// Control points that it makes.
    pub output_points: u32,
    /// The shape of the patch; in Vulkan the domain shader may say it alone, as what follows.
    pub domain: Option<Domain>,
    /// How edges are divided.
    pub partitioning: Option<Partitioning>,
    /// What the tessellator makes.
    pub output: Option<TessellatorOutput>,
    /// The largest tessellation factor, as the bits of a float.
    pub max_factor: Option<u32>,
}

/// The state of a domain shader.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DomainState {
    /// The shape of the patch.
    pub domain: Domain,
    /// Control points of the patch.
    pub input_points: u32,
}

/// The state of a mesh shader.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeshState {
    /// The most vertices of a group: members of the arrays of vertices.
    pub max_vertices: u32,
    /// The most primitives of a group.
    pub max_primitives: u32,
    /// What it makes.
    pub topology: MeshTopology,
    /// The type of what the amplification shader passes.
    pub payload: Option<Type>,
}
