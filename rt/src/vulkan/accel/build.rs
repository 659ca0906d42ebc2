//! Batches of builds and updates.
//!
//! A batch builds bottom-level structures before top-level ones. Builds of one level run at the same time as far as the scratch memory
//! goes; a barrier separates those that use the same scratch memory.

use super::super::device::Device;
use super::super::dispatch::command_buffer;
use super::inputs::{Sizes, describe};
use super::{Accel, Inputs, barrier, build_flag, vk};
use crate::error::{Error, ErrorKind, Result};
use vulkanalia::vk::{DeviceV1_0, Handle};

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
