//! The names of HLSL's built-in types.
//!
//! Scalars with their vectors and matrices (`float`, `float3`, `float3x4`) follow one scheme and are recognised by
//! [`numeric`]; resources and other objects, whether they take template arguments, and the structs and enums that
//! the language declares are rows of [`OBJECTS`], [`STRUCTS`] and [`ENUMS`].

use crate::barriers::{memory, semantics};
use crate::pipeline::StreamTopology;
use crate::ray_flags;
use crate::resources::{ResourceClass, ResourceKind};

/// Scalar types. Sizes of the minimum-precision ones depend on options, so they stay types of their own.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Scalar {
    /// `bool`
    Bool,
    /// `int8_t4_packed`
    Int8x4Packed,
    /// `uint8_t4_packed`
    Uint8x4Packed,
    /// `min12int`
    Min12Int,
    /// `min16int`
    Min16Int,
    /// `min16uint`
    Min16Uint,
    /// `int16_t`
    Int16,
    /// `uint16_t`
    Uint16,
    /// `int`, `int32_t`
    Int,
    /// `uint`, `uint32_t`, `dword`, `unsigned`
    Uint,
    /// `int64_t`
    Int64,
    /// `uint64_t`
    Uint64,
    /// `min10float`
    Min10Float,
    /// `min16float`
    Min16Float,
    /// `half`: `float16_t` with native 16-bit types, else `float`.
    Half,
    /// `float16_t`
    Float16,
    /// `float`, `float32_t`
    Float,
    /// `double`, `float64_t`
    Double,
}

impl Scalar {
    /// As HLSL spells it: the first of its names.
    pub fn name(self) -> &'static str {
        SCALARS.iter().find(|r| r.scalar == self).map_or("", |r| r.name)
    }
    /// Whether it is an unsigned integer. Packed numbers of 8 bits are what their name says.
    pub fn is_unsigned(self) -> bool {
        matches!(self, Scalar::Uint8x4Packed | Scalar::Min16Uint | Scalar::Uint16 | Scalar::Uint | Scalar::Uint64)
    }
}

/// One spelling of a scalar.
#[derive(Clone, Copy, Debug)]
pub struct ScalarRow {
    /// The name.
    pub name: &'static str,
    /// What it means.
    pub scalar: Scalar,
    /// Whether `name2`, `name3x3` exist as well.
    pub shapes: bool,
}

const fn s(name: &'static str, scalar: Scalar, shapes: bool) -> ScalarRow {
    ScalarRow { name, scalar, shapes }
}

/// Every spelling of every scalar.
#[rustfmt::skip]
pub static SCALARS: &[ScalarRow] = &[
    s("bool",            Scalar::Bool,          true),
    s("int",             Scalar::Int,           true),
    s("int32_t",         Scalar::Int,           true),
    s("uint",            Scalar::Uint,          true),
    s("uint32_t",        Scalar::Uint,          true),
    s("dword",           Scalar::Uint,          true),
    s("unsigned",        Scalar::Uint,          false),
    s("signed",          Scalar::Int,           false),
    s("float",           Scalar::Float,         true),
    s("float32_t",       Scalar::Float,         true),
    s("half",            Scalar::Half,          true),
    s("double",          Scalar::Double,        true),
    s("float64_t",       Scalar::Double,        true),
    s("int16_t",         Scalar::Int16,         true),
    s("uint16_t",        Scalar::Uint16,        true),
    s("float16_t",       Scalar::Float16,       true),
    s("int64_t",         Scalar::Int64,         true),
    s("uint64_t",        Scalar::Uint64,        true),
    s("min10float",      Scalar::Min10Float,    true),
    s("min16float",      Scalar::Min16Float,    true),
    s("min12int",        Scalar::Min12Int,      true),
    s("min16int",        Scalar::Min16Int,      true),
    s("min16uint",       Scalar::Min16Uint,     true),
    s("int8_t4_packed",  Scalar::Int8x4Packed,  false),
    s("uint8_t4_packed", Scalar::Uint8x4Packed, false),
];

/// Shape of a numeric type by its name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Shape {
    /// `float`
    Scalar,
    /// `float3`; `float1` is a vector of one.
    Vector(u8),
    /// `float3x4`: rows, columns.
    Matrix(u8, u8),
}

/// The numeric type that a name denotes: `float`, `uint2`, `min16float4x3`. `None` when it is no such name.
pub fn numeric(name: &str) -> Option<(Scalar, Shape)> {
    let exact = |n: &str| SCALARS.iter().find(|r| r.name == n);
    if let Some(r) = exact(name) {
        return Some((r.scalar, Shape::Scalar));
    }
    let digit = |b: u8| (b'1'..=b'4').contains(&b).then(|| b - b'0');
    let bytes = name.as_bytes();
    let last = digit(*bytes.last()?)?;
    let n = bytes.len();
    if n > 3 && bytes[n - 2] == b'x' {
        let rows = digit(bytes[n - 3])?;
        let r = exact(&name[..n - 3]).filter(|r| r.shapes)?;
        return Some((r.scalar, Shape::Matrix(rows, last)));
    }
    let r = exact(&name[..n - 1]).filter(|r| r.shapes)?;
    Some((r.scalar, Shape::Vector(last)))
}

/// The purpose of an object type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ObjectKind {
    /// Bound to a register; class and shape.
    Resource(ResourceClass, ResourceKind),
    /// `vector<T, N>` and `matrix<T, R, C>`.
    Numeric,
    /// `RayQuery<flags, flags>`.
    RayQuery,
    /// `dx::HitObject`.
    HitObject,
    /// A matrix of linear algebra.
    Linalg,
    /// A subobject of a state object, written as a global: `GlobalRootSignature`.
    Subobject,
    /// What a geometry shader gives its vertices to.
    Stream(StreamTopology),
    /// The control points of a patch: those that a hull shader makes, or its inputs.
    Patch {
        /// `OutputPatch`
        output: bool,
    },
    /// Nodes of work graphs: unsupported, and diagnosed by name.
    OtherStage,
    /// `string`.
    Text,
    /// `vk::BufferPointer<T>` and relatives.
    Vulkan,
}

/// What a template argument of an object can be.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ObjectParam {
    /// A type that a texel can have.
    Texel,
    /// Any type that a buffer element can have.
    Element,
    /// A struct or any other type for constants.
    Constants,
    /// An integer constant.
    Number,
}

/// A built-in object type.
#[derive(Clone, Copy, Debug)]
pub struct ObjectRow {
    /// The namespace that declares it; empty for the global one.
    pub namespace: &'static str,
    /// Its name.
    pub name: &'static str,
    /// What it is.
    pub kind: ObjectKind,
    /// Its template parameters.
    pub params: &'static [ObjectParam],
    /// How many of them must be given.
    pub required: u8,
    /// The section of the intrinsic tables that has its methods; empty if it has none.
    pub methods: &'static str,
}

use ObjectKind::*;
use ObjectParam::{Constants, Element, Number, Texel};
use ResourceClass::{Cbv, Sampler, Srv, Uav};
use ResourceKind as K;

const fn o(name: &'static str, kind: ObjectKind, params: &'static [ObjectParam], required: u8, methods: &'static str) -> ObjectRow {
    ObjectRow { namespace: "", name, kind, params, required, methods }
}
const fn ns(
    namespace: &'static str,
    name: &'static str,
    kind: ObjectKind,
    params: &'static [ObjectParam],
    required: u8,
    methods: &'static str,
) -> ObjectRow {
    ObjectRow { namespace, name, kind, params, required, methods }
}

/// Every object type.
#[rustfmt::skip]
pub static OBJECTS: &[ObjectRow] = &[
    o("vector",                  Numeric,                                 &[Element, Number], 0, ""),
    o("matrix",                  Numeric,                                 &[Element, Number, Number], 0, ""),
    // Read-only textures
    o("Texture1D",               Resource(Srv, K::Texture1D),             &[Texel],           0, "Texture1DMethods"),
    o("Texture1DArray",          Resource(Srv, K::Texture1DArray),        &[Texel],           0, "Texture1DArrayMethods"),
    o("Texture2D",               Resource(Srv, K::Texture2D),             &[Texel],           0, "Texture2DMethods"),
    o("Texture2DArray",          Resource(Srv, K::Texture2DArray),        &[Texel],           0, "Texture2DArrayMethods"),
    o("Texture2DMS",             Resource(Srv, K::Texture2DMS),           &[Texel, Number],   1, "Texture2DMSMethods"),
    o("Texture2DMSArray",        Resource(Srv, K::Texture2DMSArray),      &[Texel, Number],   1, "Texture2DArrayMSMethods"),
    o("Texture3D",               Resource(Srv, K::Texture3D),             &[Texel],           0, "Texture3DMethods"),
    o("TextureCube",             Resource(Srv, K::TextureCube),           &[Texel],           0, "TextureCUBEMethods"),
    o("TextureCubeArray",        Resource(Srv, K::TextureCubeArray),      &[Texel],           0, "TextureCUBEArrayMethods"),
    // Attachments of Vulkan
    o("SubpassInput",            Resource(Srv, K::SubpassInput),          &[Texel],           0, "VkSubpassInputMethods"),
    o("SubpassInputMS",          Resource(Srv, K::SubpassInputMS),        &[Texel],           0, "VkSubpassInputMSMethods"),
    // Writable textures
    o("RWTexture1D",             Resource(Uav, K::Texture1D),             &[Texel],           1, "RWTexture1DMethods"),
    o("RWTexture1DArray",        Resource(Uav, K::Texture1DArray),        &[Texel],           1, "RWTexture1DArrayMethods"),
    o("RWTexture2D",             Resource(Uav, K::Texture2D),             &[Texel],           1, "RWTexture2DMethods"),
    o("RWTexture2DArray",        Resource(Uav, K::Texture2DArray),        &[Texel],           1, "RWTexture2DArrayMethods"),
    o("RWTexture2DMS",           Resource(Uav, K::Texture2DMS),           &[Texel, Number],   1, "RWTexture2DMSMethods"),
    o("RWTexture2DMSArray",      Resource(Uav, K::Texture2DMSArray),      &[Texel, Number],   1, "RWTexture2DMSArrayMethods"),
    o("RWTexture3D",             Resource(Uav, K::Texture3D),             &[Texel],           1, "RWTexture3DMethods"),
    o("RasterizerOrderedTexture1D",      Resource(Uav, K::Texture1D),     &[Texel],           1, "RWTexture1DMethods"),
    o("RasterizerOrderedTexture1DArray", Resource(Uav, K::Texture1DArray),&[Texel],           1, "RWTexture1DArrayMethods"),
    o("RasterizerOrderedTexture2D",      Resource(Uav, K::Texture2D),     &[Texel],           1, "RWTexture2DMethods"),
    o("RasterizerOrderedTexture2DArray", Resource(Uav, K::Texture2DArray),&[Texel],           1, "RWTexture2DArrayMethods"),
    o("RasterizerOrderedTexture3D",      Resource(Uav, K::Texture3D),     &[Texel],           1, "RWTexture3DMethods"),
    o("FeedbackTexture2D",       Resource(Uav, K::FeedbackTexture2D),     &[Number],          1, "FeedbackTexture2DMethods"),
    o("FeedbackTexture2DArray",  Resource(Uav, K::FeedbackTexture2DArray),&[Number],          1, "FeedbackTexture2DArrayMethods"),
    // Buffers
    o("Buffer",                  Resource(Srv, K::TypedBuffer),           &[Texel],           0, "BufferMethods"),
    o("RWBuffer",                Resource(Uav, K::TypedBuffer),           &[Texel],           1, "RWBufferMethods"),
    o("RasterizerOrderedBuffer", Resource(Uav, K::TypedBuffer),           &[Texel],           1, "RWBufferMethods"),
    o("ByteAddressBuffer",       Resource(Srv, K::RawBuffer),             &[],                0, "ByteAddressBufferMethods"),
    o("RWByteAddressBuffer",     Resource(Uav, K::RawBuffer),             &[],                0, "RWByteAddressBufferMethods"),
    o("RasterizerOrderedByteAddressBuffer", Resource(Uav, K::RawBuffer),  &[],                0, "RWByteAddressBufferMethods"),
    o("StructuredBuffer",        Resource(Srv, K::StructuredBuffer),      &[Element],         1, "StructuredBufferMethods"),
    o("RWStructuredBuffer",      Resource(Uav, K::StructuredBuffer),      &[Element],         1, "RWStructuredBufferMethods"),
    o("RasterizerOrderedStructuredBuffer", Resource(Uav, K::StructuredBuffer), &[Element],    1, "RWStructuredBufferMethods"),
    o("AppendStructuredBuffer",  Resource(Uav, K::StructuredBuffer),      &[Element],         1, "AppendStructuredBufferMethods"),
    o("ConsumeStructuredBuffer", Resource(Uav, K::StructuredBuffer),      &[Element],         1, "ConsumeStructuredBufferMethods"),
    o("ConstantBuffer",          Resource(Cbv, K::CBuffer),               &[Constants],       1, ""),
    o("TextureBuffer",           Resource(Srv, K::TBuffer),               &[Constants],       1, ""),
    // Samplers
    o("SamplerState",            Resource(Sampler, K::Sampler),           &[],                0, ""),
    o("SamplerComparisonState",  Resource(Sampler, K::Sampler),           &[],                0, ""),
    o("sampler",                 Resource(Sampler, K::Sampler),           &[],                0, ""),
    // Ray tracing
    o("RaytracingAccelerationStructure", Resource(Srv, K::AccelerationStructure), &[],        0, ""),
    o("RayQuery",                RayQuery,                                &[Number, Number],  1, "RayQueryMethods"),
    ns("dx", "HitObject",        HitObject,                               &[],                0, "DxHitObjectMethods"),
    // Linear algebra
    o(crate::linalg::TYPE_NAME,  Linalg,                                  &[],                0, ""),
    // Subobjects
    o("StateObjectConfig",               Subobject, &[], 0, ""),
    o("GlobalRootSignature",             Subobject, &[], 0, ""),
    o("LocalRootSignature",              Subobject, &[], 0, ""),
    o("SubobjectToEntrypointAssociation",Subobject, &[], 0, ""),
    o("SubobjectToExportsAssociation",   Subobject, &[], 0, ""),
    o("RaytracingShaderConfig",          Subobject, &[], 0, ""),
    o("RaytracingPipelineConfig",        Subobject, &[], 0, ""),
    o("RaytracingPipelineConfig1",       Subobject, &[], 0, ""),
    o("TriangleHitGroup",                Subobject, &[], 0, ""),
    o("ProceduralPrimitiveHitGroup",     Subobject, &[], 0, ""),
    // Geometry and tessellation
    o("InputPatch",              Patch { output: false },                 &[Element, Number], 2, ""),
    o("OutputPatch",             Patch { output: true },                  &[Element, Number], 2, ""),
    o("PointStream",             Stream(StreamTopology::Points),          &[Element],         1, "StreamMethods"),
    o("LineStream",              Stream(StreamTopology::Lines),           &[Element],         1, "StreamMethods"),
    o("TriangleStream",          Stream(StreamTopology::Triangles),       &[Element],         1, "StreamMethods"),
    // Work graphs
    o("DispatchNodeInputRecord", OtherStage, &[Element], 1, ""),
    o("RWDispatchNodeInputRecord", OtherStage, &[Element], 1, "RWDispatchNodeInputRecordMethods"),
    o("GroupNodeInputRecords",   OtherStage, &[Element], 1, "GroupNodeInputRecordsMethods"),
    o("RWGroupNodeInputRecords", OtherStage, &[Element], 1, "GroupNodeInputRecordsMethods"),
    o("ThreadNodeInputRecord",   OtherStage, &[Element], 1, ""),
    o("RWThreadNodeInputRecord", OtherStage, &[Element], 1, ""),
    o("EmptyNodeInput",          OtherStage, &[], 0, "EmptyNodeInputMethods"),
    o("NodeOutput",              OtherStage, &[Element], 1, "NodeOutputMethods"),
    o("NodeOutputArray",         OtherStage, &[Element], 1, ""),
    o("EmptyNodeOutput",         OtherStage, &[], 0, "EmptyNodeOutputMethods"),
    o("EmptyNodeOutputArray",    OtherStage, &[], 0, ""),
    o("GroupNodeOutputRecords",  OtherStage, &[Element], 1, "GroupOrThreadNodeOutputRecordsMethods"),
    o("ThreadNodeOutputRecords", OtherStage, &[Element], 1, "GroupOrThreadNodeOutputRecordsMethods"),
    // Others
    o("string",                  Text, &[], 0, ""),
    ns("vk", "BufferPointer",    Vulkan, &[Element, Number], 1, "BufferPointerMethods"),
    ns("vk", "SampledTexture1D", Resource(Srv, K::Texture1D), &[Texel], 0, "Texture1DMethods"),
    ns("vk", "SampledTexture1DArray", Resource(Srv, K::Texture1DArray), &[Texel], 0, "Texture1DArrayMethods"),
    ns("vk", "SampledTexture2D", Resource(Srv, K::Texture2D), &[Texel], 0, "Texture2DMethods"),
    ns("vk", "SampledTexture2DArray", Resource(Srv, K::Texture2DArray), &[Texel], 0, "Texture2DArrayMethods"),
    ns("vk", "SampledTexture2DMS", Resource(Srv, K::Texture2DMS), &[Texel, Number], 0, "Texture2DMSMethods"),
    ns("vk", "SampledTexture2DMSArray", Resource(Srv, K::Texture2DMSArray), &[Texel, Number], 0, "Texture2DArrayMSMethods"),
    ns("vk", "SampledTexture3D", Resource(Srv, K::Texture3D), &[Texel], 0, "Texture3DMethods"),
    ns("vk", "SampledTextureCUBE", Resource(Srv, K::TextureCube), &[Texel], 0, "TextureCUBEMethods"),
    ns("vk", "SampledTextureCUBEArray", Resource(Srv, K::TextureCubeArray), &[Texel], 0, "TextureCUBEArrayMethods"),
    ns("vk", "SpirvType",        Vulkan, &[Number, Number, Number], 0, ""),
    ns("vk", "SpirvOpaqueType",  Vulkan, &[Number], 0, ""),
    ns("vk", "ext_type",         Vulkan, &[Number], 1, ""),
    ns("vk", "ext_result_id",    Vulkan, &[Element], 1, ""),
    ns("vk", "Literal",          Vulkan, &[Element], 1, ""),
    ns("vk", "integral_constant", Vulkan, &[Element, Number], 2, ""),
];

/// A struct that the language declares: name, fields as type and name.
#[derive(Clone, Copy, Debug)]
pub struct StructRow {
    /// Its name.
    pub name: &'static str,
    /// Its fields in order: type, name.
    pub fields: &'static [(&'static str, &'static str)],
}

const fn st(name: &'static str, fields: &'static [(&'static str, &'static str)]) -> StructRow {
    StructRow { name, fields }
}

/// The structs that the language declares.
#[rustfmt::skip]
pub static STRUCTS: &[StructRow] = &[
    st("RayDesc", &[("float3", "Origin"), ("float", "TMin"), ("float3", "Direction"), ("float", "TMax")]),
    st("BuiltInTriangleIntersectionAttributes", &[("float2", "barycentrics")]),
    st("BuiltInTrianglePositions", &[("float3", "p0"), ("float3", "p1"), ("float3", "p2")]),
];

/// An enumeration-like built-in type that is an alias of `uint` in code.
#[derive(Clone, Copy, Debug)]
pub struct EnumRow {
    /// Its name.
    pub name: &'static str,
    /// Its enumerators.
    pub items: &'static [(&'static str, u32)],
}

const fn en(name: &'static str, items: &'static [(&'static str, u32)]) -> EnumRow {
    EnumRow { name, items }
}

/// The enumerations that the language declares; their constants are visible everywhere.
#[rustfmt::skip]
pub static ENUMS: &[EnumRow] = &[
    en("RAY_FLAG", ray_flags::ENUMERATORS),
    en("RAYQUERY_FLAG", ray_flags::QUERY_ENUMERATORS),
    en("RAYTRACING_PIPELINE_FLAG", ray_flags::PIPELINE_ENUMERATORS),
    en("CLUSTER_ID_CONSTANTS", &[("CLUSTER_ID_INVALID", crate::hit_objects::CLUSTER_ID_INVALID)]),
    en("COMMITTED_STATUS", &[("COMMITTED_NOTHING", 0), ("COMMITTED_TRIANGLE_HIT", 1), ("COMMITTED_PROCEDURAL_PRIMITIVE_HIT", 2)]),
    en("CANDIDATE_TYPE", &[("CANDIDATE_NON_OPAQUE_TRIANGLE", 0), ("CANDIDATE_PROCEDURAL_PRIMITIVE", 1)]),
    en("STATE_OBJECT_FLAGS", &[("STATE_OBJECT_FLAG_NONE", 0),
        // The reference compiler misspells the first, and an earlier version wrote FLAGS; the specification's spelling is correct.
        ("STATE_OBJECT_FLAG_ALLOW_LOCAL_DEPENDENCIES_ON_EXTERNAL_DEFINITIONS", 1), ("STATE_OBJECT_FLAG_ALLOW_LOCAL_DEPENDENCIES_ON_EXTERNAL_DEFINITONS", 1),
        ("STATE_OBJECT_FLAGS_ALLOW_LOCAL_DEPENDENCIES_ON_EXTERNAL_DEFINITONS", 1),
        ("STATE_OBJECT_FLAG_ALLOW_EXTERNAL_DEPENDENCIES_ON_LOCAL_DEFINITIONS", 2), ("STATE_OBJECT_FLAGS_ALLOW_EXTERNAL_DEPENDENCIES_ON_LOCAL_DEFINITIONS", 2),
        ("STATE_OBJECT_FLAG_ALLOW_STATE_OBJECT_ADDITIONS", 4)]),
    en("HIT_KIND", &[("HIT_KIND_NONE", 0), ("HIT_KIND_TRIANGLE_FRONT_FACE", 0xfe), ("HIT_KIND_TRIANGLE_BACK_FACE", 0xff)]),
    en("MEMORY_TYPE_FLAG", &[("UAV_MEMORY", memory::UAV), ("GROUP_SHARED_MEMORY", memory::GROUPSHARED), ("NODE_INPUT_MEMORY", 4), ("NODE_OUTPUT_MEMORY", 8), ("ALL_MEMORY", memory::ALL)]),
    en("SAMPLER_FEEDBACK_TYPE", &[("SAMPLER_FEEDBACK_MIN_MIP", 0), ("SAMPLER_FEEDBACK_MIP_REGION_USED", 1)]),
    en("BARRIER_SEMANTIC_FLAG", &[("GROUP_SYNC", semantics::GROUP_SYNC), ("GROUP_SCOPE", semantics::GROUP_SCOPE), ("DEVICE_SCOPE", semantics::DEVICE), ("REORDER_SCOPE", semantics::REORDER)]),
];

/// The scopes of SPIR-V, as constants of namespace `vk`.
#[rustfmt::skip]
pub static VK_SCOPES: EnumRow = en("Scope", &[("CrossDeviceScope", 0), DEVICE_SCOPE, ("WorkgroupScope", 2), SUBGROUP_SCOPE,
    ("InvocationScope", 4), ("QueueFamilyScope", 5)]);
/// The threads of the whole device.
pub const DEVICE_SCOPE: (&str, u32) = ("DeviceScope", 1);
/// The threads of a subgroup.
pub const SUBGROUP_SCOPE: (&str, u32) = ("SubgroupScope", 3);

/// The object type of this name in the global namespace.
pub fn object(name: &str) -> Option<&'static ObjectRow> {
    let (word, bit) = like(name.as_bytes());
    // Nearly all names of a program are none of these.
    if LIKE_OBJECTS[word] & bit == 0 {
        return None;
    }
    OBJECTS.iter().find(|r| r.namespace.is_empty() && r.name == name)
}

/// For each length and first letter whether an object type of the global namespace has such a name.
static LIKE_OBJECTS: [u32; 32] = {
    let mut set = [0; 32];
    let mut row = 0;
    while row < OBJECTS.len() {
        if OBJECTS[row].namespace.is_empty() {
            let (word, bit) = like(OBJECTS[row].name.as_bytes());
            set[word] |= bit;
        }
        row += 1;
    }
    set
};

/// The place of names of this length and first letter in [`LIKE_OBJECTS`].
const fn like(name: &[u8]) -> (usize, u32) {
    let first = if name.is_empty() { 0 } else { name[0] };
    (name.len() % 32, 1 << (first % 32))
}

/// Whether template arguments may follow the name of a built-in type; for the parser.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TypeName {
    /// Never takes template arguments.
    Plain,
    /// May take them.
    Template,
}

/// Whether `name`, in the global namespace, is a built-in type, and of which sort. Enumeration names of [`ENUMS`] count only where they
/// are types in HLSL (`RAY_FLAG`, `CANDIDATE_TYPE`, …).
pub fn builtin(name: &str) -> Option<TypeName> {
    match name {
        "void" => return Some(TypeName::Plain),
        "auto" => return None,
        _ => {}
    }
    if numeric(name).is_some() {
        return Some(TypeName::Plain);
    }
    // Sampler and texture types of earlier shader models, still found in old headers.
    if matches!(
        name,
        "texture" | "texture1D" | "texture2D" | "texture3D" | "textureCUBE" | "sampler1D" | "sampler2D" | "sampler3D" | "samplerCUBE"
    ) {
        return Some(TypeName::Plain);
    }
    if let Some(row) = object(name) {
        return Some(if row.params.is_empty() { TypeName::Plain } else { TypeName::Template });
    }
    if STRUCTS.iter().any(|r| r.name == name) || ENUMS[..5].iter().any(|r| r.name == name) {
        return Some(TypeName::Plain);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numeric_names() {
        assert_eq!(numeric("float"), Some((Scalar::Float, Shape::Scalar)));
        assert_eq!(numeric("uint3"), Some((Scalar::Uint, Shape::Vector(3))));
        assert_eq!(numeric("int16_t4"), Some((Scalar::Int16, Shape::Vector(4))));
        assert_eq!(numeric("min16float4x3"), Some((Scalar::Min16Float, Shape::Matrix(4, 3))));
        for wrong in ["", "x4", "4", "float5", "float0", "float3x", "float3x5", "unsigned2", "uint8_t4_packed2", "float12"] {
            assert_eq!(numeric(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn enumerations_begin_with_a_capital_letter() {
        let names = ENUMS.iter().flat_map(|e| e.items.iter().map(|i| i.0).chain([e.name]));
        for name in names {
            assert!(name.starts_with(|c: char| c.is_ascii_uppercase()), "{name}: the front end looks for no other names");
        }
    }

    #[test]
    fn object_names_are_unique_and_not_numeric() {
        let mut seen = std::collections::HashSet::new();
        for r in OBJECTS {
            assert!(seen.insert((r.namespace, r.name)), "{}", r.name);
            assert!(numeric(r.name).is_none());
            assert_eq!(object(r.name).is_some_and(|o| std::ptr::eq(o, r)), r.namespace.is_empty(), "{}", r.name);
            assert!(r.required as usize <= r.params.len());
        }
        for name in STRUCTS.iter().map(|r| r.name).chain(ENUMS.iter().map(|r| r.name)) {
            assert!(seen.insert(("", name)), "{name}");
        }
    }

    #[test]
    fn which_names_take_arguments() {
        assert_eq!(builtin("Texture2D"), Some(TypeName::Template));
        assert_eq!(builtin("RayDesc"), Some(TypeName::Plain));
        assert_eq!(builtin("float4x4"), Some(TypeName::Plain));
        assert_eq!(builtin("HitObject"), None);
        assert_eq!(builtin("lerp"), None);
    }
}
