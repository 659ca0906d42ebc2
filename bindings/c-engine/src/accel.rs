//! Acceleration structures: sizes, batches of builds, copies, instances.

use crate::boundary::{
    Failure, HasSize, Of, free, get, give, guarded, invalid, number, object, put, read, slice, structure, variant, write,
};
use crate::device::rtcrt_device;
use crate::memory::rtcrt_memory;
use crate::micromap_linkage::{rtcrt_micromap_linkage, with_micromaps};
use crate::types::{rtcrt_error, rtcrt_status};
use rtc_engine::vulkan::accel::{self, CopyMode, Geometry, INSTANCE_SIZE, Indices};
use rtc_engine::vulkan::{Accel, Build, Device, Inputs, Scratch, Source};
use std::ffi::c_void;
use std::sync::{RwLock, RwLockReadGuard};

/// A kind of geometry.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum rtcrt_geometry_kind {
    /// `D3D12_RAYTRACING_GEOMETRY_TRIANGLES_DESC`.
    Triangles = 0,
    /// `D3D12_RAYTRACING_GEOMETRY_AABBS_DESC`.
    Boxes = 1,
}

/// What the indices of triangles are.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum rtcrt_index_kind {
    /// There are none: three consecutive vertices are a triangle.
    None = 0,
    /// 16 bits each.
    Uint16 = 1,
    /// 32 bits each.
    Uint32 = 2,
}

/// A geometry of a bottom-level structure. Set all members to zero and `size` to `sizeof(rtcrt_geometry)` first.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct rtcrt_geometry {
    /// `sizeof(rtcrt_geometry)`.
    pub size: usize,
    /// `rtcrt_geometry_kind`.
    pub kind: u32,
    /// `D3D12_RAYTRACING_GEOMETRY_FLAG_*`.
    pub flags: u32,
    /// Address of the first vertex, or of the first box, a multiple of 8.
    pub address: u64,
    /// From vertex to vertex, or from box to box, a multiple of 8.
    pub stride: u64,
    /// How many vertices or boxes.
    pub count: u32,
    /// `VkFormat` of the positions of vertices.
    pub format: u32,
    /// `rtcrt_index_kind`.
    pub index_kind: u32,
    /// How many indices.
    pub index_count: u32,
    /// Address of the first index; a multiple of the size of an index.
    pub index_address: u64,
    /// Address of a 3×4 matrix, a multiple of 16; 0: none.
    pub transform: u64,
}

// SAFETY: it begins with its size; zero is a value of each member.
unsafe impl HasSize for rtcrt_geometry {}

/// What a structure is built from. Set all members to zero and `size` to `sizeof(rtcrt_inputs)` first.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct rtcrt_inputs {
    /// `sizeof(rtcrt_inputs)`.
    pub size: usize,
    /// Not 0: a top-level structure of instances; 0: a bottom-level structure of geometries.
    pub top: u32,
    /// `D3D12_RAYTRACING_ACCELERATION_STRUCTURE_BUILD_FLAG_*`.
    pub flags: u32,
    /// The geometries.
    pub geometries: *const rtcrt_geometry,
    /// How many geometries or instances.
    pub count: u32,
    /// Not 0: the address is that of pointers to instances.
    pub pointers: u32,
    /// Address of the instances: 64 bytes each, as D3D12 and Vulkan have them, with addresses of `rtcrt_accel_address`; a multiple of 16.
    pub instances: u64,
    /// Null, or for each geometry what its triangles have for opacity micromaps, null if they have none.
    pub micromaps: *const *const rtcrt_micromap_linkage,
}

// SAFETY: it begins with its size; zero is a value of each member.
unsafe impl HasSize for rtcrt_inputs {
    const OLDER_SIZES: &'static [usize] = &[std::mem::offset_of!(rtcrt_inputs, micromaps)];
}

impl rtcrt_geometry {
    fn read(&self) -> Result<Geometry, Failure> {
        use rtcrt_geometry_kind::{Boxes, Triangles};
        use rtcrt_index_kind::{None as NoIndex, Uint16, Uint32};
        let index = variant(&[NoIndex, Uint16, Uint32], self.index_kind, |k| k as u32, "index_kind")?;
        let indices = Indices { address: self.index_address, wide: index == Uint32, count: self.index_count };
        Ok(match variant(&[Triangles, Boxes], self.kind, |k| k as u32, "kind")? {
            Triangles => Geometry::Triangles {
                vertices: self.address,
                stride: self.stride,
                format: self.format.cast_signed(),
                vertex_count: self.count,
                indices: (index != NoIndex).then_some(indices),
                transform: (self.transform != 0).then_some(self.transform),
                flags: self.flags,
            },
            Boxes => Geometry::Boxes { address: self.address, stride: self.stride, count: self.count, flags: self.flags },
        })
    }
}

/// Inputs of the caller.
///
/// # Safety
/// `at` is null or points to inputs with valid pointers.
pub(crate) unsafe fn read_inputs(at: *const rtcrt_inputs) -> Result<Inputs, Failure> {
    // SAFETY: this function's contract.
    let i = unsafe { structure(at, "inputs") }?;
    if i.top != 0 {
        return Ok(Inputs::Top { instances: i.instances, count: i.count, pointers: i.pointers != 0, flags: i.flags });
    }
    // SAFETY: likewise.
    let list = unsafe { slice(i.geometries, i.count as usize) }.of("geometries")?;
    let mut geometries = Vec::new();
    let linkages = match i.micromaps.is_null() {
        true => &[],
        // SAFETY: likewise.
        false => unsafe { slice(i.micromaps, i.count as usize) }.of("micromaps")?,
    };
    for (n, g) in list.iter().enumerate() {
        // SAFETY: likewise.
        let geometry = unsafe { structure(g, &format!("geometries[{n}]")) }?.read()?;
        geometries.push(match linkages.get(n).filter(|linkage| !linkage.is_null()) {
            None => geometry,
            // SAFETY: likewise.
            Some(linkage) => unsafe { with_micromaps(geometry, *linkage, &format!("micromaps[{n}]")) }?,
        });
    }
    Ok(Inputs::Bottom { geometries, flags: i.flags })
}

/// `D3D12_RAYTRACING_ACCELERATION_STRUCTURE_PREBUILD_INFO`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct rtcrt_sizes {
    /// Bytes of the structure.
    pub result: u64,
    /// Scratch bytes of a build.
    pub scratch: u64,
    /// Scratch bytes of an update.
    pub update_scratch: u64,
}

impl From<accel::Sizes> for rtcrt_sizes {
    fn from(s: accel::Sizes) -> rtcrt_sizes {
        rtcrt_sizes { result: s.result, scratch: s.scratch, update_scratch: s.update_scratch }
    }
}

/// Bytes that a structure and its builds need. Smaller counts of the same need no more.
///
/// # Safety
/// `device` is a device; `inputs` points to inputs with valid pointers; `sizes` can be written; `error` is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_inputs_sizes(
    device: *const rtcrt_device,
    inputs: *const rtcrt_inputs,
    sizes: *mut rtcrt_sizes,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe {
        guarded(error, || {
            let s = read_inputs(inputs)?.sizes(&object(device).of("device")?.device)?;
            put(sizes, s.into(), "sizes")
        })
    }
}

/// An acceleration structure with its memory.
pub struct rtcrt_accel {
    accel: RwLock<Accel>,
    handle: u64,
    address: u64,
    size: u64,
}

impl rtcrt_accel {
    pub(crate) fn new(accel: Accel) -> rtcrt_accel {
        let (handle, address, size) = (accel.handle(), accel.address(), accel.size());
        rtcrt_accel { accel: RwLock::new(accel), handle, address, size }
    }

    pub(crate) fn read(&self, argument: &str) -> Result<RwLockReadGuard<'_, Accel>, Failure> {
        read(&self.accel, argument)
    }

    /// Changes it.
    pub(crate) fn change<R>(&self, argument: &str, f: impl FnOnce(&mut Accel) -> rtc_engine::Result<R>) -> Result<R, Failure> {
        Ok(f(&mut *write(&self.accel, argument)?)?)
    }
}

/// Room for a structure of `size` bytes (`rtcrt_sizes`); it is empty until a build or a copy into it has run.
///
/// # Safety
/// `device` is a device, `memory` is memory of it; `accel` can be written; `error` is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_accel_new(
    device: *const rtcrt_device,
    memory: *const rtcrt_memory,
    top: bool,
    size: u64,
    accel: *mut *mut rtcrt_accel,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe {
        guarded(error, || {
            let (device, memory) = (object(device).of("device")?, object(memory).of("memory")?);
            give(accel, rtcrt_accel::new(Accel::new(&device.device, &memory.memory, top, size)?), "accel")
        })
    }
}

/// `VkAccelerationStructureKHR`.
///
/// # Safety
/// `accel` is null or a structure.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_accel_handle(accel: *const rtcrt_accel) -> u64 {
    // SAFETY: this function's contract.
    unsafe { get(accel, 0, |a| a.handle) }
}

/// Its device address, for instances and root descriptors.
///
/// # Safety
/// `accel` is null or a structure.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_accel_address(accel: *const rtcrt_accel) -> u64 {
    // SAFETY: this function's contract.
    unsafe { get(accel, 0, |a| a.address) }
}

/// Bytes that it has room for.
///
/// # Safety
/// `accel` is null or a structure.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_accel_size(accel: *const rtcrt_accel) -> u64 {
    // SAFETY: this function's contract.
    unsafe { get(accel, 0, |a| a.size) }
}

/// Frees a structure.
///
/// # Safety
/// `accel` is null, or a structure that neither the caller nor the device uses again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_accel_free(accel: *mut rtcrt_accel) {
    // SAFETY: this function's contract.
    unsafe { free(accel) };
}

/// What a build starts from.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum rtcrt_build_mode {
    /// Nothing: a build.
    Build = 0,
    /// An update, of `source` or, if that is null, of the target in place.
    Update = 1,
}

/// A build or an update of a batch. Set all members to zero and `size` to `sizeof(rtcrt_build)` first.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct rtcrt_build {
    /// `sizeof(rtcrt_build)`.
    pub size: usize,
    /// What it is built from.
    pub inputs: *const rtcrt_inputs,
    /// The structure to write. No other build of the batch writes or updates it.
    pub target: *mut rtcrt_accel,
    /// `rtcrt_build_mode`.
    pub mode: u32,
    /// Of an update: where it starts from, if that is another structure.
    pub source: *const rtcrt_accel,
}

// SAFETY: it begins with its size; zero is a value of each member.
unsafe impl HasSize for rtcrt_build {}

/// The builds of a batch.
///
/// # Safety
/// `list` is null or points to `count` builds.
unsafe fn read_builds(list: *const rtcrt_build, count: usize) -> Result<Vec<(rtcrt_build, rtcrt_build_mode)>, Failure> {
    use rtcrt_build_mode::{Build, Update};
    // SAFETY: this function's contract.
    let list = unsafe { slice(list, count) }.of("builds")?;
    let mut out = Vec::with_capacity(list.len());
    for (i, b) in list.iter().enumerate() {
        // SAFETY: likewise.
        let b = unsafe { structure(b, &format!("builds[{i}]")) }?;
        out.push((b, variant(&[Build, Update], b.mode, |m| m as u32, "mode")?));
    }
    Ok(out)
}

/// Scratch bytes with which all builds of a batch run at the same time; with less, they take turns. Of each build, only inputs and mode
/// count.
///
/// # Safety
/// `device` is a device; `builds` points to `count` builds with valid inputs; `size` can be written; `error` is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_scratch_size(
    device: *const rtcrt_device,
    builds: *const rtcrt_build,
    count: usize,
    size: *mut u64,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe {
        guarded(error, || {
            let device = object(device).of("device")?;
            let mut all = Vec::new();
            for (b, mode) in read_builds(builds, count)? {
                all.push((read_inputs(b.inputs)?, mode == rtcrt_build_mode::Update));
            }
            let all: Vec<_> = all.iter().map(|(i, update)| (i, *update)).collect();
            put(size, accel::scratch_for(&device.device, &all)?, "size")
        })
    }
}

/// Records builds: bottom-level structures before top-level ones, and a barrier after each level, so that what is recorded after it, in any
/// stage that traces rays or builds, sees the structures.
///
/// # Safety
/// `device` is a device; `command_buffer` is a `VkCommandBuffer` of it on a queue with compute, which records outside of a render pass;
/// `builds` points to `count` builds with valid pointers. Inputs, structures and scratch memory live until the work ends; inputs and
/// scratch memory are synchronised with their earlier uses. `error` is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_build_accels(
    device: *const rtcrt_device,
    command_buffer: *mut c_void,
    builds: *const rtcrt_build,
    count: usize,
    scratch_address: u64,
    scratch_size: u64,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe {
        guarded(error, || {
            let record = |device: &Device, builds: &mut [Build], scratch| accel::build(device, number(command_buffer), builds, scratch);
            with_builds(device, builds, count, (scratch_address, scratch_size), record)
        })
    }
}

/// Passes builds of the caller on.
///
/// # Safety
/// `device` is null or a device; `builds` is null or points to `count` builds with valid pointers.
pub(crate) unsafe fn with_builds(
    device: *const rtcrt_device,
    builds: *const rtcrt_build,
    count: usize,
    (address, size): (u64, u64),
    run: impl FnOnce(&Device, &mut [Build], Scratch) -> rtc_engine::Result<()>,
) -> Result<(), Failure> {
    // SAFETY: this function's contract.
    unsafe {
        let device = &object(device).of("device")?.device;
        let alignment = u64::from(device.limits().scratch_alignment);
        if address.checked_add(size).and_then(|end| end.checked_next_multiple_of(alignment)).is_none() {
            return Err(invalid(format!("scratch memory of {size} bytes at {address:#x}")));
        }
        let all = read_builds(builds, count)?;
        let mut targets = Vec::new();
        let mut sources = Vec::new();
        for (i, (b, _)) in all.iter().enumerate() {
            let name = format!("builds[{i}].target");
            targets.push(write(&object(b.target).of(&name)?.accel, &name)?);
        }
        for (i, (b, mode)) in all.iter().enumerate() {
            let name = format!("builds[{i}].source");
            sources.push(match (b.source.is_null() || b.source == b.target.cast_const(), mode) {
                (false, rtcrt_build_mode::Update) => Some(object(b.source).of(&name)?.read(&name)?),
                (false, rtcrt_build_mode::Build) => return Err(invalid(format!("`{name}` is there, but it is no update"))),
                (true, _) => None,
            });
        }
        let mut recorded = Vec::new();
        for (((b, mode), target), source) in all.iter().zip(&mut targets).zip(&sources) {
            let source = match (mode, source) {
                (rtcrt_build_mode::Build, _) => Source::New,
                (rtcrt_build_mode::Update, None) => Source::Target,
                (rtcrt_build_mode::Update, Some(other)) => Source::Of(other),
            };
            recorded.push(Build { inputs: read_inputs(b.inputs)?, target, source });
        }
        Ok(run(device, &mut recorded, Scratch { address, size })?)
    }
}

/// What a copy makes.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum rtcrt_copy_mode {
    /// The same again.
    Clone = 0,
    /// The same in less memory.
    Compact = 1,
}

pub(crate) fn copy_mode(number: u32) -> Result<CopyMode, Failure> {
    use rtcrt_copy_mode::{Clone, Compact};
    Ok(match variant(&[Clone, Compact], number, |m| m as u32, "mode")? {
        Clone => CopyMode::Clone,
        Compact => CopyMode::Compact,
    })
}

/// Records a copy of a structure (`rtcrt_copy_mode`), and a barrier after it.
///
/// # Safety
/// As `rtcrt_build_accels`, of `source` and `target`; for a compaction the target has the size that a query gave.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_copy_accel(
    device: *const rtcrt_device,
    command_buffer: *mut c_void,
    source: *const rtcrt_accel,
    target: *mut rtcrt_accel,
    mode: u32,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe {
        guarded(error, || {
            let device = object(device).of("device")?;
            let mode = copy_mode(mode)?;
            let source = object(source).of("source")?.read("source")?;
            let copy = |target: &mut Accel| accel::copy(&device.device, number(command_buffer), &source, target, mode);
            object(target).of("target")?.change("target", copy)
        })
    }
}

/// Answers with the device address of the structure that another API knows by `address`; 0: it is unknown. It must not unwind.
pub type rtcrt_translate_callback = Option<unsafe extern "C" fn(user: *mut c_void, address: u64) -> u64>;

/// Replaces the addresses in `count` instances (`D3D12_RAYTRACING_INSTANCE_DESC`) by those that `translate` gives; 0 stays, an inactive
/// instance.
///
/// # Safety
/// `instances` points to `count` times 64 bytes that nothing else uses; `translate` may be called with `user`; `error` is null or can be
/// written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_translate_instances(
    instances: *mut c_void,
    count: usize,
    translate: rtcrt_translate_callback,
    user: *mut c_void,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe {
        guarded(error, || {
            let translate = translate.ok_or_else(|| invalid("`translate` is null"))?;
            let size = count.checked_mul(INSTANCE_SIZE).ok_or_else(|| invalid("`count` is larger than any object can be"))?;
            let bytes = crate::boundary::bytes_mut(instances.cast(), size).of("instances")?;
            let known = |address| Some(translate(user, address)).filter(|found| *found != 0);
            Ok(accel::translate_instances(bytes, known)?)
        })
    }
}
