//! Batches of builds and updates.
//!
//! A batch builds bottom-level structures before top-level ones. Builds of one level run at the same time as far as the scratch memory
//! goes; a barrier separates those that use the same scratch memory.

use super::super::device::Device;
use super::super::dispatch::command_buffer;
use super::demand::{aligned, need};
use super::inputs::Shape;
use super::raw::RawInputs;
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
        inputs.check(device)?;
        let flags = inputs.flags() | if *update { build_flag::ALLOW_UPDATE } else { 0 };
        let sizes = inputs.sizes_with(device, flags, vk::AccelerationStructureBuildTypeKHR::DEVICE);
        let need = if *update { sizes.update_scratch } else { sizes.scratch };
        let level = &mut levels[usize::from(inputs.top())];
        *level = level.saturating_add(need.next_multiple_of(alignment));
    }
    // The address that the caller's memory begins at may not be aligned.
    Ok(levels[0].max(levels[1]).saturating_add(alignment))
}

/// A build with what it needs, checked.
struct Planned {
    /// Which of the batch.
    at: usize,
    scratch: u64,
    /// Flags for Vulkan, where those of an update are those of the build.
    flags: u32,
}

/// Where a build reads how many primitives each of its geometries has: a `VkAccelerationStructureBuildRangeInfoKHR` for each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IndirectRanges {
    /// Address of the first, a multiple of 4.
    pub address: u64,
    /// From one to the next, a multiple of 4.
    pub stride: u32,
}

/// Records builds: bottom-level structures before top-level ones, and a barrier after each level, so that what is recorded
/// after it, in any stage that traces rays or builds, sees the structures. Nothing is recorded if there is an error.
///
/// An update keeps all that it was built from but the contents of vertices, transforms, boxes and instances. As in D3D12 it may
/// leave out `ALLOW_UPDATE`; then it is the last one.
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
    let raw = device.raw();
    let function = DeviceV1_0::commands(raw).cmd_build_acceleration_structures_khr;
    batch(device, builds, scratch, vk::AccelerationStructureBuildTypeKHR::DEVICE, |_, infos, inputs| {
        let ranges: Vec<_> = inputs.iter().map(RawInputs::ranges).collect();
        let lists: Vec<_> = ranges.iter().map(|r| r.as_ptr()).collect();
        // SAFETY: by the caller's promise; counts and lists are alive and belong together. The function is called as it is because the
        // binding passes several lists of ranges on wrongly.
        unsafe { function(cmd, infos.len() as u32, infos.as_ptr(), lists.as_ptr()) };
        barrier(raw, cmd);
        Ok(())
    })
}

/// The same, where the device reads the numbers of primitives when it builds: for each build the address in `ranges`. Those of its inputs are
/// the most that there may be.
///
/// # Errors
/// As [`build`]; [`ErrorKind::Limit`]: the device was made without `accelerationStructureIndirectBuild`.
///
/// # Safety
/// As [`build`]. The ranges are synchronised as indirect arguments, and have at most the primitives of the inputs; those of an update have as
/// many as the build.
pub unsafe fn build_indirect(
    device: &Device,
    command_buffer_raw: u64,
    builds: &mut [Build],
    ranges: &[IndirectRanges],
    scratch: Scratch,
) -> Result<()> {
    let cmd = command_buffer(command_buffer_raw)?;
    need(device, "indirect builds", "accelerationStructureIndirectBuild", "VK_KHR_acceleration_structure")?;
    if ranges.len() != builds.len() {
        return Err(Error::new(ErrorKind::Binding, format!("{} builds with {} addresses of ranges", builds.len(), ranges.len())));
    }
    for (i, r) in ranges.iter().enumerate() {
        aligned(r.address, 4, "ranges").map_err(|e| e.at(format!("build {i}")))?;
        if !r.stride.is_multiple_of(4) {
            let why = format!("build {i}: a stride of {} bytes between ranges, which must be a multiple of 4", r.stride);
            return Err(Error::new(ErrorKind::Binding, why));
        }
    }
    let raw = device.raw();
    let function = DeviceV1_0::commands(raw).cmd_build_acceleration_structures_indirect_khr;
    batch(device, builds, scratch, vk::AccelerationStructureBuildTypeKHR::DEVICE, |now, infos, inputs| {
        let (addresses, strides): (Vec<_>, Vec<_>) = now.iter().map(|at| (ranges[*at].address, ranges[*at].stride)).unzip();
        let counts: Vec<_> = inputs.iter().map(|i| i.counts.as_ptr()).collect();
        // SAFETY: as in `build`.
        unsafe { function(cmd, infos.len() as u32, infos.as_ptr(), addresses.as_ptr(), strides.as_ptr(), counts.as_ptr()) };
        barrier(raw, cmd);
        Ok(())
    })
}

/// Scratch memory that builds share.
pub(super) struct Room {
    base: u64,
    size: u64,
    alignment: u64,
}

impl Room {
    pub fn new(device: &Device, scratch: Scratch) -> Result<Room> {
        let alignment = u64::from(device.limits().scratch_alignment);
        match scratch.address.checked_add(scratch.size).zip(scratch.address.checked_next_multiple_of(alignment)) {
            Some((end, base)) => Ok(Room { base, size: end.saturating_sub(base), alignment }),
            None => {
                let why = format!("scratch memory of {} bytes at {:#x} leaves the address space", scratch.size, scratch.address);
                Err(Error::new(ErrorKind::Binding, why))
            }
        }
    }

    /// # Errors
    /// There is no room for a build that needs so many bytes.
    pub fn check(&self, need: u64) -> Result<()> {
        if need <= self.size {
            return Ok(());
        }
        let why = format!("the build needs {need} bytes of scratch memory, there are {}", self.size);
        Err(Error::new(ErrorKind::Binding, why))
    }
}

/// Which builds may run at the same time, by the scratch bytes that each needs: their numbers, with addresses of scratch memory. Each fits in
/// the room alone.
pub(super) fn groups(needs: &[u64], room: &Room) -> Vec<Vec<(usize, u64)>> {
    let mut out: Vec<Vec<(usize, u64)>> = Vec::new();
    let mut used = u64::MAX;
    for (i, need) in needs.iter().enumerate() {
        if used.checked_add(*need).is_none_or(|end| end > room.size) {
            out.push(Vec::new());
            used = 0;
        }
        if let Some(group) = out.last_mut() {
            group.push((i, room.base + used));
        }
        used = used.saturating_add(*need).checked_next_multiple_of(room.alignment).unwrap_or(u64::MAX);
    }
    out
}

/// Checks builds and passes them to `run` in groups that may run at the same time; no group runs before the one before it.
pub(super) fn batch(
    device: &Device,
    builds: &mut [Build],
    scratch: Scratch,
    place: vk::AccelerationStructureBuildTypeKHR,
    mut run: impl FnMut(&[usize], &[vk::AccelerationStructureBuildGeometryInfoKHR], &[RawInputs]) -> Result<()>,
) -> Result<()> {
    let room = Room::new(device, scratch)?;
    let mut levels: [Vec<Planned>; 2] = [Vec::new(), Vec::new()];
    for (i, b) in builds.iter().enumerate() {
        let planned = plan(device, i, b, &room, place).map_err(|e| e.at(format!("build {i}")))?;
        levels[usize::from(b.inputs.top())].push(planned);
    }
    for level in &levels {
        let needs: Vec<u64> = level.iter().map(|p| p.scratch).collect();
        for group in groups(&needs, &room) {
            let now: Vec<usize> = group.iter().map(|(i, _)| level[*i].at).collect();
            let inputs: Vec<_> = now.iter().map(|at| RawInputs::new(&builds[*at].inputs)).collect();
            let infos = group.iter().zip(&inputs).map(|((i, scratch), inputs)| describe(builds, &level[*i], inputs, *scratch));
            run(&now, &infos.collect::<Vec<_>>(), &inputs)?;
        }
    }
    for b in builds {
        b.target.shape = Some(b.inputs.shape());
    }
    Ok(())
}

fn plan(device: &Device, at: usize, b: &Build, room: &Room, place: vk::AccelerationStructureBuildTypeKHR) -> Result<Planned> {
    let wrong = |why: String| Err(Error::new(ErrorKind::Binding, why));
    device.same(&b.target.device, "the structure")?;
    b.inputs.check(device)?;
    if b.inputs.top() != b.target.top {
        return wrong("the inputs are of one level, the structure is of the other".into());
    }
    let source = match &b.source {
        Source::New => None,
        Source::Target => Some(&*b.target),
        Source::Of(other) => {
            device.same(&other.device, "the structure to update")?;
            Some(*other)
        }
    };
    let mut flags = b.inputs.flags();
    match source {
        None if b.inputs.says_update() => return wrong("the flags say that it is an update, but not of what (Build::source)".into()),
        None => {}
        Some(source) => flags = update(source.shape.as_ref(), &b.inputs.shape())?,
    }
    let sizes = b.inputs.sizes_with(device, flags, place);
    if sizes.result > b.target.size {
        return wrong(format!("the structure needs {} bytes and has {}", sizes.result, b.target.size));
    }
    let scratch = if source.is_some() { sizes.update_scratch } else { sizes.scratch };
    room.check(scratch)?;
    Ok(Planned { at, scratch, flags })
}

/// Checks that an update fits what was built, and returns the flags of that.
fn update(built: Option<&Shape>, now: &Shape) -> Result<u32> {
    let wrong = |why: &str| Err(Error::new(ErrorKind::Binding, why));
    let Some(built) = built else {
        return wrong("an update of a structure that was not built");
    };
    if built.flags & build_flag::ALLOW_UPDATE == 0 {
        return wrong("an update of a structure that was not built to allow it");
    }
    let updates = build_flag::ALLOW_UPDATE | build_flag::ALLOW_OMM_LINKAGE_UPDATE;
    let last = now.flags & updates == 0;
    let flags_kept = if last { now.flags == built.flags & !updates } else { now.flags == built.flags };
    let new_micromaps = built.flags & build_flag::ALLOW_OMM_LINKAGE_UPDATE != 0;
    let fits = built.geometries.len() == now.geometries.len()
        && built.geometries.iter().zip(&now.geometries).all(|(built, now)| built.fits(now, new_micromaps));
    if !flags_kept || !fits {
        return wrong("an update keeps flags, geometries, their kinds and their counts");
    }
    Ok(built.flags)
}

fn describe(builds: &[Build], p: &Planned, inputs: &RawInputs, scratch: u64) -> vk::AccelerationStructureBuildGeometryInfoKHR {
    let b = &builds[p.at];
    let mut info = inputs.describe(p.flags);
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
    info
}

#[cfg(test)]
mod tests {
    use super::super::inputs::GeometryShape;
    use super::*;

    #[test]
    fn scratch_memory_is_shared() {
        let room = |size| Room { base: 0x100, size, alignment: 64 };
        let needs = [100, 10, 64, 0];
        assert_eq!(groups(&needs, &room(1000)), [vec![(0, 0x100), (1, 0x180), (2, 0x1c0), (3, 0x200)]]);
        assert_eq!(groups(&needs, &room(100)), [vec![(0, 0x100)], vec![(1, 0x100)], vec![(2, 0x100), (3, 0x140)]]);
        assert_eq!(groups(&[0, 0], &room(0)), [vec![(0, 0x100), (1, 0x100)]]);
        assert!(groups(&[], &room(0)).is_empty());
        assert!(room(10).check(11).unwrap_err().message.contains("11 bytes of scratch memory, there are 10"));
    }

    #[test]
    fn what_updates_keep() {
        let shape = |flags, primitives| Shape { flags, geometries: vec![GeometryShape { primitives, ..Default::default() }] };
        let (allow, omm) = (build_flag::ALLOW_UPDATE, build_flag::ALLOW_OMM_LINKAGE_UPDATE);
        assert_eq!(update(Some(&shape(allow | 4, 0)), &shape(allow | 4, 0)).unwrap(), allow | 4);
        assert_eq!(update(Some(&shape(allow | 4, 0)), &shape(4, 0)).unwrap(), allow | 4, "the last one");
        assert_eq!(update(Some(&shape(allow | omm, 0)), &shape(0, 0)).unwrap(), allow | omm, "the last one");
        for (built, now, what) in [
            (None, shape(allow, 0), "was not built"),
            (Some(shape(4, 0)), shape(4, 0), "not built to allow it"),
            (Some(shape(allow | 4, 0)), shape(allow | 8, 0), "keeps flags"),
            (Some(shape(allow | omm, 0)), shape(allow, 0), "keeps flags"),
            (Some(shape(allow, 0)), shape(allow, 1), "keeps flags, geometries"),
        ] {
            let e = update(built.as_ref(), &now).unwrap_err();
            assert!(e.message.contains(what), "{e} instead of {what}");
        }
    }
}
