/* The renderer of `examples/embed-c/` with one frame that is waited for. */

#include "stage.h"

const rtcrt_pipeline_options GROWING = {.size = sizeof GROWING, .allow_additions = 1, .dynamic_stack = 1};

rtcrt_package stage_package(const char *path) {
    FILE *file = fopen(path, "rb");
    CHECK(file != NULL && fseek(file, 0, SEEK_END) == 0);
    size_t size = (size_t)ftell(file);
    uint8_t *data = malloc(size);
    rewind(file);
    CHECK(data != NULL && fread(data, 1, size, file) == size && fclose(file) == 0);
    return (rtcrt_package){path, data, size};
}

static VkWriteDescriptorSet write_to(struct stage *s, const char *resource) {
    rtcrt_place at;
    RT(rtcrt_layout_place(s->layout, s->first, resource, &at, &error));
    CHECK(at.set == 0 && at.count == 1 && !at.push_constants && !at.has_counter);
    return (VkWriteDescriptorSet){.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                  .dstSet = s->set,
                                  .dstBinding = at.binding,
                                  .descriptorCount = 1,
                                  .descriptorType = (VkDescriptorType)at.descriptor_type};
}

static void make_set(struct stage *s) {
    size_t kinds = 0, sets = 0;
    const rtcrt_pool_size *sizes = rtcrt_layout_pool_sizes(s->layout, &kinds);
    CHECK(kinds == 3);
    VkDescriptorPoolSize all[3];
    for (size_t i = 0; i < kinds; ++i) {
        all[i] = (VkDescriptorPoolSize){(VkDescriptorType)sizes[i].descriptor_type, sizes[i].count};
    }
    VkDescriptorSetLayout layout = HANDLE(VkDescriptorSetLayout, rtcrt_layout_sets(s->layout, &sets)[0]);
    VkDescriptorPoolCreateInfo pool = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, .maxSets = 1, .poolSizeCount = 3, .pPoolSizes = all};
    VK(vkCreateDescriptorPool(s->gpu.device, &pool, NULL, &s->pool));
    VkDescriptorSetAllocateInfo set = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                       .descriptorPool = s->pool,
                                       .descriptorSetCount = 1,
                                       .pSetLayouts = &layout};
    VK(vkAllocateDescriptorSets(s->gpu.device, &set, &s->set));
    VkDescriptorBufferInfo output = {HANDLE(VkBuffer, rtcrt_buffer_handle(s->output)), 0, VK_WHOLE_SIZE};
    VkDescriptorBufferInfo constants = {HANDLE(VkBuffer, rtcrt_buffer_handle(s->constants)), 0, VK_WHOLE_SIZE};
    VkWriteDescriptorSet writes[2] = {write_to(s, "Output"), write_to(s, "b0")};
    writes[0].pBufferInfo = &output;
    writes[1].pBufferInfo = &constants;
    vkUpdateDescriptorSets(s->gpu.device, 2, writes, 0, NULL);
}

/* Whether a device can do all of this. */
static bool offered(VkInstance instance, const rtcrt_library *const *libraries, size_t count, uint32_t uses) {
    VkPhysicalDevice all[16];
    uint32_t devices = 16;
    rtcrt_requirements *requirements = NULL;
    bool found = false;
    vkEnumeratePhysicalDevices(instance, &devices, all);
    RT(rtcrt_requirements_new(libraries, count, uses, &requirements, &error));
    for (uint32_t i = 0; i < devices; ++i) {
        rtcrt_texts *refusals = NULL;
        RT(rtcrt_requirements_refusals(requirements, (rtcrt_function)vkGetInstanceProcAddr, instance, all[i], &refusals, &error));
        found = found || rtcrt_texts_count(refusals) == 0;
        rtcrt_texts_free(refusals);
    }
    rtcrt_requirements_free(requirements);
    return found;
}

/* What every device must do for the tests, and of the rest what one can do as well. */
static uint32_t find_uses(const rtcrt_library *const *libraries, size_t count) {
    static const struct {
        uint32_t use;
        const char *name;
    } more[3] = {{RTCRT_USE_DESCRIPTOR_BUFFERS, "descriptor buffers"},
                 {RTCRT_USE_INDIRECT_BUILDS, "indirect builds"},
                 {RTCRT_USE_HOST_BUILDS, "builds on the host"}};
    uint32_t uses = RTCRT_USE_PIPELINE_LIBRARIES | RTCRT_USE_INDIRECT_SIZES | RTCRT_USE_INDIRECT_TABLES | RTCRT_USE_INDIRECT_COUNT |
                    RTCRT_USE_WAVEFRONT;
    VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO, .apiVersion = VK_API_VERSION_1_2};
    VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, .pApplicationInfo = &application};
    VkInstance instance = VK_NULL_HANDLE;
    if (vkCreateInstance(&info, NULL, &instance) == VK_SUCCESS) {
        for (int i = 0; i < 3; ++i) {
            if (offered(instance, libraries, count, uses | more[i].use)) {
                uses |= more[i].use;
            } else {
                printf("refusals are tested alone: %s\n", more[i].name);
            }
        }
        vkDestroyInstance(instance, NULL);
    }
    return uses;
}

void stage_open(struct stage *s, bool validation) {
    static const char *const paths[4] = {"base.rtp", "matte.rtp", "mirror.rtp", "constants.rtp"};
    memset(s, 0, sizeof *s);
    for (int i = 0; i < 4; ++i) {
        s->packages[i] = stage_package(paths[i]);
    }
    RT(rtcrt_library_read(s->packages, 2, NULL, &s->first, &error));
    RT(rtcrt_library_read(&s->packages[2], 1, NULL, &s->mirror, &error));
    RT(rtcrt_library_read(&s->packages[3], 1, NULL, &s->constants_library, &error));
    const rtcrt_library *const all[3] = {s->first, s->mirror, s->constants_library};
    rtcrt_requirements *requirements = NULL;
    s->uses = find_uses(all, 3);
    RT(rtcrt_requirements_new(all, 3, s->uses, &requirements, &error));
    gpu_open(&s->gpu, requirements, validation);
    rtcrt_requirements_free(requirements);
    RT(rtcrt_layout_new(s->gpu.rt, all, 3, NULL, &s->layout, &error));
    s->output = gpu_buffer(&s->gpu, sizeof(picture));
    s->constants = gpu_buffer(&s->gpu, 16);
    float constants[2] = {0, (float)WIDTH / HEIGHT};
    RT(rtcrt_buffer_write(s->constants, 0, constants, sizeof constants, &error));
    make_set(s);
    VkCommandBufferAllocateInfo commands = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                            .commandPool = s->gpu.pool,
                                            .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                            .commandBufferCount = 1};
    VK(vkAllocateCommandBuffers(s->gpu.device, &commands, &s->commands));
    scene_init(&s->scene, &s->gpu);
    scene_animate(&s->scene, 0);
    scene_build(&s->scene, &s->gpu, stage_begin(s));
    stage_run(s);
}

void stage_close(struct stage *s) {
    scene_destroy(&s->scene);
    rtcrt_buffer_free(s->constants);
    rtcrt_buffer_free(s->output);
    vkDestroyDescriptorPool(s->gpu.device, s->pool, NULL);
    rtcrt_layout_free(s->layout);
    rtcrt_library_free(s->first);
    rtcrt_library_free(s->mirror);
    rtcrt_library_free(s->constants_library);
    for (int i = 0; i < 4; ++i) {
        free((void *)s->packages[i].data);
    }
    long alive = gpu_close(&s->gpu);
    printf("not freed: %ld\n", alive);
    CHECK(alive == 0);
}

VkCommandBuffer stage_begin(struct stage *s) {
    VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    VK(vkBeginCommandBuffer(s->commands, &begin));
    return s->commands;
}

void stage_run(struct stage *s) {
    VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                               .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
                               .dstAccessMask = VK_ACCESS_HOST_READ_BIT | VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT};
    VkPipelineStageFlags all = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
    vkCmdPipelineBarrier(s->commands, all, all | VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &barrier, 0, NULL, 0, NULL);
    VK(vkEndCommandBuffer(s->commands));
    VkSubmitInfo submit = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &s->commands};
    VK(vkQueueSubmit(s->gpu.queue, 1, &submit, VK_NULL_HANDLE));
    VK(vkDeviceWaitIdle(s->gpu.device));
}

rtcrt_tables *stage_tables(void) {
    rtcrt_tables *tables = NULL;
    float color[3] = {0.2f, 0.4f, 0.6f};
    rtcrt_argument material = {
        .slot = "b0,space1", .kind = RTCRT_ARGUMENT_KIND_CONSTANTS, .data = color, .data_size = sizeof color};
    rtcrt_record camera = {"Camera", NULL, 0}, sky = {"Sky", NULL, 0}, matte = {"Matte", &material, 1}, ground = {"Ground", &material, 1};
    RT(rtcrt_tables_new(&tables, &error));
    RT(rtcrt_tables_put(tables, RTCRT_TABLE_RAY_GENERATION, 0, &camera, &error));
    RT(rtcrt_tables_put(tables, RTCRT_TABLE_MISS, 0, &sky, &error));
    for (uint32_t i = 0; i < OCTAHEDRA; ++i) {
        color[0] = (float)i / OCTAHEDRA;
        RT(rtcrt_tables_put(tables, RTCRT_TABLE_HIT, i, &matte, &error));
    }
    RT(rtcrt_tables_put(tables, RTCRT_TABLE_HIT, OCTAHEDRA, &ground, &error));
    return tables;
}

void stage_bind(struct stage *s, const rtcrt_accel *top) {
    VkAccelerationStructureKHR raw = HANDLE(VkAccelerationStructureKHR, rtcrt_accel_handle(top));
    VkWriteDescriptorSetAccelerationStructureKHR structure = {
        .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_ACCELERATION_STRUCTURE_KHR,
        .accelerationStructureCount = 1,
        .pAccelerationStructures = &raw};
    VkWriteDescriptorSet write = write_to(s, "Scene");
    write.pNext = &structure;
    vkUpdateDescriptorSets(s->gpu.device, 1, &write, 0, NULL);
    VkPipelineLayout layout = HANDLE(VkPipelineLayout, rtcrt_layout_handle(s->layout));
    vkCmdBindDescriptorSets(stage_begin(s), VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR, layout, 0, 1, &s->set, 0, NULL);
}

void stage_picture(struct stage *s, picture to) {
    RT(rtcrt_buffer_read(s->output, 0, to, sizeof(picture), &error));
    picture nothing = {0};
    RT(rtcrt_buffer_write(s->output, 0, nothing, sizeof nothing, &error));
}

void stage_draw(struct stage *s, const rtcrt_pipeline *pipeline, const rtcrt_accel *top, picture to) {
    rtcrt_tables *tables = stage_tables();
    rtcrt_frame_tables *frames = NULL;
    rtcrt_dispatch dispatch;
    RT(rtcrt_frame_tables_new(pipeline, s->gpu.memory, tables, 1, &frames, &error));
    RT(rtcrt_frame_tables_begin(frames, 0, &dispatch, &error));
    dispatch.width = WIDTH;
    dispatch.height = HEIGHT;
    dispatch.depth = 1;
    stage_bind(s, top);
    RT(rtcrt_dispatch_rays(pipeline, s->commands, &dispatch, &error));
    stage_run(s);
    stage_picture(s, to);
    rtcrt_frame_tables_free(frames);
    rtcrt_tables_free(tables);
}
