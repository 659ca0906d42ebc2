//! The table of Vulkan features that the runtime uses: one row per feature.
//!
//! A row names a feature as the specification does, the extension that has it, and its member of
//! the feature structures. The rows decide which features a physical device has, which are enabled at
//! device creation and whether a package's requirements are met.

use super::vk;
use rtc_package::{Requirement, RequirementKind};
use rustc_hash::FxHashSet;
use vulkanalia::vk::{Bool32, InstanceV1_1};

/// Whether a device is usable without a feature.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Need {
    /// No ray tracing program runs without it.
    Always,
    /// Switched on where it is there; a package may demand it.
    Optional,
    /// Switched on for callers that request it alone, because it changes how other things are used or costs something.
    Requested,
}
use Need::{Always, Optional, Requested};

/// One feature.
pub struct Row {
    /// Its member name in the feature structure.
    pub name: &'static str,
    /// The extension that has it; empty: core.
    pub extension: &'static str,
    /// Whether everything needs it.
    pub need: Need,
    get: fn(&mut Chain) -> &mut Bool32,
}

const AS: &str = "VK_KHR_acceleration_structure";
const RT: &str = "VK_KHR_ray_tracing_pipeline";

const IMAGE_INT64: &str = "VK_EXT_shader_image_atomic_int64";
const PARTITIONED: &str = "VK_NV_partitioned_acceleration_structure";
const CLOCK: &str = "VK_KHR_shader_clock";
const DERIVATIVES: &str = "VK_KHR_compute_shader_derivatives";
const DYNAMIC_RENDERING: &str = "VK_KHR_dynamic_rendering";
/// The extension with mesh shaders.
pub const MESH: &str = "VK_EXT_mesh_shader";
const FEEDBACK: &str = "VK_EXT_transform_feedback";
const DEMOTE: &str = "VK_EXT_shader_demote_to_helper_invocation";
const QUAD_CONTROL: &str = "VK_KHR_shader_quad_control";
const RECONVERGENCE: &str = "VK_KHR_shader_maximal_reconvergence";
const BARYCENTRIC: &str = "VK_KHR_fragment_shader_barycentric";
const INTERLOCK: &str = "VK_EXT_fragment_shader_interlock";
const SHADING_RATE: &str = "VK_KHR_fragment_shading_rate";
const COOPERATIVE_VECTOR: &str = "VK_NV_cooperative_vector";
/// The extension with descriptors in memory.
pub const DESCRIPTOR_BUFFER: &str = "VK_EXT_descriptor_buffer";
/// The extension that a shader's `WaveSize` requires.
pub const SUBGROUP_SIZE: &str = "VK_EXT_subgroup_size_control";

/// Every feature that this runtime knows.
#[rustfmt::skip]
pub const ROWS: &[Row] = &[
    Row { name: "accelerationStructure",                     extension: AS, need: Always, get: |c| &mut c.accel.acceleration_structure },
    Row { name: "accelerationStructureIndirectBuild",        extension: AS, need: Optional, get: |c| &mut c.accel.acceleration_structure_indirect_build },
    Row { name: "accelerationStructureHostCommands",         extension: AS, need: Optional, get: |c| &mut c.accel.acceleration_structure_host_commands },
    Row { name: "rayTracingPipeline",                        extension: RT, need: Always, get: |c| &mut c.pipeline.ray_tracing_pipeline },
    Row { name: "bufferDeviceAddress",                       extension: "", need: Always, get: |c| &mut c.v12.buffer_device_address },
    Row { name: "runtimeDescriptorArray",                    extension: "", need: Always, get: |c| &mut c.v12.runtime_descriptor_array },
    Row { name: "descriptorBindingPartiallyBound",           extension: "", need: Always, get: |c| &mut c.v12.descriptor_binding_partially_bound },
    Row { name: "scalarBlockLayout",                         extension: "", need: Optional, get: |c| &mut c.v12.scalar_block_layout },
    Row { name: "rayTraversalPrimitiveCulling",              extension: RT, need: Optional, get: |c| &mut c.pipeline.ray_traversal_primitive_culling },
    Row { name: "rayTracingPipelineTraceRaysIndirect",       extension: RT, need: Optional, get: |c| &mut c.pipeline.ray_tracing_pipeline_trace_rays_indirect },
    Row { name: "rayQuery",                                  extension: "VK_KHR_ray_query", need: Optional, get: |c| &mut c.ray_query.ray_query },
    Row { name: "rayTracingPositionFetch",                   extension: "VK_KHR_ray_tracing_position_fetch", need: Optional, get: |c| &mut c.position_fetch.ray_tracing_position_fetch },
    Row { name: "rayTracingMaintenance1",                    extension: "VK_KHR_ray_tracing_maintenance1", need: Optional, get: |c| &mut c.maintenance1.ray_tracing_maintenance1 },
    Row { name: "rayTracingPipelineTraceRaysIndirect2",      extension: "VK_KHR_ray_tracing_maintenance1", need: Optional, get: |c| &mut c.maintenance1.ray_tracing_pipeline_trace_rays_indirect2 },
    Row { name: "rayTracingInvocationReorder",               extension: "VK_EXT_ray_tracing_invocation_reorder", need: Optional, get: |c| &mut c.reorder_ext.ray_tracing_invocation_reorder },
    Row { name: "rayTracingInvocationReorder",               extension: "VK_NV_ray_tracing_invocation_reorder", need: Optional, get: |c| &mut c.reorder_nv.ray_tracing_invocation_reorder },
    Row { name: "robustBufferAccess2",                       extension: "VK_EXT_robustness2", need: Optional, get: |c| &mut c.robustness2.robust_buffer_access2 },
    Row { name: "nullDescriptor",                            extension: "VK_EXT_robustness2", need: Optional, get: |c| &mut c.robustness2.null_descriptor },
    Row { name: "descriptorBuffer",                          extension: DESCRIPTOR_BUFFER, need: Requested, get: |c| &mut c.descriptor_buffer.descriptor_buffer },
    Row { name: "mutableDescriptorType",                     extension: "VK_EXT_mutable_descriptor_type", need: Optional, get: |c| &mut c.mutable.mutable_descriptor_type },
    Row { name: "shaderIntegerDotProduct",                   extension: "VK_KHR_shader_integer_dot_product", need: Optional, get: |c| &mut c.dot_product.shader_integer_dot_product },
    Row { name: "cooperativeVector",                         extension: COOPERATIVE_VECTOR, need: Optional, get: |c| &mut c.cooperative_vector.cooperative_vector },
    Row { name: "cooperativeVectorTraining",                 extension: COOPERATIVE_VECTOR, need: Optional, get: |c| &mut c.cooperative_vector.cooperative_vector_training },
    Row { name: "micromap",                                  extension: "VK_EXT_opacity_micromap", need: Optional, get: |c| &mut c.micromap.micromap },
    Row { name: "clusterAccelerationStructure",              extension: "VK_NV_cluster_acceleration_structure", need: Optional, get: |c| &mut c.clusters.cluster_acceleration_structure },
    Row { name: "partitionedAccelerationStructure",          extension: PARTITIONED, need: Optional, get: |c| &mut c.partitioned.partitioned_acceleration_structure },
    Row { name: "robustBufferAccess",                        extension: "", need: Optional, get: |c| &mut c.core.robust_buffer_access },
    Row { name: "shaderInt64",                               extension: "", need: Optional, get: |c| &mut c.core.shader_int64 },
    Row { name: "shaderInt16",                               extension: "", need: Optional, get: |c| &mut c.core.shader_int16 },
    Row { name: "shaderFloat64",                             extension: "", need: Optional, get: |c| &mut c.core.shader_float64 },
    Row { name: "shaderSignedZeroInfNanPreserveFloat32",     extension: "", need: Optional, get: |c| &mut c.properties.shader_signed_zero_inf_nan_preserve_float32 },
    Row { name: "shaderDenormPreserveFloat32",               extension: "", need: Optional, get: |c| &mut c.properties.shader_denorm_preserve_float32 },
    Row { name: "shaderDenormFlushToZeroFloat32",            extension: "", need: Optional, get: |c| &mut c.properties.shader_denorm_flush_to_zero_float32 },
    Row { name: "shaderInt8",                                extension: "", need: Optional, get: |c| &mut c.v12.shader_int8 },
    Row { name: "shaderFloat16",                             extension: "", need: Optional, get: |c| &mut c.v12.shader_float16 },
    Row { name: "storageBuffer16BitAccess",                  extension: "", need: Optional, get: |c| &mut c.v11.storage_buffer_16bit_access },
    Row { name: "uniformAndStorageBuffer16BitAccess",        extension: "", need: Optional, get: |c| &mut c.v11.uniform_and_storage_buffer_16bit_access },
    Row { name: "storageBuffer8BitAccess",                   extension: "", need: Optional, get: |c| &mut c.v12.storage_buffer_8bit_access },
    Row { name: "uniformAndStorageBuffer8BitAccess",         extension: "", need: Optional, get: |c| &mut c.v12.uniform_and_storage_buffer_8bit_access },
    Row { name: "shaderBufferInt64Atomics",                  extension: "", need: Optional, get: |c| &mut c.v12.shader_buffer_int64_atomics },
    Row { name: "shaderSharedInt64Atomics",                  extension: "", need: Optional, get: |c| &mut c.v12.shader_shared_int64_atomics },
    Row { name: "variablePointersStorageBuffer",             extension: "", need: Optional, get: |c| &mut c.v11.variable_pointers_storage_buffer },
    Row { name: "variablePointers",                          extension: "", need: Optional, get: |c| &mut c.v11.variable_pointers },
    Row { name: "uniformBufferStandardLayout",               extension: "", need: Optional, get: |c| &mut c.v12.uniform_buffer_standard_layout },
    Row { name: "vulkanMemoryModel",                         extension: "", need: Optional, get: |c| &mut c.v12.vulkan_memory_model },
    Row { name: "vulkanMemoryModelDeviceScope",              extension: "", need: Optional, get: |c| &mut c.v12.vulkan_memory_model_device_scope },
    Row { name: "shaderSubgroupExtendedTypes",               extension: "", need: Optional, get: |c| &mut c.v12.shader_subgroup_extended_types },
    Row { name: "subgroupSizeControl",                       extension: SUBGROUP_SIZE, need: Optional, get: |c| &mut c.subgroups.subgroup_size_control },
    Row { name: "shaderResourceResidency",                   extension: "", need: Optional, get: |c| &mut c.core.shader_resource_residency },
    Row { name: "shaderImageInt64Atomics",                   extension: IMAGE_INT64, need: Optional, get: |c| &mut c.image_int64.shader_image_int64_atomics },
    Row { name: "computeDerivativeGroupQuads",               extension: DERIVATIVES, need: Optional, get: |c| &mut c.derivatives.compute_derivative_group_quads },
    Row { name: "computeDerivativeGroupLinear",              extension: DERIVATIVES, need: Optional, get: |c| &mut c.derivatives.compute_derivative_group_linear },
    Row { name: "shaderDeviceClock",                         extension: CLOCK, need: Optional, get: |c| &mut c.clock.shader_device_clock },
    Row { name: "shaderSubgroupClock",                       extension: CLOCK, need: Optional, get: |c| &mut c.clock.shader_subgroup_clock },
    Row { name: "samplerAnisotropy",                         extension: "", need: Optional, get: |c| &mut c.core.sampler_anisotropy },
    Row { name: "samplerMirrorClampToEdge",                  extension: "", need: Optional, get: |c| &mut c.v12.sampler_mirror_clamp_to_edge },
    Row { name: "imageCubeArray",                            extension: "", need: Optional, get: |c| &mut c.core.image_cube_array },
    Row { name: "shaderImageGatherExtended",                 extension: "", need: Optional, get: |c| &mut c.core.shader_image_gather_extended },
    Row { name: "shaderStorageImageMultisample",             extension: "", need: Optional, get: |c| &mut c.core.shader_storage_image_multisample },
    Row { name: "descriptorIndexing",                        extension: "", need: Optional, get: |c| &mut c.v12.descriptor_indexing },
    Row { name: "shaderResourceMinLod",                      extension: "", need: Optional, get: |c| &mut c.core.shader_resource_min_lod },
    Row { name: "shaderStorageImageExtendedFormats",         extension: "", need: Optional, get: |c| &mut c.core.shader_storage_image_extended_formats },
    Row { name: "shaderStorageImageReadWithoutFormat",       extension: "", need: Optional, get: |c| &mut c.core.shader_storage_image_read_without_format },
    Row { name: "shaderStorageImageWriteWithoutFormat",      extension: "", need: Optional, get: |c| &mut c.core.shader_storage_image_write_without_format },
    Row { name: "shaderUniformBufferArrayDynamicIndexing",   extension: "", need: Optional, get: |c| &mut c.core.shader_uniform_buffer_array_dynamic_indexing },
    Row { name: "shaderSampledImageArrayDynamicIndexing",    extension: "", need: Optional, get: |c| &mut c.core.shader_sampled_image_array_dynamic_indexing },
    Row { name: "shaderStorageBufferArrayDynamicIndexing",   extension: "", need: Optional, get: |c| &mut c.core.shader_storage_buffer_array_dynamic_indexing },
    Row { name: "shaderStorageImageArrayDynamicIndexing",    extension: "", need: Optional, get: |c| &mut c.core.shader_storage_image_array_dynamic_indexing },
    Row { name: "shaderInputAttachmentArrayDynamicIndexing", extension: "", need: Optional, get: |c| &mut c.v12.shader_input_attachment_array_dynamic_indexing },
    Row { name: "shaderInputAttachmentArrayNonUniformIndexing", extension: "", need: Optional, get: |c| &mut c.v12.shader_input_attachment_array_non_uniform_indexing },
    Row { name: "shaderUniformTexelBufferArrayDynamicIndexing", extension: "", need: Optional, get: |c| &mut c.v12.shader_uniform_texel_buffer_array_dynamic_indexing },
    Row { name: "shaderStorageTexelBufferArrayDynamicIndexing", extension: "", need: Optional, get: |c| &mut c.v12.shader_storage_texel_buffer_array_dynamic_indexing },
    Row { name: "shaderUniformBufferArrayNonUniformIndexing", extension: "", need: Optional, get: |c| &mut c.v12.shader_uniform_buffer_array_non_uniform_indexing },
    Row { name: "shaderSampledImageArrayNonUniformIndexing", extension: "", need: Optional, get: |c| &mut c.v12.shader_sampled_image_array_non_uniform_indexing },
    Row { name: "shaderStorageBufferArrayNonUniformIndexing", extension: "", need: Optional, get: |c| &mut c.v12.shader_storage_buffer_array_non_uniform_indexing },
    Row { name: "shaderStorageImageArrayNonUniformIndexing", extension: "", need: Optional, get: |c| &mut c.v12.shader_storage_image_array_non_uniform_indexing },
    Row { name: "shaderUniformTexelBufferArrayNonUniformIndexing", extension: "", need: Optional, get: |c| &mut c.v12.shader_uniform_texel_buffer_array_non_uniform_indexing },
    Row { name: "shaderStorageTexelBufferArrayNonUniformIndexing", extension: "", need: Optional, get: |c| &mut c.v12.shader_storage_texel_buffer_array_non_uniform_indexing },
    Row { name: "dynamicRendering",                          extension: DYNAMIC_RENDERING, need: Optional, get: |c| &mut c.rendering.dynamic_rendering },
    Row { name: "geometryShader",                            extension: "", need: Optional, get: |c| &mut c.core.geometry_shader },
    Row { name: "tessellationShader",                        extension: "", need: Optional, get: |c| &mut c.core.tessellation_shader },
    // Where it is on, shaders of these stages must give points a size; otherwise points have size 1, as in HLSL.
    Row { name: "shaderTessellationAndGeometryPointSize",    extension: "", need: Requested, get: |c| &mut c.core.shader_tessellation_and_geometry_point_size },
    Row { name: "meshShader",                                extension: MESH, need: Optional, get: |c| &mut c.mesh.mesh_shader },
    Row { name: "taskShader",                                extension: MESH, need: Optional, get: |c| &mut c.mesh.task_shader },
    Row { name: "geometryStreams",                           extension: FEEDBACK, need: Optional, get: |c| &mut c.feedback.geometry_streams },
    Row { name: "sampleRateShading",                         extension: "", need: Optional, get: |c| &mut c.core.sample_rate_shading },
    Row { name: "shaderClipDistance",                        extension: "", need: Optional, get: |c| &mut c.core.shader_clip_distance },
    Row { name: "shaderCullDistance",                        extension: "", need: Optional, get: |c| &mut c.core.shader_cull_distance },
    Row { name: "multiViewport",                             extension: "", need: Optional, get: |c| &mut c.core.multi_viewport },
    Row { name: "shaderOutputLayer",                         extension: "", need: Optional, get: |c| &mut c.v12.shader_output_layer },
    Row { name: "shaderOutputViewportIndex",                 extension: "", need: Optional, get: |c| &mut c.v12.shader_output_viewport_index },
    Row { name: "shaderDrawParameters",                      extension: "", need: Optional, get: |c| &mut c.v11.shader_draw_parameters },
    Row { name: "multiview",                                 extension: "", need: Optional, get: |c| &mut c.v11.multiview },
    Row { name: "storageInputOutput16",                      extension: "", need: Optional, get: |c| &mut c.v11.storage_input_output16 },
    Row { name: "independentBlend",                          extension: "", need: Optional, get: |c| &mut c.core.independent_blend },
    Row { name: "dualSrcBlend",                              extension: "", need: Optional, get: |c| &mut c.core.dual_src_blend },
    Row { name: "depthClamp",                                extension: "", need: Optional, get: |c| &mut c.core.depth_clamp },
    Row { name: "depthBiasClamp",                            extension: "", need: Optional, get: |c| &mut c.core.depth_bias_clamp },
    Row { name: "fillModeNonSolid",                          extension: "", need: Optional, get: |c| &mut c.core.fill_mode_non_solid },
    Row { name: "vertexPipelineStoresAndAtomics",            extension: "", need: Optional, get: |c| &mut c.core.vertex_pipeline_stores_and_atomics },
    Row { name: "fragmentStoresAndAtomics",                  extension: "", need: Optional, get: |c| &mut c.core.fragment_stores_and_atomics },
    Row { name: "shaderDemoteToHelperInvocation",            extension: DEMOTE, need: Optional, get: |c| &mut c.demote.shader_demote_to_helper_invocation },
    Row { name: "shaderQuadControl",                         extension: QUAD_CONTROL, need: Optional, get: |c| &mut c.quad_control.shader_quad_control },
    Row { name: "shaderMaximalReconvergence",                extension: RECONVERGENCE, need: Optional, get: |c| &mut c.reconvergence.shader_maximal_reconvergence },
    Row { name: "fragmentShaderBarycentric",                 extension: BARYCENTRIC, need: Optional, get: |c| &mut c.barycentric.fragment_shader_barycentric },
    Row { name: "fragmentShaderSampleInterlock",             extension: INTERLOCK, need: Optional, get: |c| &mut c.interlock.fragment_shader_sample_interlock },
    Row { name: "fragmentShaderPixelInterlock",              extension: INTERLOCK, need: Optional, get: |c| &mut c.interlock.fragment_shader_pixel_interlock },
    Row { name: "fragmentShaderShadingRateInterlock",        extension: INTERLOCK, need: Optional, get: |c| &mut c.interlock.fragment_shader_shading_rate_interlock },
    Row { name: "pipelineFragmentShadingRate",               extension: SHADING_RATE, need: Optional, get: |c| &mut c.shading_rate.pipeline_fragment_shading_rate },
    Row { name: "primitiveFragmentShadingRate",              extension: SHADING_RATE, need: Optional, get: |c| &mut c.shading_rate.primitive_fragment_shading_rate },
];

/// Extensions that are switched on where they are there, beyond those of [`ROWS`].
pub const EXTENSIONS: &[&str] = &[
    "VK_KHR_deferred_host_operations",
    "VK_KHR_pipeline_library",
    "VK_EXT_shader_stencil_export",
    "VK_EXT_shader_viewport_index_layer",
    "VK_EXT_conservative_rasterization",
];

/// Extensions without which nothing runs.
pub const NEEDED_EXTENSIONS: &[&str] = &[AS, RT, "VK_KHR_deferred_host_operations"];

/// Calls a macro with every structure of a [`Chain`] and the extension that has it.
macro_rules! structures {
    ($with:ident) => {
        $with! {
            v11: "",
            v12: "",
            accel: AS,
            pipeline: RT,
            ray_query: "VK_KHR_ray_query",
            position_fetch: "VK_KHR_ray_tracing_position_fetch",
            maintenance1: "VK_KHR_ray_tracing_maintenance1",
            reorder_ext: "VK_EXT_ray_tracing_invocation_reorder",
            reorder_nv: "VK_NV_ray_tracing_invocation_reorder",
            robustness2: "VK_EXT_robustness2",
            mutable: "VK_EXT_mutable_descriptor_type",
            descriptor_buffer: DESCRIPTOR_BUFFER,
            dot_product: "VK_KHR_shader_integer_dot_product",
            cooperative_vector: COOPERATIVE_VECTOR,
            micromap: "VK_EXT_opacity_micromap",
            clusters: "VK_NV_cluster_acceleration_structure",
            partitioned: PARTITIONED,
            subgroups: SUBGROUP_SIZE,
            image_int64: IMAGE_INT64,
            clock: CLOCK,
            derivatives: DERIVATIVES,
            rendering: DYNAMIC_RENDERING,
            mesh: MESH,
            feedback: FEEDBACK,
            demote: DEMOTE,
            quad_control: QUAD_CONTROL,
            reconvergence: RECONVERGENCE,
            barycentric: BARYCENTRIC,
            interlock: INTERLOCK,
            shading_rate: SHADING_RATE,
        }
    };
}

/// The feature structures, linked to each other only while [`Chain::with`] runs.
#[derive(Clone, Copy, Default)]
pub struct Chain {
    core: vk::PhysicalDeviceFeatures,
    v11: vk::PhysicalDeviceVulkan11Features,
    v12: vk::PhysicalDeviceVulkan12Features,
    /// What needs no switching on, and is not linked.
    properties: vk::PhysicalDeviceVulkan12Properties,
    accel: vk::PhysicalDeviceAccelerationStructureFeaturesKHR,
    pipeline: vk::PhysicalDeviceRayTracingPipelineFeaturesKHR,
    ray_query: vk::PhysicalDeviceRayQueryFeaturesKHR,
    position_fetch: vk::PhysicalDeviceRayTracingPositionFetchFeaturesKHR,
    maintenance1: vk::PhysicalDeviceRayTracingMaintenance1FeaturesKHR,
    reorder_ext: vk::PhysicalDeviceRayTracingInvocationReorderFeaturesEXT,
    reorder_nv: vk::PhysicalDeviceRayTracingInvocationReorderFeaturesNV,
    robustness2: vk::PhysicalDeviceRobustness2FeaturesEXT,
    mutable: vk::PhysicalDeviceMutableDescriptorTypeFeaturesEXT,
    descriptor_buffer: vk::PhysicalDeviceDescriptorBufferFeaturesEXT,
    dot_product: vk::PhysicalDeviceShaderIntegerDotProductFeatures,
    cooperative_vector: vk::PhysicalDeviceCooperativeVectorFeaturesNV,
    micromap: vk::PhysicalDeviceOpacityMicromapFeaturesEXT,
    clusters: vk::PhysicalDeviceClusterAccelerationStructureFeaturesNV,
    partitioned: vk::PhysicalDevicePartitionedAccelerationStructureFeaturesNV,
    subgroups: vk::PhysicalDeviceSubgroupSizeControlFeatures,
    image_int64: vk::PhysicalDeviceShaderImageAtomicInt64FeaturesEXT,
    clock: vk::PhysicalDeviceShaderClockFeaturesKHR,
    derivatives: vk::PhysicalDeviceComputeShaderDerivativesFeaturesKHR,
    rendering: vk::PhysicalDeviceDynamicRenderingFeatures,
    mesh: vk::PhysicalDeviceMeshShaderFeaturesEXT,
    feedback: vk::PhysicalDeviceTransformFeedbackFeaturesEXT,
    demote: vk::PhysicalDeviceShaderDemoteToHelperInvocationFeatures,
    quad_control: vk::PhysicalDeviceShaderQuadControlFeaturesKHR,
    reconvergence: vk::PhysicalDeviceShaderMaximalReconvergenceFeaturesKHR,
    barycentric: vk::PhysicalDeviceFragmentShaderBarycentricFeaturesKHR,
    interlock: vk::PhysicalDeviceFragmentShaderInterlockFeaturesEXT,
    shading_rate: vk::PhysicalDeviceFragmentShadingRateFeaturesKHR,
}

impl Chain {
    /// What a physical device has; structures of extensions outside of `extensions` stay zero.
    pub fn query(instance: &vulkanalia::Instance, device: vk::PhysicalDevice, extensions: &FxHashSet<String>) -> Chain {
        let mut chain = Chain::default();
        let mut head = vk::PhysicalDeviceFeatures2::default();
        // SAFETY: `device` is one of the instance's; the chain holds structures that it knows, each once,
        // and outlives the call.
        chain.with(extensions, |next| unsafe {
            head.next = next;
            instance.get_physical_device_features2(device, &mut head);
        });
        chain.core = head.features;
        let mut head = vk::PhysicalDeviceProperties2 { next: std::ptr::from_mut(&mut chain.properties).cast(), ..Default::default() };
        // SAFETY: as above; 1.2, of whose structures this is one, is what all this is for.
        unsafe { instance.get_physical_device_properties2(device, &mut head) };
        chain.properties.next = std::ptr::null_mut();
        chain
    }

    /// Whether a row of [`ROWS`] is there.
    pub fn has(&mut self, row: &Row) -> bool {
        *(row.get)(self) == vk::TRUE
    }

    /// Switches a row of [`ROWS`] on.
    pub fn set(&mut self, row: &Row) {
        *(row.get)(self) = vk::TRUE;
    }

    /// The features that a chain of `vkCreateDevice` switches on: the `pNext` of its structure, and its `pEnabledFeatures`.
    /// Structures that this crate does not know are passed over.
    ///
    /// # Safety
    /// Both are null or point to what Vulkan says, alive during the call.
    pub unsafe fn read(mut next: *const std::ffi::c_void, core: *const vk::PhysicalDeviceFeatures) -> Chain {
        let mut chain = Chain::default();
        // SAFETY: by the caller's promise; every structure of a chain begins with its type and the next one.
        unsafe {
            if let Some(core) = core.as_ref() {
                chain.core = *core;
            }
            while let Some(head) = next.cast::<vk::BaseInStructure>().as_ref() {
                chain.take(head);
                next = head.next.cast();
            }
        }
        chain
    }

    /// Takes over what a structure of another chain switches on.
    ///
    /// # Safety
    /// `head` is the beginning of the structure that its type names.
    unsafe fn take(&mut self, head: &vk::BaseInStructure) {
        let at = std::ptr::from_ref(head);
        macro_rules! whole {
            ($($field:ident: $extension:expr),* $(,)?) => {$(
                if head.s_type == self.$field.s_type {
                    // SAFETY: by the caller's promise.
                    self.$field = unsafe { copy_of(at, &self.$field) };
                    self.$field.next = std::ptr::null_mut();
                }
            )*};
        }
        structures!(whole);
        // Structures of extensions that Vulkan took over, and of newer versions, whose members have a home above.
        macro_rules! members {
            ($($type:ident => $home:ident: $($member:ident),*;)*) => {$(
                if head.s_type == vk::$type::default().s_type {
                    // SAFETY: by the caller's promise.
                    let other = unsafe { copy_of(at, &vk::$type::default()) };
                    $( self.$home.$member |= other.$member; )*
                }
            )*};
        }
        members! {
            PhysicalDeviceBufferDeviceAddressFeatures => v12: buffer_device_address;
            PhysicalDeviceScalarBlockLayoutFeatures => v12: scalar_block_layout;
            PhysicalDeviceUniformBufferStandardLayoutFeatures => v12: uniform_buffer_standard_layout;
            PhysicalDeviceShaderFloat16Int8Features => v12: shader_float16, shader_int8;
            PhysicalDevice8BitStorageFeatures => v12: storage_buffer_8bit_access, uniform_and_storage_buffer_8bit_access;
            PhysicalDeviceVulkanMemoryModelFeatures => v12: vulkan_memory_model, vulkan_memory_model_device_scope;
            PhysicalDeviceShaderAtomicInt64Features => v12: shader_buffer_int64_atomics, shader_shared_int64_atomics;
            PhysicalDeviceShaderSubgroupExtendedTypesFeatures => v12: shader_subgroup_extended_types;
            PhysicalDeviceDescriptorIndexingFeatures => v12: shader_input_attachment_array_dynamic_indexing,
                shader_uniform_texel_buffer_array_dynamic_indexing, shader_storage_texel_buffer_array_dynamic_indexing,
                shader_uniform_buffer_array_non_uniform_indexing, shader_sampled_image_array_non_uniform_indexing,
                shader_storage_buffer_array_non_uniform_indexing, shader_storage_image_array_non_uniform_indexing,
                shader_input_attachment_array_non_uniform_indexing, shader_uniform_texel_buffer_array_non_uniform_indexing,
                shader_storage_texel_buffer_array_non_uniform_indexing, descriptor_binding_partially_bound, runtime_descriptor_array;
            PhysicalDevice16BitStorageFeatures => v11: storage_buffer_16bit_access, uniform_and_storage_buffer_16bit_access,
                storage_input_output16;
            PhysicalDeviceVariablePointersFeatures => v11: variable_pointers_storage_buffer, variable_pointers;
            PhysicalDeviceMultiviewFeatures => v11: multiview;
            PhysicalDeviceShaderDrawParametersFeatures => v11: shader_draw_parameters;
            PhysicalDeviceVulkan13Features => dot_product: shader_integer_dot_product;
            PhysicalDeviceVulkan13Features => subgroups: subgroup_size_control;
            PhysicalDeviceVulkan13Features => rendering: dynamic_rendering;
            PhysicalDeviceVulkan13Features => demote: shader_demote_to_helper_invocation;
        }
        if head.s_type == vk::PhysicalDeviceFeatures2::default().s_type {
            // SAFETY: by the caller's promise.
            self.core = unsafe { copy_of(at, &vk::PhysicalDeviceFeatures2::default()) }.features;
        }
    }

    /// A chain in which just the rows of [`ROWS`] that `self` has are set, and none that must be requested.
    pub fn selected(&mut self) -> Chain {
        let mut out = Chain::default();
        for row in ROWS.iter().filter(|row| row.need != Requested) {
            *(row.get)(&mut out) = *(row.get)(self);
        }
        // Robustness is one promise in three switches; the newer one is not allowed without the older.
        if out.core.robust_buffer_access == vk::FALSE {
            out.robustness2.robust_buffer_access2 = vk::FALSE;
        }
        out
    }

    /// The core features, which have a place of their own at device creation.
    pub fn core(&self) -> vk::PhysicalDeviceFeatures {
        self.core
    }

    /// Links the structures that a device with `extensions` knows and passes the first one on.
    pub fn with<R>(&mut self, extensions: &FxHashSet<String>, f: impl FnOnce(*mut std::ffi::c_void) -> R) -> R {
        let result = f(self.link(extensions));
        macro_rules! unlink {
            ($($field:ident: $extension:expr),* $(,)?) => {$( self.$field.next = std::ptr::null_mut(); )*};
        }
        structures!(unlink);
        result
    }

    /// Links the structures that a device with `extensions` knows; returns the first one. The links hold while the chain does not move.
    pub(super) fn link(&mut self, extensions: &FxHashSet<String>) -> *mut std::ffi::c_void {
        let mut next: *mut std::ffi::c_void = std::ptr::null_mut();
        macro_rules! link {
            ($($field:ident: $extension:expr),* $(,)?) => {$(
                let known: &str = $extension;
                if known.is_empty() || extensions.contains(known) {
                    self.$field.next = next;
                    next = std::ptr::from_mut(&mut self.$field).cast();
                }
            )*};
        }
        structures!(link);
        next
    }
}

/// A copy of the structure that `head` is the beginning of.
///
/// # Safety
/// It is of the type of `like`.
unsafe fn copy_of<T: Copy>(head: *const vk::BaseInStructure, _: &T) -> T {
    // SAFETY: by the caller's promise.
    unsafe { head.cast::<T>().read() }
}

/// The features and extensions that a device was made with.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Enabled {
    /// Names of features with the extension that has them.
    features: FxHashSet<(&'static str, &'static str)>,
    /// Names of extensions.
    pub extensions: FxHashSet<String>,
}

impl Enabled {
    /// What a chain switches on.
    pub fn new(chain: &mut Chain, extensions: FxHashSet<String>) -> Enabled {
        let features = ROWS.iter().filter(|row| chain.has(row)).map(|row| (row.name, row.extension)).collect();
        Enabled { features, extensions }
    }

    /// Whether the feature of a row is on.
    pub fn has_row(&self, row: &Row) -> bool {
        self.features.contains(&(row.name, row.extension))
    }

    /// Whether a feature of this name is on, of whatever extension.
    pub fn has(&self, name: &str) -> bool {
        ROWS.iter().any(|row| row.name == name && self.has_row(row))
    }

    /// What of `requirements` is not on, in words.
    pub fn unmet(&self, requirements: &[Requirement]) -> Vec<String> {
        let mut out = Vec::new();
        for r in requirements {
            let why = if r.reason.is_empty() { String::new() } else { format!(" (needed by {})", r.reason) };
            match r.kind {
                // What the module contains; the features that allow it are listed separately.
                RequirementKind::Capability | RequirementKind::SpirvExtension => {}
                RequirementKind::DeviceExtension => {
                    if !self.extensions.contains(&r.name) {
                        out.push(format!("extension {} is missing{why}", r.name));
                    }
                }
                RequirementKind::DeviceFeature => {
                    let mut rows = rows_of(r);
                    if rows.clone().next().is_none() {
                        out.push(format!("feature {} is unknown to this runtime{why}", r.name));
                    } else if !rows.any(|row| self.has_row(row)) {
                        out.push(format!("feature {} is missing{why}", r.name));
                    }
                }
            }
        }
        out
    }
}

/// The rows of a feature that a package requires: one for each extension that has it.
pub fn rows_of(r: &Requirement) -> impl Iterator<Item = &'static Row> + Clone {
    ROWS.iter().filter(move |row| row.name == r.name && (r.extension.is_empty() || r.extension == row.extension))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the SPIR-V back end may demand is known here.
    #[test]
    fn every_feature_of_the_tables_is_a_row() {
        for cap in rtc_tables::features::SPIRV_CAPABILITIES.iter().filter(|c| !c.vk_feature.is_empty()) {
            assert!(
                ROWS.iter().any(|r| r.name == cap.vk_feature && r.extension == cap.vk_extension),
                "{}: {} of {:?}",
                cap.name,
                cap.vk_feature,
                cap.vk_extension
            );
        }
    }

    #[test]
    fn every_row_is_a_feature_of_its_own() {
        for row in ROWS {
            let mut chain = Chain::default();
            *(row.get)(&mut chain) = vk::TRUE;
            let set: Vec<_> = ROWS.iter().filter(|r| chain.has(r)).map(|r| (r.name, r.extension)).collect();
            assert_eq!(set, [(row.name, row.extension)]);
        }
    }

    #[test]
    fn requirements_are_refused_in_words() {
        let need = |kind, name: &str, extension: &str| Requirement {
            kind,
            name: name.into(),
            extension: extension.into(),
            reason: "RayQuery in `shadow`".into(),
        };
        let requirements = [
            need(RequirementKind::Capability, "RayQueryKHR", ""),
            need(RequirementKind::DeviceExtension, "VK_KHR_ray_query", ""),
            need(RequirementKind::DeviceFeature, "rayQuery", "VK_KHR_ray_query"),
            need(RequirementKind::DeviceFeature, "timeTravel", ""),
        ];
        assert_eq!(
            Enabled::default().unmet(&requirements),
            [
                "extension VK_KHR_ray_query is missing (needed by RayQuery in `shadow`)",
                "feature rayQuery is missing (needed by RayQuery in `shadow`)",
                "feature timeTravel is unknown to this runtime (needed by RayQuery in `shadow`)",
            ]
        );
    }

    /// What a caller's chain switches on is read back from it, whichever structures it is made of.
    #[test]
    fn chains_of_callers_are_read() {
        for row in ROWS {
            let mut chain = Chain::default();
            chain.set(row);
            let core = chain.core();
            let all: FxHashSet<String> = ROWS.iter().map(|r| r.extension.to_string()).collect();
            // SAFETY: the chain is linked and alive during the call.
            let mut read = chain.with(&all, |next| unsafe { Chain::read(next, &core) });
            // What needs no switching on is a property, no part of a chain.
            let expected = !["shaderDenorm", "shaderSignedZero"].iter().any(|p| row.name.starts_with(p));
            assert_eq!(read.has(row), expected, "{}", row.name);
            assert_eq!(ROWS.iter().filter(|r| read.has(r)).count(), usize::from(expected), "{}", row.name);
        }
        let address = vk::PhysicalDeviceBufferDeviceAddressFeatures { buffer_device_address: 1, ..Default::default() };
        let mut v13 = vk::PhysicalDeviceVulkan13Features { dynamic_rendering: 1, ..Default::default() };
        v13.next = std::ptr::from_ref(&address).cast_mut().cast();
        let mut two = vk::PhysicalDeviceFeatures2::default();
        two.features.shader_int64 = 1;
        two.next = std::ptr::from_mut(&mut v13).cast();
        // SAFETY: as above.
        let mut read = unsafe { Chain::read(std::ptr::from_ref(&two).cast(), std::ptr::null()) };
        let found: Vec<_> = ROWS.iter().filter(|r| read.has(r)).map(|r| r.name).collect();
        assert_eq!(found, ["bufferDeviceAddress", "shaderInt64", "dynamicRendering"]);
    }
}
