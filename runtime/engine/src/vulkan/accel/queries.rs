//! Questions about structures, answered some frames later.

use super::super::device::Device;
use super::super::dispatch::command_buffer;
use super::super::failed;
use super::inputs::Shape;
use super::micromaps::{Micromaps, need_micromaps};
use super::{Accel, build_flag, vk};
use crate::error::{Error, ErrorKind, Result};
use vulkanalia::vk::{
    DeviceV1_0, ExtOpacityMicromapExtensionDeviceCommands, Handle, HasBuilder, KhrAccelerationStructureExtensionDeviceCommands,
};

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

impl PostbuildInfo {
    /// # Errors
    /// The device has no such question.
    pub(super) fn query(self, device: &Device) -> Result<vk::QueryType> {
        let newer = matches!(self, PostbuildInfo::CurrentSize | PostbuildInfo::SerializationPointers);
        if newer && !device.enabled().has("rayTracingMaintenance1") {
            let why = format!("{} was made without rayTracingMaintenance1 (VK_KHR_ray_tracing_maintenance1)", device.name());
            return Err(Error::new(ErrorKind::Limit, why));
        }
        Ok(match self {
            PostbuildInfo::CompactedSize => vk::QueryType::ACCELERATION_STRUCTURE_COMPACTED_SIZE_KHR,
            PostbuildInfo::SerializationSize => vk::QueryType::ACCELERATION_STRUCTURE_SERIALIZATION_SIZE_KHR,
            PostbuildInfo::CurrentSize => vk::QueryType::ACCELERATION_STRUCTURE_SIZE_KHR,
            PostbuildInfo::SerializationPointers => vk::QueryType::ACCELERATION_STRUCTURE_SERIALIZATION_BOTTOM_LEVEL_POINTERS_KHR,
        })
    }

    /// Whether there is an answer for a structure of this shape.
    pub(super) fn answers(self, shape: &Shape) -> bool {
        self.answers_for(shape.flags)
    }

    /// Whether the device is requested: it has no answer about the structures that a bottom-level structure refers to, of which there are none.
    pub(super) fn asks_of(self, top: bool) -> bool {
        top || self != PostbuildInfo::SerializationPointers
    }

    fn answers_for(self, flags: u32) -> bool {
        self != PostbuildInfo::CompactedSize || flags & build_flag::ALLOW_COMPACTION != 0
    }
}

/// Questions about structures, or about arrays of micromaps, that are answered some frames later. Drop them when the device no longer uses
/// them.
#[derive(Debug)]
pub struct SizeQueries {
    device: Device,
    pool: vk::QueryPool,
    kind: vk::QueryType,
    info: PostbuildInfo,
    micromaps: bool,
    capacity: u32,
    /// Runs of structures in their order: those that the device is requested about, and those whose answer is 0.
    runs: Vec<Run>,
}

/// Questions in a row, all for the device or all with the answer 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Run {
    first: u32,
    count: u32,
    requested: bool,
}

/// The runs of questions of which the device is requested those.
fn runs(requested: impl Iterator<Item = bool>) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for (n, requested) in (0..).zip(requested) {
        match runs.last_mut() {
            Some(run) if run.requested == requested => run.count += 1,
            _ => runs.push(Run { first: n, count: 1, requested }),
        }
    }
    runs
}

impl SizeQueries {
    /// Room for `capacity` questions of a kind.
    ///
    /// # Errors
    /// The device has no such question; a failure of the device.
    pub fn new(device: &Device, info: PostbuildInfo, capacity: u32) -> Result<SizeQueries> {
        let kind = info.query(device)?;
        SizeQueries::of(device, info, kind, capacity, false)
    }

    /// The same about arrays of micromaps: sizes after a compaction, or of the serialised array.
    ///
    /// # Errors
    /// The device has no such question; a failure of the device.
    pub fn of_micromaps(device: &Device, info: PostbuildInfo, capacity: u32) -> Result<SizeQueries> {
        need_micromaps(device)?;
        let kind = match info {
            PostbuildInfo::CompactedSize => vk::QueryType::MICROMAP_COMPACTED_SIZE_EXT,
            PostbuildInfo::SerializationSize => vk::QueryType::MICROMAP_SERIALIZATION_SIZE_EXT,
            PostbuildInfo::CurrentSize | PostbuildInfo::SerializationPointers => {
                let why = "VK_EXT_opacity_micromap tells of an array its compacted and its serialised size alone";
                return Err(Error::new(ErrorKind::Limit, why));
            }
        };
        SizeQueries::of(device, info, kind, capacity, true)
    }

    fn of(device: &Device, info: PostbuildInfo, kind: vk::QueryType, capacity: u32, micromaps: bool) -> Result<SizeQueries> {
        let create = vk::QueryPoolCreateInfo::builder().query_type(kind).query_count(capacity.max(1));
        // SAFETY: destroyed in `drop`.
        let pool = unsafe { device.raw().create_query_pool(&create, device.callbacks()) }.map_err(failed("make queries"))?;
        Ok(SizeQueries { device: device.clone(), pool, kind, info, micromaps, capacity, runs: Vec::new() })
    }

    /// Records the questions about structures that were built before in the same or an earlier command buffer.
    ///
    /// # Errors
    /// [`ErrorKind::Binding`]: too many structures, or one that was not built, or not for a compaction. [`ErrorKind::OtherDevice`].
    ///
    /// # Safety
    /// As [`super::build`]; the device has answered the questions before.
    pub unsafe fn record(&mut self, command_buffer_raw: u64, structures: &[&Accel]) -> Result<()> {
        let of = |s: &&Accel| (s.device.clone(), s.shape.as_ref().map(|shape| shape.flags));
        let cmd = self.ask(command_buffer_raw, false, &structures.iter().map(of).collect::<Vec<_>>())?;
        self.runs = runs(structures.iter().map(|s| self.info.asks_of(s.is_top())));
        let raws: Vec<_> = structures.iter().map(|s| s.raw).collect();
        for run in self.runs.iter().filter(|r| r.requested) {
            let raws = &raws[run.first as usize..][..run.count as usize];
            // SAFETY: by the caller's promise.
            unsafe { self.device.raw().cmd_write_acceleration_structures_properties_khr(cmd, raws, self.kind, self.pool, run.first) };
        }
        Ok(())
    }

    /// The same about arrays of micromaps.
    ///
    /// # Errors
    /// See [`SizeQueries::record`].
    ///
    /// # Safety
    /// See [`SizeQueries::record`].
    pub unsafe fn record_micromaps(&mut self, command_buffer_raw: u64, arrays: &[&Micromaps]) -> Result<()> {
        let of = |m: &&Micromaps| (m.device.clone(), m.built.map(|(flags, _)| flags));
        let cmd = self.ask(command_buffer_raw, true, &arrays.iter().map(of).collect::<Vec<_>>())?;
        self.runs = runs(arrays.iter().map(|_| true));
        let raws: Vec<_> = arrays.iter().map(|m| m.raw).collect();
        if !raws.is_empty() {
            // SAFETY: by the caller's promise.
            unsafe { self.device.raw().cmd_write_micromaps_properties_ext(cmd, &raws, self.kind, self.pool, 0) };
        }
        Ok(())
    }

    /// Checks questions about objects, by their devices and the flags that they were built with, and records that old answers go.
    fn ask(&mut self, command_buffer_raw: u64, micromaps: bool, objects: &[(Device, Option<u32>)]) -> Result<vk::CommandBuffer> {
        let cmd = command_buffer(command_buffer_raw)?;
        let wrong = |why: String| Err(Error::new(ErrorKind::Binding, why));
        if micromaps != self.micromaps {
            return wrong("questions about structures and about arrays of micromaps are two kinds".into());
        }
        if objects.len() > self.capacity as usize {
            return wrong(format!("{} questions, there is room for {}", objects.len(), self.capacity));
        }
        for (i, (device, flags)) in objects.iter().enumerate() {
            self.device.same(device, &format!("structure {i}"))?;
            match flags {
                None => return wrong(format!("structure {i} was not built")),
                Some(flags) if !self.info.answers_for(*flags) => {
                    return wrong(format!("structure {i} was not built to allow compaction"));
                }
                Some(_) => {}
            }
        }
        // SAFETY: the pool has so many questions, and by the promise of the caller of `record` they are answered.
        unsafe { self.device.raw().cmd_reset_query_pool(cmd, self.pool, 0, self.capacity.max(1)) };
        Ok(cmd)
    }

    /// Records that the answers to the questions that were recorded last are written to a buffer, 8 bytes each, as D3D12 does.
    ///
    /// # Errors
    /// [`ErrorKind::Binding`]: a handle is null, or the offset is not a multiple of 8.
    ///
    /// # Safety
    /// As [`super::build`]. `buffer` is a `VkBuffer` that transfers may write, with room for the answers at `offset`. The caller makes them
    /// visible to what reads them.
    pub unsafe fn write_to(&self, command_buffer_raw: u64, buffer: u64, offset: u64) -> Result<()> {
        let cmd = command_buffer(command_buffer_raw)?;
        if buffer == 0 || !offset.is_multiple_of(8) {
            let why = format!("answers at offset {offset} of a buffer, which is null or not a multiple of 8");
            return Err(Error::new(ErrorKind::Binding, why));
        }
        let flags = vk::QueryResultFlags::_64 | vk::QueryResultFlags::WAIT;
        let (raw, buffer) = (self.device.raw(), vk::Buffer::from_raw(buffer));
        for Run { first, count, requested } in self.runs.iter().copied() {
            let at = offset + 8 * u64::from(first);
            // SAFETY: by the caller's promise.
            unsafe {
                if requested {
                    raw.cmd_copy_query_pool_results(cmd, self.pool, first, count, buffer, at, 8, flags);
                } else {
                    raw.cmd_fill_buffer(cmd, buffer, at, 8 * u64::from(count), 0);
                }
            }
        }
        Ok(())
    }

    /// The answers in the order of the structures, or none while the device has not given all.
    ///
    /// # Errors
    /// A failure of the device.
    pub fn answers(&self) -> Result<Option<Vec<u64>>> {
        let mut all = Vec::new();
        for Run { first, count, requested } in self.runs.iter().copied() {
            let mut bytes = vec![0u8; 8 * count as usize];
            if requested {
                // SAFETY: the buffer has room for the answers.
                let got =
                    unsafe { self.device.raw().get_query_pool_results(self.pool, first, count, &mut bytes, 8, vk::QueryResultFlags::_64) };
                if got.map_err(failed("answer queries"))? == vk::SuccessCode::NOT_READY {
                    return Ok(None);
                }
            }
            all.extend(bytes.chunks_exact(8).map(|b| u64::from_le_bytes(b.try_into().unwrap_or_default())));
        }
        Ok(Some(all))
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
    fn questions_are_divided_into_runs() {
        let run = |first, count, requested| Run { first, count, requested };
        assert_eq!(runs([true, true, false, true].into_iter()), [run(0, 2, true), run(2, 1, false), run(3, 1, true)]);
        assert_eq!(runs(std::iter::empty()), []);
        let requested = |info: PostbuildInfo| [false, true].map(|top| info.asks_of(top));
        assert_eq!((requested(PostbuildInfo::SerializationPointers), requested(PostbuildInfo::CurrentSize)), ([false, true], [true, true]));
    }
}
