//! Acceleration structures: sizes, batches of builds, copies, and questions about them, recorded into the caller's command buffers.
//!
//! A batch builds bottom-level structures before top-level ones. Builds of one level run at the same time as far as the scratch memory
//! goes; a barrier separates those that use the same scratch memory. Inputs are device addresses; flags have D3D12's values.

use super::device::Device;
use super::dispatch::command_buffer;
use super::memory::{Allocate, Buffer, HostAccess};
use super::{failed, vk};
use crate::error::{Error, ErrorKind, Result};
use std::sync::Arc;
use vulkanalia::vk::{DeviceV1_0, Handle, HasBuilder, InstanceV1_0, KhrAccelerationStructureExtensionDeviceCommands};

/// `D3D12_RAYTRACING_ACCELERATION_STRUCTURE_BUILD_FLAG_*`.
pub mod build_flag {
    /// The structure may be updated.
    pub const ALLOW_UPDATE: u32 = 1;
    /// It may be compacted.
    pub const ALLOW_COMPACTION: u32 = 2;
    /// Rays should be fast.
    pub const PREFER_FAST_TRACE: u32 = 4;
    /// The build should be fast.
    pub const PREFER_FAST_BUILD: u32 = 8;
    /// It should be small.
    pub const MINIMIZE_MEMORY: u32 = 0x10;
    /// An update: [`super::Build::source`] says so here.
    pub const PERFORM_UPDATE: u32 = 0x20;
    /// Shaders may read positions of hits.
    pub const ALLOW_DATA_ACCESS: u32 = 0x100;
}

/// Vertex indices.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Indices {
    /// Address of the first; a multiple of the size of an index.
    pub address: u64,
    /// 32 bits, or 16.
    pub wide: bool,
    /// How many.
    pub count: u32,
}

/// A geometry of a bottom-level structure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Geometry {
    /// `D3D12_RAYTRACING_GEOMETRY_TRIANGLES_DESC`.
    Triangles {
        /// Address of the first vertex.
        vertices: u64,
        /// From vertex to vertex.
        stride: u64,
        /// `VkFormat` of positions.
        format: i32,
        /// How many vertices.
        vertex_count: u32,
        /// Indices; none: three consecutive vertices are a triangle.
        indices: Option<Indices>,
        /// Address of a 3×4 matrix, a multiple of 16.
        transform: Option<u64>,
        /// `D3D12_RAYTRACING_GEOMETRY_FLAG_*`.
        flags: u32,
    },
    /// `D3D12_RAYTRACING_GEOMETRY_AABBS_DESC`.
    Boxes {
        /// Address of the first box, a multiple of 8.
        address: u64,
        /// From box to box, a multiple of 8.
        stride: u64,
        /// How many boxes.
        count: u32,
        /// `D3D12_RAYTRACING_GEOMETRY_FLAG_*`.
        flags: u32,
    },
}

impl Geometry {
    fn primitives(&self) -> u32 {
        match self {
            Geometry::Triangles { vertex_count, indices, .. } => indices.map_or(*vertex_count, |i| i.count) / 3,
            Geometry::Boxes { count, .. } => *count,
        }
    }

    /// What an update must keep: kind, primitives, vertices, format, indices, transform, flags.
    fn shape(&self) -> [u64; 7] {
        match *self {
            Geometry::Triangles { format, vertex_count, indices, transform, flags, .. } => [
                0,
                self.primitives().into(),
                vertex_count.into(),
                format as u64,
                indices.map_or(0, |i| 1 + u64::from(i.wide)),
                transform.is_some().into(),
                flags.into(),
            ],
            Geometry::Boxes { count, flags, .. } => [1, count.into(), 0, 0, 0, 0, flags.into()],
        }
    }
}

/// What a structure is built from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Inputs {
    /// A bottom-level structure of geometries, all of one kind.
    Bottom {
        /// The geometries.
        geometries: Vec<Geometry>,
        /// [`build_flag`]s.
        flags: u32,
    },
    /// A top-level structure.
    Top {
        /// Address of the instances: [`INSTANCE_SIZE`] bytes each with addresses of [`Accel::address`], or of pointers to them; a multiple of 16.
        instances: u64,
        /// How many.
        count: u32,
        /// The address is that of pointers.
        pointers: bool,
        /// [`build_flag`]s.
        flags: u32,
    },
}

/// Bytes of `D3D12_RAYTRACING_INSTANCE_DESC` and of `VkAccelerationStructureInstanceKHR`, which are the same but for the address.
pub const INSTANCE_SIZE: usize = 64;
/// Where the address is in them.
const INSTANCE_ADDRESS: usize = 56;

/// Replaces the addresses in `D3D12_RAYTRACING_INSTANCE_DESC`s by those that `translate` gives; 0 stays, an inactive instance.
///
/// # Errors
/// [`ErrorKind::Binding`]: a part of an instance, or an address that `translate` does not know.
pub fn translate_instances(bytes: &mut [u8], mut translate: impl FnMut(u64) -> Option<u64>) -> Result<()> {
    if !bytes.len().is_multiple_of(INSTANCE_SIZE) {
        return Err(Error::new(ErrorKind::Binding, format!("{} bytes are no whole number of instances", bytes.len())));
    }
    for (i, instance) in bytes.chunks_exact_mut(INSTANCE_SIZE).enumerate() {
        let mut word = [0; 8];
        word.copy_from_slice(&instance[INSTANCE_ADDRESS..]);
        let address = u64::from_le_bytes(word);
        if address == 0 {
            continue;
        }
        let Some(translated) = translate(address) else {
            return Err(Error::new(ErrorKind::Binding, format!("instance {i} refers to an unknown structure at {address:#x}")));
        };
        instance[INSTANCE_ADDRESS..].copy_from_slice(&translated.to_le_bytes());
    }
    Ok(())
}

/// `D3D12_RAYTRACING_ACCELERATION_STRUCTURE_PREBUILD_INFO`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sizes {
    /// Bytes of the structure.
    pub result: u64,
    /// Scratch bytes of a build.
    pub scratch: u64,
    /// Scratch bytes of an update.
    pub update_scratch: u64,
}

/// What a structure was built from.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Shape {
    flags: u32,
    geometries: Vec<[u64; 7]>,
}

impl Inputs {
    fn top(&self) -> bool {
        matches!(self, Inputs::Top { .. })
    }

    fn flags(&self) -> u32 {
        match self {
            Inputs::Bottom { flags, .. } | Inputs::Top { flags, .. } => *flags,
        }
    }

    fn shape(&self) -> Shape {
        let geometries = match self {
            Inputs::Bottom { geometries, .. } => geometries.iter().map(Geometry::shape).collect(),
            Inputs::Top { count, .. } => vec![[2, u64::from(*count), 0, 0, 0, 0, 0]],
        };
        Shape { flags: self.flags(), geometries }
    }

    fn counts(&self) -> Vec<u32> {
        match self {
            Inputs::Bottom { geometries, .. } => geometries.iter().map(Geometry::primitives).collect(),
            Inputs::Top { count, .. } => vec![*count],
        }
    }

    /// Checks what D3D12 and Vulkan demand.
    ///
    /// # Errors
    /// [`ErrorKind::Binding`]: inputs that are not valid. [`ErrorKind::Limit`]: more than the device allows.
    pub fn check(&self, device: &Device) -> Result<()> {
        let wrong = |why: String| Err(Error::new(ErrorKind::Binding, why));
        let too_much = |why: String| Err(Error::new(ErrorKind::Limit, why));
        let limits = device.limits();
        let flags = self.flags();
        if flags & build_flag::PREFER_FAST_TRACE != 0 && flags & build_flag::PREFER_FAST_BUILD != 0 {
            return wrong("a structure prefers both fast rays and a fast build".into());
        }
        let known = 0x1f | build_flag::PERFORM_UPDATE | build_flag::ALLOW_DATA_ACCESS;
        if flags & !known != 0 {
            return wrong(format!("unknown build flags {:#x}", flags & !known));
        }
        if flags & build_flag::ALLOW_DATA_ACCESS != 0 && !device.enabled().has("rayTracingPositionFetch") {
            return too_much(format!("{} cannot give shaders positions of hits (VK_KHR_ray_tracing_position_fetch)", device.name()));
        }
        match self {
            Inputs::Top { instances, count, .. } => {
                if u64::from(*count) > limits.max_instances {
                    return too_much(format!("a top-level structure of {count} instances, the device takes {}", limits.max_instances));
                }
                if *count > 0 && (*instances == 0 || !instances.is_multiple_of(16)) {
                    return wrong(format!("instances at {instances:#x}, which is not a multiple of 16 or is null"));
                }
            }
            Inputs::Bottom { geometries, .. } => {
                let is_boxes = |g: &Geometry| matches!(g, Geometry::Boxes { .. });
                if geometries.windows(2).any(|w| is_boxes(&w[0]) != is_boxes(&w[1])) {
                    return wrong("a bottom-level structure mixes triangles and boxes".into());
                }
                if geometries.len() as u64 > limits.max_geometries {
                    return too_much(format!("{} geometries, the device takes {}", geometries.len(), limits.max_geometries));
                }
                let total: u64 = geometries.iter().map(|g| u64::from(g.primitives())).sum();
                if total > limits.max_primitives {
                    return too_much(format!("{total} primitives, the device takes {}", limits.max_primitives));
                }
                for (i, g) in geometries.iter().enumerate() {
                    check_geometry(device, g).map_err(|e| e.at(format!("geometry {i}")))?;
                }
            }
        }
        Ok(())
    }

    fn geometries(&self) -> Vec<vk::AccelerationStructureGeometryKHR> {
        match self {
            Inputs::Bottom { geometries, .. } => geometries.iter().map(raw_geometry).collect(),
            Inputs::Top { instances, pointers, .. } => vec![vk::AccelerationStructureGeometryKHR {
                geometry_type: vk::GeometryTypeKHR::INSTANCES,
                geometry: vk::AccelerationStructureGeometryDataKHR {
                    instances: vk::AccelerationStructureGeometryInstancesDataKHR {
                        array_of_pointers: (*pointers).into(),
                        data: at(*instances),
                        ..Default::default()
                    },
                },
                ..Default::default()
            }],
        }
    }

    /// Bytes that the structure and its builds need. Smaller counts of the same need no more.
    ///
    /// # Errors
    /// See [`Inputs::check`].
    pub fn sizes(&self, device: &Device) -> Result<Sizes> {
        self.check(device)?;
        let geometries = self.geometries();
        let info = describe(self, &geometries);
        let counts = self.counts();
        let mut sizes = vk::AccelerationStructureBuildSizesInfoKHR::default();
        // SAFETY: `info` and `counts` describe the same geometries, which are alive.
        unsafe {
            let build = vk::AccelerationStructureBuildTypeKHR::DEVICE;
            device.raw().get_acceleration_structure_build_sizes_khr(build, &info, &counts, &mut sizes);
        }
        let update = if self.flags() & build_flag::ALLOW_UPDATE != 0 { sizes.update_scratch_size } else { 0 };
        Ok(Sizes { result: sizes.acceleration_structure_size, scratch: sizes.build_scratch_size, update_scratch: update })
    }
}

fn at(address: u64) -> vk::DeviceOrHostAddressConstKHR {
    vk::DeviceOrHostAddressConstKHR { device_address: address }
}

fn check_geometry(device: &Device, g: &Geometry) -> Result<()> {
    let wrong = |why: String| Err(Error::new(ErrorKind::Binding, why));
    match *g {
        Geometry::Triangles { vertices, stride, format, vertex_count, indices, transform, flags } => {
            let corners = indices.map_or(vertex_count, |i| i.count);
            if corners % 3 != 0 {
                return wrong(format!("{corners} corners are not a multiple of 3"));
            }
            if flags & !3 != 0 {
                return wrong(format!("unknown geometry flags {:#x}", flags & !3));
            }
            if corners > 0 && vertices == 0 {
                return wrong("triangles without vertices".into());
            }
            if u32::try_from(stride).is_err() {
                return wrong(format!("a vertex stride of {stride}"));
            }
            if transform.is_some_and(|t| t == 0 || !t.is_multiple_of(16)) {
                return wrong("the address of the transform is not a multiple of 16 or is null".into());
            }
            if let Some(i) = indices {
                let size = if i.wide { 4 } else { 2 };
                if i.count > 0 && (i.address == 0 || !i.address.is_multiple_of(size)) {
                    return wrong(format!("indices at {:#x}, which is not a multiple of {size} or is null", i.address));
                }
            }
            let (instance, physical) = device.physical();
            // SAFETY: plain query.
            let can = unsafe { instance.get_physical_device_format_properties(physical, vk::Format::from_raw(format)) };
            if !can.buffer_features.contains(vk::FormatFeatureFlags::ACCELERATION_STRUCTURE_VERTEX_BUFFER_KHR) {
                let why = format!("{} takes no vertices of format {:?}", device.name(), vk::Format::from_raw(format));
                return Err(Error::new(ErrorKind::Limit, why));
            }
        }
        Geometry::Boxes { address, stride, count, flags } => {
            if flags & !3 != 0 {
                return wrong(format!("unknown geometry flags {:#x}", flags & !3));
            }
            if !stride.is_multiple_of(8) || u32::try_from(stride).is_err() {
                return wrong(format!("a stride of {stride} bytes between boxes, which must be a multiple of 8"));
            }
            if count > 0 && (address == 0 || !address.is_multiple_of(8)) {
                return wrong(format!("boxes at {address:#x}, which is not a multiple of 8 or is null"));
            }
        }
    }
    Ok(())
}

fn raw_geometry(g: &Geometry) -> vk::AccelerationStructureGeometryKHR {
    let (kind, flags, geometry) = match *g {
        Geometry::Triangles { vertices, stride, format, vertex_count, indices, transform, flags } => (
            vk::GeometryTypeKHR::TRIANGLES,
            flags,
            vk::AccelerationStructureGeometryDataKHR {
                triangles: vk::AccelerationStructureGeometryTrianglesDataKHR {
                    vertex_format: vk::Format::from_raw(format),
                    vertex_data: at(vertices),
                    vertex_stride: stride,
                    max_vertex: vertex_count.saturating_sub(1),
                    index_type: match indices {
                        None => vk::IndexType::NONE_KHR,
                        Some(i) if i.wide => vk::IndexType::UINT32,
                        Some(_) => vk::IndexType::UINT16,
                    },
                    index_data: at(indices.map_or(0, |i| i.address)),
                    transform_data: at(transform.unwrap_or(0)),
                    ..Default::default()
                },
            },
        ),
        Geometry::Boxes { address, stride, flags, .. } => (
            vk::GeometryTypeKHR::AABBS,
            flags,
            vk::AccelerationStructureGeometryDataKHR {
                aabbs: vk::AccelerationStructureGeometryAabbsDataKHR { data: at(address), stride, ..Default::default() },
            },
        ),
    };
    vk::AccelerationStructureGeometryKHR {
        geometry_type: kind,
        geometry,
        flags: vk::GeometryFlagsKHR::from_bits_truncate(flags),
        ..Default::default()
    }
}

/// A build without its structures and scratch memory.
fn describe(inputs: &Inputs, geometries: &[vk::AccelerationStructureGeometryKHR]) -> vk::AccelerationStructureBuildGeometryInfoKHR {
    use vk::BuildAccelerationStructureFlagsKHR as B;
    let flags = inputs.flags();
    let mut raw = B::from_bits_truncate(flags & 0x1f);
    if flags & build_flag::ALLOW_DATA_ACCESS != 0 {
        raw |= B::ALLOW_DATA_ACCESS;
    }
    vk::AccelerationStructureBuildGeometryInfoKHR {
        type_: level(inputs.top()),
        flags: raw,
        mode: vk::BuildAccelerationStructureModeKHR::BUILD,
        geometry_count: geometries.len() as u32,
        geometries: geometries.as_ptr(),
        ..Default::default()
    }
}

fn level(top: bool) -> vk::AccelerationStructureTypeKHR {
    if top { vk::AccelerationStructureTypeKHR::TOP_LEVEL } else { vk::AccelerationStructureTypeKHR::BOTTOM_LEVEL }
}

/// An acceleration structure with its memory. Drop it when the device no longer uses it.
#[derive(Debug)]
pub struct Accel {
    device: Device,
    raw: vk::AccelerationStructureKHR,
    address: u64,
    size: u64,
    top: bool,
    /// What the last recorded build was.
    shape: Option<Shape>,
    _buffer: Buffer,
}

impl Accel {
    /// Room for a structure of `size` bytes ([`Sizes::result`]); it is empty until a build or a copy into it has run.
    ///
    /// # Errors
    /// No memory; a failure of the device.
    pub fn new(device: &Device, memory: &Arc<dyn Allocate>, top: bool, size: u64) -> Result<Accel> {
        let size = size.max(1);
        let usage = vk::BufferUsageFlags::ACCELERATION_STRUCTURE_STORAGE_KHR;
        let buffer = Buffer::new(device, memory, size, usage.bits(), HostAccess::None)?;
        let info = vk::AccelerationStructureCreateInfoKHR::builder().buffer(buffer.raw()).offset(0).size(size).type_(level(top));
        // SAFETY: the buffer is large enough and lives as long as the structure.
        let raw = unsafe { device.raw().create_acceleration_structure_khr(&info, device.callbacks()) }
            .map_err(failed("make an acceleration structure"))?;
        let info = vk::AccelerationStructureDeviceAddressInfoKHR::builder().acceleration_structure(raw);
        // SAFETY: just made.
        let address = unsafe { device.raw().get_acceleration_structure_device_address_khr(&info) };
        Ok(Accel { device: device.clone(), raw, address, size, top, shape: None, _buffer: buffer })
    }

    /// `VkAccelerationStructureKHR`.
    pub fn handle(&self) -> u64 {
        self.raw.as_raw()
    }

    /// Its device address, for instances and root descriptors.
    pub fn address(&self) -> u64 {
        self.address
    }

    /// Bytes that it has room for.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Whether it is a top-level structure.
    pub fn is_top(&self) -> bool {
        self.top
    }
}

impl Drop for Accel {
    fn drop(&mut self) {
        // SAFETY: by the caller's promise the device no longer uses it.
        unsafe { self.device.raw().destroy_acceleration_structure_khr(self.raw, self.device.callbacks()) };
    }
}

/// A build or an update of a batch.
#[derive(Debug)]
pub struct Build<'a> {
    /// What it is built from.
    pub inputs: Inputs,
    /// The structure to write.
    pub target: &'a mut Accel,
    /// Of an update: where it starts from.
    pub source: Source<'a>,
}

/// What a build starts from.
#[derive(Debug)]
pub enum Source<'a> {
    /// Nothing: a build.
    New,
    /// An update of the target in place.
    Target,
    /// An update of another structure.
    Of(&'a Accel),
}

/// Scratch memory of the caller.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Scratch {
    /// First byte.
    pub address: u64,
    /// Bytes.
    pub size: u64,
}

/// Scratch bytes with which all builds of a batch run at the same time; with less, they take turns.
///
/// # Errors
/// See [`Inputs::check`].
pub fn scratch_for(device: &Device, builds: &[(&Inputs, bool)]) -> Result<u64> {
    let alignment = u64::from(device.limits().scratch_alignment);
    let mut levels = [0u64; 2];
    for (inputs, update) in builds {
        let sizes = inputs.sizes(device)?;
        let need = if *update { sizes.update_scratch } else { sizes.scratch };
        let level = &mut levels[usize::from(inputs.top())];
        *level = level.saturating_add(need.next_multiple_of(alignment));
    }
    // The address that the caller's memory begins at may not be aligned.
    Ok(levels[0].max(levels[1]).saturating_add(alignment))
}

/// A build with what it needs, checked.
struct Planned {
    at: usize,
    scratch: u64,
    sizes: Sizes,
}

/// Records builds: bottom-level structures before top-level ones, and a barrier after each level, so that what is recorded
/// after it, in any stage that traces rays or builds, sees the structures. Nothing is recorded if there is an error.
///
/// # Errors
/// [`ErrorKind::Binding`]: invalid inputs, an update that changes more than it may, a structure that is too small, scratch memory that is
/// smaller than one build needs. [`ErrorKind::OtherDevice`]. [`ErrorKind::Limit`].
///
/// # Safety
/// `command_buffer` is a `VkCommandBuffer` of this device on a queue with compute, which records outside of a render pass. Inputs, structures and
/// scratch memory live until its work ends; inputs and scratch memory are synchronised with their earlier uses.
pub unsafe fn build(device: &Device, command_buffer_raw: u64, builds: &mut [Build], scratch: Scratch) -> Result<()> {
    let cmd = command_buffer(command_buffer_raw)?;
    let alignment = u64::from(device.limits().scratch_alignment);
    let base = scratch.address.next_multiple_of(alignment);
    let room = (scratch.address + scratch.size).saturating_sub(base);
    let mut levels: [Vec<Planned>; 2] = [Vec::new(), Vec::new()];
    for (i, b) in builds.iter().enumerate() {
        let planned = plan(device, i, b, room).map_err(|e| e.at(format!("build {i}")))?;
        levels[usize::from(b.inputs.top())].push(planned);
    }
    let raw = device.raw();
    for level in &levels {
        let mut rest = level.as_slice();
        while !rest.is_empty() {
            // As many as there is scratch memory for.
            let (mut used, mut n) = (0u64, 0);
            while n < rest.len() && used + rest[n].scratch <= room {
                used += rest[n].scratch.next_multiple_of(alignment);
                n += 1;
            }
            let (now, later) = rest.split_at(n.max(1));
            record(raw, cmd, builds, now, base, alignment);
            barrier(raw, cmd);
            rest = later;
        }
    }
    for b in builds {
        b.target.shape = Some(b.inputs.shape());
    }
    Ok(())
}

fn plan(device: &Device, i: usize, b: &Build, room: u64) -> Result<Planned> {
    let wrong = |why: String| Err(Error::new(ErrorKind::Binding, why));
    device.same(&b.target.device, "the structure")?;
    let sizes = b.inputs.sizes(device)?;
    if b.inputs.top() != b.target.top {
        return wrong("the inputs are of one level, the structure is of the other".into());
    }
    if sizes.result > b.target.size {
        return wrong(format!("the structure needs {} bytes and has {}", sizes.result, b.target.size));
    }
    let source = match &b.source {
        Source::New => None,
        Source::Target => Some(&*b.target),
        Source::Of(other) => {
            device.same(&other.device, "the structure to update")?;
            Some(*other)
        }
    };
    if let Some(source) = source {
        let Some(shape) = &source.shape else {
            return wrong("an update of a structure that was not built".into());
        };
        if shape.flags & build_flag::ALLOW_UPDATE == 0 {
            return wrong("an update of a structure that was not built to allow it".into());
        }
        let mut now = b.inputs.shape();
        now.flags &= !build_flag::PERFORM_UPDATE;
        if *shape != now {
            return wrong("an update keeps flags, geometries, their kinds and their counts".into());
        }
    }
    let scratch = if source.is_some() { sizes.update_scratch } else { sizes.scratch };
    if scratch > room {
        return wrong(format!("the build needs {scratch} bytes of scratch memory, there are {room}"));
    }
    Ok(Planned { at: i, scratch, sizes })
}

fn record(raw: &vulkanalia::Device, cmd: vk::CommandBuffer, builds: &[Build], now: &[Planned], base: u64, alignment: u64) {
    let geometries: Vec<_> = now.iter().map(|p| builds[p.at].inputs.geometries()).collect();
    let mut scratch = base;
    let mut infos = Vec::with_capacity(now.len());
    let mut ranges: Vec<Vec<vk::AccelerationStructureBuildRangeInfoKHR>> = Vec::with_capacity(now.len());
    for (p, geometries) in now.iter().zip(&geometries) {
        let b = &builds[p.at];
        let mut info = describe(&b.inputs, geometries);
        info.dst_acceleration_structure = b.target.raw;
        info.src_acceleration_structure = match &b.source {
            Source::New => vk::AccelerationStructureKHR::null(),
            Source::Target => b.target.raw,
            Source::Of(other) => other.raw,
        };
        if !matches!(b.source, Source::New) {
            info.mode = vk::BuildAccelerationStructureModeKHR::UPDATE;
        }
        info.scratch_data = vk::DeviceOrHostAddressKHR { device_address: scratch };
        debug_assert!(p.sizes.result <= b.target.size);
        scratch += p.scratch.next_multiple_of(alignment);
        infos.push(info);
        let range = |primitive_count| vk::AccelerationStructureBuildRangeInfoKHR { primitive_count, ..Default::default() };
        ranges.push(b.inputs.counts().into_iter().map(range).collect());
    }
    let lists: Vec<_> = ranges.iter().map(|r| r.as_ptr()).collect();
    let function = DeviceV1_0::commands(raw).cmd_build_acceleration_structures_khr;
    // SAFETY: by the promise of the caller of `build`; counts and lists are alive and belong together. The function is called as it is
    // because the binding passes several lists of ranges on wrongly.
    unsafe { function(cmd, infos.len() as u32, infos.as_ptr(), lists.as_ptr()) };
}

/// What was built or copied is seen by what builds, copies and traces after it; scratch memory may be used again.
fn barrier(raw: &vulkanalia::Device, cmd: vk::CommandBuffer) {
    use vk::AccessFlags as A;
    use vk::PipelineStageFlags as S;
    let memory = vk::MemoryBarrier {
        src_access_mask: A::ACCELERATION_STRUCTURE_WRITE_KHR | A::ACCELERATION_STRUCTURE_READ_KHR | A::TRANSFER_WRITE,
        dst_access_mask: A::ACCELERATION_STRUCTURE_READ_KHR | A::ACCELERATION_STRUCTURE_WRITE_KHR | A::TRANSFER_READ,
        ..Default::default()
    };
    let (no_buffer, no_image): ([vk::BufferMemoryBarrier; 0], [vk::ImageMemoryBarrier; 0]) = ([], []);
    let after = S::ACCELERATION_STRUCTURE_BUILD_KHR | S::RAY_TRACING_SHADER_KHR | S::COMPUTE_SHADER | S::TRANSFER;
    let before = S::ACCELERATION_STRUCTURE_BUILD_KHR | S::TRANSFER;
    // SAFETY: plain command.
    unsafe { raw.cmd_pipeline_barrier(cmd, before, after, vk::DependencyFlags::empty(), &[memory], &no_buffer, &no_image) };
}

/// `D3D12_RAYTRACING_ACCELERATION_STRUCTURE_COPY_MODE_*` between two structures.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CopyMode {
    /// The same again.
    Clone,
    /// The same in less memory.
    Compact,
}

/// Records a copy, and a barrier after it.
///
/// # Errors
/// [`ErrorKind::Binding`]: the source was not built, or not to allow compaction; the target is of another level or too small for a clone.
/// [`ErrorKind::OtherDevice`].
///
/// # Safety
/// As [`build`]; for a compaction the target has the size that a [`SizeQueries`] gave.
pub unsafe fn copy(device: &Device, command_buffer_raw: u64, source: &Accel, target: &mut Accel, mode: CopyMode) -> Result<()> {
    let cmd = command_buffer(command_buffer_raw)?;
    let wrong = |why: &str| Err(Error::new(ErrorKind::Binding, why));
    device.same(&source.device, "the structure to copy")?;
    device.same(&target.device, "the copy")?;
    let Some(shape) = &source.shape else {
        return wrong("a copy of a structure that was not built");
    };
    if source.top != target.top {
        return wrong("a copy between structures of different levels");
    }
    let mode = match mode {
        CopyMode::Clone if target.size < source.size => return wrong("a clone needs as many bytes as the structure"),
        CopyMode::Clone => vk::CopyAccelerationStructureModeKHR::CLONE,
        CopyMode::Compact if shape.flags & build_flag::ALLOW_COMPACTION == 0 => {
            return wrong("a compaction of a structure that was not built to allow it");
        }
        CopyMode::Compact => vk::CopyAccelerationStructureModeKHR::COMPACT,
    };
    let info = vk::CopyAccelerationStructureInfoKHR::builder().src(source.raw).dst(target.raw).mode(mode);
    // SAFETY: by the caller's promise.
    unsafe { device.raw().cmd_copy_acceleration_structure_khr(cmd, &info) };
    barrier(device.raw(), cmd);
    target.shape = Some(shape.clone());
    Ok(())
}

/// Records the serialisation of a structure to memory at a multiple of 256, which has the size that a [`SizeQueries`] gave.
///
/// # Errors
/// [`ErrorKind::Binding`]: the structure was not built, or the address is not aligned. [`ErrorKind::OtherDevice`].
///
/// # Safety
/// As [`build`]; the memory is large enough.
pub unsafe fn serialize(device: &Device, command_buffer_raw: u64, source: &Accel, address: u64) -> Result<()> {
    let cmd = command_buffer(command_buffer_raw)?;
    device.same(&source.device, "the structure to serialise")?;
    if source.shape.is_none() {
        return Err(Error::new(ErrorKind::Binding, "a serialisation of a structure that was not built"));
    }
    aligned_256(address)?;
    let info = vk::CopyAccelerationStructureToMemoryInfoKHR {
        src: source.raw,
        dst: vk::DeviceOrHostAddressKHR { device_address: address },
        mode: vk::CopyAccelerationStructureModeKHR::SERIALIZE,
        ..Default::default()
    };
    // SAFETY: by the caller's promise.
    unsafe { device.raw().cmd_copy_acceleration_structure_to_memory_khr(cmd, &info) };
    barrier(device.raw(), cmd);
    Ok(())
}

/// Records the reading of a serialised structure, whose header the host has checked with [`SerializedHeader::read`] and whose addresses of
/// bottom-level structures it has replaced.
///
/// # Errors
/// [`ErrorKind::Binding`]: the structure is too small, or the address is not aligned. [`ErrorKind::OtherDevice`].
///
/// # Safety
/// As [`build`]; the memory has the bytes that the header is of.
pub unsafe fn deserialize(
    device: &Device,
    command_buffer_raw: u64,
    header: &SerializedHeader,
    address: u64,
    target: &mut Accel,
) -> Result<()> {
    let cmd = command_buffer(command_buffer_raw)?;
    device.same(&target.device, "the structure")?;
    aligned_256(address)?;
    if target.size < header.deserialized_size {
        let why = format!("the structure needs {} bytes and has {}", header.deserialized_size, target.size);
        return Err(Error::new(ErrorKind::Binding, why));
    }
    let info = vk::CopyMemoryToAccelerationStructureInfoKHR {
        src: at(address),
        dst: target.raw,
        mode: vk::CopyAccelerationStructureModeKHR::DESERIALIZE,
        ..Default::default()
    };
    // SAFETY: by the caller's promise.
    unsafe { device.raw().cmd_copy_memory_to_acceleration_structure_khr(cmd, &info) };
    barrier(device.raw(), cmd);
    // It can be traced, copied and serialised; what it was built from is unknown, so no update fits.
    target.shape = Some(Shape { flags: 0, geometries: Vec::new() });
    Ok(())
}

fn aligned_256(address: u64) -> Result<()> {
    match address != 0 && address.is_multiple_of(256) {
        true => Ok(()),
        false => Err(Error::new(
            ErrorKind::Binding,
            format!("a serialised structure at {address:#x}, which is not a multiple of 256 or is null"),
        )),
    }
}

/// The header of a serialised structure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SerializedHeader {
    /// Bytes of the structure after it is read.
    pub deserialized_size: u64,
    /// How many addresses of bottom-level structures follow the header.
    pub handles: u64,
}

/// Bytes before the addresses in a serialised structure.
pub const SERIALIZED_HEADER: usize = 56;

impl SerializedHeader {
    /// Reads and checks the header of a serialised structure: `D3D12`'s driver matching identifier included.
    ///
    /// # Errors
    /// [`ErrorKind::Binding`]: bytes of another device or driver, or that are damaged.
    pub fn read(device: &Device, bytes: &[u8]) -> Result<SerializedHeader> {
        let (header, version) = SerializedHeader::parse(bytes)?;
        let info = vk::AccelerationStructureVersionInfoKHR::builder().version_data(&version);
        // SAFETY: `version` has the 32 bytes that the call reads.
        let fits = unsafe { device.raw().get_device_acceleration_structure_compatibility_khr(&info) };
        match fits == vk::AccelerationStructureCompatibilityKHR::COMPATIBLE {
            true => Ok(header),
            false => Err(bad_bytes("they were written by another device or driver")),
        }
    }

    fn parse(bytes: &[u8]) -> Result<(SerializedHeader, [u8; 32])> {
        let Some(head) = bytes.get(..SERIALIZED_HEADER) else {
            return Err(bad_bytes(&format!("{} bytes are too few for a header", bytes.len())));
        };
        let word = |at: usize| {
            let mut w = [0; 8];
            w.copy_from_slice(&head[at..at + 8]);
            u64::from_le_bytes(w)
        };
        let mut version = [0; 32];
        version.copy_from_slice(&head[..32]);
        let (size, deserialized_size, handles) = (word(32), word(40), word(48));
        if size != bytes.len() as u64 {
            return Err(bad_bytes(&format!("the header says {size} bytes, there are {}", bytes.len())));
        }
        if handles.checked_mul(8).is_none_or(|n| n > size - SERIALIZED_HEADER as u64) {
            return Err(bad_bytes(&format!("{handles} handles do not fit in {size} bytes")));
        }
        Ok((SerializedHeader { deserialized_size, handles }, version))
    }

    /// Replaces the addresses of bottom-level structures in serialised bytes by others ([`Accel::address`]).
    ///
    /// # Errors
    /// [`ErrorKind::Binding`]: another number of structures.
    pub fn patch(&self, bytes: &mut [u8], bottoms: &[u64]) -> Result<()> {
        if self.handles != bottoms.len() as u64 {
            return Err(bad_bytes(&format!("they refer to {} bottom-level structures, {} are given", self.handles, bottoms.len())));
        }
        for (room, bottom) in bytes[SERIALIZED_HEADER..].chunks_exact_mut(8).zip(bottoms) {
            room.copy_from_slice(&bottom.to_le_bytes());
        }
        Ok(())
    }
}

fn bad_bytes(why: &str) -> Error {
    Error::new(ErrorKind::Binding, format!("not an acceleration structure of this device: {why}"))
}

/// What is queried of structures after their builds: `D3D12_RAYTRACING_ACCELERATION_STRUCTURE_POSTBUILD_INFO_*`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PostbuildInfo {
    /// Bytes after a compaction.
    CompactedSize,
    /// Bytes of the serialised structure.
    SerializationSize,
    /// Bytes that it has now. Needs `rayTracingMaintenance1`.
    CurrentSize,
    /// How many bottom-level structures its serialised bytes refer to. Needs `rayTracingMaintenance1`.
    SerializationPointers,
}

/// Questions about structures that are answered some frames later. Drop them when the device no longer uses them.
#[derive(Debug)]
pub struct SizeQueries {
    device: Device,
    pool: vk::QueryPool,
    kind: vk::QueryType,
    info: PostbuildInfo,
    capacity: u32,
    queried: u32,
}

impl SizeQueries {
    /// Room for `capacity` questions of a kind.
    ///
    /// # Errors
    /// The device has no such question; a failure of the device.
    pub fn new(device: &Device, info: PostbuildInfo, capacity: u32) -> Result<SizeQueries> {
        let kind = match info {
            PostbuildInfo::CompactedSize => vk::QueryType::ACCELERATION_STRUCTURE_COMPACTED_SIZE_KHR,
            PostbuildInfo::SerializationSize => vk::QueryType::ACCELERATION_STRUCTURE_SERIALIZATION_SIZE_KHR,
            PostbuildInfo::CurrentSize => vk::QueryType::ACCELERATION_STRUCTURE_SIZE_KHR,
            PostbuildInfo::SerializationPointers => vk::QueryType::ACCELERATION_STRUCTURE_SERIALIZATION_BOTTOM_LEVEL_POINTERS_KHR,
        };
        let newer = matches!(info, PostbuildInfo::CurrentSize | PostbuildInfo::SerializationPointers);
        if newer && !device.enabled().has("rayTracingMaintenance1") {
            let why = format!("{} was made without rayTracingMaintenance1 (VK_KHR_ray_tracing_maintenance1)", device.name());
            return Err(Error::new(ErrorKind::Limit, why));
        }
        let create = vk::QueryPoolCreateInfo::builder().query_type(kind).query_count(capacity.max(1));
        // SAFETY: destroyed in `drop`.
        let pool = unsafe { device.raw().create_query_pool(&create, device.callbacks()) }.map_err(failed("make queries"))?;
        Ok(SizeQueries { device: device.clone(), pool, kind, info, capacity, queried: 0 })
    }

    /// Records the questions about structures that were built before in the same or an earlier command buffer.
    ///
    /// # Errors
    /// [`ErrorKind::Binding`]: too many structures, or one that was not built, or not for a compaction. [`ErrorKind::OtherDevice`].
    ///
    /// # Safety
    /// As [`build`]; the device has answered the questions before.
    pub unsafe fn record(&mut self, command_buffer_raw: u64, structures: &[&Accel]) -> Result<()> {
        let cmd = command_buffer(command_buffer_raw)?;
        let wrong = |why: String| Err(Error::new(ErrorKind::Binding, why));
        if structures.len() > self.capacity as usize {
            return wrong(format!("{} questions, there is room for {}", structures.len(), self.capacity));
        }
        for (i, s) in structures.iter().enumerate() {
            self.device.same(&s.device, &format!("structure {i}"))?;
            match &s.shape {
                None => return wrong(format!("structure {i} was not built")),
                Some(shape) if self.info == PostbuildInfo::CompactedSize && shape.flags & build_flag::ALLOW_COMPACTION == 0 => {
                    return wrong(format!("structure {i} was not built to allow compaction"));
                }
                Some(_) => {}
            }
        }
        self.queried = structures.len() as u32;
        let raws: Vec<_> = structures.iter().map(|s| s.raw).collect();
        // SAFETY: by the caller's promise.
        unsafe {
            self.device.raw().cmd_reset_query_pool(cmd, self.pool, 0, self.capacity.max(1));
            if !raws.is_empty() {
                self.device.raw().cmd_write_acceleration_structures_properties_khr(cmd, &raws, self.kind, self.pool, 0);
            }
        }
        Ok(())
    }

    /// The answers in the order of the structures, or none while the device has not given all.
    ///
    /// # Errors
    /// A failure of the device.
    pub fn answers(&self) -> Result<Option<Vec<u64>>> {
        if self.queried == 0 {
            return Ok(Some(Vec::new()));
        }
        let mut bytes = vec![0u8; 8 * self.queried as usize];
        // SAFETY: the buffer has room for the answers.
        let got = unsafe { self.device.raw().get_query_pool_results(self.pool, 0, self.queried, &mut bytes, 8, vk::QueryResultFlags::_64) };
        match got.map_err(failed("answer queries"))? {
            vk::SuccessCode::NOT_READY => Ok(None),
            _ => {
                let word = |b: &[u8]| u64::from_le_bytes(b.try_into().unwrap_or_default());
                Ok(Some(bytes.chunks_exact(8).map(word).collect()))
            }
        }
    }
}

impl Drop for SizeQueries {
    fn drop(&mut self) {
        // SAFETY: by the caller's promise the device no longer uses them.
        unsafe { self.device.raw().destroy_query_pool(self.pool, self.device.callbacks()) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_instances_are_replaced() {
        let mut bytes: Vec<u8> = (0..128).map(|i| i as u8).collect();
        bytes[56..64].copy_from_slice(&0x1000u64.to_le_bytes());
        bytes[120..128].fill(0);
        let before = bytes.clone();
        translate_instances(&mut bytes, |a| (a == 0x1000).then_some(0xabc0)).unwrap();
        assert_eq!(bytes[56..64], 0xabc0u64.to_le_bytes());
        assert_eq!((&bytes[..56], &bytes[64..]), (&before[..56], &before[64..]));
        let e = translate_instances(&mut bytes, |_| None).unwrap_err();
        assert!(e.message.contains("instance 0 refers to an unknown structure at 0xabc0"), "{e}");
        assert!(translate_instances(&mut bytes[..100], |_| None).is_err());
        assert_eq!(std::mem::size_of::<vk::AccelerationStructureInstanceKHR>(), INSTANCE_SIZE);
    }

    #[test]
    fn serialized_headers_are_checked() {
        assert!(SerializedHeader::parse(&[0; 10]).is_err());
        let mut bytes = vec![0; 64];
        assert!(SerializedHeader::parse(&bytes).is_err());
        bytes[32] = 64;
        bytes[48] = 1;
        assert_eq!(SerializedHeader::parse(&bytes).unwrap().0.handles, 1);
        bytes[48] = 2;
        assert!(SerializedHeader::parse(&bytes).is_err());
    }

    #[test]
    fn an_update_keeps_the_shape() {
        let triangles = |vertices, count, flags| Geometry::Triangles {
            vertices,
            stride: 12,
            format: vk::Format::R32G32B32_SFLOAT.as_raw(),
            vertex_count: count,
            indices: None,
            transform: None,
            flags,
        };
        let shape = |g: Geometry| Inputs::Bottom { geometries: vec![g], flags: 1 }.shape();
        assert_eq!(shape(triangles(64, 3, 0)), shape(triangles(128, 3, 0)));
        assert_ne!(shape(triangles(64, 3, 0)), shape(triangles(64, 6, 0)));
        assert_ne!(shape(triangles(64, 3, 0)), shape(triangles(64, 3, 1)));
        let boxes = Geometry::Boxes { address: 64, stride: 24, count: 1, flags: 0 };
        assert_ne!(shape(triangles(64, 3, 0)), shape(boxes));
    }
}
