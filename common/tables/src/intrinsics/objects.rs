//! The types that have methods or can be named in signatures: one row per type. Everything else about
//! them (register class, shape, arguments in angle brackets) is in [`crate::types::OBJECTS`].

use crate::resources::ResourceFlags;
use crate::types::{OBJECTS as TYPE_ROWS, ObjectRow};

/// One row of [`OBJECTS`].
#[derive(Debug)]
pub struct ObjectInfo {
    /// Which.
    pub object: Object,
    /// Its name in HLSL.
    pub name: &'static str,
    /// Flags that the type itself brings to a resource.
    pub flags: ResourceFlags,
    /// The type whose methods this one has: itself, or the plain one of a rasterizer-ordered view or of a texture with a sampler.
    pub methods_of: Object,
}

macro_rules! objects {
    ($($id:ident $flags:ident $like:ident;)*) => {
        /// A type with methods or registers.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[repr(u8)]
        pub enum Object { $(
            #[doc = concat!("`", stringify!($id), "`")] $id,
        )* }
        /// All object types.
        pub const OBJECTS: &[ObjectInfo] = &[$(ObjectInfo {
            object: Object::$id,
            name: stringify!($id),
            flags: $flags,
            methods_of: Object::$like,
        },)*];
    };
}

const NONE: ResourceFlags = ResourceFlags::empty();
const COUNTER: ResourceFlags = ResourceFlags::COUNTER;
const ROV: ResourceFlags = ResourceFlags::ROV;
const SAMPLED: ResourceFlags = ResourceFlags::SAMPLED;
const COMPARISON: ResourceFlags = ResourceFlags::COMPARISON;

#[rustfmt::skip]
objects! {
//  type                                   flags       methods of
    Texture1D                              NONE        Texture1D;
    Texture1DArray                         NONE        Texture1DArray;
    Texture2D                              NONE        Texture2D;
    Texture2DArray                         NONE        Texture2DArray;
    Texture2DMS                            NONE        Texture2DMS;
    Texture2DMSArray                       NONE        Texture2DMSArray;
    Texture3D                              NONE        Texture3D;
    TextureCube                            NONE        TextureCube;
    TextureCubeArray                       NONE        TextureCubeArray;
    SampledTexture1D                       SAMPLED     Texture1D;
    SampledTexture1DArray                  SAMPLED     Texture1DArray;
    SampledTexture2D                       SAMPLED     Texture2D;
    SampledTexture2DArray                  SAMPLED     Texture2DArray;
    SampledTexture2DMS                     SAMPLED     Texture2DMS;
    SampledTexture2DMSArray                SAMPLED     Texture2DMSArray;
    SampledTexture3D                       SAMPLED     Texture3D;
    SampledTextureCUBE                     SAMPLED     TextureCube;
    SampledTextureCUBEArray                SAMPLED     TextureCubeArray;
    SubpassInput                           NONE        SubpassInput;
    SubpassInputMS                         NONE        SubpassInputMS;
    Buffer                                 NONE        Buffer;
    ByteAddressBuffer                      NONE        ByteAddressBuffer;
    StructuredBuffer                       NONE        StructuredBuffer;
    RWTexture1D                            NONE        RWTexture1D;
    RWTexture1DArray                       NONE        RWTexture1DArray;
    RWTexture2D                            NONE        RWTexture2D;
    RWTexture2DArray                       NONE        RWTexture2DArray;
    RWTexture2DMS                          NONE        RWTexture2DMS;
    RWTexture2DMSArray                     NONE        RWTexture2DMSArray;
    RWTexture3D                            NONE        RWTexture3D;
    RWBuffer                               NONE        RWBuffer;
    RWByteAddressBuffer                    NONE        RWByteAddressBuffer;
    RWStructuredBuffer                     NONE        RWStructuredBuffer;
    AppendStructuredBuffer                 COUNTER     AppendStructuredBuffer;
    ConsumeStructuredBuffer                COUNTER     ConsumeStructuredBuffer;
    RasterizerOrderedTexture1D             ROV         RWTexture1D;
    RasterizerOrderedTexture1DArray        ROV         RWTexture1DArray;
    RasterizerOrderedTexture2D             ROV         RWTexture2D;
    RasterizerOrderedTexture2DArray        ROV         RWTexture2DArray;
    RasterizerOrderedTexture3D             ROV         RWTexture3D;
    RasterizerOrderedBuffer                ROV         RWBuffer;
    RasterizerOrderedByteAddressBuffer     ROV         RWByteAddressBuffer;
    RasterizerOrderedStructuredBuffer      ROV         RWStructuredBuffer;
    FeedbackTexture2D                      NONE        FeedbackTexture2D;
    FeedbackTexture2DArray                 NONE        FeedbackTexture2DArray;
    ConstantBuffer                         NONE        ConstantBuffer;
    TextureBuffer                          NONE        TextureBuffer;
    SamplerState                           NONE        SamplerState;
    SamplerComparisonState                 COMPARISON  SamplerComparisonState;
    RaytracingAccelerationStructure        NONE        RaytracingAccelerationStructure;
    RayQuery                               NONE        RayQuery;
    HitObject                              NONE        HitObject;
    PointStream                            NONE        TriangleStream;
    LineStream                             NONE        TriangleStream;
    TriangleStream                         NONE        TriangleStream;
}

impl Object {
    /// The row of this type.
    pub fn info(self) -> &'static ObjectInfo {
        &OBJECTS[self as usize]
    }
    /// The object type with this name (`HitObject` is in namespace `dx`).
    pub fn from_name(name: &str) -> Option<Object> {
        OBJECTS.iter().find(|r| r.name == name).map(|r| r.object)
    }
    /// The row of the type in [`crate::types::OBJECTS`].
    pub fn type_row(self) -> &'static ObjectRow {
        let name = self.info().name;
        TYPE_ROWS.iter().find(|r| r.name == name).expect("a test joins the tables")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::ObjectKind;

    #[test]
    fn rows_are_in_order_and_join_with_the_types() {
        for (n, row) in OBJECTS.iter().enumerate() {
            assert_eq!(row.object as usize, n);
            assert_eq!(Object::from_name(row.name), Some(row.object));
            assert_eq!(row.object.type_row().name, row.name);
        }
        for t in TYPE_ROWS {
            let is_resource = matches!(t.kind, ObjectKind::Resource(..));
            if is_resource && t.name != "sampler" {
                assert!(Object::from_name(t.name).is_some(), "{}", t.name);
            }
        }
    }
}
