//! The operations of Direct3D 12's ray tracing, one row each, with what Vulkan calls them and whether the CPU device has them.

/// An operation.
pub(super) struct Operation {
    /// The row of the mapping.
    pub row: &'static str,
    /// What Direct3D 12 calls it.
    pub name: &'static str,
    /// Extension and feature (of the extension; either may be empty) that Vulkan needs for it: all of one of these lists.
    /// Empty: Vulkan has no such thing.
    pub vulkan: &'static [&'static [(&'static str, &'static str)]],
    /// Why the CPU device has no such thing.
    pub cpu: Option<&'static str>,
}

type Needs = &'static [(&'static str, &'static str)];

const RT: Needs = &[("VK_KHR_ray_tracing_pipeline", "rayTracingPipeline")];
const AS: Needs = &[("VK_KHR_acceleration_structure", "accelerationStructure")];
const NOT_THERE: Option<&str> = Some("the CPU device has no such call");

/// Every operation, in the order of the mapping.
#[rustfmt::skip]
pub(super) const OPERATIONS: &[Operation] = &[
    Operation { row: "M01", name: "DispatchRays", vulkan: &[RT], cpu: None },
    Operation { row: "M02", name: "ExecuteIndirect of DispatchRays", vulkan: &[&[("VK_KHR_ray_tracing_pipeline", "rayTracingPipelineTraceRaysIndirect")]], cpu: NOT_THERE },
    Operation { row: "M03", name: "CreateStateObject", vulkan: &[RT], cpu: None },
    Operation { row: "M04", name: "collections, AddToStateObject", vulkan: &[&[("VK_KHR_pipeline_library", "")]], cpu: NOT_THERE },
    Operation { row: "M05", name: "GetShaderIdentifier", vulkan: &[RT], cpu: None },
    Operation { row: "M06", name: "GetPipelineStackSize, SetPipelineStackSize", vulkan: &[RT], cpu: NOT_THERE },
    Operation { row: "M07", name: "MaxTraceRecursionDepth", vulkan: &[RT], cpu: None },
    Operation { row: "M08", name: "flags to skip triangles and procedural primitives", vulkan: &[&[("VK_KHR_ray_tracing_pipeline", "rayTraversalPrimitiveCulling")]], cpu: None },
    Operation { row: "M09", name: "BuildRaytracingAccelerationStructure", vulkan: &[AS], cpu: None },
    Operation { row: "M10", name: "indirect builds of acceleration structures", vulkan: &[&[("VK_KHR_acceleration_structure", "accelerationStructureIndirectBuild")]], cpu: NOT_THERE },
    Operation { row: "M11", name: "D3D12_RAYTRACING_GEOMETRY_DESC", vulkan: &[AS], cpu: None },
    Operation { row: "M12", name: "D3D12_ELEMENTS_LAYOUT", vulkan: &[AS], cpu: None },
    Operation { row: "M13", name: "geometry of triangles", vulkan: &[AS], cpu: None },
    Operation { row: "M14", name: "geometry of boxes", vulkan: &[AS], cpu: None },
    Operation { row: "M15", name: "counts and offsets of primitives", vulkan: &[AS], cpu: None },
    Operation { row: "M16", name: "D3D12_RAYTRACING_INSTANCE_DESC", vulkan: &[AS], cpu: None },
    Operation { row: "M17", name: "GetRaytracingAccelerationStructurePrebuildInfo", vulkan: &[AS], cpu: NOT_THERE },
    Operation { row: "M18", name: "EmitRaytracingAccelerationStructurePostbuildInfo", vulkan: &[AS], cpu: None },
    Operation { row: "M19", name: "copies: clone, compact", vulkan: &[AS], cpu: None },
    Operation { row: "M20", name: "copies: serialize, deserialize", vulkan: &[AS], cpu: None },
    Operation { row: "M21", name: "CheckDriverMatchingIdentifier", vulkan: &[AS], cpu: None },
    Operation { row: "M22", name: "copies: decode for visualization", vulkan: &[], cpu: NOT_THERE },
    Operation { row: "M23", name: "acceleration structures as resources of shaders", vulkan: &[AS], cpu: None },
    Operation { row: "M24", name: "RayQuery", vulkan: &[&[("VK_KHR_ray_query", "rayQuery")]], cpu: None },
    Operation { row: "M25", name: "shader execution reordering", vulkan: &[&[("VK_EXT_ray_tracing_invocation_reorder", "rayTracingInvocationReorder")], &[("VK_NV_ray_tracing_invocation_reorder", "rayTracingInvocationReorder")]], cpu: None },
    Operation { row: "M26", name: "opacity micromaps", vulkan: &[&[("VK_EXT_opacity_micromap", "micromap")]], cpu: None },
    Operation { row: "M27", name: "vertex positions of hits", vulkan: &[&[("VK_KHR_ray_tracing_position_fetch", "rayTracingPositionFetch")]], cpu: None },
    Operation { row: "M28", name: "clusters of triangles", vulkan: &[&[("VK_NV_cluster_acceleration_structure", "clusterAccelerationStructure")]], cpu: None },
    Operation { row: "M28", name: "partitioned top-level structures", vulkan: &[&[("VK_NV_partitioned_acceleration_structure", "partitionedAccelerationStructure")]], cpu: None },
];
