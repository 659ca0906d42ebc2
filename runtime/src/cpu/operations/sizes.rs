//! How much memory operations need.
//!
//! An object has a mark, its tree and what its leaves hold, rounded up to its alignment; what a structure refers to is not part of it.
//! Bounds follow from the most nodes that a tree of so many primitives can have. A batch needs the least of two bounds: the
//! largest object as often as there are arguments, and the sum that follows from the totals. Both grow at least as fast as what
//! they are of, and so does their minimum: two batches never need more apart than together.

use super::addresses::wrong;
use super::placed::MARK;
use crate::cpu::accel::{Partitioned, cluster_bytes, references_bytes, template_bytes};
use crate::device::{
    BOTTOM_ALIGNMENT, BuildBottoms, CLUSTER_ALIGNMENT, CLUSTER_MAX, ClusterLimits, Inputs, MAX_GEOMETRY_INDEX, OperationMode,
    OperationSizes, PartitionedDesc, TEMPLATE_ALIGNMENT,
};
use crate::error::Result;

/// Bytes of a cluster of which `own` are its tree and triangles.
pub fn cluster(own: u64) -> u64 {
    (MARK + own).next_multiple_of(CLUSTER_ALIGNMENT)
}

/// Bytes of a template.
pub fn template(own: u64) -> u64 {
    (MARK + own).next_multiple_of(TEMPLATE_ALIGNMENT)
}

/// Bytes of a structure of clusters.
pub fn bottom(own: u64) -> u64 {
    (MARK + own).next_multiple_of(BOTTOM_ALIGNMENT)
}

/// Bytes of a partitioned structure.
pub fn partitioned(desc: &PartitionedDesc) -> u64 {
    (MARK + Partitioned::bytes(desc)).next_multiple_of(BOTTOM_ALIGNMENT)
}

/// The most that clusters of so many triangles can have.
pub fn cluster_bound(triangles: u32) -> u64 {
    cluster(cluster_bytes(triangles))
}

/// The most that a template can have.
pub fn template_bound(triangles: u32, vertices: u32) -> u64 {
    template(template_bytes(triangles, vertices))
}

/// The most that a structure of so many clusters can have.
pub fn bottom_bound(clusters: u32) -> u64 {
    bottom(references_bytes(clusters))
}

/// What `count` results need of which each has at most `largest` bytes, or `own` plus what a linear function of totals says.
fn batch(mode: OperationMode, count: u32, largest: u64, sum: u64, alignment: u64) -> u64 {
    match mode {
        OperationMode::GetSizes => 0,
        OperationMode::Explicit => largest,
        // The sum of sizes that are multiples of the alignment is one too.
        OperationMode::Implicit => u64::from(count).saturating_mul(largest).min(sum / alignment * alignment),
    }
}

/// Limits that can be kept at all.
pub fn check_limits(l: &ClusterLimits) -> Result<()> {
    for (field, value, most) in [
        ("MaxTriangleCountPerCluster", l.max_triangles, CLUSTER_MAX as u32),
        ("MaxVertexCountPerCluster", l.max_vertices, CLUSTER_MAX as u32),
        ("MaxGeometryIndexValue", l.max_geometry_index, MAX_GEOMETRY_INDEX),
    ] {
        if value > most {
            return Err(wrong(format!("{field}: {value}, at most {most} is possible")));
        }
    }
    Ok(())
}

/// Bytes that are worked with for each argument and each primitive.
fn scratch(arguments: u32, primitives: u32) -> u64 {
    (u64::from(arguments) * 64 + u64::from(primitives) * 32).next_multiple_of(BOTTOM_ALIGNMENT)
}

/// See [`crate::device::Device::operation_sizes`].
///
/// # Errors
/// Limits that cannot be kept.
pub fn prebuild(inputs: &Inputs) -> Result<OperationSizes> {
    let clusters = |l: &ClusterLimits, mode| {
        check_limits(l)?;
        let (n, triangles) = (u64::from(l.max_args), u64::from(l.max_total_triangles));
        // A cluster of no triangles, a step of alignment for each, and what each triangle can add.
        let sum = n * (MARK + cluster_bytes(0) + per_object() + CLUSTER_ALIGNMENT) + triangles * per_triangle(cluster_bytes);
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
            let each = MARK + template_bytes(0, 0) + per_object() + TEMPLATE_ALIGNMENT;
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
    let sum = n * (MARK + references_bytes(0) + per_object() + BOTTOM_ALIGNMENT) + total * per_triangle(references_bytes);
    // No argument can have more than all of them.
    let largest = bottom_bound(b.max_clusters_per_arg.min(b.max_total_clusters));
    let result = batch(b.mode, b.max_args, largest, sum, BOTTOM_ALIGNMENT);
    OperationSizes { result, scratch: scratch(b.max_args, b.max_total_clusters) }
}

/// What a tree has however few primitives it is of: a node, and what rounding of nodes adds.
fn per_object() -> u64 {
    2 * crate::cpu::accel::NODE_BYTES
}

/// What a primitive adds at most to `bytes`, but for what [`per_object`] counts: `bytes` is a line with steps of a node.
fn per_triangle(bytes: impl Fn(u32) -> u64) -> u64 {
    const MANY: u32 = 1 << 20;
    (bytes(MANY) - bytes(0)).div_ceil(u64::from(MANY))
}
