//! Shader stages: their HLSL spellings, their numbers in DXIL, and the sets of stages that rules of the language refer to.
//!
//! The sets are the constants of [`StageMask`]. Intrinsics, IR instructions ([`crate::raytracing`]) and DXIL operations
//! ([`crate::dxil_ops::stage`]) take theirs from here.

use serde::{Deserialize, Serialize};

/// A kind of shader, numbered as DXIL numbers it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[repr(u8)]
pub enum Stage {
    /// `ps_6_x` and `[shader("pixel")]`: runs for each fragment.
    Pixel = 0,
    /// `vs_6_x` and `[shader("vertex")]`: runs for each vertex.
    Vertex = 1,
    /// `gs_6_x` and `[shader("geometry")]`: runs for each primitive and makes others.
    Geometry = 2,
    /// `hs_6_x` and `[shader("hull")]`: runs for each control point of a patch, and its patch constant function for each patch.
    Hull = 3,
    /// `ds_6_x` and `[shader("domain")]`: runs for each vertex that the tessellator makes.
    Domain = 4,
    /// `cs_6_x` and `[shader("compute")]`.
    Compute = 5,
    /// A library function that is no entry point.
    Library = 6,
    /// The first shader of a dispatch; traces rays.
    RayGeneration = 7,
    /// Intersects rays with procedural primitives.
    Intersection = 8,
    /// Accepts or rejects candidate hits.
    AnyHit = 9,
    /// Runs for the closest hit.
    ClosestHit = 10,
    /// Runs for a ray without a hit.
    Miss = 11,
    /// Called through the shader table.
    Callable = 12,
    /// `ms_6_x` and `[shader("mesh")]`: a thread group that makes vertices and primitives.
    Mesh = 13,
    /// `as_6_x` and `[shader("amplification")]`: a thread group that starts mesh shaders.
    Amplification = 14,
}

/// One row of [`STAGES`].
pub struct StageInfo {
    /// The stage.
    pub stage: Stage,
    /// The name in `[shader("…")]`.
    pub attribute: &'static str,
    /// The name in reports and IR text.
    pub name: &'static str,
    /// What a profile of one such shader begins with (`cs`), also the kind in metadata; empty if there are only libraries of them.
    pub profile: &'static str,
    /// The first shader model that has it: the minor number of 6.
    pub model: u32,
    /// The first shader model before 6 that had it: 4 or 5, each with the minor numbers 0 and 1; 0 if none had.
    pub older: u32,
}

const fn row(stage: Stage, attribute: &'static str, name: &'static str, profile: &'static str, model: u32, older: u32) -> StageInfo {
    StageInfo { stage, attribute, name, profile, model, older }
}

/// Every stage that rtc compiles.
#[rustfmt::skip]
pub const STAGES: &[StageInfo] = &[
    row(Stage::Pixel,         "pixel",         "pixel",        "ps", 0, 4),
    row(Stage::Vertex,        "vertex",        "vertex",       "vs", 0, 4),
    row(Stage::Geometry,      "geometry",      "geometry",     "gs", 0, 4),
    row(Stage::Hull,          "hull",          "hull",         "hs", 0, 5),
    row(Stage::Domain,        "domain",        "domain",       "ds", 0, 5),
    row(Stage::Compute,       "compute",       "compute",      "cs", 0, 4),
    row(Stage::Library,       "",              "library",      "", 3, 0),
    row(Stage::RayGeneration, "raygeneration", "raygen",       "", 3, 0),
    row(Stage::Intersection,  "intersection",  "intersection", "", 3, 0),
    row(Stage::AnyHit,        "anyhit",        "anyhit",       "", 3, 0),
    row(Stage::ClosestHit,    "closesthit",    "closesthit",   "", 3, 0),
    row(Stage::Miss,          "miss",          "miss",         "", 3, 0),
    row(Stage::Callable,      "callable",      "callable",     "", 3, 0),
    row(Stage::Mesh,          "mesh",          "mesh",         "ms", 5, 0),
    row(Stage::Amplification, "amplification", "amplification", "as", 5, 0),
];

impl Stage {
    /// The row of this stage.
    pub fn info(self) -> &'static StageInfo {
        &STAGES[self as usize]
    }
    /// The name in reports and IR text.
    pub fn name(self) -> &'static str {
        self.info().name
    }
    /// What it does, in one sentence.
    pub fn about(self) -> &'static str {
        match self {
            Stage::Pixel => "Runs for each fragment of a primitive.",
            Stage::Vertex => "Runs for each vertex.",
            Stage::Geometry => "Runs for each primitive, and makes others.",
            Stage::Hull => "Runs for each control point of a patch; its patch constant function runs for each patch.",
            Stage::Domain => "Runs for each vertex that the tessellator makes.",
            Stage::Compute => "Runs for each thread of the thread groups of a dispatch.",
            Stage::Library => "A function of a library that is no entry point.",
            Stage::RayGeneration => "Runs for each ray of a dispatch, and traces rays.",
            Stage::Intersection => "Intersects a ray with the procedural primitives in a bounding box, and reports hits.",
            Stage::AnyHit => "Accepts or rejects a hit that is not opaque, in no particular order of the hits.",
            Stage::ClosestHit => "Runs for the closest hit of a ray.",
            Stage::Miss => "Runs for a ray that hits nothing.",
            Stage::Callable => "Runs where another shader calls it through the shader table.",
            Stage::Mesh => "A thread group that makes vertices and primitives.",
            Stage::Amplification => "A thread group that starts mesh shaders.",
        }
    }
    /// The stage that `[shader("name")]` means.
    pub fn from_attribute(name: &str) -> Option<Stage> {
        STAGES.iter().find(|r| r.attribute == name && !name.is_empty()).map(|r| r.stage)
    }
    /// The stage of a shader whose profile begins with `name`.
    pub fn from_profile(name: &str) -> Option<Stage> {
        STAGES.iter().find(|r| r.profile == name && !name.is_empty()).map(|r| r.stage)
    }
    /// The stage with this name in IR text.
    pub fn from_name(name: &str) -> Option<Stage> {
        STAGES.iter().find(|r| r.name == name).map(|r| r.stage)
    }
    /// Whether its inputs and outputs are signature elements ([`crate::signature`]).
    pub fn has_signature(self) -> bool {
        StageMask::GRAPHICS.has(self)
    }
    /// Whether this is one of the six ray-tracing stages.
    pub fn is_raytracing(self) -> bool {
        StageMask::RT.has(self)
    }
}

bitflags::bitflags! {
    /// A set of stages: stage `s` is bit `1 << s`.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
    pub struct StageMask: u32 {
        /// Pixel.
        const PS = 1 << Stage::Pixel as u32;
        /// Vertex.
        const VS = 1 << Stage::Vertex as u32;
        /// Geometry.
        const GS = 1 << Stage::Geometry as u32;
        /// Hull.
        const HS = 1 << Stage::Hull as u32;
        /// Domain.
        const DS = 1 << Stage::Domain as u32;
        /// Mesh.
        const MESH = 1 << Stage::Mesh as u32;
        /// Amplification.
        const AMP = 1 << Stage::Amplification as u32;
        /// Ray generation.
        const RG = 1 << Stage::RayGeneration as u32;
        /// Intersection.
        const IS = 1 << Stage::Intersection as u32;
        /// Any-hit.
        const AH = 1 << Stage::AnyHit as u32;
        /// Closest-hit.
        const CH = 1 << Stage::ClosestHit as u32;
        /// Miss.
        const MS = 1 << Stage::Miss as u32;
        /// Callable.
        const CL = 1 << Stage::Callable as u32;
        /// Compute.
        const CS = 1 << Stage::Compute as u32;
        /// A library function that is no entry point (the stages of its callers decide).
        const LIB = 1 << Stage::Library as u32;
        /// The stages that have a ray: intersection, any-hit, closest-hit, miss.
        const RAY = Self::IS.bits() | Self::AH.bits() | Self::CH.bits() | Self::MS.bits();
        /// The stages that have a primitive: intersection, any-hit, closest-hit.
        const PRIM = Self::IS.bits() | Self::AH.bits() | Self::CH.bits();
        /// The stages that run for a hit: any-hit, closest-hit.
        const HITS = Self::AH.bits() | Self::CH.bits();
        /// The stages that may trace rays and use hit objects: ray generation, closest-hit, miss.
        const TRACES = Self::RG.bits() | Self::CH.bits() | Self::MS.bits();
        /// The stages that may call callable shaders: those that trace, and callable shaders.
        const CALLS = Self::TRACES.bits() | Self::CL.bits();
        /// The stages before the rasteriser in a mesh pipeline.
        const MESH_PIPELINE = Self::MESH.bits() | Self::AMP.bits();
        /// The stages with thread groups: groupshared memory and group barriers.
        const GROUPS = Self::CS.bits() | Self::MESH_PIPELINE.bits();
        /// The stages whose threads form quads: quad operations and derivatives.
        const QUADS = Self::GROUPS.bits() | Self::PS.bits();
        /// The stages of the graphics pipeline.
        const GRAPHICS = Self::PS.bits()
            | Self::VS.bits()
            | Self::GS.bits()
            | Self::HS.bits()
            | Self::DS.bits()
            | Self::MESH_PIPELINE.bits();
        /// The six ray-tracing stages.
        const RT = Self::RG.bits() | Self::RAY.bits() | Self::CL.bits();
        /// The stages of entry points.
        const ENTRIES = Self::RT.bits() | Self::CS.bits() | Self::GRAPHICS.bits();
        /// Every stage, and library functions.
        const ALL = Self::ENTRIES.bits() | Self::LIB.bits();
    }
}

impl StageMask {
    /// Whether `stage` is in the set.
    pub fn has(self, stage: Stage) -> bool {
        self.bits() & (1 << stage as u32) != 0
    }
    /// The set with library functions: what they call is checked for the entry points that reach them.
    pub const fn with_library(self) -> StageMask {
        self.union(StageMask::LIB)
    }
    /// The stages in the set, in DXIL's order.
    pub fn iter_stages(self) -> impl Iterator<Item = Stage> {
        STAGES.iter().map(|r| r.stage).filter(move |s| self.has(*s))
    }
}

/// An attribute of entry points that some stages or shader models do not have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EntryAttribute {
    /// Its name in HLSL.
    pub name: &'static str,
    /// The stages where it has a meaning.
    pub stages: StageMask,
    /// The first shader model that has it: the minor number of 6.
    pub model: u32,
}

impl EntryAttribute {
    /// Bytes of groupshared memory that a thread group may have.
    pub const GROUPSHARED_LIMIT: EntryAttribute = attribute("GroupSharedLimit", StageMask::GROUPS, 10);
    /// Wave operations count helper threads.
    pub const HELPER_LANES: EntryAttribute = attribute("WaveOpsIncludeHelperLanes", StageMask::PS, 7);
    /// Lanes of a wave.
    pub const WAVE_SIZE: EntryAttribute = attribute("WaveSize", StageMask::GROUPS, 6);
    /// Fewest and most lanes of a wave, and a preferred number.
    pub const WAVE_SIZES: EntryAttribute = attribute("WaveSize(min, max)", StageMask::GROUPS, 8);

    /// Whether it has a meaning in a shader of this stage and model.
    pub fn applies(&self, stage: Stage, model: u32) -> bool {
        self.stages.has(stage) && model >= self.model
    }
}

/// Attributes that make a function of a library a shader of a stage without `[shader]`. The first that a function has counts:
/// `[domain]` belongs to hull shaders, too. `[numthreads]` is none of them.
pub const IMPLIED_STAGES: &[(&str, Stage)] = &[
    ("patchconstantfunc", Stage::Hull),
    ("domain", Stage::Domain),
    ("maxvertexcount", Stage::Geometry),
    ("instance", Stage::Geometry),
    ("clipplanes", Stage::Vertex),
    ("earlydepthstencil", Stage::Pixel),
];

const fn attribute(name: &'static str, stages: StageMask, model: u32) -> EntryAttribute {
    EntryAttribute { name, stages, model }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn rows_are_in_dxil_order() {
        for r in STAGES {
            assert_eq!(r.stage.info().stage, r.stage);
        }
    }
}
