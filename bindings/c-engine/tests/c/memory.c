/* Memory: an allocator that fails at every place, one that gives what was not requested, and the simple one. */

#include "stage.h"

/* Passes requests on until `left` is 0. */
struct failing {
    struct allocator *next;
    rtcrt_allocator own;
    int left;
    int alive;
    uint64_t shift;
};

static VkDeviceMemory give(struct failing *f, const rtcrt_memory_request *request, char **mapped) {
    VkMemoryAllocateFlagsInfo flags = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO, NULL, VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT, 0};
    VkPhysicalDeviceMemoryProperties all;
    vkGetPhysicalDeviceMemoryProperties(f->next->physical, &all);
    VkMemoryPropertyFlags wish = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    uint32_t type = 0;
    while (!(request->memory_types >> type & 1) || (all.memoryTypes[type].propertyFlags & wish) != wish) {
        CHECK(++type < all.memoryTypeCount);
    }
    VkMemoryAllocateInfo info = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, &flags, request->size + 4096, type};
    VkDeviceMemory memory = VK_NULL_HANDLE;
    void *at = NULL;
    VK(vkAllocateMemory(f->next->device, &info, NULL, &memory));
    VK(vkMapMemory(f->next->device, memory, 0, VK_WHOLE_SIZE, 0, &at));
    *mapped = at;
    return memory;
}

static int allocate(void *user, const rtcrt_memory_request *request, rtcrt_allocation *allocation) {
    struct failing *f = user;
    CHECK(request->device_address != 0 && request->size > 0 && request->alignment > 0);
    if (f->left-- <= 0) {
        return 42;
    }
    char *mapped = NULL;
    allocation->memory = NUMBER(give(f, request, &mapped));
    allocation->offset = f->shift;
    allocation->mapped = request->host_access != RTCRT_HOST_ACCESS_NONE ? mapped + f->shift : NULL;
    allocation->token = 0x70ce;
    ++f->alive;
    return 0;
}

static void release(void *user, const rtcrt_allocation *allocation) {
    struct failing *f = user;
    CHECK(allocation->token == 0x70ce);
    vkFreeMemory(f->next->device, HANDLE(VkDeviceMemory, allocation->memory), NULL);
    --f->alive;
}

void memory(struct stage *s) {
    struct failing f = {.next = &s->gpu.allocator, .own = {sizeof f.own, allocate, release, &f}};
    rtcrt_memory *failing = NULL, *own = NULL;
    rtcrt_buffer *buffer = NULL;
    rtcrt_accel *accel = NULL;
    rtcrt_pipeline *pipeline = NULL;
    rtcrt_frame_tables *frames = NULL;
    rtcrt_tables *tables = stage_tables();
    RT(rtcrt_memory_new(&f.own, &failing, &error));
    RT(rtcrt_pipeline_new(s->first, s->layout, NULL, &pipeline, &error));
    FAILS(rtcrt_buffer_new(s->gpu.rt, failing, 64, 0x20, 0, &buffer, &error), RTCRT_STATUS_DEVICE, "it returned 42");
    FAILS(rtcrt_accel_new(s->gpu.rt, failing, false, 64, &accel, &error), RTCRT_STATUS_DEVICE, "the caller's allocator has no");
    for (int n = 0; n < 3; ++n) {
        f.left = n;
        FAILS(rtcrt_frame_tables_new(pipeline, failing, tables, 3, &frames, &error), RTCRT_STATUS_DEVICE, "the caller's allocator has no");
        CHECK(f.alive == 0);
    }
    f.left = 3;
    RT(rtcrt_frame_tables_new(pipeline, failing, tables, 3, &frames, &error));
    CHECK(f.alive == 3);
    rtcrt_frame_tables_free(frames);
    CHECK(f.alive == 0);
    f.left = 2;
    f.shift = 1;
    FAILS(rtcrt_buffer_new(s->gpu.rt, failing, 64, 0x20, RTCRT_HOST_ACCESS_WRITE, &buffer, &error), RTCRT_STATUS_DEVICE, "not a multiple of");
    CHECK(f.alive == 0);
    INVALID(rtcrt_buffer_new(s->gpu.rt, failing, 64, 0x20, 3, &buffer, &error), "`host_access` is 3");
    f.shift = 0;
    RT(rtcrt_buffer_new(s->gpu.rt, failing, 64, 0x20, RTCRT_HOST_ACCESS_NONE, &buffer, &error));
    FAILS(rtcrt_buffer_write(buffer, 0, "x", 1, &error), RTCRT_STATUS_BINDING, "no access to this buffer");
    /* The memory goes first. */
    rtcrt_memory_free(failing);
    rtcrt_buffer_free(buffer);
    CHECK(f.alive == 0);

    RT(rtcrt_memory_own(s->gpu.rt, &own, &error));
    RT(rtcrt_buffer_new(s->gpu.rt, own, 64, 0x20, RTCRT_HOST_ACCESS_READ, &buffer, &error));
    char back[4] = "";
    RT(rtcrt_buffer_write(buffer, 60, "abc", 4, &error));
    RT(rtcrt_buffer_read(buffer, 60, back, 4, &error));
    CHECK(strcmp(back, "abc") == 0 && rtcrt_buffer_size(buffer) == 64 && rtcrt_buffer_address(buffer) != 0);
    FAILS(rtcrt_buffer_write(buffer, 61, "abc", 4, &error), RTCRT_STATUS_BINDING, "leave a buffer of 64 bytes");
    FAILS(rtcrt_buffer_read(buffer, UINT64_MAX, back, 4, &error), RTCRT_STATUS_BINDING, "leave a buffer of 64 bytes");
    INVALID(rtcrt_buffer_read(buffer, 0, NULL, 4, &error), "`data` is null");
    rtcrt_buffer_free(buffer);
    rtcrt_memory_free(own);
    rtcrt_tables_free(tables);
    rtcrt_pipeline_free(pipeline);
}
