//! Questions about structures, answered some frames later.

use super::super::device::Device;
use super::super::dispatch::command_buffer;
use super::super::failed;
use super::{Accel, build_flag, vk};
use crate::error::{Error, ErrorKind, Result};
use vulkanalia::vk::{DeviceV1_0, HasBuilder, KhrAccelerationStructureExtensionDeviceCommands};

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
