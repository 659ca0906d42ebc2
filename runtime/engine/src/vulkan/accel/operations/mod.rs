//! Clustered geometry (`VK_NV_cluster_acceleration_structure`) and partitioned top-level structures
//! (`VK_NV_partitioned_acceleration_structure`): D3D12's indirect operations, recorded as Vulkan's.
//!
//! | file | what |
//! |---|---|
//! | `clusters` | builds, instantiations, moves and size queries of clusters, templates and structures of clusters |
//! | `partitioned` | builds of partitioned structures |
//! | `arguments` | arguments in memory, from D3D12's layouts to Vulkan's |
//!
//! Results and arguments are in memory of the caller, named by address; these structures have no handles. Descriptions are those of
//! [`crate::operations`]. What Vulkan has no counterpart for is refused by name.

mod arguments;
mod clusters;
mod partitioned;

pub use arguments::{
    CLUSTER_ARGUMENTS, INSTANTIATE_ARGUMENTS, TEMPLATE_ARGUMENTS, WRITE_INSTANCE_ARGUMENTS, cluster_arguments, geometry_words,
    instantiate_arguments, template_arguments, write_instance_arguments,
};
pub use clusters::{ClusterAlignments, cluster_alignments};

use super::super::device::Device;
use super::super::dispatch::command_buffer;
use super::demand::need;
use super::vk;
use crate::error::{Error, ErrorKind, Result};
use crate::operations::{Inputs, Operation, OperationSizes, VertexFormat};
use vulkanalia::vk::InstanceV1_0;

fn wrong<T>(why: impl Into<String>) -> Result<T> {
    Err(Error::new(ErrorKind::Binding, why))
}

/// The refusal of something that D3D12 has and an extension of Vulkan has not.
fn no_counterpart<T>(what: &str) -> Result<T> {
    Err(Error::new(ErrorKind::Limit, format!("VK_NV_cluster_acceleration_structure has no counterpart of {what}")))
}

fn need_clusters(device: &Device) -> Result<()> {
    need(device, "clustered geometry", "clusterAccelerationStructure", "VK_NV_cluster_acceleration_structure")
}

fn need_partitions(device: &Device) -> Result<()> {
    let extension = "VK_NV_partitioned_acceleration_structure";
    need(device, "partitioned top-level structures", "partitionedAccelerationStructure", extension)
}

/// Bytes that an operation needs: `GetRTASOperationPrebuildInfo`.
///
/// # Errors
/// [`ErrorKind::Limit`]: the device lacks the extension, or the extension this; [`ErrorKind::Binding`]: invalid inputs.
pub fn operation_sizes(device: &Device, inputs: &Inputs) -> Result<OperationSizes> {
    match inputs {
        Inputs::Partitioned(desc) => partitioned::sizes(device, desc),
        _ => clusters::sizes(device, inputs),
    }
}

/// Records operations: `ExecuteIndirectRTASOperations`. They run in no order. A barrier after them makes results visible to builds and to
/// stages that trace rays; arguments and results in buffers are the caller's to synchronise. Nothing is recorded if there is an error.
///
/// Arguments have the layouts of Vulkan ([`cluster_arguments`] and its like); sizes of results are 32 bits in strides of 8, whose upper half is
/// left as it is.
///
/// # Errors
/// [`ErrorKind::Limit`]: the device lacks an extension, or an extension something; [`ErrorKind::Binding`]: invalid inputs or addresses. The
/// message begins with the number of the operation.
///
/// # Safety
/// As [`super::build`]: memory at all addresses is as the descriptions say, large enough, and lives until the work ends.
pub unsafe fn execute_operations(device: &Device, command_buffer_raw: u64, operations: &[Operation]) -> Result<()> {
    let cmd = command_buffer(command_buffer_raw)?;
    for (i, operation) in operations.iter().enumerate() {
        let checked = match operation {
            Operation::Batch(inputs, data) => clusters::check(device, inputs, data),
            Operation::Partitioned(desc, data) => partitioned::check(device, desc, data),
        };
        checked.map_err(|e| e.at(format!("operation {i}")))?;
    }
    for operation in operations {
        match operation {
            // SAFETY: by the caller's promise; checked above.
            Operation::Batch(inputs, data) => unsafe { clusters::record(device, cmd, inputs, data)? },
            // SAFETY: as above.
            Operation::Partitioned(desc, data) => unsafe { partitioned::record(device, cmd, desc, data) },
        }
    }
    super::barrier(device.raw(), cmd);
    Ok(())
}

/// D3D12's flags of operations as Vulkan has them.
fn raw_flags(flags: u32) -> Result<vk::BuildAccelerationStructureFlagsKHR> {
    use crate::operations::{OPERATION_ALLOW_OMM, OPERATION_FAST_OPERATION, OPERATION_FAST_TRACE};
    use vk::BuildAccelerationStructureFlagsKHR as B;
    if flags & !(OPERATION_ALLOW_OMM | OPERATION_FAST_OPERATION | OPERATION_FAST_TRACE) != 0 {
        return wrong(format!("unknown flags in {flags:#x}"));
    }
    if flags & OPERATION_FAST_OPERATION != 0 && flags & OPERATION_FAST_TRACE != 0 {
        return wrong("an operation prefers both fast rays and to be fast");
    }
    let mut raw = B::empty();
    for (flag, bit) in [
        (OPERATION_FAST_TRACE, B::PREFER_FAST_TRACE),
        (OPERATION_FAST_OPERATION, B::PREFER_FAST_BUILD),
        (OPERATION_ALLOW_OMM, B::ALLOW_CLUSTER_OPACITY_MICROMAPS_NV),
    ] {
        if flags & flag != 0 {
            raw |= bit;
        }
    }
    Ok(raw)
}

/// The formats that have a format of positions in Vulkan, the best first.
fn candidates(format: VertexFormat) -> &'static [vk::Format] {
    match format {
        VertexFormat::Float32x2 => &[vk::Format::R32G32_SFLOAT],
        VertexFormat::Float32x3 => &[vk::Format::R32G32B32_SFLOAT],
        VertexFormat::Float16x2 => &[vk::Format::R16G16_SFLOAT],
        VertexFormat::Float16x3 => &[vk::Format::R16G16B16_SFLOAT, vk::Format::R16G16B16A16_SFLOAT],
        VertexFormat::Unorm16x2 => &[vk::Format::R16G16_UNORM],
        VertexFormat::Unorm16x3 => &[vk::Format::R16G16B16_UNORM, vk::Format::R16G16B16A16_UNORM],
        VertexFormat::Snorm16x2 => &[vk::Format::R16G16_SNORM],
        VertexFormat::Snorm16x3 => &[vk::Format::R16G16B16_SNORM, vk::Format::R16G16B16A16_SNORM],
        VertexFormat::Unorm8x2 => &[vk::Format::R8G8_UNORM],
        VertexFormat::Unorm8x3 => &[vk::Format::R8G8B8_UNORM, vk::Format::R8G8B8A8_UNORM],
        VertexFormat::Snorm8x2 => &[vk::Format::R8G8_SNORM],
        VertexFormat::Snorm8x3 => &[vk::Format::R8G8B8_SNORM, vk::Format::R8G8B8A8_SNORM],
        VertexFormat::Unorm10_10_10_2 => &[vk::Format::A2B10G10R10_UNORM_PACK32],
        VertexFormat::Compressed1 => &[],
    }
}

/// The format of positions, which the device must take. Where it takes four components alone, the fourth is ignored.
fn raw_format(device: &Device, format: VertexFormat) -> Result<vk::Format> {
    if format == VertexFormat::Compressed1 {
        return no_counterpart("compressed positions");
    }
    let (instance, physical) = device.physical();
    let takes = |f: &&vk::Format| {
        // SAFETY: plain query.
        let can = unsafe { instance.get_physical_device_format_properties(physical, **f) };
        can.buffer_features.contains(vk::FormatFeatureFlags::ACCELERATION_STRUCTURE_VERTEX_BUFFER_KHR)
    };
    match candidates(format).iter().find(takes) {
        Some(found) => Ok(*found),
        None => Err(Error::new(ErrorKind::Limit, format!("{} takes no vertices of format {format:?}", device.name()))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_of_d3d12_and_vulkan() {
        use vk::BuildAccelerationStructureFlagsKHR as B;
        assert_eq!(raw_flags(0x4).unwrap(), B::PREFER_FAST_TRACE);
        assert_eq!(raw_flags(0x8 | 0x400).unwrap(), B::PREFER_FAST_BUILD | B::ALLOW_CLUSTER_OPACITY_MICROMAPS_NV);
        assert!(raw_flags(0xc).is_err() && raw_flags(0x10).is_err());
    }

    #[test]
    fn every_format_but_the_compressed_has_a_counterpart() {
        for (format, ..) in VertexFormat::ALL {
            assert_eq!(candidates(format).is_empty(), format == VertexFormat::Compressed1, "{format:?}");
        }
    }
}
