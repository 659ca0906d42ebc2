/* Host memory that ends at every place: a second description of the device, whose features are given by names and whose allocation callbacks fail. */

#include "stage.h"

/* Passes requests on to the callbacks of the engine until `left` is 0. */
struct counter {
    const VkAllocationCallbacks *next;
    long left;
};

static VKAPI_ATTR void *VKAPI_CALL allocate(void *user, size_t size, size_t alignment, VkSystemAllocationScope scope) {
    struct counter *c = user;
    return c->left-- <= 0 ? NULL : c->next->pfnAllocation(c->next->pUserData, size, alignment, scope);
}

static VKAPI_ATTR void *VKAPI_CALL reallocate(void *user, void *old, size_t size, size_t alignment, VkSystemAllocationScope scope) {
    struct counter *c = user;
    return c->left-- <= 0 ? NULL : c->next->pfnReallocation(c->next->pUserData, old, size, alignment, scope);
}

static VKAPI_ATTR void VKAPI_CALL release(void *user, void *memory) {
    struct counter *c = user;
    c->next->pfnFree(c->next->pUserData, memory);
}

static rtcrt_device *device_with(struct stage *s, const VkAllocationCallbacks *callbacks) {
    const rtcrt_library *const both[2] = {s->first, s->mirror};
    rtcrt_requirements *requirements = NULL;
    rtcrt_texts *extensions = NULL, *features = NULL;
    rtcrt_device *device = NULL;
    RT(rtcrt_requirements_new(both, 2, RTCRT_USE_PIPELINE_LIBRARIES, &requirements, &error));
    RT(rtcrt_requirements_extensions(requirements, &extensions, &error));
    RT(rtcrt_requirements_features(requirements, &features, &error));
    rtcrt_device_handles handles = {.size = sizeof handles,
                                    .get_instance_proc_addr = (rtcrt_function)vkGetInstanceProcAddr,
                                    .instance = s->gpu.instance,
                                    .physical_device = s->gpu.physical,
                                    .device = s->gpu.device,
                                    .extensions = rtcrt_texts_data(extensions),
                                    .extension_count = rtcrt_texts_count(extensions),
                                    .feature_names = rtcrt_texts_data(features),
                                    .feature_name_count = 1,
                                    .allocation_callbacks = callbacks};
    /* One feature is not enough. */
    FAILS(rtcrt_device_new(&handles, &device, &error), RTCRT_STATUS_LIMIT, "was made without what ray-tracing pipelines need");
    handles.feature_name_count = rtcrt_texts_count(features);
    RT(rtcrt_device_new(&handles, &device, &error));
    rtcrt_texts_free(extensions);
    rtcrt_texts_free(features);
    rtcrt_requirements_free(requirements);
    return device;
}

/* What is made. */
static rtcrt_status make(struct stage *s, const rtcrt_device *device, int what) {
    const rtcrt_library *const both[2] = {s->first, s->mirror};
    rtcrt_status status = RTCRT_STATUS_INTERNAL;
    rtcrt_memory *own = NULL;
    rtcrt_buffer *buffer = NULL;
    rtcrt_accel *accel = NULL;
    rtcrt_layout *layout = NULL;
    rtcrt_size_queries *queries = NULL;
    RT(rtcrt_memory_own(device, &own, &error));
    switch (what) {
        case 0: status = rtcrt_buffer_new(device, own, 64, 0x20, RTCRT_HOST_ACCESS_WRITE, &buffer, NULL); break;
        case 1: status = rtcrt_accel_new(device, own, true, 4096, &accel, NULL); break;
        case 2: status = rtcrt_layout_new(device, both, 2, NULL, &layout, NULL); break;
        case 3: status = rtcrt_size_queries_new(device, RTCRT_POSTBUILD_INFO_COMPACTED_SIZE, 4, &queries, NULL); break;
    }
    CHECK((status == RTCRT_STATUS_OK) == (buffer != NULL || accel != NULL || layout != NULL || queries != NULL));
    rtcrt_buffer_free(buffer);
    rtcrt_accel_free(accel);
    rtcrt_layout_free(layout);
    rtcrt_size_queries_free(queries);
    rtcrt_memory_free(own);
    return status;
}

void host_memory(struct stage *s) {
    struct counter counter = {&s->gpu.callbacks, 1000000};
    VkAllocationCallbacks callbacks = {&counter, allocate, reallocate, release, NULL, NULL};
    rtcrt_device *device = device_with(s, &callbacks);
    long all = 0;
    for (int what = 0; what < 4; ++what) {
        long alive = atomic_load(&s->gpu.alive), failures = 0;
        for (counter.left = 0;; counter.left = ++failures) {
            rtcrt_status status = make(s, device, what);
            CHECK(atomic_load(&s->gpu.alive) == alive);
            if (status == RTCRT_STATUS_OK) {
                break;
            }
            CHECK(status == RTCRT_STATUS_OUT_OF_MEMORY && failures < 1000);
        }
        all += failures;
    }
    /* Drivers allocate some objects, such as layouts, with the callbacks of the device. */
    CHECK(all > 0);
    rtcrt_device_free(device);
}
