//! What a SPIR-V capability or extension asks of a Vulkan device: the extension, and the bit of a feature
//! structure. Empty text: nothing beyond the Vulkan version (1.2).

/// A SPIR-V capability.
pub struct SpirvCapability {
    /// Its number in SPIR-V.
    pub number: u32,
    /// Its name in SPIR-V.
    pub name: &'static str,
    /// The device extension that brings it.
    pub vk_extension: &'static str,
    /// The member of a feature structure that allows it.
    pub vk_feature: &'static str,
}

/// A SPIR-V extension.
pub struct SpirvExtension {
    /// Its name.
    pub name: &'static str,
    /// The device extension that brings it.
    pub vk_extension: &'static str,
}

const fn cap(number: u32, name: &'static str, vk_extension: &'static str, vk_feature: &'static str) -> SpirvCapability {
    SpirvCapability { number, name, vk_extension, vk_feature }
}

const fn ext(name: &'static str, vk_extension: &'static str) -> SpirvExtension {
    SpirvExtension { name, vk_extension }
}

/// Capabilities that the SPIR-V back end may ask for.
#[rustfmt::skip]
pub const SPIRV_CAPABILITIES: &[SpirvCapability] = &[
    cap(1,    "Shader",                                     "", ""),
    cap(2,    "Geometry",                                   "", "geometryShader"),
    cap(3,    "Tessellation",                               "", "tessellationShader"),
    cap(9,    "Float16",                                    "", "shaderFloat16"),
    cap(10,   "Float64",                                    "", "shaderFloat64"),
    cap(11,   "Int64",                                      "", "shaderInt64"),
    cap(12,   "Int64Atomics",                               "", ""),
    cap(22,   "Int16",                                      "", "shaderInt16"),
    cap(23,   "TessellationPointSize",                      "", "shaderTessellationAndGeometryPointSize"),
    cap(24,   "GeometryPointSize",                          "", "shaderTessellationAndGeometryPointSize"),
    cap(25,   "ImageGatherExtended",                        "", "shaderImageGatherExtended"),
    cap(27,   "StorageImageMultisample",                    "", "shaderStorageImageMultisample"),
    cap(28,   "UniformBufferArrayDynamicIndexing",          "", "shaderUniformBufferArrayDynamicIndexing"),
    cap(29,   "SampledImageArrayDynamicIndexing",           "", "shaderSampledImageArrayDynamicIndexing"),
    cap(30,   "StorageBufferArrayDynamicIndexing",          "", "shaderStorageBufferArrayDynamicIndexing"),
    cap(31,   "StorageImageArrayDynamicIndexing",           "", "shaderStorageImageArrayDynamicIndexing"),
    cap(32,   "ClipDistance",                               "", "shaderClipDistance"),
    cap(33,   "CullDistance",                               "", "shaderCullDistance"),
    cap(35,   "SampleRateShading",                          "", "sampleRateShading"),
    cap(40,   "InputAttachment",                            "", ""),
    cap(41,   "SparseResidency",                            "", "shaderResourceResidency"),
    cap(42,   "MinLod",                                     "", "shaderResourceMinLod"),
    cap(43,   "Sampled1D",                                  "", ""),
    cap(44,   "Image1D",                                    "", ""),
    cap(45,   "SampledCubeArray",                           "", "imageCubeArray"),
    cap(46,   "SampledBuffer",                              "", ""),
    cap(47,   "ImageBuffer",                                "", ""),
    cap(48,   "ImageMSArray",                               "", "shaderStorageImageMultisample"),
    cap(49,   "StorageImageExtendedFormats",                "", "shaderStorageImageExtendedFormats"),
    cap(50,   "ImageQuery",                                 "", ""),
    cap(51,   "DerivativeControl",                          "", ""),
    cap(52,   "InterpolationFunction",                      "", "sampleRateShading"),
    cap(54,   "GeometryStreams",                            "VK_EXT_transform_feedback", "geometryStreams"),
    cap(55,   "StorageImageReadWithoutFormat",              "", "shaderStorageImageReadWithoutFormat"),
    cap(56,   "StorageImageWriteWithoutFormat",             "", "shaderStorageImageWriteWithoutFormat"),
    cap(57,   "MultiViewport",                              "", "multiViewport"),
    cap(61,   "GroupNonUniform",                            "", ""),
    cap(62,   "GroupNonUniformVote",                        "", ""),
    cap(63,   "GroupNonUniformArithmetic",                  "", ""),
    cap(64,   "GroupNonUniformBallot",                      "", ""),
    cap(65,   "GroupNonUniformShuffle",                     "", ""),
    cap(68,   "GroupNonUniformQuad",                        "", ""),
    cap(69,   "ShaderLayer",                                "", "shaderOutputLayer"),
    cap(70,   "ShaderViewportIndex",                        "", "shaderOutputViewportIndex"),
    cap(4422, "FragmentShadingRateKHR",                     "VK_KHR_fragment_shading_rate", "pipelineFragmentShadingRate"),
    cap(4427, "DrawParameters",                             "", "shaderDrawParameters"),
    cap(4433, "StorageBuffer16BitAccess",                   "", "storageBuffer16BitAccess"),
    cap(4448, "StorageBuffer8BitAccess",                    "", "storageBuffer8BitAccess"),
    cap(4436, "StorageInputOutput16",                       "", "storageInputOutput16"),
    cap(4437, "DeviceGroup",                                "", ""),
    cap(4439, "MultiView",                                  "", "multiview"),
    cap(4447, "SampleMaskPostDepthCoverage",                "VK_EXT_post_depth_coverage", ""),
    cap(4472, "RayQueryKHR",                                "VK_KHR_ray_query", "rayQuery"),
    cap(4478, "RayTraversalPrimitiveCullingKHR",            "VK_KHR_ray_tracing_pipeline", "rayTraversalPrimitiveCulling"),
    cap(4479, "RayTracingKHR",                              "VK_KHR_ray_tracing_pipeline", "rayTracingPipeline"),
    cap(5013, "StencilExportEXT",                           "VK_EXT_shader_stencil_export", ""),
    cap(5016, "Int64ImageEXT",                              "VK_EXT_shader_image_atomic_int64", "shaderImageInt64Atomics"),
    cap(5087, "QuadControlKHR",                             "VK_KHR_shader_quad_control", "shaderQuadControl"),
    cap(5345, "VulkanMemoryModel",                          "", "vulkanMemoryModel"),
    cap(5346, "VulkanMemoryModelDeviceScope",               "", "vulkanMemoryModelDeviceScope"),
    cap(5394, "CooperativeVectorNV",                        "VK_NV_cooperative_vector", "cooperativeVector"),
    cap(5435, "CooperativeVectorTrainingNV",                "VK_NV_cooperative_vector", "cooperativeVectorTraining"),
    cap(5055, "ShaderClockKHR",                             "VK_KHR_shader_clock", ""),
    cap(5255, "ShaderViewportMaskNV",                       "VK_NV_viewport_array2", ""),
    cap(5265, "FragmentFullyCoveredEXT",                    "VK_EXT_conservative_rasterization", ""),
    cap(5283, "MeshShadingEXT",                             "VK_EXT_mesh_shader", "meshShader"),
    cap(5284, "FragmentBarycentricKHR",                     "VK_KHR_fragment_shader_barycentric", "fragmentShaderBarycentric"),
    cap(5288, "ComputeDerivativeGroupQuadsKHR",             "VK_KHR_compute_shader_derivatives", "computeDerivativeGroupQuads"),
    cap(5301, "ShaderNonUniform",                           "", "descriptorIndexing"),
    cap(5302, "RuntimeDescriptorArray",                     "", "runtimeDescriptorArray"),
    cap(4466, "SignedZeroInfNanPreserve",                   "", "shaderSignedZeroInfNanPreserveFloat32"),
    cap(4464, "DenormPreserve",                             "", "shaderDenormPreserveFloat32"),
    cap(4465, "DenormFlushToZero",                          "", "shaderDenormFlushToZeroFloat32"),
    cap(5303, "InputAttachmentArrayDynamicIndexing",        "", "shaderInputAttachmentArrayDynamicIndexing"),
    cap(5304, "UniformTexelBufferArrayDynamicIndexing",     "", "shaderUniformTexelBufferArrayDynamicIndexing"),
    cap(5305, "StorageTexelBufferArrayDynamicIndexing",     "", "shaderStorageTexelBufferArrayDynamicIndexing"),
    cap(5306, "UniformBufferArrayNonUniformIndexing",       "", "shaderUniformBufferArrayNonUniformIndexing"),
    cap(5307, "SampledImageArrayNonUniformIndexing",        "", "shaderSampledImageArrayNonUniformIndexing"),
    cap(5308, "StorageBufferArrayNonUniformIndexing",       "", "shaderStorageBufferArrayNonUniformIndexing"),
    cap(5309, "StorageImageArrayNonUniformIndexing",        "", "shaderStorageImageArrayNonUniformIndexing"),
    cap(5310, "InputAttachmentArrayNonUniformIndexing",     "", "shaderInputAttachmentArrayNonUniformIndexing"),
    cap(5311, "UniformTexelBufferArrayNonUniformIndexing",  "", "shaderUniformTexelBufferArrayNonUniformIndexing"),
    cap(5312, "StorageTexelBufferArrayNonUniformIndexing",  "", "shaderStorageTexelBufferArrayNonUniformIndexing"),
    cap(5363, "FragmentShaderSampleInterlockEXT",           "VK_EXT_fragment_shader_interlock", "fragmentShaderSampleInterlock"),
    cap(5378, "FragmentShaderPixelInterlockEXT",            "VK_EXT_fragment_shader_interlock", "fragmentShaderPixelInterlock"),
    cap(5372, "FragmentShaderShadingRateInterlockEXT",      "VK_EXT_fragment_shader_interlock", "fragmentShaderShadingRateInterlock"),
    cap(5379, "DemoteToHelperInvocation",                   "VK_EXT_shader_demote_to_helper_invocation", "shaderDemoteToHelperInvocation"),
    cap(6018, "DotProductInput4x8BitPacked",                "VK_KHR_shader_integer_dot_product", "shaderIntegerDotProduct"),
    cap(6019, "DotProduct",                                 "VK_KHR_shader_integer_dot_product", "shaderIntegerDotProduct"),
    cap(6032, "RayTracingOpacityMicromapExecutionModeKHR",  "VK_KHR_opacity_micromap", ""),
    cap(5336, "RayTracingPositionFetchKHR",                 "VK_KHR_ray_tracing_position_fetch", "rayTracingPositionFetch"),
    cap(5381, "RayTracingOpacityMicromapEXT",               "VK_EXT_opacity_micromap", "micromap"),
    cap(5383, "ShaderInvocationReorderNV",                  "VK_NV_ray_tracing_invocation_reorder", "rayTracingInvocationReorder"),
    cap(5388, "ShaderInvocationReorderEXT",                 "VK_EXT_ray_tracing_invocation_reorder", "rayTracingInvocationReorder"),
    cap(5391, "RayQueryPositionFetchKHR",                   "VK_KHR_ray_tracing_position_fetch", "rayTracingPositionFetch"),
    cap(5437, "RayTracingClusterAccelerationStructureNV",   "VK_NV_cluster_acceleration_structure", "clusterAccelerationStructure"),
    cap(5350, "ComputeDerivativeGroupLinearKHR",            "VK_KHR_compute_shader_derivatives", "computeDerivativeGroupLinear"),
    cap(5347, "PhysicalStorageBufferAddresses",             "", "bufferDeviceAddress"),
];

/// Extensions that the SPIR-V back end may ask for.
#[rustfmt::skip]
pub const SPIRV_EXTENSIONS: &[SpirvExtension] = &[
    ext("SPV_KHR_ray_tracing",             "VK_KHR_ray_tracing_pipeline"),
    ext("SPV_KHR_ray_query",               "VK_KHR_ray_query"),
    ext("SPV_KHR_ray_tracing_position_fetch", "VK_KHR_ray_tracing_position_fetch"),
    ext("SPV_KHR_integer_dot_product",     "VK_KHR_shader_integer_dot_product"),
    ext("SPV_NV_shader_invocation_reorder", "VK_NV_ray_tracing_invocation_reorder"),
    ext("SPV_EXT_shader_invocation_reorder", "VK_EXT_ray_tracing_invocation_reorder"),
    ext("SPV_NV_cooperative_vector",       "VK_NV_cooperative_vector"),
    ext("SPV_EXT_opacity_micromap",        "VK_EXT_opacity_micromap"),
    ext("SPV_KHR_opacity_micromap",        "VK_KHR_opacity_micromap"),
    ext("SPV_NV_cluster_acceleration_structure", "VK_NV_cluster_acceleration_structure"),
    ext("SPV_EXT_shader_image_int64",      "VK_EXT_shader_image_atomic_int64"),
    ext("SPV_EXT_shader_stencil_export",   "VK_EXT_shader_stencil_export"),
    ext("SPV_EXT_fragment_fully_covered",  "VK_EXT_conservative_rasterization"),
    ext("SPV_EXT_fragment_shader_interlock", "VK_EXT_fragment_shader_interlock"),
    ext("SPV_EXT_mesh_shader",             "VK_EXT_mesh_shader"),
    ext("SPV_KHR_maximal_reconvergence",   "VK_KHR_shader_maximal_reconvergence"),
    ext("SPV_KHR_quad_control",            "VK_KHR_shader_quad_control"),
    ext("SPV_EXT_demote_to_helper_invocation", "VK_EXT_shader_demote_to_helper_invocation"),
    ext("SPV_EXT_shader_viewport_index_layer", "VK_EXT_shader_viewport_index_layer"),
    ext("SPV_NV_viewport_array2",          "VK_NV_viewport_array2"),
    ext("SPV_KHR_fragment_shader_barycentric", "VK_KHR_fragment_shader_barycentric"),
    ext("SPV_KHR_fragment_shading_rate",   "VK_KHR_fragment_shading_rate"),
    ext("SPV_KHR_multiview",               ""),
    ext("SPV_KHR_shader_draw_parameters",  ""),
    ext("SPV_KHR_device_group",            ""),
    ext("SPV_KHR_post_depth_coverage",     "VK_EXT_post_depth_coverage"),
    ext("SPV_AMD_shader_early_and_late_fragment_tests", "VK_AMD_shader_early_and_late_fragment_tests"),
    ext("SPV_EXT_descriptor_indexing",     ""),
    ext("SPV_KHR_physical_storage_buffer", ""),
    ext("SPV_KHR_16bit_storage",           ""),
    ext("SPV_KHR_shader_clock",            "VK_KHR_shader_clock"),
    ext("SPV_KHR_compute_shader_derivatives", "VK_KHR_compute_shader_derivatives"),
    ext("SPV_NV_compute_shader_derivatives", "VK_NV_compute_shader_derivatives"),
    ext("SPV_KHR_non_semantic_info",       "VK_KHR_shader_non_semantic_info"),
];
