//! Runtime package format (`.rtp`): all that a Vulkan runtime requires of a shader library, in one file.
//!
//! A container with the header and digest of DXIL containers, and these parts:
//!
//! | part | content |
//! |---|---|
//! | `RTPK` | package version and flags |
//! | `RDAT` | resources, functions and subobjects, exactly as in a DXIL library |
//! | `SPRV` | the SPIR-V module, one for all entry points |
//! | `BMAP` | the [`BindingMap`] |
//! | `LAYS` | the members of constant buffers ([`layouts`]), if a library has any |
//! | `FORM` | of a package with several forms: modules and binding maps of the others ([`PackageForm`]) |
//!
//! [`Package::read`] and [`Package::write`] deserialise and serialise it; [`payloads`] describes payload types,
//! [`records`] computes shader record layouts. The capabilities and features that the module requires of a device
//! are listed in [`BindingMap::requirements`], each with its reason, so that the runtime can report what is missing.
//! The crate neither generates nor validates SPIR-V.

mod forms;
mod io;
pub mod layouts;
mod map;
pub mod payloads;
pub mod records;
mod table;
#[cfg(test)]
mod tests;
mod wavefront;

pub use forms::{Form, PackageForm};
pub use payloads::{PayloadField, PayloadType, PayloadUse, Payloads};
use rtc_dxil_container::kinds;
use rtc_dxil_container::kinds::{ComponentType, ResourceClass, ResourceKind, ShaderKind};
use rtc_dxil_container::rdat::Rdat;
use rtc_dxil_container::{FormatError, Version};
use rtc_rootsig::RecordParam;
pub use wavefront::{WavefrontPoint, WavefrontShader};

/// The newest package format that this code writes and reads; a reader refuses higher ones. A package with one form has format
/// 1, one with several format 2, and one with a form whose traces are executed by all lanes of a wave ([`BindingMap::null_misses`]) format 3.
pub const FORMAT_VERSION: u32 = 3;

/// A library for Vulkan.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Package {
    /// Bits of `RTPK`; none is defined yet, unknown ones are kept.
    pub flags: u32,
    /// Resources, functions and subobjects.
    pub rdat: Rdat,
    /// The SPIR-V module, words in the machine's order.
    pub spirv: Vec<u32>,
    /// How the module meets the API.
    pub map: BindingMap,
    /// Layouts of its constant buffers, for hosts that write members by name; none of a package that does not say.
    pub layouts: Vec<layouts::BufferLayout>,
    /// The same library in other forms, each once, in the order of their numbers; then this one is [`Form::Lower`].
    pub forms: Vec<PackageForm>,
}

impl Package {
    /// Reads a package.
    ///
    /// # Errors
    /// When the container, its digest or a part is damaged, a part is missing, or the format version
    /// is newer than [`FORMAT_VERSION`].
    pub fn read(data: &[u8]) -> Result<Package, FormatError> {
        io::read(data)
    }

    /// Writes a signed package.
    ///
    /// # Errors
    /// When a table or the whole grows past 32-bit sizes.
    pub fn write(&self) -> Result<Vec<u8>, FormatError> {
        io::write(self)
    }
}

/// How the SPIR-V module meets the API.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct BindingMap {
    /// SPIR-V version and the Vulkan version that it is for.
    pub target: TargetEnv,
    /// Descriptors and push constants, by set and binding.
    pub bindings: Vec<Binding>,
    /// Entry points.
    pub entries: Vec<EntryPoint>,
    /// Shader record layouts, one for each local root signature that an entry uses.
    pub records: Vec<RecordLayout>,
    /// What a device must have.
    pub requirements: Vec<Requirement>,
    /// Of a library whose hit objects are lowered to records of values: how its shader tables are laid out.
    pub lowering: Option<HitLowering>,
    /// Of a library whose traces under divergent control flow are executed by all lanes of a wave: how many records without a shader its miss table has before
    /// those of the application ([`rtc_tables::hit_lowering::NULL_MISS_ROW`]). One; none where hit objects are lowered and the table has such a record anyway.
    pub null_misses: Option<u32>,
    /// The payload types of its ray-tracing shaders; none of a package that does not say.
    pub payloads: Payloads,
    /// Ray generation shaders that are divided at their reorder points.
    pub wavefront: Vec<WavefrontShader>,
}

/// How hit groups and shader tables are made of a library whose hit objects are lowered
/// ([`rtc_tables::hit_lowering`]): its closest-hit shaders are compiled as miss shaders ([`EntryPoint::stage`] says so), and
/// hit groups get recorders in their place.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct HitLowering {
    /// Where the tail of every shader record is: byte offset after the shader group handle.
    pub tail_offset: u32,
    /// Bytes of the tail.
    pub tail_size: u32,
    /// Names of intersection shaders, and names of the `OpEntryPoint`s of the closest-hit shaders that record what they
    /// report. That of groups without an intersection shader has an empty name.
    pub recorders: Vec<(String, String)>,
    /// Of a library that asks hit objects only whether something was hit: the `OpEntryPoint` of the miss shader that its miss table
    /// begins with. Nothing else is different from the tables of a library without hit objects, and the fields above are empty.
    pub missed: Option<String>,
}

impl HitLowering {
    /// Whether closest-hit shaders are compiled as miss shaders, and hit groups have recorders.
    pub fn records(&self) -> bool {
        self.missed.is_none()
    }

    /// The entry point of the recorder of hit groups with this intersection shader.
    pub fn recorder(&self, intersection: &str) -> Option<&str> {
        let found = self.recorders.iter().find(|r| r.0 == intersection);
        found.map(|r| r.1.as_str())
    }
}

/// What the module was made for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TargetEnv {
    /// SPIR-V version of the module (1.4 and up).
    pub spirv: Version,
    /// Lowest Vulkan version whose rules it obeys.
    pub vulkan: Version,
}

impl Default for TargetEnv {
    /// SPIR-V 1.4 under Vulkan 1.2.
    fn default() -> Self {
        TargetEnv { spirv: Version::new(1, 4), vulkan: Version::new(1, 2) }
    }
}

/// Number of descriptors of a binding without a bound.
pub const UNBOUNDED: u32 = u32::MAX;

/// One HLSL resource and the place where Vulkan gives it to the shaders.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Binding {
    /// Its HLSL name.
    pub name: String,
    /// Register class.
    pub class: ResourceClass,
    /// Shape, as in RDAT.
    pub kind: ResourceKind,
    /// HLSL register space.
    pub space: u32,
    /// First HLSL register.
    pub register: u32,
    /// Number of registers, [`UNBOUNDED`] for an array without size.
    pub count: u32,
    /// Vulkan descriptor set; 0 for [`DescriptorKind::PushConstants`].
    pub set: u32,
    /// Vulkan binding; the byte offset in the push constant block for
    /// [`DescriptorKind::PushConstants`].
    pub binding: u32,
    /// Kind of descriptor.
    pub descriptor: DescriptorKind,
    /// Structured buffers: bytes from element to element. Constant buffers and push constants: bytes.
    /// Everything else 0.
    pub stride_or_size: u32,
    /// Component type of typed resources, else `Invalid`.
    pub component: ComponentType,
    /// Components of an element of a typed resource, 1 to 4, else 0.
    pub components: u8,
    /// Whether shaders write to it.
    pub writable: bool,
    /// Whether it was declared `globallycoherent` or `reordercoherent`.
    pub coherent: bool,
    /// Whether an index into it may differ between the lanes of a wave.
    pub non_uniform: bool,
    /// `(set, binding)` of the storage buffer that holds its hidden counter (one 32-bit value an
    /// array element), for append, consume and counter buffers.
    pub counter: Option<(u32, u32)>,
    /// Whether it is a kind of descriptors in a descriptor heap, not a declared resource: [`Self::name`] is the heap's,
    /// and all rows of a heap have one set and binding.
    pub heap: bool,
    /// Bits of the [`ShaderKind`]s whose code uses it.
    pub stages: u32,
}

kinds! {
    /// Kind of a Vulkan descriptor.
    pub enum DescriptorKind {
        /// `VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE`.
        SampledImage = 0 "sampled image",
        /// `VK_DESCRIPTOR_TYPE_STORAGE_IMAGE`.
        StorageImage = 1 "storage image",
        /// `VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER`.
        UniformTexelBuffer = 2 "uniform texel buffer",
        /// `VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER`.
        StorageTexelBuffer = 3 "storage texel buffer",
        /// `VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER`.
        UniformBuffer = 4 "uniform buffer",
        /// `VK_DESCRIPTOR_TYPE_STORAGE_BUFFER`.
        StorageBuffer = 5 "storage buffer",
        /// `VK_DESCRIPTOR_TYPE_SAMPLER`.
        Sampler = 6 "sampler",
        /// `VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR`.
        AccelerationStructure = 7 "acceleration structure",
        /// No descriptor: bytes of the push constant block.
        PushConstants = 8 "push constants",
    }
}

/// An exported entry point.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EntryPoint {
    /// Name of the export: the unmangled name of the function in RDAT.
    pub export: String,
    /// Name of its `OpEntryPoint`.
    pub spirv_name: String,
    /// Its stage.
    pub stage: ShaderKind,
    /// Which of [`BindingMap::records`] its shader record has, if it reads one.
    pub record: Option<u32>,
    /// Bytes of the payload that it takes (callable shaders: of the parameter), as laid out in SPIR-V.
    pub payload_size: u32,
    /// Bytes of the hit attributes that it reads or reports.
    pub attribute_size: u32,
    /// Inputs and outputs of a shader of the graphics pipeline, those that have locations.
    pub elements: Vec<InterfaceElement>,
}

/// A stage input or output with its semantic and its locations.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InterfaceElement {
    /// Whether it is an output.
    pub output: bool,
    /// Whether the shader reads it; outputs are always used.
    pub used: bool,
    /// The name of its semantic without the index.
    pub semantic: String,
    /// The first semantic index.
    pub index: u32,
    /// The first location.
    pub location: u32,
    /// How many locations it has, one for each row of a matrix and each member of an array.
    pub locations: u32,
    /// The type of its components.
    pub component: ComponentType,
    /// Components of each location, 1 to 4.
    pub components: u8,
}

/// Where the arguments of a local root signature lie in the shader record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordLayout {
    /// Name of the local root signature subobject.
    pub root_signature: String,
    /// The arguments; offsets count from the end of the shader group handle.
    pub params: Vec<RecordParam>,
    /// Bytes of all arguments, without the handle.
    pub size: u32,
}

/// Something that a device must have.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Requirement {
    /// What sort of thing.
    pub kind: RequirementKind,
    /// Its name: `RayQueryKHR`, `SPV_KHR_ray_query`, `VK_KHR_ray_query`, `rayQuery`.
    pub name: String,
    /// For a feature: the extension whose feature structure has that member, empty for core ones.
    /// (Two extensions may have members of the same name.) Empty for everything else.
    pub extension: String,
    /// Why, for people: `RayQuery::TraceRayInline in 'shadow' (scene.hlsl:31)`.
    pub reason: String,
}

kinds! {
    /// What sort of thing is required.
    pub enum RequirementKind {
        /// A SPIR-V capability.
        Capability = 0 "SPIR-V capability",
        /// A SPIR-V extension.
        SpirvExtension = 1 "SPIR-V extension",
        /// A Vulkan device extension.
        DeviceExtension = 2 "device extension",
        /// A member of a Vulkan feature structure.
        DeviceFeature = 3 "device feature",
    }
}
