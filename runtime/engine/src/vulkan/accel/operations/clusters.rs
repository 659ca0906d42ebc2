//! Operations on clusters: D3D12's descriptions as `VkClusterAccelerationStructureCommandsInfoNV`.

use super::super::super::device::Device;
use super::super::demand::aligned;
use super::super::micromaps::need_micromaps;
use super::super::vk;
use super::{need_clusters, no_counterpart, raw_flags, raw_format, wrong};
use crate::error::{Error, ErrorKind, Result};
use crate::operations::{
    BatchData, ClusterLimits, INDIRECT_COUNT, INDIRECT_RESULT, INDIRECT_SCRATCH, IndexFormat, Inputs, MOVE_NO_OVERLAP, MoveKind,
    OPERATION_ALLOW_OMM, OperationMode, OperationSizes, Strided, VertexFormat,
};
use vulkanalia::vk::{InstanceV1_1, NvClusterAccelerationStructureExtensionDeviceCommands};

/// What addresses of clusters and their like are multiples of, on a device.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClusterAlignments {
    /// Of scratch memory.
    pub scratch: u64,
    /// Of clusters.
    pub cluster: u64,
    /// Of templates.
    pub template: u64,
    /// Of structures of clusters.
    pub bottom: u64,
    /// Of the bounds of instances of templates.
    pub bounds: u64,
}

fn properties(device: &Device) -> vk::PhysicalDeviceClusterAccelerationStructurePropertiesNV {
    let mut limits = vk::PhysicalDeviceClusterAccelerationStructurePropertiesNV::default();
    let mut head = vk::PhysicalDeviceProperties2 { next: std::ptr::from_mut(&mut limits).cast(), ..Default::default() };
    let (instance, physical) = device.physical();
    // SAFETY: the extension is on, so the device knows the structure, which outlives the call.
    unsafe { instance.get_physical_device_properties2(physical, &mut head) };
    limits.next = std::ptr::null_mut();
    limits
}

/// What addresses are multiples of; never more than in D3D12.
///
/// # Errors
/// The device was made without clusters.
pub fn cluster_alignments(device: &Device) -> Result<ClusterAlignments> {
    need_clusters(device)?;
    let p = properties(device);
    let of = |n: u32| u64::from(n.max(1));
    Ok(ClusterAlignments {
        scratch: of(p.cluster_scratch_byte_alignment),
        cluster: of(p.cluster_byte_alignment),
        template: of(p.cluster_template_byte_alignment),
        bottom: of(p.cluster_bottom_level_byte_alignment),
        bounds: of(p.cluster_template_bounds_byte_alignment),
    })
}

/// An operation as Vulkan has it, before its structures point to each other.
struct Plan {
    info: vk::ClusterAccelerationStructureInputInfoNV,
    input: Input,
    /// Bytes of an argument in Vulkan's layout.
    argument: u64,
}

enum Input {
    Bottoms(vk::ClusterAccelerationStructureClustersBottomLevelInputNV),
    Triangles(vk::ClusterAccelerationStructureTriangleClusterInputNV),
    Moves(vk::ClusterAccelerationStructureMoveObjectsInputNV),
}

impl Plan {
    fn new(device: &Device, inputs: &Inputs) -> Result<Plan> {
        need_clusters(device)?;
        use vk::ClusterAccelerationStructureOpTypeNV as T;
        let (op, flags, mode, max_args, input, argument) = match inputs {
            Inputs::Move(m) => {
                if m.flags & !(MOVE_NO_OVERLAP | OPERATION_ALLOW_OMM) != 0 {
                    return wrong(format!("unknown flags in {:#x}", m.flags));
                }
                let moves = vk::ClusterAccelerationStructureMoveObjectsInputNV {
                    type_: match m.kind {
                        MoveKind::Bottom => vk::ClusterAccelerationStructureTypeNV::CLUSTERS_BOTTOM_LEVEL,
                        MoveKind::Cluster => vk::ClusterAccelerationStructureTypeNV::TRIANGLE_CLUSTER,
                        MoveKind::Template => vk::ClusterAccelerationStructureTypeNV::TRIANGLE_CLUSTER_TEMPLATE,
                    },
                    no_move_overlap: (m.flags & MOVE_NO_OVERLAP != 0).into(),
                    max_moved_bytes: m.max_bytes,
                    ..Default::default()
                };
                (T::MOVE_OBJECTS, m.flags & !MOVE_NO_OVERLAP, m.mode, m.max_args, Input::Moves(moves), 8)
            }
            Inputs::Bottoms(b) => {
                let bottoms = vk::ClusterAccelerationStructureClustersBottomLevelInputNV {
                    max_total_cluster_count: b.max_total_clusters,
                    max_cluster_count_per_acceleration_structure: b.max_clusters_per_arg,
                    ..Default::default()
                };
                (T::BUILD_CLUSTERS_BOTTOM_LEVEL, b.flags, b.mode, b.max_args, Input::Bottoms(bottoms), 16)
            }
            Inputs::Clusters(c) => {
                indexed(c.indices, c.geometry_indices)?;
                let triangles = triangles(device, &c.limits, c.vertices, c.min_truncate_bits)?;
                (T::BUILD_TRIANGLE_CLUSTER, c.flags, c.mode, c.limits.max_args, Input::Triangles(triangles), 64)
            }
            Inputs::Templates(t) => {
                indexed(t.indices, t.geometry_indices)?;
                if t.hints != t.instances {
                    return no_counterpart("templates whose positions are of another format than those of their instances");
                }
                let triangles = triangles(device, &t.limits, t.instances, 0)?;
                (T::BUILD_TRIANGLE_CLUSTER_TEMPLATE, t.flags, t.mode, t.limits.max_args, Input::Triangles(triangles), 72)
            }
            Inputs::Instantiate(i) => {
                let triangles = triangles(device, &i.limits, i.vertices, 0)?;
                (T::INSTANTIATE_TRIANGLE_CLUSTER, i.flags, i.mode, i.limits.max_args, Input::Triangles(triangles), 32)
            }
            Inputs::Partitioned(_) => return wrong("a partitioned structure is no operation on clusters"),
        };
        if flags & OPERATION_ALLOW_OMM != 0 {
            need_micromaps(device)?;
        }
        let info = vk::ClusterAccelerationStructureInputInfoNV {
            max_acceleration_structure_count: max_args,
            flags: raw_flags(flags)?,
            op_type: op,
            op_mode: match mode {
                OperationMode::Implicit => vk::ClusterAccelerationStructureOpModeNV::IMPLICIT_DESTINATIONS,
                OperationMode::Explicit => vk::ClusterAccelerationStructureOpModeNV::EXPLICIT_DESTINATIONS,
                OperationMode::GetSizes => vk::ClusterAccelerationStructureOpModeNV::COMPUTE_SIZES,
            },
            ..Default::default()
        };
        Ok(Plan { info, input, argument })
    }

    /// Calls `f` with the operation, whose structures point to each other.
    fn with<R>(mut self, f: impl FnOnce(vk::ClusterAccelerationStructureInputInfoNV) -> R) -> R {
        self.info.op_input = match &mut self.input {
            Input::Bottoms(b) => vk::ClusterAccelerationStructureOpInputNV { clusters_bottom_level: b },
            Input::Triangles(t) => vk::ClusterAccelerationStructureOpInputNV { triangle_clusters: t },
            Input::Moves(m) => vk::ClusterAccelerationStructureOpInputNV { move_objects: m },
        };
        f(self.info)
    }
}

fn indexed(indices: IndexFormat, geometry_indices: IndexFormat) -> Result<()> {
    if indices == IndexFormat::None {
        return wrong("triangles of clusters without indices");
    }
    match geometry_indices {
        IndexFormat::None => Ok(()),
        _ => no_counterpart("indices into the array of geometries"),
    }
}

fn triangles(
    device: &Device,
    limits: &ClusterLimits,
    format: VertexFormat,
    min_truncate_bits: u32,
) -> Result<vk::ClusterAccelerationStructureTriangleClusterInputNV> {
    let vertex_format = raw_format(device, format)?;
    let p = properties(device);
    let too_much = |what: &str, n: u32, most: u32| {
        let why = format!("clusters of {n} {what}, {} takes {most}", device.name());
        Err(Error::new(ErrorKind::Limit, why))
    };
    if limits.max_triangles > p.max_triangles_per_cluster {
        return too_much("triangles", limits.max_triangles, p.max_triangles_per_cluster);
    }
    if limits.max_vertices > p.max_vertices_per_cluster {
        return too_much("vertices", limits.max_vertices, p.max_vertices_per_cluster);
    }
    if limits.max_geometry_index > p.max_cluster_geometry_index {
        return too_much("geometries", limits.max_geometry_index, p.max_cluster_geometry_index);
    }
    if min_truncate_bits > 32 {
        return wrong(format!("{min_truncate_bits} bits of each coordinate are made zero"));
    }
    Ok(vk::ClusterAccelerationStructureTriangleClusterInputNV {
        vertex_format,
        max_geometry_index_value: limits.max_geometry_index,
        max_cluster_unique_geometry_count: limits.max_unique_geometries.max(1),
        max_cluster_triangle_count: limits.max_triangles,
        max_cluster_vertex_count: limits.max_vertices,
        max_total_triangle_count: limits.max_total_triangles,
        max_total_vertex_count: limits.max_total_vertices,
        min_position_truncate_bit_count: min_truncate_bits,
        ..Default::default()
    })
}

pub(super) fn sizes(device: &Device, inputs: &Inputs) -> Result<OperationSizes> {
    let plan = Plan::new(device, inputs)?;
    let mut sizes = vk::AccelerationStructureBuildSizesInfoKHR::default();
    // SAFETY: what the operation points to outlives the call.
    plan.with(|info| unsafe { device.raw().get_cluster_acceleration_structure_build_sizes_nv(&info, &mut sizes) });
    let scratch = sizes.build_scratch_size.max(sizes.update_scratch_size);
    Ok(OperationSizes { result: sizes.acceleration_structure_size, scratch })
}

fn mode(inputs: &Inputs) -> OperationMode {
    match inputs {
        Inputs::Move(m) => m.mode,
        Inputs::Bottoms(b) => b.mode,
        Inputs::Clusters(c) => c.mode,
        Inputs::Templates(t) => t.mode,
        Inputs::Instantiate(i) => i.mode,
        Inputs::Partitioned(_) => OperationMode::Explicit,
    }
}

/// What results of an operation are multiples of.
fn alignment(inputs: &Inputs, of: &ClusterAlignments) -> u64 {
    match inputs {
        Inputs::Bottoms(_) => of.bottom,
        Inputs::Templates(_) => of.template,
        Inputs::Clusters(_) | Inputs::Instantiate(_) | Inputs::Partitioned(_) => of.cluster,
        Inputs::Move(m) => match m.kind {
            MoveKind::Bottom => of.bottom,
            MoveKind::Cluster => of.cluster,
            MoveKind::Template => of.template,
        },
    }
}

pub(super) fn check(device: &Device, inputs: &Inputs, data: &BatchData) -> Result<()> {
    Plan::new(device, inputs)?;
    let of = cluster_alignments(device)?;
    check_data(mode(inputs), data, of.scratch, alignment(inputs, &of))
}

fn check_data(mode: OperationMode, data: &BatchData, scratch_alignment: u64, result_alignment: u64) -> Result<()> {
    if data.resolution & !0x3f != 0 {
        return wrong(format!("unknown address resolution flags in {:#x}", data.resolution));
    }
    if data.tools != 0 {
        return no_counterpart("information for tools");
    }
    // The address of an address is one of 8 bytes.
    let of = |flag: u32, alignment: u64| if data.resolution & flag != 0 { 8 } else { alignment };
    aligned(data.scratch, of(INDIRECT_SCRATCH, scratch_alignment), "scratch memory")?;
    aligned(data.arguments.address, 8, "arguments")?;
    // Without a count, D3D12 takes as many arguments as there may be; Vulkan has no words about it.
    aligned(data.count, of(INDIRECT_COUNT, 4), "the number of arguments")?;
    match mode {
        OperationMode::Implicit => aligned(data.result, of(INDIRECT_RESULT, result_alignment), "memory for results")?,
        OperationMode::Explicit => aligned(data.addresses.address, 8, "addresses of results")?,
        OperationMode::GetSizes => aligned(data.sizes.address, 8, "sizes of results")?,
    }
    for (strided, what) in [(data.addresses, "addresses"), (data.sizes, "sizes"), (data.arguments, "arguments")] {
        if !strided.stride.is_multiple_of(8) {
            return wrong(format!("a stride of {} bytes between {what}, which must be a multiple of 8", strided.stride));
        }
    }
    Ok(())
}

/// # Safety
/// As [`super::execute_operations`]; the operation was checked.
pub(super) unsafe fn record(device: &Device, cmd: vk::CommandBuffer, inputs: &Inputs, data: &BatchData) -> Result<()> {
    let plan = Plan::new(device, inputs)?;
    let argument = plan.argument;
    plan.with(|input| {
        let n = u64::from(input.max_acceleration_structure_count);
        let info = vk::ClusterAccelerationStructureCommandsInfoNV {
            input,
            dst_implicit_data: data.result,
            scratch_data: data.scratch,
            dst_addresses_array: region(data.addresses, 8, n),
            dst_sizes_array: region(data.sizes, 8, n),
            src_infos_array: region(data.arguments, argument, n),
            src_infos_count: data.count,
            address_resolution_flags: vk::ClusterAccelerationStructureAddressResolutionFlagsNV::from_bits_truncate(data.resolution),
            ..Default::default()
        };
        // SAFETY: by the caller's promise; what the operation points to outlives the call.
        unsafe { device.raw().cmd_build_cluster_acceleration_structure_indirect_nv(cmd, &info) };
    });
    Ok(())
}

/// A list of `n` elements of `size` bytes; null stays null.
fn region(strided: Strided, size: u64, n: u64) -> vk::StridedDeviceAddressRegionKHR {
    let stride = if strided.stride == 0 { size } else { strided.stride };
    match strided.address {
        0 => Default::default(),
        device_address => vk::StridedDeviceAddressRegionKHR { device_address, stride, size: stride.saturating_mul(n) },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_that_are_wrong() {
        let usual = BatchData {
            result: 128,
            scratch: 256,
            addresses: Strided::packed(8),
            sizes: Strided::packed(16),
            arguments: Strided::packed(64),
            count: 4,
            ..BatchData::default()
        };
        for mode in [OperationMode::Implicit, OperationMode::Explicit, OperationMode::GetSizes] {
            check_data(mode, &usual, 256, 128).unwrap();
        }
        let implicit = OperationMode::Implicit;
        for (mode, data, what) in [
            (implicit, BatchData { result: 64, ..usual }, "memory for results at 0x40, which is not a multiple of 128"),
            (implicit, BatchData { scratch: 128, ..usual }, "scratch memory at 0x80"),
            (implicit, BatchData { arguments: Strided::packed(0), ..usual }, "arguments at 0x0"),
            (implicit, BatchData { arguments: Strided { address: 64, stride: 12 }, ..usual }, "a stride of 12 bytes between arguments"),
            (implicit, BatchData { count: 0, ..usual }, "the number of arguments at 0x0"),
            (
                implicit,
                BatchData { tools: 64, ..usual },
                "VK_NV_cluster_acceleration_structure has no counterpart of information for tools",
            ),
            (implicit, BatchData { resolution: 0x40, ..usual }, "resolution flags in 0x40"),
            (OperationMode::Explicit, BatchData { addresses: Strided::default(), ..usual }, "addresses of results at 0x0"),
            (OperationMode::GetSizes, BatchData { sizes: Strided::default(), ..usual }, "sizes of results at 0x0"),
        ] {
            let e = check_data(mode, &data, 256, 128).expect_err(what);
            assert!(e.message.contains(what), "{e} instead of {what}");
        }
        let indirect = BatchData { result: 8, scratch: 8, count: 8, resolution: 0x3f, ..usual };
        check_data(implicit, &indirect, 256, 128).unwrap();
    }

    #[test]
    fn lists_have_their_natural_stride() {
        let r = region(Strided::packed(64), 16, 3);
        assert_eq!((r.device_address, r.stride, r.size), (64, 16, 48));
        let r = region(Strided { address: 64, stride: 32 }, 16, 3);
        assert_eq!((r.stride, r.size), (32, 96));
        assert_eq!(region(Strided::default(), 8, 3), vk::StridedDeviceAddressRegionKHR::default());
    }
}
