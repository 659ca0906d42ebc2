//! Enumerations that containers, RDAT, root signatures and packages share.
//!
//! Each is an enum whose discriminants are the numbers in the file; `from_u32` is the only way in
//! from bytes, so a number outside the set is seen (and refused) at the reader. What resources are is in
//! the tables.

pub use rtc_tables::resources::{CompType as ComponentType, ResourceClass, ResourceKind};

/// An enumeration whose discriminants are numbers of a file format, with names and checked conversion.
#[macro_export]
macro_rules! kinds {
    ($(#[$meta:meta])* pub enum $name:ident { $($(#[$vmeta:meta])* $variant:ident = $value:literal $text:literal,)* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[repr(u8)]
        pub enum $name { $($(#[$vmeta])* $variant = $value,)* }

        impl $name {
            /// Every member, in the order of their numbers.
            pub const ALL: &[$name] = &[$($name::$variant),*];

            /// The member with this number.
            pub const fn from_u32(value: u32) -> Option<Self> {
                match value {
                    $($value => Some($name::$variant),)*
                    _ => None,
                }
            }

            /// The number in files.
            pub const fn as_u32(self) -> u32 {
                self as u32
            }

            /// The name as people write it.
            pub const fn name(self) -> &'static str {
                match self { $($name::$variant => $text,)* }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.name())
            }
        }
    };
}

kinds! {
    /// What a shader or a library function is.
    pub enum ShaderKind {
        /// Pixel shader.
        Pixel = 0 "pixel",
        /// Vertex shader.
        Vertex = 1 "vertex",
        /// Geometry shader.
        Geometry = 2 "geometry",
        /// Hull shader.
        Hull = 3 "hull",
        /// Domain shader.
        Domain = 4 "domain",
        /// Compute shader.
        Compute = 5 "compute",
        /// A whole library, or a function of one that is no entry point.
        Library = 6 "library",
        /// Ray generation shader.
        RayGeneration = 7 "raygeneration",
        /// Intersection shader.
        Intersection = 8 "intersection",
        /// Any-hit shader.
        AnyHit = 9 "anyhit",
        /// Closest-hit shader.
        ClosestHit = 10 "closesthit",
        /// Miss shader.
        Miss = 11 "miss",
        /// Callable shader.
        Callable = 12 "callable",
        /// Mesh shader.
        Mesh = 13 "mesh",
        /// Amplification shader.
        Amplification = 14 "amplification",
        /// Work-graph node.
        Node = 15 "node",
        /// None of these.
        Invalid = 16 "invalid",
    }
}

impl ShaderKind {
    /// Whether it is one of the six ray-tracing stages.
    pub const fn is_raytracing(self) -> bool {
        matches!(self.as_u32(), 7..=12)
    }

    /// Whether it is a stage of the graphics pipeline: what its signatures say is not described here.
    pub const fn is_graphics(self) -> bool {
        matches!(self, Self::Pixel | Self::Vertex | Self::Geometry | Self::Hull | Self::Domain | Self::Mesh | Self::Amplification)
    }

    /// Whether a hit group names it (intersection, any-hit, closest-hit).
    pub const fn is_in_hit_group(self) -> bool {
        matches!(self.as_u32(), 8..=10)
    }

    /// The bit of this kind in stage masks.
    pub const fn bit(self) -> u32 {
        1 << self.as_u32()
    }
}

kinds! {
    /// The kind of a subobject; the numbers are those of RDAT and of the pre-container metadata.
    pub enum SubobjectKind {
        /// `StateObjectConfig`.
        StateObjectConfig = 0 "StateObjectConfig",
        /// `GlobalRootSignature`.
        GlobalRootSignature = 1 "GlobalRootSignature",
        /// `LocalRootSignature`.
        LocalRootSignature = 2 "LocalRootSignature",
        /// `SubobjectToExportsAssociation`.
        SubobjectToExportsAssociation = 8 "SubobjectToExportsAssociation",
        /// `RaytracingShaderConfig`.
        RaytracingShaderConfig = 9 "RaytracingShaderConfig",
        /// `RaytracingPipelineConfig`.
        RaytracingPipelineConfig = 10 "RaytracingPipelineConfig",
        /// `TriangleHitGroup` and `ProceduralPrimitiveHitGroup`.
        HitGroup = 11 "HitGroup",
        /// `RaytracingPipelineConfig1`.
        RaytracingPipelineConfig1 = 12 "RaytracingPipelineConfig1",
    }
}

kinds! {
    /// What a hit group intersects.
    pub enum HitGroupType {
        /// Triangles, by the fixed-function test.
        Triangle = 0 "Triangle",
        /// Axis-aligned boxes, by an intersection shader.
        Procedural = 1 "ProceduralPrimitive",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_members_agree() {
        for &k in ShaderKind::ALL {
            assert_eq!(ShaderKind::from_u32(k.as_u32()), Some(k));
        }
        for &k in ResourceKind::ALL {
            assert_eq!(ResourceKind::from_number(k.number()), Some(k));
        }
        assert_eq!(ShaderKind::from_u32(17), None);
        assert_eq!(SubobjectKind::from_u32(3), None);
        assert_eq!(ShaderKind::ClosestHit.bit(), 0x400);
        assert!(!ShaderKind::Mesh.is_raytracing());
    }
}
