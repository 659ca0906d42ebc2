//! The types of reflection. The JSON of `rtc reflect` is their serialised form; `docs/reflection.schema.json` describes it.
//!
//! What a file does not say is `None` or empty: a library without a DXIL program has no stage, a SPIR-V module has no functions but
//! Vulkan entry points.

use serde::{Deserialize, Serialize};

/// The reflection of a compiled file.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Reflection {
    /// `library`, `compute`, or a stage of the graphics pipeline.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stage: Option<String>,
    /// The shader model: `6.6`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shader_model: Option<String>,
    /// Entry points and exported functions.
    pub functions: Vec<Function>,
    /// Resources.
    pub resources: Vec<Resource>,
    /// Subobjects.
    pub subobjects: Vec<Subobject>,
    /// Of packages and SPIR-V modules: what Vulkan sees.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vulkan: Option<Vulkan>,
}

/// A function.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Function {
    /// The name in the source.
    pub name: String,
    /// The name in the module.
    pub symbol: String,
    /// Its stage.
    pub stage: String,
    /// The size of its payload.
    pub payload_bytes: u32,
    /// The size of its attributes.
    pub attribute_bytes: u32,
    /// The names of the resources that it uses.
    pub resources: Vec<String>,
    /// The functions of other libraries that it calls.
    pub dependencies: Vec<String>,
    /// The bits of its features in hexadecimal.
    pub features: String,
    /// Their names.
    pub feature_names: Vec<String>,
    /// The lowest shader model that has what it uses.
    pub minimum_shader_model: String,
    /// Threads of a group.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub numthreads: Option<[u32; 3]>,
    /// Lanes of a wave: one size, or the least, largest and preferred one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wave_size: Option<Vec<u32>>,
    /// The declared limit of groupshared memory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group_shared_limit_bytes: Option<u32>,
    /// Inputs of a graphics stage.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inputs: Option<Vec<Element>>,
    /// Outputs of a graphics stage; those of vertices for a mesh shader.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outputs: Option<Vec<Element>>,
    /// Patch constants of hull and domain shaders.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub patch_constants: Option<Vec<Element>>,
    /// Outputs of a mesh shader for each primitive.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub primitive_outputs: Option<Vec<Element>>,
    /// The state of a graphics stage.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<StageState>,
}

/// An element of a signature.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Element {
    /// The semantic without its index.
    pub name: String,
    /// The first index.
    pub index: u32,
    /// The indices of all rows.
    pub indices: Vec<u32>,
    /// The type of the components.
    pub component_type: String,
    /// Rows.
    pub rows: u32,
    /// Components of a row.
    pub columns: u32,
    /// Components in its registers.
    pub mask: String,
    /// The first register.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub register: Option<u32>,
    /// The system value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub system_value: Option<String>,
    /// Its numbers in Direct3D, for each row.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub system_value_numbers: Option<Vec<u32>>,
    /// The components that are read or written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub used_mask: Option<String>,
    /// The components that are indexed dynamically.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dynamic_mask: Option<String>,
    /// The stream of a geometry shader.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stream: Option<u32>,
    /// How it is interpolated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interpolation: Option<String>,
    /// Whether its precision is at least 16 bits and may be more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub minimum_precision: Option<bool>,
}

/// What attributes say of a graphics stage, and what follows from its inputs and outputs. Which members there are depends on the stage.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[non_exhaustive]
pub struct StageState {
    /// The primitive of a geometry shader.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input_primitive: Option<String>,
    /// What is made.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output_topology: Option<String>,
    /// The most vertices.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_vertices: Option<u32>,
    /// The most primitives.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_primitives: Option<u32>,
    /// Instances of a geometry shader.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instances: Option<u32>,
    /// The streams of a geometry shader.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub streams: Option<Vec<u32>>,
    /// The domain of tessellation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub domain: Option<String>,
    /// The partitioning of tessellation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub partitioning: Option<String>,
    /// Control points of the input.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input_control_points: Option<u32>,
    /// Control points of the output.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output_control_points: Option<u32>,
    /// The largest tessellation factor.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_tess_factor: Option<f32>,
    /// The patch constant function.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub patch_constant_function: Option<String>,
    /// The size of the payload of mesh and amplification shaders.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub payload_bytes: Option<u32>,
    /// Depth and stencil are tested before a pixel shader.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub early_depth_stencil: Option<bool>,
    /// The depth that a pixel shader writes: `unchanged`, `any`, `greaterEqual`, `lessEqual`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<String>,
    /// Whether a pixel shader writes the stencil reference.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stencil_reference: Option<bool>,
    /// Whether a pixel shader runs for each sample.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sample_frequency: Option<bool>,
    /// Whether the view is an input.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uses_view_id: Option<bool>,
}

/// A number, or no bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Count {
    /// A number.
    Bounded(u32),
    /// No bound.
    Unbounded(Unbounded),
}

/// The word for no bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Unbounded {
    /// `unbounded`.
    Unbounded,
}

/// A resource.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Resource {
    /// Its name.
    pub name: String,
    /// Its class: `SRV`, `UAV`, `CBV`, `Sampler`.
    pub class: String,
    /// Its kind: `Texture2D`, `StructuredBuffer`.
    pub kind: String,
    /// The register space.
    pub space: u32,
    /// The first register.
    pub register: u32,
    /// The number of registers.
    pub count: Count,
    /// The flags of RDAT.
    pub flags: u32,
    /// The size of a constant buffer, or the stride of a structured one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u32>,
    /// Its layout.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub layout: Option<Variable>,
}

/// A variable in a buffer, or its type.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Its type in HLSL.
    #[serde(rename = "type")]
    pub ty: String,
    /// Its offset in bytes.
    pub offset: u32,
    /// The elements of an array.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elements: Option<Count>,
    /// The members of a structure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub members: Option<Vec<Variable>>,
    /// The rows of a matrix.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rows: Option<u32>,
    /// The columns of a matrix.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub columns: Option<u32>,
    /// The bits of a bit-field.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bits: Option<u32>,
    /// The first one of them, counted from the lowest bit of the number that bit-fields share.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_bit: Option<u32>,
    /// SPIR-V: bytes between elements.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub array_stride: Option<u32>,
    /// SPIR-V: bytes between rows or columns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub matrix_stride: Option<u32>,
    /// SPIR-V: whether rows are contiguous.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub row_major: Option<bool>,
}

/// A subobject.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Subobject {
    /// Its name.
    pub name: String,
    /// What it is.
    #[serde(flatten)]
    pub value: SubobjectKind,
}

/// The kinds of subobjects.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all_fields = "camelCase")]
#[non_exhaustive]
pub enum SubobjectKind {
    /// Flags of a state object.
    StateObjectConfig {
        /// The flags.
        flags: u32,
    },
    /// A root signature.
    GlobalRootSignature {
        /// Its text.
        root_signature: String,
    },
    /// A root signature of shader records.
    LocalRootSignature {
        /// Its text.
        root_signature: String,
    },
    /// An association of a subobject with functions.
    SubobjectToExportsAssociation {
        /// The subobject.
        subobject: String,
        /// The functions.
        exports: Vec<String>,
    },
    /// Limits of payloads and attributes.
    RaytracingShaderConfig {
        /// The largest payload.
        max_payload_bytes: u32,
        /// The largest attributes.
        max_attribute_bytes: u32,
    },
    /// The limit of recursion.
    RaytracingPipelineConfig {
        /// The deepest trace.
        max_trace_recursion_depth: u32,
    },
    /// The limit of recursion, with flags.
    RaytracingPipelineConfig1 {
        /// The deepest trace.
        max_trace_recursion_depth: u32,
        /// The flags.
        flags: u32,
    },
    /// A hit group; names are empty for shaders that it does not have.
    HitGroup {
        /// For triangles or procedural primitives.
        #[serde(rename = "type")]
        ty: String,
        /// The any-hit shader.
        any_hit: String,
        /// The closest-hit shader.
        closest_hit: String,
        /// The intersection shader.
        intersection: String,
    },
}

/// What Vulkan sees of a package or a SPIR-V module.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Vulkan {
    /// The version of SPIR-V.
    pub spirv: String,
    /// Packages: the version of Vulkan.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vulkan: Option<String>,
    /// Bindings.
    pub bindings: Vec<Binding>,
    /// Entry points.
    pub entry_points: Vec<EntryPoint>,
    /// Packages: the forms of one with several; what is described is the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forms: Option<Vec<String>>,
    /// Packages: payload types.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub payloads: Option<Vec<Payload>>,
    /// Packages: layouts of shader records.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shader_records: Option<Vec<ShaderRecord>>,
    /// Packages: what a device must have.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub requirements: Option<Vec<Requirement>>,
    /// Modules: capabilities.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub capabilities: Option<Vec<String>>,
    /// Modules: extensions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub extensions: Option<Vec<String>>,
    /// Modules: specialization constants.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub specialization_constants: Option<Vec<SpecializationConstant>>,
}

/// A binding of Vulkan.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Binding {
    /// The name of the resource.
    pub name: String,
    /// The descriptor set; none for push constants and shader records.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub set: Option<u32>,
    /// The binding.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub binding: Option<u32>,
    /// The type of descriptor.
    pub descriptor: String,
    /// The number of descriptors.
    pub count: Count,
    /// Whether shaders write it.
    pub writable: bool,
    /// Packages: the stride of elements or the size of a buffer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stride_or_size: Option<u32>,
    /// Modules: the type in HLSL, with `-fspv-reflect`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hlsl_type: Option<String>,
    /// Modules: the layout of a buffer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub layout: Option<Variable>,
}

/// An entry point of Vulkan.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct EntryPoint {
    /// Packages: the name in the source.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub export: Option<String>,
    /// The name in SPIR-V.
    pub spirv_name: String,
    /// The stage.
    pub stage: String,
    /// Packages: the size of the payload.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub payload_bytes: Option<u32>,
    /// Packages: elements that have locations.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interface: Option<Vec<InterfaceElement>>,
    /// Modules: the resources that it uses.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resources: Option<Vec<String>>,
    /// Modules: threads of a group.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub numthreads: Option<[u32; 3]>,
    /// Modules: inputs of a graphics stage.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inputs: Option<Vec<StageVariable>>,
    /// Modules: outputs of a graphics stage.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outputs: Option<Vec<StageVariable>>,
    /// Modules: the state of a graphics stage.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<StageState>,
}

/// An input or output of a package's entry point.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct InterfaceElement {
    /// The semantic.
    pub name: String,
    /// Its index.
    pub index: u32,
    /// Whether it is an output.
    pub output: bool,
    /// The first location.
    pub location: u32,
    /// The number of locations.
    pub locations: u32,
    /// The type of the components.
    pub component_type: String,
    /// Components.
    pub columns: u32,
    /// Whether it is used.
    pub used: bool,
}

/// An input or output of a module's entry point.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct StageVariable {
    /// Its name.
    pub name: String,
    /// Its type in HLSL.
    #[serde(rename = "type")]
    pub ty: String,
    /// The elements of an array.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elements: Option<u32>,
    /// The location.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub location: Option<u32>,
    /// The first component in its location.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub component: Option<u32>,
    /// The source of blending.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blend_index: Option<u32>,
    /// The stream.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stream: Option<u32>,
    /// The rows of a matrix.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rows: Option<u32>,
    /// The columns of a matrix.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub columns: Option<u32>,
    /// The semantic.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub semantic: Option<String>,
    /// The builtin.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub built_in: Option<String>,
    /// How it is interpolated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interpolation: Option<String>,
    /// Whether it belongs to a patch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub patch: Option<bool>,
    /// Whether it belongs to a primitive.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub per_primitive: Option<bool>,
}

/// A payload type of a package.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Payload {
    /// Its name.
    pub name: String,
    /// The size as declared.
    pub declared_bytes: u32,
    /// The size in SPIR-V.
    pub bytes: u32,
    /// Whether it is packed.
    pub packed: bool,
    /// Its fields.
    pub fields: Vec<PayloadField>,
    /// The entry points that trace with it.
    pub traced_by: Vec<String>,
    /// The entry points that receive it.
    pub taken_by: Vec<String>,
}

/// A field of a payload.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct PayloadField {
    /// Its name, with those of the structures that it is in.
    pub name: String,
    /// Its type.
    #[serde(rename = "type")]
    pub ty: String,
    /// The word of the variable between shaders; none for a field without storage.
    pub word: Option<u32>,
    /// The bit in that word.
    pub bit: Option<u32>,
    /// Its bits.
    pub bits: u32,
    /// The stages that read it.
    pub read: Vec<String>,
    /// The stages that write it.
    pub write: Vec<String>,
    /// The transitions between stages that it is live on.
    pub alive: Vec<String>,
}

/// The layout of the shader records of a local root signature.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ShaderRecord {
    /// The root signature.
    pub local_root_signature: String,
    /// The size.
    pub bytes: u32,
    /// Its arguments.
    pub arguments: Vec<RecordArgument>,
}

/// An argument in a shader record.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct RecordArgument {
    /// What it is.
    pub kind: String,
    /// Its offset.
    pub offset: u32,
    /// Its size.
    pub bytes: u32,
}

/// A requirement of a package.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Requirement {
    /// A capability, extension or feature.
    pub kind: String,
    /// Its name.
    pub name: String,
    /// What requires it.
    pub reason: String,
}

/// A specialization constant.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct SpecializationConstant {
    /// The id.
    pub id: u32,
    /// Its name.
    pub name: String,
    /// Its type.
    #[serde(rename = "type")]
    pub ty: String,
    /// Its default value.
    pub default: serde_json::Value,
}
