//! Copies of structures.

use super::super::device::Device;
use super::super::dispatch::command_buffer;
use super::{Accel, barrier, build_flag, vk};
use crate::error::{Error, ErrorKind, Result};
use vulkanalia::vk::{HasBuilder, KhrAccelerationStructureExtensionDeviceCommands};

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
/// As [`super::build`]; for a compaction the target has the size that a [`super::SizeQueries`] gave.
pub unsafe fn copy(device: &Device, command_buffer_raw: u64, source: &Accel, target: &mut Accel, mode: CopyMode) -> Result<()> {
    let cmd = command_buffer(command_buffer_raw)?;
    let mode = check(device, source, target, mode)?;
    let info = vk::CopyAccelerationStructureInfoKHR::builder().src(source.raw).dst(target.raw).mode(mode);
    // SAFETY: by the caller's promise.
    unsafe { device.raw().cmd_copy_acceleration_structure_khr(cmd, &info) };
    barrier(device.raw(), cmd);
    target.shape.clone_from(&source.shape);
    Ok(())
}

/// Checks a copy, and returns its mode in Vulkan.
pub(super) fn check(device: &Device, source: &Accel, target: &Accel, mode: CopyMode) -> Result<vk::CopyAccelerationStructureModeKHR> {
    let wrong = |why: &str| Err(Error::new(ErrorKind::Binding, why));
    device.same(&source.device, "the structure to copy")?;
    device.same(&target.device, "the copy")?;
    let Some(shape) = &source.shape else {
        return wrong("a copy of a structure that was not built");
    };
    if source.top != target.top {
        return wrong("a copy between structures of different levels");
    }
    match mode {
        CopyMode::Clone if target.size < source.size => wrong("a clone needs as many bytes as the structure"),
        CopyMode::Clone => Ok(vk::CopyAccelerationStructureModeKHR::CLONE),
        CopyMode::Compact if shape.flags & build_flag::ALLOW_COMPACTION == 0 => {
            wrong("a compaction of a structure that was not built to allow it")
        }
        CopyMode::Compact => Ok(vk::CopyAccelerationStructureModeKHR::COMPACT),
    }
}
