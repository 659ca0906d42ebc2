//! The host API of a ray-tracing device: the trait [`Device`], and descriptions of resources and operations as plain data.
//!
//! A [`Device`] owns buffers, images, samplers, acceleration structures and programs; the host names
//! them by typed indices and never sees an API object. The descriptions follow D3D12's ray tracing
//! (geometry, instance and build flags have its values; a shader table is a list of exports with the
//! arguments of their local root signatures), because that is what the shaders were written for.
//! Every call is finished when it returns: there is no host-visible queue, so there is nothing to
//! synchronise.
//!
//! `crate::vulkan` and `crate::cpu` implement the trait; `crate::scene` reads descriptions from files.

mod arguments;
mod clusters;
mod draw;
mod feedback;
mod images;
pub mod instance_table;
mod micromaps;
mod operations;
mod partitions;

pub use arguments::*;
pub use clusters::*;
pub use draw::*;
pub use feedback::*;
pub use images::*;
pub use micromaps::*;
pub use operations::*;
pub use partitions::*;

pub use crate::sampler::*;
pub use crate::slot::Slot;

use crate::error::{ErrorKind, Result, RunError};
use crate::library::Library;
use rtc_engine::forms::{Choices, WaveTraits};
use std::path::Path;
use std::time::Duration;

rtc_base::entity! {
    /// A buffer of a device.
    pub struct Buffer = "buffer";
    /// An image of a device.
    pub struct Image = "image";
    /// A sampler of a device.
    pub struct Sampler = "sampler";
    /// A render target of a device.
    pub struct RenderTarget = "target";
    /// A feedback map of a device.
    pub struct Feedback = "feedback";
    /// An acceleration structure of a device, bottom or top level.
    pub struct Accel = "accel";
    /// An array of opacity micromaps.
    pub struct Micromaps = "micromaps";
    /// A cluster of triangles.
    pub struct Cluster = "cluster";
    /// A cluster without its positions.
    pub struct ClusterTemplate = "template";
    /// A loaded package with its pipeline, resources and shader tables.
    pub struct Program = "program";
}

/// Name and capabilities of a device.
#[derive(Clone, PartialEq, Debug)]
pub struct DeviceInfo {
    /// The device's own name.
    pub name: String,
    /// Driver name and version, as the driver writes them.
    pub driver: String,
    /// The API in words: `Vulkan 1.3`.
    pub api: String,
    /// Whether it is a driver of a graphics API on the processor.
    pub software_driver: bool,
    /// Deepest ray recursion a pipeline may declare.
    pub max_recursion: u32,
    /// Largest hit attribute structure in bytes.
    pub max_attribute_size: u32,
    /// Largest shader record in bytes, identifier included.
    pub max_record_size: u32,
    /// Lanes of a wave, unless a shader requires another number.
    pub wave_lanes: u32,
    /// Optional abilities and whether they are there: `ray_query`, `position_fetch`, …
    pub features: Vec<(&'static str, bool)>,
}

/// Geometry never calls an any-hit shader.
pub const GEOMETRY_OPAQUE: u32 = 1;
/// The any-hit shader runs at most once per primitive.
pub const GEOMETRY_NO_DUPLICATE_ANY_HIT: u32 = 2;

/// Triangles or boxes of one geometry of a bottom-level structure.
#[derive(Clone, PartialEq, Debug)]
pub enum GeometryData {
    /// A triangle list; without indices, three positions make a triangle. A triangle one of whose
    /// vertices has a NaN x is inactive.
    Triangles {
        /// Positions.
        positions: Vec<[f32; 3]>,
        /// Vertex indices, three per triangle; none: consecutive positions.
        indices: Option<Vec<u32>>,
        /// Applied to the positions at build time: three rows of four.
        transform: Option<[[f32; 4]; 3]>,
    },
    /// Axis-aligned boxes: minimum x, y, z, maximum x, y, z. A NaN minimum x makes a box inactive; a box
    /// with a minimum above its maximum is replaced by its centre.
    Boxes(Vec<[f32; 6]>),
}

/// One geometry of a bottom-level structure.
#[derive(Clone, PartialEq, Debug)]
pub struct Geometry {
    /// Its primitives.
    pub data: GeometryData,
    /// [`GEOMETRY_OPAQUE`], [`GEOMETRY_NO_DUPLICATE_ANY_HIT`].
    pub flags: u32,
    /// Micromaps of its triangles.
    pub micromaps: Option<GeometryMicromaps>,
}

impl Geometry {
    /// A geometry without micromaps.
    pub fn new(data: GeometryData, flags: u32) -> Geometry {
        Geometry { data, flags, micromaps: None }
    }
}

/// Build flags of acceleration structures.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub struct BuildFlags {
    /// May be updated in place with [`Device::update_bottom`] or [`Device::update_top`].
    pub allow_update: bool,
    /// May be compacted.
    pub allow_compaction: bool,
    /// Build fast rather than trace fast.
    pub prefer_fast_build: bool,
    /// Use little memory.
    pub low_memory: bool,
    /// Shaders may read vertex positions of hits.
    pub allow_data_access: bool,
    /// An update may refer to other micromaps. Only with `allow_update`.
    pub allow_omm_update: bool,
    /// Instances may disable micromaps.
    pub allow_disable_omms: bool,
}

/// A bottom-level structure to build. All its geometries are of one kind.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct BottomDesc {
    /// Its geometries; their order is `GeometryIndex()`.
    pub geometries: Vec<Geometry>,
    /// Build flags.
    pub flags: BuildFlags,
}

/// No face culling for this instance.
pub const INSTANCE_CULL_DISABLE: u32 = 1;
/// Counter-clockwise triangles face front.
pub const INSTANCE_FRONT_COUNTERCLOCKWISE: u32 = 2;
/// All geometry counts as opaque.
pub const INSTANCE_FORCE_OPAQUE: u32 = 4;
/// All geometry counts as not opaque.
pub const INSTANCE_FORCE_NON_OPAQUE: u32 = 8;
/// Unknown micro-triangles count as transparent or opaque, as their state says.
pub const INSTANCE_FORCE_OMM_2_STATE: u32 = 16;
/// Micromaps are ignored; the geometry flags decide what is opaque. Requires [`BuildFlags::allow_disable_omms`].
pub const INSTANCE_DISABLE_OMMS: u32 = 32;

/// An instance of a bottom-level structure.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Instance {
    /// The structure; none: an inactive instance.
    pub bottom: Option<Accel>,
    /// Object to world: three rows of four.
    pub transform: [[f32; 4]; 3],
    /// `InstanceID()`, 24 bits.
    pub id: u32,
    /// Hit only by rays whose mask shares a bit with this.
    pub mask: u8,
    /// `InstanceContributionToHitGroupIndex`, 24 bits.
    pub hit_group_offset: u32,
    /// `INSTANCE_*` flags.
    pub flags: u32,
}

/// The transform that changes nothing.
pub const IDENTITY: [[f32; 4]; 3] = [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]];

/// A top-level structure to build.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct TopDesc {
    /// Its instances; their order is `InstanceIndex()`.
    pub instances: Vec<Instance>,
    /// Build flags.
    pub flags: BuildFlags,
}

/// A resource that is bound to a slot.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Resource {
    /// A constant buffer, structured buffer or byte-address buffer.
    Buffer(Buffer),
    /// A typed buffer (`Buffer<float4>`, `RWBuffer<uint>`).
    Texels(Buffer, Format),
    /// A texture, read or written.
    Image(Image),
    /// A sampler.
    Sampler(Sampler),
    /// A top-level acceleration structure.
    Accel(Accel),
    /// A feedback map.
    Feedback(Feedback),
    /// A render target, read as a texture: the depth of a depth target.
    Target(RenderTarget),
}

/// An argument of a local root signature, for one shader record.
#[derive(Clone, PartialEq, Debug)]
pub enum Argument {
    /// Bytes of root constants; may be shorter than the parameter, the rest is zero.
    Constants(Vec<u8>),
    /// The address of a buffer plus an offset in bytes, for a root CBV, SRV or UAV.
    Address(Buffer, u64),
    /// The address of an acceleration structure, for a root SRV.
    Accel(Accel),
    /// An index into the descriptor heap, for a descriptor table.
    Index(u32),
}

/// One record of a shader table.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Record {
    /// The export or hit group; none: the null shader identifier.
    pub export: Option<String>,
    /// Arguments of its local root signature.
    pub arguments: Vec<(Slot, Argument)>,
}

impl Record {
    /// A record without arguments.
    pub fn of(export: impl Into<String>) -> Self {
        Record { export: Some(export.into()), arguments: Vec::new() }
    }
}

/// The shader tables of a dispatch.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ShaderTables {
    /// The ray generation record.
    pub raygen: Record,
    /// Miss records, by miss index.
    pub miss: Vec<Record>,
    /// Hit group records.
    pub hit: Vec<Record>,
    /// Callable records, by shader index.
    pub callable: Vec<Record>,
}

/// Options for loading a package.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ProgramOptions {
    /// How many elements each unbounded resource array gets; 0: as many as the device allows, at most 1024.
    pub unbounded: u32,
    /// Subobjects of the host that replace those of the library.
    pub overrides: crate::state_object::Overrides,
    /// The name of the package in messages, if there are several.
    pub name: String,
    /// Further packages in the same pipeline, with their names.
    pub additional: Vec<(String, Vec<u8>)>,
}

/// How long something took.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Timing {
    /// From submission to completion, as the host saw it.
    pub host: Duration,
    /// On the device, when it can tell.
    pub device: Option<Duration>,
}

/// How the rays of a dispatch of a divided ray generation shader were sorted between its stages.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Sorting {
    /// Boxes that the dispatch was divided into.
    pub tiles: u64,
    /// Sorts that found a ray, in all tiles.
    pub sorts: u64,
    /// Rays that they found, together.
    pub rays: u64,
    /// How long sorts took on the device, if it has a clock.
    pub time: Option<Duration>,
}

impl Sorting {
    /// Both together.
    #[must_use]
    pub fn with(self, other: Sorting) -> Sorting {
        Sorting {
            tiles: self.tiles + other.tiles,
            sorts: self.sorts + other.sorts,
            rays: self.rays + other.rays,
            time: self.time.zip(other.time).map(|(a, b)| a + b),
        }
    }
}

/// How dispatches of divided ray generation shaders (`-fspv-ser=wavefront`) proceed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WavefrontOptions {
    /// The most bytes for the state and the order of rays; larger dispatches are divided into tiles. None: as the device has memory
    /// ([`WavefrontOptions::memory_of`]).
    pub memory: Option<u64>,
    /// Sorts of a tile after which rays stop at their next points, up to [`WavefrontOptions::MAX_ITERATIONS`]; after one more they run to
    /// their end. None: the host ends a tile when no ray is left.
    pub iterations: Option<u32>,
}

impl WavefrontOptions {
    /// The most that [`WavefrontOptions::iterations`] may be: all of a tile are one submission.
    pub const MAX_ITERATIONS: u32 = 1000;

    /// The bytes that rays may take of a device with so much memory: an eighth, from 64 MiB to 1 GiB. Each tile has launches of its own, so few
    /// tiles are faster, but more than a GiB was measured to gain nothing.
    pub fn memory_of(device: u64) -> u64 {
        (device / 8).clamp(64 << 20, 1 << 30)
    }
}

impl Default for WavefrontOptions {
    /// Memory as the device has it, and as many sorts as rays need.
    fn default() -> Self {
        WavefrontOptions { memory: None, iterations: None }
    }
}

/// The feature of [`Device::execute_operations`], for errors of devices without it.
const IN_MEMORY: &str = "indirect operations on acceleration structures (clustered geometry, partitioned top-level structures)";

/// The feature of [`Device::draw`].
const GRAPHICS: &str = "graphics pipelines";

/// The error of a device without a feature.
pub(crate) fn lacks(what: &str) -> RunError {
    RunError::new(ErrorKind::NoDevice, format!("this device has no {what}"))
}

/// A device that runs ray-tracing and compute programs.
///
/// # Errors
/// Every method reports a failing device or one without memory, and invalid arguments. A handle of another device is an error
/// where it is detected; otherwise it names the object that this device has under that number.
pub trait Device {
    /// Name and abilities.
    fn info(&self) -> &DeviceInfo;

    /// A buffer of `size` bytes that begins with `data`; the rest is zero.
    ///
    /// # Errors
    /// See [`Device`].
    fn create_buffer(&mut self, size: u64, data: &[u8]) -> Result<Buffer>;
    /// Overwrites part of a buffer.
    ///
    /// # Errors
    /// See [`Device`].
    fn write_buffer(&mut self, buffer: Buffer, offset: u64, data: &[u8]) -> Result<()>;
    /// Reads a whole buffer back.
    ///
    /// # Errors
    /// See [`Device`].
    fn read_buffer(&mut self, buffer: Buffer) -> Result<Vec<u8>>;
    /// An image; `data` is tightly packed rows of texels, or empty for all zero.
    ///
    /// # Errors
    /// See [`Device`].
    fn create_image(&mut self, desc: &ImageDesc, data: &[u8]) -> Result<Image>;
    /// Reads an image back: tightly packed rows of texels.
    ///
    /// # Errors
    /// See [`Device`].
    fn read_image(&mut self, image: Image) -> Result<Vec<u8>>;
    /// A sampler.
    ///
    /// # Errors
    /// See [`Device`].
    fn create_sampler(&mut self, desc: &SamplerDesc) -> Result<Sampler>;
    /// An empty feedback map. An error on devices without them.
    ///
    /// # Errors
    /// See [`Device`].
    fn create_feedback(&mut self, _desc: &FeedbackDesc) -> Result<Feedback> {
        Err(lacks("sampler feedback"))
    }
    /// The contents of a feedback map, a byte for each region ([`feedback_regions`]): rows, then layers, then levels.
    ///
    /// # Errors
    /// See [`Device`].
    fn read_feedback(&mut self, _feedback: Feedback) -> Result<Vec<u8>> {
        Err(lacks("sampler feedback"))
    }
    /// Overwrites a feedback map with bytes in the layout of [`Device::read_feedback`]; empty bytes clear it.
    ///
    /// # Errors
    /// See [`Device`].
    fn write_feedback(&mut self, _feedback: Feedback, _bytes: &[u8]) -> Result<()> {
        Err(lacks("sampler feedback"))
    }

    /// Builds a bottom-level structure.
    ///
    /// # Errors
    /// See [`Device`].
    fn build_bottom(&mut self, desc: &BottomDesc) -> Result<Accel>;
    /// Refits a bottom-level structure that was built with `allow_update`: same geometries and counts, new positions.
    ///
    /// # Errors
    /// See [`Device`].
    fn update_bottom(&mut self, accel: Accel, desc: &BottomDesc) -> Result<()>;
    /// Builds a top-level structure.
    ///
    /// # Errors
    /// See [`Device`].
    fn build_top(&mut self, desc: &TopDesc) -> Result<Accel>;
    /// Refits a top-level structure that was built with `allow_update`: same number of instances.
    ///
    /// # Errors
    /// See [`Device`].
    fn update_top(&mut self, accel: Accel, desc: &TopDesc) -> Result<()>;
    /// Builds a top-level structure anew, in place of one that is not partitioned: what is bound to it stays bound.
    ///
    /// # Errors
    /// See [`Device`].
    fn rebuild_top(&mut self, accel: Accel, desc: &TopDesc) -> Result<()>;
    /// Replaces a structure that was built with `allow_compaction` by a smaller one. Top-level structures
    /// that refer to it are stale afterwards. Returns its size before and after, in bytes.
    ///
    /// # Errors
    /// See [`Device`].
    fn compact(&mut self, accel: Accel) -> Result<(u64, u64)>;
    /// An exact copy.
    ///
    /// # Errors
    /// See [`Device`].
    fn clone_accel(&mut self, accel: Accel) -> Result<Accel>;
    /// A structure as bytes that this device and driver, and no other, read back.
    ///
    /// # Errors
    /// See [`Device`].
    fn serialize_accel(&mut self, accel: Accel) -> Result<Vec<u8>>;
    /// A structure from the bytes of [`Device::serialize_accel`]. `bottoms` are what a top-level structure's
    /// instances refer to, in the order of their first use; empty for a bottom-level structure.
    ///
    /// # Errors
    /// See [`Device`].
    fn deserialize_accel(&mut self, bytes: &[u8], bottoms: &[Accel]) -> Result<Accel>;
    /// Builds an array of opacity micromaps. An error on devices without them.
    ///
    /// # Errors
    /// See [`Device`].
    fn build_micromaps(&mut self, _desc: &MicromapArrayDesc) -> Result<Micromaps> {
        Err(lacks("opacity micromaps"))
    }
    /// Builds a cluster. An error on devices without them.
    ///
    /// # Errors
    /// See [`Device`].
    fn build_cluster(&mut self, _desc: &ClusterDesc) -> Result<Cluster> {
        Err(lacks("clustered geometry"))
    }
    /// Builds a template of clusters.
    ///
    /// # Errors
    /// See [`Device`].
    fn build_cluster_template(&mut self, _desc: &ClusterTemplateDesc) -> Result<ClusterTemplate> {
        Err(lacks("clustered geometry"))
    }
    /// Makes a cluster of a template.
    ///
    /// # Errors
    /// See [`Device`].
    fn instantiate_cluster(&mut self, _desc: &ClusterInstantiation) -> Result<Cluster> {
        Err(lacks("clustered geometry"))
    }
    /// Builds a bottom-level structure of clusters, each at most once; `None` is skipped. It cannot be updated.
    ///
    /// # Errors
    /// See [`Device`].
    fn build_bottom_of_clusters(&mut self, _clusters: &[Option<Cluster>]) -> Result<Accel> {
        Err(lacks("clustered geometry"))
    }
    /// Builds a partitioned top-level structure: a table of inactive instances, then the changes.
    ///
    /// # Errors
    /// See [`Device`].
    fn build_partitioned(&mut self, _desc: &PartitionedDesc, _changes: &PartitionedChanges) -> Result<Accel> {
        Err(lacks("partitioned top-level structures"))
    }
    /// Changes a partitioned structure, and its size if `desc` differs from what it was.
    /// Bound structures see the change. If it has grown, shader tables that hold its address must be set again.
    ///
    /// # Errors
    /// See [`Device`].
    fn update_partitioned(&mut self, _accel: Accel, _desc: &PartitionedDesc, _changes: &PartitionedChanges) -> Result<()> {
        Err(lacks("partitioned top-level structures"))
    }
    /// The device address of something, for arguments of [`Device::execute_operations`]. An error on devices without such operations.
    ///
    /// # Errors
    /// See [`Device`].
    fn address(&self, _of: Addressed) -> Result<u64> {
        Err(lacks(IN_MEMORY))
    }
    /// A handle of the structure of clusters or the partitioned structure at an address, for instances and for binding. It refers to
    /// the structure at that address until the memory is overwritten.
    ///
    /// # Errors
    /// See [`Device`].
    fn accel_at(&mut self, _address: u64) -> Result<Accel> {
        Err(lacks(IN_MEMORY))
    }
    /// The memory that operations need at most (`GetRTASOperationPrebuildInfo`).
    ///
    /// # Errors
    /// See [`Device`].
    fn operation_sizes(&self, _inputs: &Inputs) -> Result<OperationSizes> {
        Err(lacks(IN_MEMORY))
    }
    /// Executes operations whose arguments are in device memory (`ExecuteIndirectRTASOperations`). None may depend on another one of
    /// the same call. A call that fails changes nothing.
    ///
    /// # Errors
    /// See [`Device`].
    fn execute_operations(&mut self, _operations: &[Operation]) -> Result<()> {
        Err(lacks(IN_MEMORY))
    }
    /// An array of micromaps as bytes that this device, and no other, reads back.
    ///
    /// # Errors
    /// See [`Device`].
    fn serialize_micromaps(&mut self, _micromaps: Micromaps) -> Result<Vec<u8>> {
        Err(lacks("opacity micromaps"))
    }
    /// An array of micromaps from the bytes of [`Device::serialize_micromaps`].
    ///
    /// # Errors
    /// See [`Device`].
    fn deserialize_micromaps(&mut self, _bytes: &[u8]) -> Result<Micromaps> {
        Err(lacks("opacity micromaps"))
    }
    /// The build inputs of an array of micromaps, for tools.
    ///
    /// # Errors
    /// See [`Device`].
    fn decode_micromaps(&mut self, _micromaps: Micromaps) -> Result<MicromapArrayDesc> {
        Err(lacks("opacity micromaps"))
    }
    /// A copy of an array of micromaps, without what building it reserved.
    ///
    /// # Errors
    /// See [`Device`].
    fn clone_micromaps(&mut self, _micromaps: Micromaps) -> Result<Micromaps> {
        Err(lacks("opacity micromaps"))
    }
    /// Bytes that a structure occupies.
    ///
    /// # Errors
    /// See [`Device`].
    fn accel_size(&self, accel: Accel) -> Result<u64>;

    /// Loads a package: reads its parts, resolves its subobjects and makes the pipeline.
    ///
    /// # Errors
    /// See [`Device`].
    fn load(&mut self, package: &[u8], options: &ProgramOptions) -> Result<Program>;
    /// How long the parts of loading a package took, as far as the device tells.
    fn load_steps(&self, _program: Program) -> Vec<(&'static str, Duration)> {
        Vec::new()
    }
    /// Bytes of stack that each ray of a program has on the device; none: the device does not say, or the program traces no rays.
    fn stack_size(&self, _program: Program) -> Option<u64> {
        None
    }
    /// The contents of a loaded package: exports, hit groups, resources.
    ///
    /// # Errors
    /// See [`Device`].
    fn library(&self, program: Program) -> Result<&Library>;
    /// Binds a resource to a slot; `element` indexes a resource array and is 0 for a single resource.
    ///
    /// # Errors
    /// See [`Device`].
    fn set(&mut self, program: Program, slot: &Slot, element: u32, resource: Resource) -> Result<()>;
    /// Sets the shader tables.
    ///
    /// # Errors
    /// See [`Device`].
    fn set_tables(&mut self, program: Program, tables: &ShaderTables) -> Result<()>;
    /// Launches a compute shader of the program (its only one if none is named) with x × y × z thread groups and waits
    /// for it.
    ///
    /// # Errors
    /// See [`Device`].
    fn dispatch_groups(&mut self, program: Program, entry: Option<&str>, groups: [u32; 3]) -> Result<Timing>;
    /// Launches the ray generation shader width × height × depth times and waits for it.
    ///
    /// # Errors
    /// See [`Device`].
    fn dispatch(&mut self, program: Program, size: [u32; 3]) -> Result<Timing>;

    /// What it does with waves, for the choice of a package's form.
    fn wave_traits(&self) -> WaveTraits {
        WaveTraits::default()
    }

    /// Why it does not run a form of packages; nothing if it does.
    fn refusals(&self, _library: &Library) -> Vec<String> {
        Vec::new()
    }

    /// What was measured of forms on it, from a folder; none: it has no file.
    fn choices(&self, _folder: &Path) -> Option<Choices> {
        None
    }

    /// How the last dispatch sorted its rays; none: it did not.
    fn sorting(&self) -> Option<Sorting> {
        None
    }

    /// A render target with its clear value everywhere. An error on devices without graphics pipelines.
    ///
    /// # Errors
    /// See [`Device`].
    fn create_target(&mut self, _desc: &TargetDesc) -> Result<RenderTarget> {
        Err(lacks(GRAPHICS))
    }
    /// Reads a render target back: tightly packed rows of texels, then layers. Samples are averaged, of integers the first is taken; of
    /// depth targets it is the depth as 32-bit floats.
    ///
    /// # Errors
    /// See [`Device`]; a multisampled depth target cannot be read.
    fn read_target(&mut self, _target: RenderTarget) -> Result<Vec<u8>> {
        Err(lacks(GRAPHICS))
    }
    /// Draws with shaders of the program and waits for the end.
    ///
    /// # Errors
    /// See [`Device`].
    fn draw(&mut self, _program: Program, _desc: &DrawDesc) -> Result<Timing> {
        Err(lacks(GRAPHICS))
    }
}

#[cfg(test)]
mod tests {
    use super::WavefrontOptions;

    #[test]
    fn rays_take_a_part_of_the_devices_memory() {
        let of = WavefrontOptions::memory_of;
        assert_eq!([of(0), of(256 << 20), of(4 << 30), of(80 << 30), of(u64::MAX)], [64 << 20, 64 << 20, 512 << 20, 1 << 30, 1 << 30]);
    }
}
