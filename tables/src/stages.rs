//! Shader stages, their HLSL spellings and their numbers in DXIL, and sets of stages.

/// A kind of shader, numbered as DXIL numbers it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Stage {
    /// `cs_6_x` and `[shader("compute")]`.
    Compute = 5,
    /// A function of a library that is no entry point.
    Library = 6,
    /// Starts rays.
    RayGeneration = 7,
    /// Tests procedural primitives.
    Intersection = 8,
    /// Accepts or rejects candidate hits.
    AnyHit = 9,
    /// Runs on the closest hit.
    ClosestHit = 10,
    /// Runs when nothing is hit.
    Miss = 11,
    /// Called through the shader table.
    Callable = 12,
}

/// One row of [`STAGES`].
pub struct StageInfo {
    /// The stage.
    pub stage: Stage,
    /// The name in `[shader("…")]`.
    pub attribute: &'static str,
    /// The name in reports and IR text.
    pub name: &'static str,
}

const fn row(stage: Stage, attribute: &'static str, name: &'static str) -> StageInfo {
    StageInfo { stage, attribute, name }
}

/// Every stage that rtc compiles.
#[rustfmt::skip]
pub const STAGES: &[StageInfo] = &[
    row(Stage::Compute,       "compute",       "compute"),
    row(Stage::Library,       "",              "library"),
    row(Stage::RayGeneration, "raygeneration", "raygen"),
    row(Stage::Intersection,  "intersection",  "intersection"),
    row(Stage::AnyHit,        "anyhit",        "anyhit"),
    row(Stage::ClosestHit,    "closesthit",    "closesthit"),
    row(Stage::Miss,          "miss",          "miss"),
    row(Stage::Callable,      "callable",      "callable"),
];

impl Stage {
    /// The row of this stage.
    pub fn info(self) -> &'static StageInfo {
        &STAGES[self as usize - 5]
    }
    /// The name in reports and IR text.
    pub fn name(self) -> &'static str {
        self.info().name
    }
    /// The stage that `[shader("name")]` means.
    pub fn from_attribute(name: &str) -> Option<Stage> {
        STAGES.iter().find(|r| r.attribute == name && !name.is_empty()).map(|r| r.stage)
    }
    /// The stage with this name in IR text.
    pub fn from_name(name: &str) -> Option<Stage> {
        STAGES.iter().find(|r| r.name == name).map(|r| r.stage)
    }
    /// Whether this is one of the six ray-tracing stages.
    pub fn is_raytracing(self) -> bool {
        self >= Stage::RayGeneration
    }
}

bitflags::bitflags! {
    /// A set of stages; bit `1 << stage`.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
    pub struct StageMask: u32 {
        /// Ray generation.
        const RG = 1 << 7;
        /// Intersection.
        const IS = 1 << 8;
        /// Any-hit.
        const AH = 1 << 9;
        /// Closest-hit.
        const CH = 1 << 10;
        /// Miss.
        const MS = 1 << 11;
        /// Callable.
        const CL = 1 << 12;
        /// Compute.
        const CS = 1 << 5;
        /// Any function of a library (its callers decide).
        const LIB = 1 << 6;
        /// The stages that have a ray: intersection, any-hit, closest-hit, miss.
        const RAY = Self::IS.bits() | Self::AH.bits() | Self::CH.bits() | Self::MS.bits();
        /// The stages that have a primitive: intersection, any-hit, closest-hit.
        const PRIM = Self::IS.bits() | Self::AH.bits() | Self::CH.bits();
        /// The six ray-tracing stages.
        const RT = Self::RG.bits() | Self::RAY.bits() | Self::CL.bits();
        /// Every stage.
        const ALL = Self::RT.bits() | Self::CS.bits() | Self::LIB.bits();
    }
}

impl StageMask {
    /// Whether `stage` is in the set.
    pub fn has(self, stage: Stage) -> bool {
        self.bits() & (1 << stage as u32) != 0
    }
    /// The stages in the set, in DXIL's order.
    pub fn iter_stages(self) -> impl Iterator<Item = Stage> {
        STAGES.iter().map(|r| r.stage).filter(move |s| self.has(*s))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn rows_are_in_dxil_order() {
        for (i, r) in STAGES.iter().enumerate() {
            assert_eq!(r.stage as usize, i + 5);
        }
    }
}
