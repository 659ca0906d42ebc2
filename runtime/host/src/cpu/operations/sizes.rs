//! Memory requirements of operations (`GetRaytracingAccelerationStructurePrebuildInfo` for operations).
//!
//! An object has a signature, its tree and its leaf data, rounded up to its alignment; objects that it refers to are not part of
//! it. Bounds follow from the maximum number of nodes of a tree. A batch requires the minimum of two bounds: the largest object
//! times the number of arguments, and a linear function of the totals. Both grow at least as fast as the actual sizes, and so
//! does their minimum: separate batches never need more than a joint one.

use super::addresses::error;
use super::resident::SIGNATURE;
use crate::cpu::accel::{Partitioned, cluster_bytes, references_bytes, template_bytes};
use crate::device::{
    BOTTOM_ALIGNMENT, BuildBottoms, CLUSTER_ALIGNMENT, CLUSTER_MAX, ClusterLimits, Inputs, MAX_GEOMETRY_INDEX, OperationMode,
    OperationSizes, PartitionedDesc, TEMPLATE_ALIGNMENT,
};
use crate::error::Result;

/// Size of a cluster whose tree and triangles have `own` bytes.
pub fn cluster(own: u64) -> u64 {
    (SIGNATURE + own).next_multiple_of(CLUSTER_ALIGNMENT)
}

/// Size of a template.
pub fn template(own: u64) -> u64 {
    (SIGNATURE + own).next_multiple_of(TEMPLATE_ALIGNMENT)
}

/// Size of a structure of clusters.
pub fn bottom(own: u64) -> u64 {
    (SIGNATURE + own).next_multiple_of(BOTTOM_ALIGNMENT)
}

/// Size of a partitioned structure.
pub fn partitioned(desc: &PartitionedDesc) -> u64 {
    (SIGNATURE + Partitioned::bytes(desc)).next_multiple_of(BOTTOM_ALIGNMENT)
}

/// Maximum size of a cluster with so many triangles.
pub fn cluster_bound(triangles: u32) -> u64 {
    cluster(cluster_bytes(triangles))
}

/// Maximum size of a template.
pub fn template_bound(triangles: u32, vertices: u32) -> u64 {
    template(template_bytes(triangles, vertices))
}

/// Maximum size of a structure with so many clusters.
pub fn bottom_bound(clusters: u32) -> u64 {
    bottom(references_bytes(clusters))
}

/// The size of `count` results, each of at most `largest` bytes, whose sizes sum up to at most `sum`.
fn batch(mode: OperationMode, count: u32, largest: u64, sum: u64, alignment: u64) -> u64 {
    match mode {
        OperationMode::GetSizes => 0,
        OperationMode::Explicit => largest,
        // A sum of multiples of the alignment is a multiple too.
        OperationMode::Implicit => u64::from(count).saturating_mul(largest).min(sum / alignment * alignment),
    }
}

/// Checks that limits are within the maximums.
///
/// # Errors
/// The limit that is too large.
pub fn check_limits(l: &ClusterLimits) -> Result<()> {
    for (field, value, most) in [
        ("MaxTriangleCountPerCluster", l.max_triangles, CLUSTER_MAX as u32),
        ("MaxVertexCountPerCluster", l.max_vertices, CLUSTER_MAX as u32),
        ("MaxGeometryIndexValue", l.max_geometry_index, MAX_GEOMETRY_INDEX),
    ] {
        if value > most {
            return Err(error(format!("{field}: {value}, the maximum is {most}")));
        }
    }
    Ok(())
}

/// Scratch bytes for the arguments and primitives.
fn scratch(arguments: u32, primitives: u32) -> u64 {
    (u64::from(arguments) * 64 + u64::from(primitives) * 32).next_multiple_of(BOTTOM_ALIGNMENT)
}

/// See [`crate::device::Device::operation_sizes`].
///
/// # Errors
/// Limits above the maximums.
pub fn prebuild(inputs: &Inputs) -> Result<OperationSizes> {
    let clusters = |l: &ClusterLimits, mode| {
        check_limits(l)?;
        let (n, triangles) = (u64::from(l.max_args), u64::from(l.max_total_triangles));
        // An empty cluster and an alignment step for each, and the contribution of each triangle.
        let sum = n * (SIGNATURE + cluster_bytes(0) + per_object() + CLUSTER_ALIGNMENT) + triangles * per_triangle(cluster_bytes);
        let result = batch(mode, l.max_args, cluster_bound(l.max_triangles), sum, CLUSTER_ALIGNMENT);
        Ok(OperationSizes { result, scratch: scratch(l.max_args, l.max_total_triangles) })
    };
    match inputs {
        Inputs::Clusters(b) => clusters(&b.limits, b.mode),
        Inputs::Instantiate(b) => clusters(&b.limits, b.mode),
        Inputs::Templates(b) => {
            let l = &b.limits;
            check_limits(l)?;
            let (n, t, v) = (u64::from(l.max_args), u64::from(l.max_total_triangles), u64::from(l.max_total_vertices));
            let each = SIGNATURE + template_bytes(0, 0) + per_object() + TEMPLATE_ALIGNMENT;
            let sum = n * each + t * per_triangle(|t| template_bytes(t, 0)) + v * (template_bytes(0, 1) - template_bytes(0, 0));
            let largest = template_bound(l.max_triangles, l.max_vertices);
            let result = batch(b.mode, l.max_args, largest, sum, TEMPLATE_ALIGNMENT);
            Ok(OperationSizes { result, scratch: scratch(l.max_args, l.max_total_triangles) })
        }
        Inputs::Bottoms(b) => Ok(bottoms(b)),
        Inputs::Move(m) => Ok(OperationSizes { result: 0, scratch: scratch(m.max_args, 0) }),
        Inputs::Partitioned(desc) => {
            Partitioned::check_size(desc)?;
            Ok(OperationSizes { result: partitioned(desc), scratch: scratch(desc.partitions, desc.instances) })
        }
    }
}

fn bottoms(b: &BuildBottoms) -> OperationSizes {
    let (n, total) = (u64::from(b.max_args), u64::from(b.max_total_clusters));
    let sum = n * (SIGNATURE + references_bytes(0) + per_object() + BOTTOM_ALIGNMENT) + total * per_triangle(references_bytes);
    // No argument can have more clusters than the total.
    let largest = bottom_bound(b.max_clusters_per_arg.min(b.max_total_clusters));
    let result = batch(b.mode, b.max_args, largest, sum, BOTTOM_ALIGNMENT);
    OperationSizes { result, scratch: scratch(b.max_args, b.max_total_clusters) }
}

/// The part of a tree's size that is independent of the number of primitives: a node, and rounding.
fn per_object() -> u64 {
    2 * crate::cpu::accel::NODE_BYTES
}

/// Upper bound of the size per primitive, except for [`per_object`]: `bytes` is linear with steps of a node.
fn per_triangle(bytes: impl Fn(u32) -> u64) -> u64 {
    const MANY: u32 = 1 << 20;
    (bytes(MANY) - bytes(0)).div_ceil(u64::from(MANY))
}
