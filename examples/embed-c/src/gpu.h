/* The engine's own Vulkan: instance, device, queue, command buffers, memory. */
#ifndef GPU_H
#define GPU_H

#include "allocator.h"

#include <stdatomic.h>

struct gpu {
    VkInstance instance;
    VkPhysicalDevice physical;
    VkDevice device;
    VkQueue queue;
    VkCommandPool pool;
    VkDebugUtilsMessengerEXT messenger;
    struct allocator allocator;
    /* The device and its memory as librtcrt knows them. */
    rtcrt_device *rt;
    rtcrt_memory *memory;
    VkAllocationCallbacks callbacks;
    /* Host allocations of the device, and of the objects that librtcrt makes, that were not freed. */
    atomic_long alive;
};

/* Opens the first device that meets the requirements; the program ends with NO_DEVICE if there is none. With `validation`, the validation
 * layer watches, where it is installed, and what it says is printed. */
void gpu_open(struct gpu *gpu, const rtcrt_requirements *requirements, bool validation);

/* Destroys all, and returns how many allocations of the host and of the device were not freed. */
long gpu_close(struct gpu *gpu);

/* A buffer that the host sees, for whatever the device does with it here. */
rtcrt_buffer *gpu_buffer(struct gpu *gpu, uint64_t size);

#endif
