/* Functions are looked up through this file, which answers for those of the extensions itself, and passes on all others. */

#include "mock.h"

const char *mock_called = "";

static VkInstance instance;

/* A function of an extension with its parameters, which notes its name. */
#define OWN(result, name, ...) \
    static void noted_##name(void) { \
        mock_called = "vk" #name; \
    } \
    static VKAPI_ATTR result VKAPI_CALL own_##name(__VA_ARGS__)

#define NOTED(name) noted_##name()

OWN(void, GetMicromapBuildSizesEXT, VkDevice device, VkAccelerationStructureBuildTypeKHR place, const VkMicromapBuildInfoEXT *info,
    VkMicromapBuildSizesInfoEXT *sizes) {
    (void)device;
    NOTED(GetMicromapBuildSizesEXT);
    CHECK(place == VK_ACCELERATION_STRUCTURE_BUILD_TYPE_DEVICE_KHR && info->usageCountsCount == 2);
    CHECK(info->pUsageCounts[0].count == 10 && info->pUsageCounts[0].subdivisionLevel == 3 && info->pUsageCounts[0].format == 1);
    sizes->micromapSize = MOCK_RESULT;
    sizes->buildScratchSize = MOCK_SCRATCH;
    sizes->discardable = VK_TRUE;
}

OWN(VkResult, CreateMicromapEXT, VkDevice device, const VkMicromapCreateInfoEXT *info, const VkAllocationCallbacks *callbacks,
    VkMicromapEXT *made) {
    (void)device, (void)callbacks;
    NOTED(CreateMicromapEXT);
    CHECK(info->size == MOCK_RESULT);
    *made = HANDLE(VkMicromapEXT, 0x77);
    return VK_SUCCESS;
}

OWN(void, DestroyMicromapEXT, VkDevice device, VkMicromapEXT micromap, const VkAllocationCallbacks *callbacks) {
    (void)device, (void)callbacks;
    NOTED(DestroyMicromapEXT);
    CHECK(NUMBER(micromap) == 0x77);
}

OWN(void, CmdBuildMicromapsEXT, VkCommandBuffer commands, uint32_t count, const VkMicromapBuildInfoEXT *infos) {
    (void)commands;
    NOTED(CmdBuildMicromapsEXT);
    CHECK(count == 1 && NUMBER(infos->dstMicromap) == 0x77 && infos->data.deviceAddress == 0x1000);
    CHECK(infos->triangleArray.deviceAddress == 0x2000 && infos->triangleArrayStride == 8);
}

OWN(void, CmdCopyMicromapEXT, VkCommandBuffer commands, const VkCopyMicromapInfoEXT *info) {
    (void)commands;
    NOTED(CmdCopyMicromapEXT);
    CHECK(info->mode == VK_COPY_MICROMAP_MODE_COMPACT_EXT);
}

OWN(void, CmdCopyMicromapToMemoryEXT, VkCommandBuffer commands, const VkCopyMicromapToMemoryInfoEXT *info) {
    (void)commands;
    NOTED(CmdCopyMicromapToMemoryEXT);
    CHECK(info->dst.deviceAddress == 0x300);
}

OWN(void, CmdCopyMemoryToMicromapEXT, VkCommandBuffer commands, const VkCopyMemoryToMicromapInfoEXT *info) {
    (void)commands;
    NOTED(CmdCopyMemoryToMicromapEXT);
    CHECK(info->src.deviceAddress == 0x400);
}

OWN(void, CmdWriteMicromapsPropertiesEXT, VkCommandBuffer commands, uint32_t count, const VkMicromapEXT *micromaps, VkQueryType kind,
    VkQueryPool pool, uint32_t first) {
    (void)commands, (void)micromaps, (void)pool, (void)first;
    NOTED(CmdWriteMicromapsPropertiesEXT);
    CHECK(count == 1 && kind == VK_QUERY_TYPE_MICROMAP_COMPACTED_SIZE_EXT);
}

OWN(void, GetDeviceMicromapCompatibilityEXT, VkDevice device, const VkMicromapVersionInfoEXT *info,
    VkAccelerationStructureCompatibilityKHR *fits) {
    (void)device, (void)info;
    NOTED(GetDeviceMicromapCompatibilityEXT);
    *fits = VK_ACCELERATION_STRUCTURE_COMPATIBILITY_COMPATIBLE_KHR;
}

OWN(VkResult, CreateQueryPool, VkDevice device, const VkQueryPoolCreateInfo *info, const VkAllocationCallbacks *callbacks,
    VkQueryPool *made) {
    (void)device, (void)info, (void)callbacks;
    NOTED(CreateQueryPool);
    *made = HANDLE(VkQueryPool, 0x99);
    return VK_SUCCESS;
}

OWN(void, DestroyQueryPool, VkDevice device, VkQueryPool pool, const VkAllocationCallbacks *callbacks) {
    (void)device, (void)pool, (void)callbacks;
    NOTED(DestroyQueryPool);
}

OWN(void, CmdResetQueryPool, VkCommandBuffer commands, VkQueryPool pool, uint32_t first, uint32_t count) {
    (void)commands, (void)pool, (void)first, (void)count;
    NOTED(CmdResetQueryPool);
}

OWN(void, CmdBuildAccelerationStructuresIndirectKHR, VkCommandBuffer commands, uint32_t count,
    const VkAccelerationStructureBuildGeometryInfoKHR *infos, const VkDeviceAddress *addresses, const uint32_t *strides,
    const uint32_t *const *counts) {
    (void)commands, (void)infos;
    NOTED(CmdBuildAccelerationStructuresIndirectKHR);
    CHECK(count == 1 && addresses[0] == 0x500 && strides[0] == 16 && counts[0][0] == OCTAHEDRA + 1);
}

OWN(VkResult, BuildAccelerationStructuresKHR, VkDevice device, VkDeferredOperationKHR deferred, uint32_t count,
    const VkAccelerationStructureBuildGeometryInfoKHR *infos, const VkAccelerationStructureBuildRangeInfoKHR *const *ranges) {
    (void)device, (void)infos;
    NOTED(BuildAccelerationStructuresKHR);
    CHECK(deferred == VK_NULL_HANDLE && count == 1 && ranges[0]->primitiveCount == 1);
    return VK_SUCCESS;
}

OWN(VkResult, CopyAccelerationStructureKHR, VkDevice device, VkDeferredOperationKHR deferred,
    const VkCopyAccelerationStructureInfoKHR *info) {
    (void)device, (void)deferred;
    NOTED(CopyAccelerationStructureKHR);
    CHECK(info->mode == VK_COPY_ACCELERATION_STRUCTURE_MODE_CLONE_KHR);
    return VK_SUCCESS;
}

OWN(VkResult, CopyAccelerationStructureToMemoryKHR, VkDevice device, VkDeferredOperationKHR deferred,
    const VkCopyAccelerationStructureToMemoryInfoKHR *info) {
    (void)device, (void)deferred;
    NOTED(CopyAccelerationStructureToMemoryKHR);
    uint64_t words[MOCK_SERIALIZED / 8] = {0};
    words[4] = MOCK_SERIALIZED;
    words[5] = 16;
    memcpy(info->dst.hostAddress, words, sizeof words);
    return VK_SUCCESS;
}

OWN(VkResult, CopyMemoryToAccelerationStructureKHR, VkDevice device, VkDeferredOperationKHR deferred,
    const VkCopyMemoryToAccelerationStructureInfoKHR *info) {
    (void)device, (void)deferred;
    NOTED(CopyMemoryToAccelerationStructureKHR);
    CHECK(((const uint64_t *)info->src.hostAddress)[4] == MOCK_SERIALIZED);
    return VK_SUCCESS;
}

OWN(VkResult, WriteAccelerationStructuresPropertiesKHR, VkDevice device, uint32_t count, const VkAccelerationStructureKHR *structures,
    VkQueryType kind, size_t size, void *data, size_t stride) {
    (void)device, (void)structures, (void)kind, (void)stride;
    NOTED(WriteAccelerationStructuresPropertiesKHR);
    uint64_t answer = MOCK_SERIALIZED;
    CHECK(count == 1 && size == sizeof answer);
    memcpy(data, &answer, sizeof answer);
    return VK_SUCCESS;
}

OWN(void, GetDeviceAccelerationStructureCompatibilityKHR, VkDevice device, const VkAccelerationStructureVersionInfoKHR *info,
    VkAccelerationStructureCompatibilityKHR *fits) {
    (void)device, (void)info;
    NOTED(GetDeviceAccelerationStructureCompatibilityKHR);
    *fits = VK_ACCELERATION_STRUCTURE_COMPATIBILITY_COMPATIBLE_KHR;
}

/* Older headers of Vulkan do not have the structures of these. */
OWN(void, GetClusterAccelerationStructureBuildSizesNV, VkDevice device, const void *info, VkAccelerationStructureBuildSizesInfoKHR *sizes) {
    (void)device, (void)info;
    NOTED(GetClusterAccelerationStructureBuildSizesNV);
    sizes->accelerationStructureSize = MOCK_RESULT;
    sizes->buildScratchSize = MOCK_SCRATCH;
}

OWN(void, CmdBuildClusterAccelerationStructureIndirectNV, VkCommandBuffer commands, const void *info) {
    (void)commands, (void)info;
    NOTED(CmdBuildClusterAccelerationStructureIndirectNV);
}

OWN(void, GetPartitionedAccelerationStructuresBuildSizesNV, VkDevice device, const void *info,
    VkAccelerationStructureBuildSizesInfoKHR *sizes) {
    (void)device, (void)info;
    NOTED(GetPartitionedAccelerationStructuresBuildSizesNV);
    sizes->accelerationStructureSize = MOCK_RESULT;
    sizes->updateScratchSize = MOCK_SCRATCH;
}

OWN(void, CmdBuildPartitionedAccelerationStructuresNV, VkCommandBuffer commands, const void *info) {
    (void)commands, (void)info;
    NOTED(CmdBuildPartitionedAccelerationStructuresNV);
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL get_device(VkDevice device, const char *name) {
#define ROW(name) {"vk" #name, (PFN_vkVoidFunction)own_##name}
    static const struct {
        const char *name;
        PFN_vkVoidFunction function;
    } rows[] = {ROW(GetMicromapBuildSizesEXT),
                ROW(CreateMicromapEXT),
                ROW(DestroyMicromapEXT),
                ROW(CmdBuildMicromapsEXT),
                ROW(CmdCopyMicromapEXT),
                ROW(CmdCopyMicromapToMemoryEXT),
                ROW(CmdCopyMemoryToMicromapEXT),
                ROW(CmdWriteMicromapsPropertiesEXT),
                ROW(GetDeviceMicromapCompatibilityEXT),
                ROW(CreateQueryPool),
                ROW(DestroyQueryPool),
                ROW(CmdResetQueryPool),
                ROW(CmdBuildAccelerationStructuresIndirectKHR),
                ROW(BuildAccelerationStructuresKHR),
                ROW(CopyAccelerationStructureKHR),
                ROW(CopyAccelerationStructureToMemoryKHR),
                ROW(CopyMemoryToAccelerationStructureKHR),
                ROW(WriteAccelerationStructuresPropertiesKHR),
                ROW(GetDeviceAccelerationStructureCompatibilityKHR),
                ROW(GetClusterAccelerationStructureBuildSizesNV),
                ROW(CmdBuildClusterAccelerationStructureIndirectNV),
                ROW(GetPartitionedAccelerationStructuresBuildSizesNV),
                ROW(CmdBuildPartitionedAccelerationStructuresNV)};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        if (strcmp(rows[i].name, name) == 0) {
            return rows[i].function;
        }
    }
    PFN_vkGetDeviceProcAddr real = (PFN_vkGetDeviceProcAddr)vkGetInstanceProcAddr(instance, "vkGetDeviceProcAddr");
    return real(device, name);
}

static VKAPI_ATTR void VKAPI_CALL properties(VkPhysicalDevice physical, VkPhysicalDeviceProperties2 *out) {
    /* The numbers of structures of VK_NV_cluster_acceleration_structure and VK_NV_partitioned_acceleration_structure. */
    const int32_t first = 1000569000, end = 1000571000;
    VkBaseOutStructure *next = out->pNext;
    if (next != NULL && next->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_OPACITY_MICROMAP_PROPERTIES_EXT) {
        VkPhysicalDeviceOpacityMicromapPropertiesEXT *limits = (void *)next;
        limits->maxOpacity2StateSubdivisionLevel = MOCK_LEVEL;
        limits->maxOpacity4StateSubdivisionLevel = MOCK_LEVEL / 2;
    } else if (next == NULL || (int32_t)next->sType < first || (int32_t)next->sType >= end) {
        vkGetPhysicalDeviceProperties2(physical, out);
    }
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL get_instance(VkInstance of, const char *name) {
    if (strcmp(name, "vkGetDeviceProcAddr") == 0) {
        return (PFN_vkVoidFunction)get_device;
    }
    if (strcmp(name, "vkGetPhysicalDeviceProperties2") == 0) {
        return (PFN_vkVoidFunction)properties;
    }
    return vkGetInstanceProcAddr(of, name);
}

rtcrt_device *mock_device(struct stage *s) {
    uint32_t uses = RTCRT_USE_INDIRECT_BUILDS | RTCRT_USE_HOST_BUILDS | RTCRT_USE_MICROMAPS | RTCRT_USE_CLUSTERS | RTCRT_USE_PARTITIONS;
    rtcrt_requirements *requirements = NULL;
    rtcrt_texts *extensions = NULL, *features = NULL;
    rtcrt_device *device = NULL;
    instance = s->gpu.instance;
    RT(rtcrt_requirements_new(NULL, 0, uses, &requirements, &error));
    RT(rtcrt_requirements_extensions(requirements, &extensions, &error));
    RT(rtcrt_requirements_features(requirements, &features, &error));
    rtcrt_device_handles handles = {.size = sizeof handles,
                                    .get_instance_proc_addr = (rtcrt_function)get_instance,
                                    .instance = s->gpu.instance,
                                    .physical_device = s->gpu.physical,
                                    .device = s->gpu.device,
                                    .extensions = rtcrt_texts_data(extensions),
                                    .extension_count = rtcrt_texts_count(extensions),
                                    .feature_names = rtcrt_texts_data(features),
                                    .feature_name_count = rtcrt_texts_count(features),
                                    .allocation_callbacks = &s->gpu.callbacks};
    RT(rtcrt_device_new(&handles, &device, &error));
    rtcrt_texts_free(extensions);
    rtcrt_texts_free(features);
    rtcrt_requirements_free(requirements);
    return device;
}
