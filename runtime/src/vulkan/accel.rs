//! Acceleration structures: builds, refits, compaction, copies and serialisation.
//!
//! Inputs ([`Input`]) are uploaded for one build and freed with the scratch memory.

use super::accel_input::{Input, Shape};
use super::context::Context;
use super::storage::{GpuBuffer, full_barrier};
use super::vk;
use crate::device::{BottomDesc, BuildFlags, Instance};
use crate::error::{ErrorKind, Result, RunError};
use rtc_rt::vulkan::accel::SerializedHeader;
use rtc_rt::vulkan::failed;
use vulkanalia::vk::{HasBuilder, KhrAccelerationStructureExtensionDeviceCommands};

/// An acceleration structure with its memory. Must be freed with [`GpuAccel::destroy`].
#[derive(Debug)]
pub(super) struct GpuAccel {
    /// The object.
    pub raw: vk::AccelerationStructureKHR,
    /// Its device address.
    pub address: u64,
    /// Bytes that it occupies.
    pub size: u64,
    storage: GpuBuffer,
    shape: Shape,
}

impl GpuAccel {
    /// Whether it is a top-level structure.
    pub fn is_top(&self) -> bool {
        self.shape.top
    }

    fn make(context: &mut Context, size: u64, shape: Shape) -> Result<GpuAccel> {
        let mut storage = GpuBuffer::accel(context, size)?;
        let info = vk::AccelerationStructureCreateInfoKHR::builder().buffer(storage.raw).offset(0).size(size).type_(level(shape.top));
        // SAFETY: the buffer is large enough and lives as long as the structure.
        let made = unsafe { context.raw.create_acceleration_structure_khr(&info, None) };
        let raw = match made {
            Ok(raw) => raw,
            Err(code) => {
                storage.destroy(context);
                return Err(failed("make an acceleration structure")(code));
            }
        };
        let info = vk::AccelerationStructureDeviceAddressInfoKHR::builder().acceleration_structure(raw);
        // SAFETY: just made.
        let address = unsafe { context.raw.get_acceleration_structure_device_address_khr(&info) };
        Ok(GpuAccel { raw, address, size, storage, shape })
    }

    /// Frees it. Nothing on the device may use it any more.
    pub fn destroy(&mut self, context: &mut Context) {
        if context.alive() {
            // SAFETY: by the caller's promise.
            unsafe { context.raw.destroy_acceleration_structure_khr(self.raw, None) };
        }
        self.storage.destroy(context);
    }

    /// Builds a bottom-level structure.
    ///
    /// # Errors
    /// An input that is not valid; a failure of the device.
    pub fn bottom(context: &mut Context, desc: &BottomDesc) -> Result<GpuAccel> {
        let input = Input::bottom(desc, context)?;
        build(context, &input)
    }

    /// Builds a top-level structure over instances whose addresses are looked up already.
    ///
    /// # Errors
    /// An input that is not valid; a failure of the device.
    pub fn top(context: &mut Context, instances: &[(Instance, u64)], flags: BuildFlags) -> Result<GpuAccel> {
        let input = Input::top(instances, flags, context)?;
        build(context, &input)
    }

    /// Refits a bottom-level structure.
    ///
    /// # Errors
    /// An input that does not fit; a failure of the device.
    pub fn update_bottom(&mut self, context: &mut Context, desc: &BottomDesc) -> Result<()> {
        let input = Input::bottom(desc, context)?;
        self.update(context, input)
    }

    /// Refits a top-level structure.
    ///
    /// # Errors
    /// An input that does not fit; a failure of the device.
    pub fn update_top(&mut self, context: &mut Context, instances: &[(Instance, u64)], flags: BuildFlags) -> Result<()> {
        let input = Input::top(instances, flags, context)?;
        self.update(context, input)
    }

    /// Builds a top-level structure anew in the memory of this one; returns another one if it does not fit there.
    ///
    /// # Errors
    /// An input that is not valid; a failure of the device.
    pub fn rebuild_top(&mut self, context: &mut Context, instances: &[(Instance, u64)], flags: BuildFlags) -> Result<Option<GpuAccel>> {
        let input = Input::top(instances, flags, context)?;
        let (raw, has) = (self.raw, self.size);
        let fits = with_inputs(context, &input, |context, geometries| {
            let mode = vk::BuildAccelerationStructureModeKHR::BUILD;
            let mut info = describe(&input.shape, geometries, mode);
            let sizes = sizes(context, &info, &input);
            if sizes.acceleration_structure_size > has {
                return Ok(false);
            }
            info.dst_acceleration_structure = raw;
            execute(context, info, &input, sizes.build_scratch_size).map(|()| true)
        })?;
        if !fits {
            return build(context, &input).map(Some);
        }
        self.shape = input.shape;
        Ok(None)
    }

    fn update(&mut self, context: &mut Context, input: Input) -> Result<()> {
        let bad = |why: &str| RunError::new(ErrorKind::Binding, format!("an acceleration structure cannot be updated: {why}"));
        if !self.shape.flags.allow_update {
            return Err(bad("it was not built with `allow_update`"));
        }
        if self.shape != input.shape {
            return Err(bad("an update keeps flags, geometries, their kinds and their counts"));
        }
        refit(context, &input, self.raw)
    }

    /// A copy, smaller if `mode` says so and it was built to allow that.
    fn copied(&self, context: &mut Context, size: u64, mode: vk::CopyAccelerationStructureModeKHR) -> Result<GpuAccel> {
        let mut copy = GpuAccel::make(context, size, self.shape.clone())?;
        let info = vk::CopyAccelerationStructureInfoKHR::builder().src(self.raw).dst(copy.raw).mode(mode);
        let ran = context.run("copy an acceleration structure", |raw, cmd| {
            full_barrier(raw, cmd);
            // SAFETY: both live through the wait; the new one has the size that this mode asks for.
            unsafe { raw.cmd_copy_acceleration_structure_khr(cmd, &info) };
            full_barrier(raw, cmd);
        });
        match ran {
            Ok(_) => Ok(copy),
            Err(e) => {
                copy.destroy(context);
                Err(e)
            }
        }
    }

    /// An exact copy.
    ///
    /// # Errors
    /// A failure of the device.
    pub fn cloned(&self, context: &mut Context) -> Result<GpuAccel> {
        self.copied(context, self.size, vk::CopyAccelerationStructureModeKHR::CLONE)
    }

    /// A compacted copy.
    ///
    /// # Errors
    /// It was not built for it; a failure of the device.
    pub fn compacted(&self, context: &mut Context) -> Result<GpuAccel> {
        if !self.shape.flags.allow_compaction {
            return Err(RunError::new(
                ErrorKind::Binding,
                "an acceleration structure cannot be compacted: it was not built with `allow_compaction`",
            ));
        }
        let size = self.property(context, vk::QueryType::ACCELERATION_STRUCTURE_COMPACTED_SIZE_KHR)?;
        self.copied(context, size.max(1), vk::CopyAccelerationStructureModeKHR::COMPACT)
    }

    fn property(&self, context: &mut Context, kind: vk::QueryType) -> Result<u64> {
        let me = self.raw;
        context.query(kind, |raw, cmd, pool| {
            full_barrier(raw, cmd);
            // SAFETY: structure and pool live through the wait.
            unsafe { raw.cmd_write_acceleration_structures_properties_khr(cmd, &[me], kind, pool, 0) };
        })
    }

    /// As bytes for [`GpuAccel::deserialized`] on the same device and driver.
    ///
    /// # Errors
    /// A failure of the device.
    pub fn serialized(&self, context: &mut Context) -> Result<Vec<u8>> {
        let size = self.property(context, vk::QueryType::ACCELERATION_STRUCTURE_SERIALIZATION_SIZE_KHR)?;
        let mut buffer = GpuBuffer::device(context, size + ALIGN)?;
        let at = aligned(buffer.address);
        let info = vk::CopyAccelerationStructureToMemoryInfoKHR {
            src: self.raw,
            dst: vk::DeviceOrHostAddressKHR { device_address: at },
            mode: vk::CopyAccelerationStructureModeKHR::SERIALIZE,
            ..Default::default()
        };
        let ran = context.run("serialise an acceleration structure", |raw, cmd| {
            full_barrier(raw, cmd);
            // SAFETY: both live through the wait; the buffer has the size that the query returned.
            unsafe { raw.cmd_copy_acceleration_structure_to_memory_khr(cmd, &info) };
            full_barrier(raw, cmd);
        });
        let bytes = ran.and_then(|_| buffer.read(context));
        let start = (at - buffer.address) as usize;
        buffer.destroy(context);
        Ok(bytes?[start..start + size as usize].to_vec())
    }

    /// From the bytes of [`GpuAccel::serialized`]; `bottoms` are the addresses that replace those of the
    /// bottom-level structures that a top-level one refers to.
    ///
    /// # Errors
    /// Bytes of another device or driver, another number of structures; a failure of the device.
    pub fn deserialized(context: &mut Context, bytes: &[u8], bottoms: &[u64]) -> Result<GpuAccel> {
        let header = SerializedHeader::read(&context.device, bytes)?;
        let mut patched = bytes.to_vec();
        header.patch(&mut patched, bottoms)?;
        let shape = Shape { top: !bottoms.is_empty(), flags: BuildFlags::default(), geometries: Vec::new() };
        let mut buffer = GpuBuffer::device(context, bytes.len() as u64 + ALIGN)?;
        let at = aligned(buffer.address);
        let made =
            buffer.write(context, at - buffer.address, &patched).and_then(|()| GpuAccel::make(context, header.deserialized_size, shape));
        let made = made.and_then(|mut accel| {
            let info = vk::CopyMemoryToAccelerationStructureInfoKHR {
                src: vk::DeviceOrHostAddressConstKHR { device_address: at },
                dst: accel.raw,
                mode: vk::CopyAccelerationStructureModeKHR::DESERIALIZE,
                ..Default::default()
            };
            let ran = context.run("deserialise an acceleration structure", |raw, cmd| {
                full_barrier(raw, cmd);
                // SAFETY: both live through the wait; the header was checked against this device.
                unsafe { raw.cmd_copy_memory_to_acceleration_structure_khr(cmd, &info) };
                full_barrier(raw, cmd);
            });
            if let Err(e) = ran {
                accel.destroy(context);
                return Err(e);
            }
            Ok(accel)
        });
        buffer.destroy(context);
        made
    }
}

/// Where serialised structures and scratch memory begin.
const ALIGN: u64 = 256;

fn aligned(address: u64) -> u64 {
    address.next_multiple_of(ALIGN)
}

fn level(top: bool) -> vk::AccelerationStructureTypeKHR {
    if top { vk::AccelerationStructureTypeKHR::TOP_LEVEL } else { vk::AccelerationStructureTypeKHR::BOTTOM_LEVEL }
}

fn build_flags(f: BuildFlags) -> vk::BuildAccelerationStructureFlagsKHR {
    use vk::BuildAccelerationStructureFlagsKHR as B;
    let mut out = if f.prefer_fast_build { B::PREFER_FAST_BUILD } else { B::PREFER_FAST_TRACE };
    for (set, bit) in [
        (f.allow_update, B::ALLOW_UPDATE),
        (f.allow_compaction, B::ALLOW_COMPACTION),
        (f.low_memory, B::LOW_MEMORY),
        (f.allow_data_access, B::ALLOW_DATA_ACCESS),
    ] {
        if set {
            out |= bit;
        }
    }
    out
}

/// Uploads the inputs and calls `f` with what is to be built from them.
fn with_inputs<R>(
    context: &mut Context,
    input: &Input,
    f: impl FnOnce(&mut Context, &[vk::AccelerationStructureGeometryKHR]) -> Result<R>,
) -> Result<R> {
    if input.shape.flags.allow_data_access && !context.has("rayTracingPositionFetch") {
        return Err(RunError::new(
            ErrorKind::Limit,
            "this device cannot give shaders the vertex positions of a hit (VK_KHR_ray_tracing_position_fetch)",
        ));
    }
    let mut data = GpuBuffer::device(context, input.bytes.len() as u64 + 16)?;
    // A memory object begins where the driver likes; transforms and instances need 16 bytes of alignment.
    let base = data.address.next_multiple_of(16);
    let result = data.write(context, base - data.address, &input.bytes).and_then(|()| {
        let geometries: Vec<_> = input.parts.iter().map(|p| p.geometry(base)).collect();
        f(context, &geometries)
    });
    data.destroy(context);
    result
}

/// A build over `geometries`, without its structures and scratch memory.
fn describe(
    shape: &Shape,
    geometries: &[vk::AccelerationStructureGeometryKHR],
    mode: vk::BuildAccelerationStructureModeKHR,
) -> vk::AccelerationStructureBuildGeometryInfoKHR {
    vk::AccelerationStructureBuildGeometryInfoKHR::builder()
        .type_(level(shape.top))
        .flags(build_flags(shape.flags))
        .mode(mode)
        .geometries(geometries)
        .build()
}

fn sizes(
    context: &Context,
    info: &vk::AccelerationStructureBuildGeometryInfoKHR,
    input: &Input,
) -> vk::AccelerationStructureBuildSizesInfoKHR {
    let counts: Vec<u32> = input.parts.iter().map(|p| p.primitives).collect();
    let mut sizes = vk::AccelerationStructureBuildSizesInfoKHR::default();
    // SAFETY: `info` and `counts` describe the same geometries, alive in the caller.
    unsafe {
        context.raw.get_acceleration_structure_build_sizes_khr(vk::AccelerationStructureBuildTypeKHR::DEVICE, info, &counts, &mut sizes);
    }
    sizes
}

/// Builds a new structure.
fn build(context: &mut Context, input: &Input) -> Result<GpuAccel> {
    with_inputs(context, input, |context, geometries| {
        let mode = vk::BuildAccelerationStructureModeKHR::BUILD;
        let mut info = describe(&input.shape, geometries, mode);
        let sizes = sizes(context, &info, input);
        let bytes = sizes.acceleration_structure_size.max(1);
        let mut accel = GpuAccel::make(context, bytes, input.shape.clone())?;
        info.dst_acceleration_structure = accel.raw;
        match execute(context, info, input, sizes.build_scratch_size) {
            Ok(()) => Ok(accel),
            Err(e) => {
                accel.destroy(context);
                Err(e)
            }
        }
    })
}

/// Refits a structure in place.
fn refit(context: &mut Context, input: &Input, accel: vk::AccelerationStructureKHR) -> Result<()> {
    with_inputs(context, input, |context, geometries| {
        let mode = vk::BuildAccelerationStructureModeKHR::UPDATE;
        let mut info = describe(&input.shape, geometries, mode);
        let sizes = sizes(context, &info, input);
        info.src_acceleration_structure = accel;
        info.dst_acceleration_structure = accel;
        execute(context, info, input, sizes.update_scratch_size)
    })
}

fn execute(context: &mut Context, mut info: vk::AccelerationStructureBuildGeometryInfoKHR, input: &Input, scratch_size: u64) -> Result<()> {
    let mut scratch = GpuBuffer::device(context, scratch_size + ALIGN)?;
    info.scratch_data = vk::DeviceOrHostAddressKHR { device_address: aligned(scratch.address) };
    let ranges: Vec<_> = input
        .parts
        .iter()
        .map(|p| vk::AccelerationStructureBuildRangeInfoKHR { primitive_count: p.primitives, ..Default::default() })
        .collect();
    let ran = context.run("build an acceleration structure", |raw, cmd| {
        full_barrier(raw, cmd);
        // SAFETY: inputs, scratch and structures live through the wait and have the sizes that the driver
        // requires. One build per call: the binding passes several range lists on wrongly.
        unsafe { raw.cmd_build_acceleration_structures_khr(cmd, &[info], &[ranges.as_slice()]) };
        full_barrier(raw, cmd);
    });
    scratch.destroy(context);
    ran.map(|_| ())
}
