//! Clustered geometry and partitioned top-level structures: D3D12's indirect operations (raytracing2), recorded as Vulkan's.

use crate::boundary::{Failure, HasSize, Of, guarded, invalid, number, object, put, slice, structure, variant};
use crate::device::rtcrt_device;
use crate::types::{rtcrt_error, rtcrt_status};
use rtc_engine::operations as op;
use rtc_engine::vulkan::accel::operations::{cluster_alignments, execute_operations, operation_sizes};
use std::ffi::c_void;

/// What an operation on clusters does.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum rtcrt_cluster_operation {
    /// `MOVE_CLUSTER_OBJECTS`.
    Move = 0,
    /// `BUILD_BLAS_FROM_CLAS`: bottom-level structures of clusters.
    BuildBottoms = 1,
    /// `BUILD_CLAS_FROM_TRIANGLES`: clusters.
    BuildClusters = 2,
    /// `BUILD_CLUSTER_TEMPLATES_FROM_TRIANGLES`.
    BuildTemplates = 3,
    /// `INSTANTIATE_CLUSTER_TEMPLATES`: clusters of templates.
    InstantiateTemplates = 4,
}

/// What determines the addresses of results.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum rtcrt_operation_mode {
    /// The device, within memory for all results; it returns the addresses.
    Implicit = 0,
    /// The caller, an address for each.
    Explicit = 1,
    /// Nothing is built; the sizes are returned.
    GetSizes = 2,
}

/// What is moved.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum rtcrt_move_kind {
    /// Structures of clusters.
    Bottom = 0,
    /// Clusters.
    Cluster = 1,
    /// Templates.
    Template = 2,
}

/// What a batch of operations on clusters does, and what it is at most. Set all members to zero and `size` to
/// `sizeof(rtcrt_cluster_inputs)` first; members that the operation has no use for do not count.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct rtcrt_cluster_inputs {
    /// `sizeof(rtcrt_cluster_inputs)`.
    pub size: usize,
    /// `rtcrt_cluster_operation`.
    pub operation: u32,
    /// `rtcrt_operation_mode`.
    pub mode: u32,
    /// `D3D12_RTAS_OPERATION_FLAG_*` as numbers: 4 for fast traces, 8 to be fast, 0x200 where no move overlaps, 0x400 for micromaps.
    pub flags: u32,
    /// Arguments at most.
    pub max_args: u32,
    /// Of moves: `rtcrt_move_kind`.
    pub move_kind: u32,
    /// Of structures of clusters: clusters in one argument at most.
    pub max_clusters_per_arg: u32,
    /// Of structures of clusters: clusters in all arguments at most.
    pub max_total_clusters: u32,
    /// Of clusters and templates: format of positions (of templates, those that are a hint), by D3D12's number: 2 is three floats.
    pub vertices: u32,
    /// Of templates: format of the positions of their instances.
    pub instance_vertices: u32,
    /// Bytes of an index: 1, 2 or 4.
    pub index_size: u32,
    /// Bytes of an index into the array of geometries; 0: there are none.
    pub geometry_index_size: u32,
    /// Bytes of an index into the array of micromaps; 0: there are none.
    pub micromap_index_size: u32,
    /// Largest geometry index.
    pub max_geometry_index: u32,
    /// Different geometry indices with their flags in one; 0 is 1.
    pub max_unique_geometries: u32,
    /// Triangles of one, up to 256.
    pub max_triangles: u32,
    /// Different indices of one, up to 256.
    pub max_vertices: u32,
    /// Triangles of all.
    pub max_total_triangles: u32,
    /// Different indices of each, summed up.
    pub max_total_vertices: u32,
    /// Triangles of one that have a micromap.
    pub max_micromap_indices: u32,
    /// Of clusters: at least as many bits of each coordinate are made zero.
    pub min_truncate_bits: u32,
    /// Of clusters: bytes of the compressed positions of one at most.
    pub max_compressed_size: u32,
    /// Of moves: bytes of all that is moved at most.
    pub max_bytes: u64,
}

// SAFETY: it begins with its size; zero is a value of each member.
unsafe impl HasSize for rtcrt_cluster_inputs {}

/// What a batch does, without a partitioned structure.
///
/// # Safety
/// `at` is null or points to inputs.
pub(crate) unsafe fn read_clusters(at: *const rtcrt_cluster_inputs) -> Result<op::Inputs, Failure> {
    use rtcrt_cluster_operation::{BuildBottoms, BuildClusters, BuildTemplates, InstantiateTemplates, Move};
    // SAFETY: this function's contract.
    let i = unsafe { structure(at, "inputs") }?;
    let modes = [op::OperationMode::Implicit, op::OperationMode::Explicit, op::OperationMode::GetSizes];
    let mode = variant(&modes, i.mode, |m| m as u32, "mode")?;
    let kinds = [op::MoveKind::Bottom, op::MoveKind::Cluster, op::MoveKind::Template];
    let formats = op::VertexFormat::ALL.map(|(format, ..)| format);
    let vertices = |number: u32, argument: &str| variant(&formats, number, |f| f as u32, argument);
    let sizes = [op::IndexFormat::None, op::IndexFormat::Uint8, op::IndexFormat::Uint16, op::IndexFormat::Uint32];
    let index = |number: u32, argument: &str| variant(&sizes, number, |f| f as u32, argument);
    let (flags, max_args) = (i.flags, i.max_args);
    let limits = op::ClusterLimits {
        max_args,
        max_geometry_index: i.max_geometry_index,
        max_unique_geometries: i.max_unique_geometries,
        max_triangles: i.max_triangles,
        max_vertices: i.max_vertices,
        max_total_triangles: i.max_total_triangles,
        max_total_vertices: i.max_total_vertices,
        max_micromap_indices: i.max_micromap_indices,
    };
    let all = [Move, BuildBottoms, BuildClusters, BuildTemplates, InstantiateTemplates];
    Ok(match variant(&all, i.operation, |o| o as u32, "operation")? {
        Move => {
            let kind = variant(&kinds, i.move_kind, |k| k as u32, "move_kind")?;
            op::Inputs::Move(op::MoveObjects { flags, max_args, mode, kind, max_bytes: i.max_bytes })
        }
        BuildBottoms => op::Inputs::Bottoms(op::BuildBottoms {
            flags,
            max_args,
            mode,
            max_total_clusters: i.max_total_clusters,
            max_clusters_per_arg: i.max_clusters_per_arg,
        }),
        BuildClusters => op::Inputs::Clusters(op::BuildClusters {
            limits,
            flags,
            mode,
            vertices: vertices(i.vertices, "vertices")?,
            indices: index(i.index_size, "index_size")?,
            geometry_indices: index(i.geometry_index_size, "geometry_index_size")?,
            micromap_indices: index(i.micromap_index_size, "micromap_index_size")?,
            min_truncate_bits: i.min_truncate_bits,
            max_compressed_size: i.max_compressed_size,
        }),
        BuildTemplates => op::Inputs::Templates(op::BuildTemplates {
            limits,
            flags,
            mode,
            hints: vertices(i.vertices, "vertices")?,
            instances: vertices(i.instance_vertices, "instance_vertices")?,
            indices: index(i.index_size, "index_size")?,
            geometry_indices: index(i.geometry_index_size, "geometry_index_size")?,
            micromap_indices: index(i.micromap_index_size, "micromap_index_size")?,
        }),
        InstantiateTemplates => {
            let vertices = vertices(i.vertices, "vertices")?;
            op::Inputs::Instantiate(op::InstantiateTemplates { limits, flags, mode, vertices })
        }
    })
}

/// How large a partitioned structure is. Set all members to zero and `size` to `sizeof(rtcrt_partitioned_desc)` first.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct rtcrt_partitioned_desc {
    /// `sizeof(rtcrt_partitioned_desc)`.
    pub size: usize,
    /// Instances of the table; all are inactive at first.
    pub instances: u32,
    /// Instances in a partition at most.
    pub max_in_partition: u32,
    /// Partitions, besides the global one.
    pub partitions: u32,
    /// Instances in the global partition at most.
    pub max_in_global: u32,
    /// Not 0: change fast rather than trace fast.
    pub fast_build: u32,
    /// Not 0: partitions may be moved.
    pub allow_translation: u32,
}

// SAFETY: it begins with its size; zero is a value of each member.
unsafe impl HasSize for rtcrt_partitioned_desc {}

/// # Safety
/// `at` is null or points to a description.
unsafe fn read_partitioned(at: *const rtcrt_partitioned_desc) -> Result<op::PartitionedDesc, Failure> {
    // SAFETY: this function's contract.
    let d = unsafe { structure(at, "desc") }?;
    Ok(op::PartitionedDesc {
        instances: d.instances,
        max_in_partition: d.max_in_partition,
        partitions: d.partitions,
        max_in_global: d.max_in_global,
        fast_build: d.fast_build != 0,
        allow_translation: d.allow_translation != 0,
    })
}

/// Bytes that an operation needs: `GetRTASOperationPrebuildInfo`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct rtcrt_operation_sizes {
    /// Bytes of all results together if the device places them, of the largest one if the caller does; 0 where sizes are queried.
    pub result: u64,
    /// Bytes of scratch memory.
    pub scratch: u64,
}

/// # Safety
/// As the functions below.
unsafe fn put_sizes(device: *const rtcrt_device, inputs: &op::Inputs, sizes: *mut rtcrt_operation_sizes) -> Result<(), Failure> {
    // SAFETY: this function's contract.
    unsafe {
        let s = operation_sizes(&object(device).of("device")?.device, inputs)?;
        put(sizes, rtcrt_operation_sizes { result: s.result, scratch: s.scratch }, "sizes")
    }
}

/// Bytes that a batch of operations on clusters needs. Needs `RTCRT_USE_CLUSTERS`.
///
/// # Safety
/// `device` is a device; `inputs` points to inputs; `sizes` can be written; `error` is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_cluster_inputs_sizes(
    device: *const rtcrt_device,
    inputs: *const rtcrt_cluster_inputs,
    sizes: *mut rtcrt_operation_sizes,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe { guarded(error, || put_sizes(device, &read_clusters(inputs)?, sizes)) }
}

/// Bytes that a partitioned structure and its builds need. Needs `RTCRT_USE_PARTITIONS`.
///
/// # Safety
/// `device` is a device; `desc` points to a description; `sizes` can be written; `error` is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_partitioned_sizes(
    device: *const rtcrt_device,
    desc: *const rtcrt_partitioned_desc,
    sizes: *mut rtcrt_operation_sizes,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe { guarded(error, || put_sizes(device, &op::Inputs::Partitioned(read_partitioned(desc)?), sizes)) }
}

/// What addresses of clusters and their like are multiples of, on a device.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct rtcrt_cluster_alignments {
    /// Of scratch memory.
    pub scratch: u64,
    /// Of clusters.
    pub cluster: u64,
    /// Of templates.
    pub cluster_template: u64,
    /// Of structures of clusters.
    pub bottom: u64,
    /// Of the bounds of instances of templates.
    pub bounds: u64,
}

/// What addresses are multiples of; never more than in D3D12. Needs `RTCRT_USE_CLUSTERS`.
///
/// # Safety
/// `device` is a device; `alignments` can be written; `error` is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_device_cluster_alignments(
    device: *const rtcrt_device,
    alignments: *mut rtcrt_cluster_alignments,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe {
        guarded(error, || {
            let a = cluster_alignments(&object(device).of("device")?.device)?;
            let all = rtcrt_cluster_alignments {
                scratch: a.scratch,
                cluster: a.cluster,
                cluster_template: a.template,
                bottom: a.bottom,
                bounds: a.bounds,
            };
            put(alignments, all, "alignments")
        })
    }
}

/// A list in device memory.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct rtcrt_strided {
    /// Where the first element is; 0: nothing.
    pub address: u64,
    /// From one element to the next; 0: they have no gaps.
    pub stride: u64,
}

impl From<rtcrt_strided> for op::Strided {
    fn from(s: rtcrt_strided) -> op::Strided {
        op::Strided { address: s.address, stride: s.stride }
    }
}

/// Where a batch finds its arguments and leaves its results: `D3D12_RTAS_BATCHED_OPERATION_DATA`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct rtcrt_batch_data {
    /// `D3D12_RTAS_OPERATION_ADDRESS_RESOLUTION_FLAG_*` as numbers, which Vulkan has too: of which members the address is that of an
    /// address.
    pub resolution: u32,
    /// Memory that the device distributes.
    pub result: u64,
    /// Scratch memory.
    pub scratch: u64,
    /// Addresses of results, 8 bytes each.
    pub addresses: rtcrt_strided,
    /// Sizes of results, 32 bits in strides of 8.
    pub sizes: rtcrt_strided,
    /// The arguments, in the layouts of Vulkan (`rtcrt_cluster_arguments`).
    pub arguments: rtcrt_strided,
    /// The address of the number of arguments (32 bits).
    pub count: u64,
    /// Must be 0; D3D12's information for tools has no counterpart.
    pub tools: u64,
}

/// Where a partitioned structure is, and what changes: `D3D12_RTAS_PARTITIONED_TLAS_OPERATION_DATA`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct rtcrt_partitioned_data {
    /// The structure that is changed; 0: a new one.
    pub source: u64,
    /// Where the changed one goes; may be `source`.
    pub dest: u64,
    /// Scratch memory.
    pub scratch: u64,
    /// Address of the number of operations (32 bits).
    pub count: u64,
    /// Address of the operations, 24 bytes each: type, number of arguments, their address and stride.
    pub operations: u64,
}

/// An operation: on clusters, with `clusters` and `batch`, or on a partitioned structure, with `partitioned` and `data`; the other two are
/// null. Set all members to zero and `size` to `sizeof(rtcrt_operation)` first.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct rtcrt_operation {
    /// `sizeof(rtcrt_operation)`.
    pub size: usize,
    /// What is done with clusters.
    pub clusters: *const rtcrt_cluster_inputs,
    /// Where.
    pub batch: *const rtcrt_batch_data,
    /// How large a partitioned structure is.
    pub partitioned: *const rtcrt_partitioned_desc,
    /// Where it is.
    pub data: *const rtcrt_partitioned_data,
}

// SAFETY: it begins with its size; zero is a value of each member.
unsafe impl HasSize for rtcrt_operation {}

impl rtcrt_operation {
    /// # Safety
    /// Its pointers are null or valid.
    unsafe fn read(&self, argument: &str) -> Result<op::Operation, Failure> {
        // SAFETY: this function's contract.
        unsafe {
            match (self.clusters.is_null(), self.partitioned.is_null()) {
                (false, true) => {
                    let b = object(self.batch).of("batch")?;
                    let data = op::BatchData {
                        resolution: b.resolution,
                        result: b.result,
                        scratch: b.scratch,
                        addresses: b.addresses.into(),
                        sizes: b.sizes.into(),
                        arguments: b.arguments.into(),
                        count: b.count,
                        tools: b.tools,
                    };
                    Ok(op::Operation::Batch(read_clusters(self.clusters)?, data))
                }
                (true, false) => {
                    let d = object(self.data).of("data")?;
                    let data = op::PartitionedData {
                        source: d.source,
                        dest: d.dest,
                        scratch: d.scratch,
                        count: d.count,
                        operations: d.operations,
                    };
                    Ok(op::Operation::Partitioned(read_partitioned(self.partitioned)?, data))
                }
                _ => Err(invalid(format!("`{argument}` must have either `clusters` or `partitioned`"))),
            }
        }
    }
}

/// Records operations: `ExecuteIndirectRTASOperations`. They run in no order. A barrier after them makes results visible to builds and to
/// stages that trace rays; arguments and results in buffers are the caller's to synchronise.
///
/// # Safety
/// `device` is a device; `command_buffer` is a `VkCommandBuffer` of it that records outside of a render pass; `operations` points to
/// `count` operations with valid pointers. Memory at all addresses is as they say, large enough, and lives until the work ends. `error` is
/// null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_execute_operations(
    device: *const rtcrt_device,
    command_buffer: *mut c_void,
    operations: *const rtcrt_operation,
    count: usize,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe {
        guarded(error, || {
            let device = object(device).of("device")?;
            let mut all = Vec::new();
            for (i, operation) in slice(operations, count).of("operations")?.iter().enumerate() {
                let name = format!("operations[{i}]");
                all.push(structure(operation, &name)?.read(&name)?);
            }
            Ok(execute_operations(&device.device, number(command_buffer), &all)?)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(inputs: &rtcrt_cluster_inputs) -> Result<op::Inputs, String> {
        // SAFETY: a reference.
        unsafe { read_clusters(inputs) }.map_err(|e| e.message)
    }

    fn sample() -> rtcrt_cluster_inputs {
        rtcrt_cluster_inputs {
            size: size_of::<rtcrt_cluster_inputs>(),
            operation: 0,
            mode: 1,
            flags: 0x200,
            max_args: 11,
            move_kind: 2,
            max_clusters_per_arg: 12,
            max_total_clusters: 13,
            vertices: 3,
            instance_vertices: 5,
            index_size: 1,
            geometry_index_size: 2,
            micromap_index_size: 4,
            max_geometry_index: 14,
            max_unique_geometries: 15,
            max_triangles: 16,
            max_vertices: 17,
            max_total_triangles: 18,
            max_total_vertices: 19,
            max_micromap_indices: 20,
            min_truncate_bits: 21,
            max_compressed_size: 22,
            max_bytes: 23,
        }
    }

    /// Every number differs, so that one in another's place is seen.
    #[test]
    fn every_member_has_its_place() {
        let mut inputs = sample();
        let (mode, flags, max_args) = (op::OperationMode::Explicit, 0x200, 11);
        let limits = op::ClusterLimits {
            max_args,
            max_geometry_index: 14,
            max_unique_geometries: 15,
            max_triangles: 16,
            max_vertices: 17,
            max_total_triangles: 18,
            max_total_vertices: 19,
            max_micromap_indices: 20,
        };
        let (indices, geometry_indices, micromap_indices) = (op::IndexFormat::Uint8, op::IndexFormat::Uint16, op::IndexFormat::Uint32);
        let vertices = op::VertexFormat::Float16x2;
        for (operation, expected) in [
            op::Inputs::Move(op::MoveObjects { flags, max_args, mode, kind: op::MoveKind::Template, max_bytes: 23 }),
            op::Inputs::Bottoms(op::BuildBottoms { flags, max_args, mode, max_total_clusters: 13, max_clusters_per_arg: 12 }),
            op::Inputs::Clusters(op::BuildClusters {
                limits,
                flags,
                mode,
                vertices,
                indices,
                geometry_indices,
                micromap_indices,
                min_truncate_bits: 21,
                max_compressed_size: 22,
            }),
            op::Inputs::Templates(op::BuildTemplates {
                limits,
                flags,
                mode,
                hints: vertices,
                instances: op::VertexFormat::Unorm16x2,
                indices,
                geometry_indices,
                micromap_indices,
            }),
            op::Inputs::Instantiate(op::InstantiateTemplates { limits, flags, mode, vertices }),
        ]
        .into_iter()
        .enumerate()
        {
            inputs.operation = operation as u32;
            assert_eq!(read(&inputs), Ok(expected));
        }
        inputs.operation = 5;
        assert!(read(&inputs).unwrap_err().contains("`operation` is 5"));
    }

    #[test]
    fn operations_have_what_they_name() {
        let strided = |address| rtcrt_strided { address, stride: 8 };
        let clusters = sample();
        let batch = rtcrt_batch_data {
            resolution: 1,
            result: 2,
            scratch: 3,
            addresses: strided(4),
            sizes: strided(5),
            arguments: strided(6),
            count: 7,
            tools: 8,
        };
        let desc = rtcrt_partitioned_desc {
            size: size_of::<rtcrt_partitioned_desc>(),
            instances: 1,
            max_in_partition: 2,
            partitions: 3,
            max_in_global: 4,
            fast_build: 1,
            allow_translation: 0,
        };
        let data = rtcrt_partitioned_data { source: 1, dest: 2, scratch: 3, count: 4, operations: 5 };
        let none = rtcrt_operation {
            size: size_of::<rtcrt_operation>(),
            clusters: std::ptr::null(),
            batch: std::ptr::null(),
            partitioned: std::ptr::null(),
            data: std::ptr::null(),
        };
        let first = rtcrt_operation { clusters: &raw const clusters, batch: &raw const batch, ..none };
        let second = rtcrt_operation { partitioned: &raw const desc, data: &raw const data, ..none };
        let both = rtcrt_operation { partitioned: &raw const desc, ..first };
        // SAFETY: what the operations point to lives.
        let (first, second, both) = unsafe { (first.read("x"), second.read("x"), both.read("x")) };
        let packed = |address| op::Strided { address, stride: 8 };
        let expected = op::BatchData {
            resolution: 1,
            result: 2,
            scratch: 3,
            addresses: packed(4),
            sizes: packed(5),
            arguments: packed(6),
            count: 7,
            tools: 8,
        };
        assert!(matches!(first, Ok(op::Operation::Batch(op::Inputs::Move(_), data)) if data == expected));
        let desc = op::PartitionedDesc {
            instances: 1,
            max_in_partition: 2,
            partitions: 3,
            max_in_global: 4,
            fast_build: true,
            allow_translation: false,
        };
        let data = op::PartitionedData { source: 1, dest: 2, scratch: 3, count: 4, operations: 5 };
        assert_eq!(second.map_err(|e| e.message), Ok(op::Operation::Partitioned(desc, data)));
        assert!(both.is_err());
    }
}
