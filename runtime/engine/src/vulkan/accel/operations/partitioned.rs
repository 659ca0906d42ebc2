//! Builds of partitioned top-level structures: D3D12's descriptions as `VkBuildPartitionedAccelerationStructureInfoNV`.

use super::super::super::device::Device;
use super::super::demand::aligned;
use super::super::vk;
use super::{need_partitions, wrong};
use crate::error::{Error, ErrorKind, Result};
use crate::operations::{OperationSizes, PartitionedData, PartitionedDesc};
use vulkanalia::vk::{InstanceV1_1, NvPartitionedAccelerationStructureExtensionDeviceCommands};

/// What structures and scratch memory are multiples of.
const ALIGNMENT: u64 = 256;

fn raw_flags(desc: &PartitionedDesc) -> vk::BuildAccelerationStructureFlagsKHR {
    use vk::BuildAccelerationStructureFlagsKHR as B;
    if desc.fast_build { B::PREFER_FAST_BUILD } else { B::PREFER_FAST_TRACE }
}

/// Calls `f` with the inputs; only while it runs they point to something.
fn with<R>(desc: &PartitionedDesc, f: impl FnOnce(vk::PartitionedAccelerationStructureInstancesInputNV) -> R) -> R {
    let mut translation =
        vk::PartitionedAccelerationStructureFlagsNV { enable_partition_translation: desc.allow_translation.into(), ..Default::default() };
    f(vk::PartitionedAccelerationStructureInstancesInputNV {
        next: std::ptr::from_mut(&mut translation).cast(),
        flags: raw_flags(desc),
        instance_count: desc.instances,
        max_instance_per_partition_count: desc.max_in_partition,
        partition_count: desc.partitions,
        max_instance_in_global_partition_count: desc.max_in_global,
        ..Default::default()
    })
}

fn check_desc(device: &Device, desc: &PartitionedDesc) -> Result<()> {
    need_partitions(device)?;
    let mut limits = vk::PhysicalDevicePartitionedAccelerationStructurePropertiesNV::default();
    let mut head = vk::PhysicalDeviceProperties2 { next: std::ptr::from_mut(&mut limits).cast(), ..Default::default() };
    let (instance, physical) = device.physical();
    // SAFETY: the extension is on, so the device knows the structure, which outlives the call.
    unsafe { instance.get_physical_device_properties2(physical, &mut head) };
    if desc.partitions > limits.max_partition_count {
        let why = format!("{} partitions, {} takes {}", desc.partitions, device.name(), limits.max_partition_count);
        return Err(Error::new(ErrorKind::Limit, why));
    }
    let most = device.limits().max_instances;
    if u64::from(desc.instances) > most {
        return Err(Error::new(ErrorKind::Limit, format!("a structure of {} instances, the device takes {most}", desc.instances)));
    }
    Ok(())
}

pub(super) fn sizes(device: &Device, desc: &PartitionedDesc) -> Result<OperationSizes> {
    check_desc(device, desc)?;
    let mut sizes = vk::AccelerationStructureBuildSizesInfoKHR::default();
    // SAFETY: what the inputs point to outlives the call.
    with(desc, |input| unsafe { device.raw().get_partitioned_acceleration_structures_build_sizes_nv(&input, &mut sizes) });
    let scratch = sizes.build_scratch_size.max(sizes.update_scratch_size);
    Ok(OperationSizes { result: sizes.acceleration_structure_size, scratch })
}

pub(super) fn check(device: &Device, desc: &PartitionedDesc, data: &PartitionedData) -> Result<()> {
    check_desc(device, desc)?;
    check_data(data)
}

fn check_data(data: &PartitionedData) -> Result<()> {
    aligned(data.dest, ALIGNMENT, "the structure")?;
    aligned(data.scratch, ALIGNMENT, "scratch memory")?;
    aligned(data.count, 4, "the number of operations")?;
    aligned(data.operations, 8, "operations")?;
    match data.source.is_multiple_of(ALIGNMENT) {
        true => Ok(()),
        false => wrong(format!("the structure to change at {:#x}, which is not a multiple of {ALIGNMENT}", data.source)),
    }
}

/// # Safety
/// As [`super::execute_operations`]; the operation was checked.
pub(super) unsafe fn record(device: &Device, cmd: vk::CommandBuffer, desc: &PartitionedDesc, data: &PartitionedData) {
    with(desc, |input| {
        let info = vk::BuildPartitionedAccelerationStructureInfoNV {
            input,
            src_acceleration_structure_data: data.source,
            dst_acceleration_structure_data: data.dest,
            scratch_data: data.scratch,
            src_infos: data.operations,
            src_infos_count: data.count,
            ..Default::default()
        };
        // SAFETY: by the caller's promise; what the inputs point to outlives the call.
        unsafe { device.raw().cmd_build_partitioned_acceleration_structures_nv(cmd, &info) };
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_that_are_wrong() {
        let usual = PartitionedData { source: 0, dest: 256, scratch: 512, count: 4, operations: 8 };
        check_data(&usual).unwrap();
        check_data(&PartitionedData { source: 256, ..usual }).unwrap();
        for (data, what) in [
            (PartitionedData { dest: 0, ..usual }, "the structure at 0x0"),
            (PartitionedData { source: 128, ..usual }, "the structure to change at 0x80"),
            (PartitionedData { scratch: 64, ..usual }, "scratch memory at 0x40"),
            (PartitionedData { count: 2, ..usual }, "the number of operations at 0x2"),
            (PartitionedData { operations: 4, ..usual }, "operations at 0x4"),
        ] {
            let e = check_data(&data).expect_err(what);
            assert!(e.message.contains(what), "{e} instead of {what}");
        }
    }

    /// Preferences have other bits than in D3D12, and translations are a structure of their own.
    #[test]
    fn flags_of_d3d12_and_vulkan() {
        use vk::BuildAccelerationStructureFlagsKHR as B;
        for (fast_build, allow_translation, bits) in [(false, true, B::PREFER_FAST_TRACE), (true, false, B::PREFER_FAST_BUILD)] {
            let desc = PartitionedDesc { instances: 9, partitions: 2, fast_build, allow_translation, ..Default::default() };
            with(&desc, |input| {
                assert_eq!((input.flags, input.instance_count, input.partition_count), (bits, 9, 2));
                // SAFETY: alive during this call.
                let next = unsafe { &*input.next.cast::<vk::PartitionedAccelerationStructureFlagsNV>() };
                assert_eq!(next.s_type, vk::PartitionedAccelerationStructureFlagsNV::default().s_type);
                assert_eq!(next.enable_partition_translation, u32::from(allow_translation));
            });
        }
        assert_eq!(std::mem::size_of::<vk::BuildPartitionedAccelerationStructureIndirectCommandNV>(), 24, "D3D12's operations");
    }
}
