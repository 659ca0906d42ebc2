/* Packages, the pipeline that grows, shader tables, descriptor sets, frames in flight, dispatches whose arguments the device reads. Nothing here
 * waits but for the fence of the frame before last. */

#include "renderer.h"
#include "scene.h"

#include <string.h>

/* What belongs to one frame in flight. */
struct frame {
    VkCommandBuffer commands;
    VkFence fence;
    VkDescriptorSet set;
    struct scene scene;
    rtcrt_buffer *constants, *output, *arguments;
};

/* The third package, compiled by a thread of its own. */
struct addition {
    pthread_t thread;
    bool running;
    const rtcrt_pipeline *parent;
    const rtcrt_library *library;
    rtcrt_pipeline *grown;
};

struct renderer {
    struct gpu gpu;
    const struct options *options;
    /* The library of the first two packages, and that of the third. */
    rtcrt_library *libraries[2];
    rtcrt_layout *layout;
    rtcrt_pipeline *pipeline;
    rtcrt_frame_tables *tables;
    VkDescriptorPool pool;
    struct frame frames[FRAMES_IN_FLIGHT];
    struct addition addition;
    /* The pipeline before the addition, with the last frame that uses it. */
    rtcrt_pipeline *retired;
    uint32_t retired_last;
};

static const rtcrt_pipeline_options GROWING = {.size = sizeof GROWING, .allow_additions = 1, .dynamic_stack = 1};

static rtcrt_package read_package(const char *path) {
    FILE *file = fopen(path, "rb");
    long size = -1;
    if (file == NULL || fseek(file, 0, SEEK_END) != 0 || (size = ftell(file)) < 0 || fseek(file, 0, SEEK_SET) != 0) {
        perror(path);
        exit(1);
    }
    uint8_t *data = malloc((size_t)size + 1);
    if (data == NULL || fread(data, 1, (size_t)size, file) != (size_t)size) {
        perror(path);
        exit(1);
    }
    fclose(file);
    return (rtcrt_package){path, data, (size_t)size};
}

/* A library of packages; the files are no longer needed then. */
static rtcrt_library *read_library(const char *const *paths, size_t count) {
    rtcrt_package packages[2];
    rtcrt_library *library = NULL;
    for (size_t i = 0; i < count; ++i) {
        packages[i] = read_package(paths[i]);
    }
    RT(rtcrt_library_read(packages, count, NULL, &library, &error));
    for (size_t i = 0; i < count; ++i) {
        free((void *)packages[i].data);
    }
    return library;
}

static void put(rtcrt_tables *tables, rtcrt_table table, uint32_t index, const char *name, const float *color) {
    rtcrt_argument material = {
        .slot = "Material", .kind = RTCRT_ARGUMENT_KIND_CONSTANTS, .data = color, .data_size = 3 * sizeof(float)};
    rtcrt_record record = {name, &material, color != NULL};
    RT(rtcrt_tables_put(tables, table, index, &record, &error));
}

/* The tables of the beginning: all octahedra are matte. */
static rtcrt_tables *first_tables(void) {
    static const float colors[OCTAHEDRA][3] = {
        {0.9f, 0.3f, 0.2f}, {0.9f, 0.7f, 0.2f}, {0.3f, 0.8f, 0.3f}, {0.2f, 0.6f, 0.9f}, {0.7f, 0.3f, 0.9f}};
    static const float grey[3] = {0.5f, 0.5f, 0.5f};
    rtcrt_tables *tables = NULL;
    RT(rtcrt_tables_new(&tables, &error));
    put(tables, RTCRT_TABLE_RAY_GENERATION, 0, "Camera", NULL);
    put(tables, RTCRT_TABLE_MISS, 0, "Sky", NULL);
    for (uint32_t i = 0; i < OCTAHEDRA; ++i) {
        put(tables, RTCRT_TABLE_HIT, i, "Matte", colors[i]);
    }
    put(tables, RTCRT_TABLE_HIT, OCTAHEDRA, "Ground", grey);
    return tables;
}

static void make_pool(struct renderer *r) {
    size_t kinds = 0, sets = 0;
    const rtcrt_pool_size *sizes = rtcrt_layout_pool_sizes(r->layout, &kinds);
    rtcrt_layout_sets(r->layout, &sets);
    VkDescriptorPoolSize *all = calloc(kinds, sizeof *all);
    for (size_t i = 0; i < kinds; ++i) {
        all[i] = (VkDescriptorPoolSize){(VkDescriptorType)sizes[i].descriptor_type, sizes[i].count * FRAMES_IN_FLIGHT};
    }
    VkDescriptorPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                       .maxSets = (uint32_t)sets * FRAMES_IN_FLIGHT,
                                       .poolSizeCount = (uint32_t)kinds,
                                       .pPoolSizes = all};
    VK(vkCreateDescriptorPool(r->gpu.device, &info, NULL, &r->pool));
    free(all);
}

static VkWriteDescriptorSet write_to(const struct renderer *r, VkDescriptorSet set, const char *resource) {
    rtcrt_place at;
    RT(rtcrt_layout_place(r->layout, r->libraries[0], resource, &at, &error));
    return (VkWriteDescriptorSet){.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                  .dstSet = set,
                                  .dstBinding = at.binding,
                                  .descriptorCount = 1,
                                  .descriptorType = (VkDescriptorType)at.descriptor_type};
}

static VkDescriptorBufferInfo whole(const rtcrt_buffer *buffer) {
    return (VkDescriptorBufferInfo){HANDLE(VkBuffer, rtcrt_buffer_handle(buffer)), 0, VK_WHOLE_SIZE};
}

static void make_frame(struct renderer *r, struct frame *f) {
    VkDevice device = r->gpu.device;
    VkCommandBufferAllocateInfo commands = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                            .commandPool = r->gpu.pool,
                                            .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                            .commandBufferCount = 1};
    VkFenceCreateInfo signalled = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO, .flags = VK_FENCE_CREATE_SIGNALED_BIT};
    VK(vkAllocateCommandBuffers(device, &commands, &f->commands));
    VK(vkCreateFence(device, &signalled, NULL, &f->fence));
    scene_init(&f->scene, &r->gpu);
    f->output = gpu_buffer(&r->gpu, (uint64_t)r->options->width * r->options->height * 4);
    f->constants = gpu_buffer(&r->gpu, 16);
    f->arguments = gpu_buffer(&r->gpu, sizeof(rtcrt_dispatch));

    size_t count = 0;
    VkDescriptorSetLayout layout = HANDLE(VkDescriptorSetLayout, rtcrt_layout_sets(r->layout, &count)[0]);
    VkDescriptorSetAllocateInfo set = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                       .descriptorPool = r->pool,
                                       .descriptorSetCount = 1,
                                       .pSetLayouts = &layout};
    VK(vkAllocateDescriptorSets(device, &set, &f->set));
    VkAccelerationStructureKHR top = HANDLE(VkAccelerationStructureKHR, rtcrt_accel_handle(f->scene.top));
    VkWriteDescriptorSetAccelerationStructureKHR structure = {
        .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_ACCELERATION_STRUCTURE_KHR,
        .accelerationStructureCount = 1,
        .pAccelerationStructures = &top};
    VkDescriptorBufferInfo output = whole(f->output), constants = whole(f->constants);
    VkWriteDescriptorSet writes[3] = {write_to(r, f->set, "Scene"), write_to(r, f->set, "Output"), write_to(r, f->set, "Frame")};
    writes[0].pNext = &structure;
    writes[1].pBufferInfo = &output;
    writes[2].pBufferInfo = &constants;
    vkUpdateDescriptorSets(device, 3, writes, 0, NULL);
}

static void *compile_addition(void *argument) {
    struct addition *a = argument;
    RT(rtcrt_pipeline_add(a->parent, a->library, &GROWING, &a->grown, &error));
    return NULL;
}

static void grow(struct renderer *r, uint32_t n) {
    struct addition *a = &r->addition;
    if (n == r->options->add_at) {
        a->parent = r->pipeline;
        a->library = r->libraries[1];
        a->running = pthread_create(&a->thread, NULL, compile_addition, a) == 0;
    }
    /* A few frames later it is used, so that pictures do not depend on how long it takes. */
    if (n != r->options->add_at + 4 || !a->running) {
        return;
    }
    pthread_join(a->thread, NULL);
    a->running = false;
    RT(rtcrt_frame_tables_retarget(r->tables, a->grown, &error));
    for (size_t i = 0; i < OCTAHEDRA; i += 2) {
        rtcrt_record mirror = {"Mirror", NULL, 0};
        RT(rtcrt_frame_tables_set(r->tables, a->grown, RTCRT_TABLE_HIT, i, &mirror, &error));
    }
    r->retired = r->pipeline;
    r->retired_last = n - 1;
    r->pipeline = a->grown;
    printf("grown at: %u\n", n);
}

static void record(struct renderer *r, struct frame *f) {
    VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    VK(vkBeginCommandBuffer(f->commands, &begin));
    scene_build(&f->scene, &r->gpu, f->commands);
    VkPipelineLayout layout = HANDLE(VkPipelineLayout, rtcrt_layout_handle(r->layout));
    vkCmdBindDescriptorSets(f->commands, VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR, layout, 0, 1, &f->set, 0, NULL);
    uint64_t arguments = rtcrt_buffer_address(f->arguments);
    RT(rtcrt_dispatch_rays_indirect(r->pipeline, f->commands, arguments, 1, sizeof(rtcrt_dispatch), &error));
    /* The host reads the picture. */
    VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                               .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT,
                               .dstAccessMask = VK_ACCESS_HOST_READ_BIT};
    vkCmdPipelineBarrier(f->commands, VK_PIPELINE_STAGE_RAY_TRACING_SHADER_BIT_KHR, VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &barrier, 0, NULL, 0,
                         NULL);
    VK(vkEndCommandBuffer(f->commands));
}

static void draw(struct renderer *r, uint32_t n) {
    const struct options *o = r->options;
    uint32_t slot = n % FRAMES_IN_FLIGHT;
    struct frame *f = &r->frames[slot];
    VK(vkWaitForFences(r->gpu.device, 1, &f->fence, VK_TRUE, UINT64_MAX));
    if (r->retired != NULL && r->retired_last + FRAMES_IN_FLIGHT <= n) {
        rtcrt_pipeline_free(r->retired);
        r->retired = NULL;
    }
    grow(r, n);
    float time = (float)n / 30;
    float constants[2] = {time, (float)o->width / (float)o->height};
    rtcrt_dispatch dispatch;
    RT(rtcrt_frame_tables_begin(r->tables, slot, &dispatch, &error));
    dispatch.width = o->width;
    dispatch.height = o->height;
    dispatch.depth = 1;
    RT(rtcrt_dispatch_check(r->gpu.rt, &dispatch, &error));
    RT(rtcrt_buffer_write(f->arguments, 0, &dispatch, sizeof dispatch, &error));
    RT(rtcrt_buffer_write(f->constants, 0, constants, sizeof constants, &error));
    scene_animate(&f->scene, time);
    record(r, f);
    VkSubmitInfo submit = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &f->commands};
    VK(vkResetFences(r->gpu.device, 1, &f->fence));
    VK(vkQueueSubmit(r->gpu.queue, 1, &submit, f->fence));
}

static void init(struct renderer *r, const struct options *o) {
    rtcrt_requirements *requirements = NULL;
    memset(r, 0, sizeof *r);
    r->options = o;
    r->libraries[0] = read_library(o->packages, 2);
    r->libraries[1] = read_library(&o->packages[2], 1);
    const rtcrt_library *const libraries[2] = {r->libraries[0], r->libraries[1]};
    /* Validation layers before 1.3.250 ask for the feature of sizes where tables are read too. */
    uint32_t uses = RTCRT_USE_PIPELINE_LIBRARIES | RTCRT_USE_INDIRECT_SIZES | RTCRT_USE_INDIRECT_TABLES;
    RT(rtcrt_requirements_new(libraries, 2, uses, &requirements, &error));
    gpu_open(&r->gpu, requirements, o->validation);
    rtcrt_requirements_free(requirements);
    RT(rtcrt_layout_new(r->gpu.rt, libraries, 2, NULL, &r->layout, &error));
    RT(rtcrt_pipeline_new(r->libraries[0], r->layout, &GROWING, &r->pipeline, &error));
    rtcrt_tables *tables = first_tables();
    RT(rtcrt_frame_tables_new(r->pipeline, r->gpu.memory, tables, FRAMES_IN_FLIGHT, &r->tables, &error));
    rtcrt_tables_free(tables);
    make_pool(r);
    for (int i = 0; i < FRAMES_IN_FLIGHT; ++i) {
        make_frame(r, &r->frames[i]);
    }
}

/* The device is idle. */
static void destroy(struct renderer *r) {
    for (int i = 0; i < FRAMES_IN_FLIGHT; ++i) {
        struct frame *f = &r->frames[i];
        vkDestroyFence(r->gpu.device, f->fence, NULL);
        scene_destroy(&f->scene);
        rtcrt_buffer_free(f->constants);
        rtcrt_buffer_free(f->output);
        rtcrt_buffer_free(f->arguments);
    }
    vkDestroyDescriptorPool(r->gpu.device, r->pool, NULL);
    rtcrt_frame_tables_free(r->tables);
    rtcrt_pipeline_free(r->retired);
    rtcrt_pipeline_free(r->pipeline);
    rtcrt_layout_free(r->layout);
    rtcrt_library_free(r->libraries[0]);
    rtcrt_library_free(r->libraries[1]);
    printf("not freed: %ld\n", gpu_close(&r->gpu));
}

uint8_t *render(const struct options *o) {
    struct renderer r;
    init(&r, o);
    for (uint32_t n = 0; n < o->frames; ++n) {
        draw(&r, n);
    }
    VK(vkDeviceWaitIdle(r.gpu.device));
    if (r.addition.running) {
        pthread_join(r.addition.thread, NULL);
        rtcrt_pipeline_free(r.addition.grown);
    }
    size_t size = (size_t)o->width * o->height * 4;
    uint8_t *pixels = malloc(size);
    RT(rtcrt_buffer_read(r.frames[(o->frames + FRAMES_IN_FLIGHT - 1) % FRAMES_IN_FLIGHT].output, 0, pixels, size, &error));
    destroy(&r);
    return pixels;
}
