//! The small closed sets of numbers that containers, RDAT, root signatures and packages share.
//!
//! Each is an enum whose discriminants are the numbers in the file; `from_u32` is the only way in
//! from bytes, so a number outside the set is seen (and refused) at the reader.

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
pub(crate) use kinds;

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
    /// The register class of a resource; also the type of a descriptor range.
    pub enum ResourceClass {
        /// Read-only view, `t` registers.
        Srv = 0 "SRV",
        /// Read-write view, `u` registers.
        Uav = 1 "UAV",
        /// Constant buffer, `b` registers.
        Cbv = 2 "CBV",
        /// Sampler, `s` registers.
        Sampler = 3 "Sampler",
    }
}

impl ResourceClass {
    /// The letter of its registers: `t`, `u`, `b` or `s`.
    pub const fn register_letter(self) -> char {
        match self {
            ResourceClass::Srv => 't',
            ResourceClass::Uav => 'u',
            ResourceClass::Cbv => 'b',
            ResourceClass::Sampler => 's',
        }
    }
}

kinds! {
    /// The shape of a resource.
    pub enum ResourceKind {
        /// Not a resource.
        Invalid = 0 "invalid",
        /// 1D texture.
        Texture1D = 1 "Texture1D",
        /// 2D texture.
        Texture2D = 2 "Texture2D",
        /// Multisampled 2D texture.
        Texture2DMS = 3 "Texture2DMS",
        /// 3D texture.
        Texture3D = 4 "Texture3D",
        /// Cube texture.
        TextureCube = 5 "TextureCube",
        /// Array of 1D textures.
        Texture1DArray = 6 "Texture1DArray",
        /// Array of 2D textures.
        Texture2DArray = 7 "Texture2DArray",
        /// Array of multisampled 2D textures.
        Texture2DMSArray = 8 "Texture2DMSArray",
        /// Array of cube textures.
        TextureCubeArray = 9 "TextureCubeArray",
        /// Formatted buffer.
        TypedBuffer = 10 "TypedBuffer",
        /// Byte-address buffer.
        RawBuffer = 11 "RawBuffer",
        /// Structured buffer.
        StructuredBuffer = 12 "StructuredBuffer",
        /// Constant buffer.
        CBuffer = 13 "CBuffer",
        /// Sampler or comparison sampler.
        Sampler = 14 "Sampler",
        /// Texture buffer.
        TBuffer = 15 "TBuffer",
        /// Ray-tracing acceleration structure.
        AccelerationStructure = 16 "RTAccelerationStructure",
        /// Sampler feedback map.
        FeedbackTexture2D = 17 "FeedbackTexture2D",
        /// Array of sampler feedback maps.
        FeedbackTexture2DArray = 18 "FeedbackTexture2DArray",
    }
}

kinds! {
    /// The component type of a typed resource.
    pub enum ComponentType {
        /// None: the resource is not typed.
        Invalid = 0 "none",
        /// Boolean.
        I1 = 1 "i1",
        /// 16-bit signed integer.
        I16 = 2 "i16",
        /// 16-bit unsigned integer.
        U16 = 3 "u16",
        /// 32-bit signed integer.
        I32 = 4 "i32",
        /// 32-bit unsigned integer.
        U32 = 5 "u32",
        /// 64-bit signed integer.
        I64 = 6 "i64",
        /// 64-bit unsigned integer.
        U64 = 7 "u64",
        /// 16-bit float.
        F16 = 8 "f16",
        /// 32-bit float.
        F32 = 9 "f32",
        /// 64-bit float.
        F64 = 10 "f64",
        /// 16-bit signed normalised.
        SNormF16 = 11 "snorm_f16",
        /// 16-bit unsigned normalised.
        UNormF16 = 12 "unorm_f16",
        /// 32-bit signed normalised.
        SNormF32 = 13 "snorm_f32",
        /// 32-bit unsigned normalised.
        UNormF32 = 14 "unorm_f32",
        /// 64-bit signed normalised.
        SNormF64 = 15 "snorm_f64",
        /// 64-bit unsigned normalised.
        UNormF64 = 16 "unorm_f64",
        /// Four signed bytes in 32 bits.
        PackedS8x32 = 17 "p32i8",
        /// Four unsigned bytes in 32 bits.
        PackedU8x32 = 18 "p32u8",
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
            assert_eq!(ResourceKind::from_u32(k.as_u32()), Some(k));
        }
        assert_eq!(ShaderKind::from_u32(17), None);
        assert_eq!(SubobjectKind::from_u32(3), None);
        assert_eq!(ShaderKind::ClosestHit.bit(), 0x400);
        assert!(!ShaderKind::Mesh.is_raytracing());
    }
}
