/* Makes the device with what the packages need; nothing else here knows librtcrt. */

#include "gpu.h"

#include <stdint.h>
#include <string.h>

static const char *const LAYER = "VK_LAYER_KHRONOS_validation";

static VKAPI_ATTR VkBool32 VKAPI_CALL heard(VkDebugUtilsMessageSeverityFlagBitsEXT severity, VkDebugUtilsMessageTypeFlagsEXT type,
                                            const VkDebugUtilsMessengerCallbackDataEXT *data, void *user) {
    (void)severity, (void)type, (void)user;
    printf("validation: %s\n", data->pMessage);
    return VK_FALSE;
}

/* Allocations of the host are counted: the header before each says how large it is and where it began. */
struct head {
    size_t size;
    void *start;
};

static VKAPI_ATTR void *VKAPI_CALL host_allocate(void *user, size_t size, size_t alignment, VkSystemAllocationScope scope) {
    (void)scope;
    struct gpu *gpu = user;
    if (alignment < sizeof(struct head)) {
        alignment = sizeof(struct head);
    }
    char *start = malloc(size + sizeof(struct head) + alignment);
    if (start == NULL) {
        return NULL;
    }
    uintptr_t at = ((uintptr_t)start + sizeof(struct head) + alignment - 1) / alignment * alignment;
    struct head *head = (struct head *)at - 1;
    head->size = size;
    head->start = start;
    atomic_fetch_add(&gpu->alive, 1);
    return (void *)at;
}

static VKAPI_ATTR void VKAPI_CALL host_free(void *user, void *memory) {
    struct gpu *gpu = user;
    if (memory != NULL) {
        atomic_fetch_sub(&gpu->alive, 1);
        free(((struct head *)memory - 1)->start);
    }
}

static VKAPI_ATTR void *VKAPI_CALL host_reallocate(void *user, void *old, size_t size, size_t alignment, VkSystemAllocationScope scope) {
    void *made = size == 0 ? NULL : host_allocate(user, size, alignment, scope);
    if (old != NULL && (made != NULL || size == 0)) {
        size_t before = ((struct head *)old - 1)->size;
        if (made != NULL) {
            memcpy(made, old, before < size ? before : size);
        }
        host_free(user, old);
    }
    return made;
}

static bool has_layer(void) {
    uint32_t count = 0;
    VK(vkEnumerateInstanceLayerProperties(&count, NULL));
    VkLayerProperties *layers = calloc(count + 1, sizeof *layers);
    VK(vkEnumerateInstanceLayerProperties(&count, layers));
    bool found = false;
    for (uint32_t i = 0; i < count; ++i) {
        found = found || strcmp(layers[i].layerName, LAYER) == 0;
    }
    free(layers);
    return found;
}

static void make_instance(struct gpu *gpu, bool validation) {
    const char *extension = VK_EXT_DEBUG_UTILS_EXTENSION_NAME;
    VkValidationFeatureEnableEXT synchronisation = VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT;
    VkValidationFeaturesEXT features = {.sType = VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT,
                                        .enabledValidationFeatureCount = 1,
                                        .pEnabledValidationFeatures = &synchronisation};
    VkApplicationInfo application = {
        .sType = VK_STRUCTURE_TYPE_APPLICATION_INFO, .pApplicationName = "embed-c", .apiVersion = VK_API_VERSION_1_2};
    VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, .pApplicationInfo = &application};
    bool watched = validation && has_layer();
    if (watched) {
        info.pNext = &features;
        info.enabledLayerCount = info.enabledExtensionCount = 1;
        info.ppEnabledLayerNames = &LAYER;
        info.ppEnabledExtensionNames = &extension;
    }
    if (vkCreateInstance(&info, NULL, &gpu->instance) != VK_SUCCESS) {
        printf("there is no Vulkan driver\n");
        exit(NO_DEVICE);
    }
    if (watched) {
        PFN_vkCreateDebugUtilsMessengerEXT create =
            (PFN_vkCreateDebugUtilsMessengerEXT)vkGetInstanceProcAddr(gpu->instance, "vkCreateDebugUtilsMessengerEXT");
        VkDebugUtilsMessengerCreateInfoEXT messenger = {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
                                                        .messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
                                                        .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT,
                                                        .pfnUserCallback = heard};
        VK(create(gpu->instance, &messenger, NULL, &gpu->messenger));
    }
}

/* The first physical device that can do what is required. */
static void choose(struct gpu *gpu, const rtcrt_requirements *requirements) {
    VkPhysicalDevice all[16];
    uint32_t count = 16;
    vkEnumeratePhysicalDevices(gpu->instance, &count, all);
    for (uint32_t i = 0; i < count && gpu->physical == NULL; ++i) {
        VkPhysicalDeviceProperties properties;
        rtcrt_texts *refusals = NULL;
        vkGetPhysicalDeviceProperties(all[i], &properties);
        RT(rtcrt_requirements_refusals(requirements, (rtcrt_function)vkGetInstanceProcAddr, gpu->instance, all[i], &refusals, &error));
        for (size_t n = 0; n < rtcrt_texts_count(refusals); ++n) {
            printf("%s: %s\n", properties.deviceName, (const char *)rtcrt_texts_at(refusals, n).data);
        }
        if (rtcrt_texts_count(refusals) == 0) {
            gpu->physical = all[i];
            printf("device: %s\n", properties.deviceName);
        }
        rtcrt_texts_free(refusals);
    }
    if (gpu->physical == NULL) {
        printf("no device can do this\n");
        exit(NO_DEVICE);
    }
}

static uint32_t find_family(VkPhysicalDevice physical) {
    VkQueueFamilyProperties families[16];
    uint32_t count = 16;
    vkGetPhysicalDeviceQueueFamilyProperties(physical, &count, families);
    for (uint32_t i = 0; i < count; ++i) {
        if (families[i].queueFlags & VK_QUEUE_COMPUTE_BIT) {
            return i;
        }
    }
    printf("the device has no queue for this\n");
    exit(NO_DEVICE);
}

void gpu_open(struct gpu *gpu, const rtcrt_requirements *requirements, bool validation) {
    memset(gpu, 0, sizeof *gpu);
    make_instance(gpu, validation);
    choose(gpu, requirements);
    uint32_t family = find_family(gpu->physical);

    rtcrt_texts *extensions = NULL;
    rtcrt_feature_chain *chain = NULL;
    RT(rtcrt_requirements_extensions(requirements, &extensions, &error));
    RT(rtcrt_requirements_chain(requirements, &chain, &error));
    float priority = 1;
    VkDeviceQueueCreateInfo queue = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, .queueFamilyIndex = family, .queueCount = 1, .pQueuePriorities = &priority};
    /* The engine would link structures and list extensions of its own as well. */
    VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                               .pNext = rtcrt_feature_chain_next(chain),
                               .queueCreateInfoCount = 1,
                               .pQueueCreateInfos = &queue,
                               .enabledExtensionCount = (uint32_t)rtcrt_texts_count(extensions),
                               .ppEnabledExtensionNames = rtcrt_texts_data(extensions),
                               .pEnabledFeatures = rtcrt_feature_chain_core(chain)};
    /* The device has the callbacks too: Mesa's software driver frees pipelines with those of their device. */
    gpu->callbacks = (VkAllocationCallbacks){gpu, host_allocate, host_reallocate, host_free, NULL, NULL};
    VK(vkCreateDevice(gpu->physical, &info, &gpu->callbacks, &gpu->device));
    vkGetDeviceQueue(gpu->device, family, 0, &gpu->queue);
    VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                    .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
                                    .queueFamilyIndex = family};
    VK(vkCreateCommandPool(gpu->device, &pool, NULL, &gpu->pool));

    rtcrt_device_handles handles = {.size = sizeof handles,
                                    .get_instance_proc_addr = (rtcrt_function)vkGetInstanceProcAddr,
                                    .instance = gpu->instance,
                                    .physical_device = gpu->physical,
                                    .device = gpu->device,
                                    .api_version = VK_API_VERSION_1_2,
                                    .queue_families = &family,
                                    .queue_family_count = 1,
                                    .extensions = info.ppEnabledExtensionNames,
                                    .extension_count = info.enabledExtensionCount,
                                    .next = info.pNext,
                                    .core = info.pEnabledFeatures,
                                    .allocation_callbacks = &gpu->callbacks};
    RT(rtcrt_device_new(&handles, &gpu->rt, &error));
    rtcrt_texts_free(extensions);
    rtcrt_feature_chain_free(chain);
    allocator_init(&gpu->allocator, gpu->physical, gpu->device);
    gpu->memory = allocator_memory(&gpu->allocator);
}

long gpu_close(struct gpu *gpu) {
    rtcrt_memory_free(gpu->memory);
    rtcrt_device_free(gpu->rt);
    allocator_destroy(&gpu->allocator);
    vkDestroyCommandPool(gpu->device, gpu->pool, NULL);
    vkDestroyDevice(gpu->device, &gpu->callbacks);
    if (gpu->messenger != VK_NULL_HANDLE) {
        PFN_vkDestroyDebugUtilsMessengerEXT destroy =
            (PFN_vkDestroyDebugUtilsMessengerEXT)vkGetInstanceProcAddr(gpu->instance, "vkDestroyDebugUtilsMessengerEXT");
        destroy(gpu->instance, gpu->messenger, NULL);
    }
    vkDestroyInstance(gpu->instance, NULL);
    return atomic_load(&gpu->alive) + gpu->allocator.alive;
}

rtcrt_buffer *gpu_buffer(struct gpu *gpu, uint64_t size) {
    uint32_t usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                     VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT |
                     VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_BUILD_INPUT_READ_ONLY_BIT_KHR;
    rtcrt_buffer *buffer = NULL;
    RT(rtcrt_buffer_new(gpu->rt, gpu->memory, size, usage, RTCRT_HOST_ACCESS_READ, &buffer, &error));
    return buffer;
}
