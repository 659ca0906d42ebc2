/* Packages with several forms: the same words in each, rays that are sorted, and forms that are measured. */

#include "stage.h"

enum { RAYS = 200, MEMORY = 1 << 12 };

static const char FOLDER[] = "forms-cache";

/* A form of forms.rtp that is ready to run. */
struct walk {
    rtcrt_library *library;
    rtcrt_layout *layout;
    rtcrt_pipeline *pipeline;
    rtcrt_tables *tables;
    rtcrt_blob *encoded;
    rtcrt_buffer *records, *words;
    rtcrt_dispatch dispatch;
    VkDescriptorPool pool;
    VkDescriptorSet set;
};

static void bind(struct stage *s, struct walk *w, const char *resource, VkBuffer buffer) {
    rtcrt_place at;
    /* What no shader of this form uses has no place. */
    if (rtcrt_layout_place(w->layout, w->library, resource, &at, NULL) != RTCRT_STATUS_OK) {
        return;
    }
    VkDescriptorBufferInfo info = {buffer, 0, VK_WHOLE_SIZE};
    VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                  .dstSet = w->set,
                                  .dstBinding = at.binding,
                                  .descriptorCount = 1,
                                  .descriptorType = (VkDescriptorType)at.descriptor_type,
                                  .pBufferInfo = &info};
    vkUpdateDescriptorSets(s->gpu.device, 1, &write, 0, NULL);
}

static void walk_open(struct stage *s, const rtcrt_forms *forms, uint32_t form, struct walk *w) {
    memset(w, 0, sizeof *w);
    RT(rtcrt_forms_library(forms, form, &w->library, &error));
    const rtcrt_library *const one[1] = {w->library};
    RT(rtcrt_layout_new(s->gpu.rt, one, 1, NULL, &w->layout, &error));
    RT(rtcrt_pipeline_new(w->library, w->layout, NULL, &w->pipeline, &error));
    rtcrt_record start = {"Walk", NULL, 0};
    uint64_t size = 0;
    RT(rtcrt_tables_new(&w->tables, &error));
    RT(rtcrt_tables_put(w->tables, RTCRT_TABLE_RAY_GENERATION, 0, &start, &error));
    RT(rtcrt_tables_size(w->tables, w->pipeline, &size, &error));
    uint32_t usage = VK_BUFFER_USAGE_SHADER_BINDING_TABLE_BIT_KHR;
    RT(rtcrt_buffer_new(s->gpu.rt, s->gpu.memory, size, usage, RTCRT_HOST_ACCESS_WRITE, &w->records, &error));
    RT(rtcrt_tables_encode(w->tables, w->pipeline, rtcrt_buffer_address(w->records), &w->encoded, &w->dispatch, &error));
    rtcrt_bytes bytes = rtcrt_blob_bytes(w->encoded);
    RT(rtcrt_buffer_write(w->records, 0, bytes.data, bytes.size, &error));
    w->dispatch.width = RAYS;
    w->dispatch.height = w->dispatch.depth = 1;
    size_t sets = 0;
    VkDescriptorSetLayout layout = HANDLE(VkDescriptorSetLayout, rtcrt_layout_sets(w->layout, &sets)[0]);
    CHECK(sets == 1);
    VkDescriptorPoolSize storage = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 8};
    VkDescriptorPoolCreateInfo pool = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, .maxSets = 1, .poolSizeCount = 1, .pPoolSizes = &storage};
    VK(vkCreateDescriptorPool(s->gpu.device, &pool, NULL, &w->pool));
    VkDescriptorSetAllocateInfo set = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                       .descriptorPool = w->pool,
                                       .descriptorSetCount = 1,
                                       .pSetLayouts = &layout};
    VK(vkAllocateDescriptorSets(s->gpu.device, &set, &w->set));
    w->words = gpu_buffer(&s->gpu, 4 * RAYS);
    bind(s, w, "Words", HANDLE(VkBuffer, rtcrt_buffer_handle(w->words)));
}

static void walk_close(struct stage *s, struct walk *w) {
    vkDestroyDescriptorPool(s->gpu.device, w->pool, NULL);
    rtcrt_buffer_free(w->words);
    rtcrt_buffer_free(w->records);
    rtcrt_blob_free(w->encoded);
    rtcrt_tables_free(w->tables);
    rtcrt_pipeline_free(w->pipeline);
    rtcrt_layout_free(w->layout);
    rtcrt_library_free(w->library);
}

static void begin(struct stage *s, const struct walk *w) {
    VkPipelineLayout layout = HANDLE(VkPipelineLayout, rtcrt_layout_handle(w->layout));
    vkCmdBindDescriptorSets(stage_begin(s), VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR, layout, 0, 1, &w->set, 0, NULL);
}

/* Every ray has written what it writes in any form. */
static void finished(const struct walk *w) {
    uint32_t words[RAYS], nothing[RAYS] = {0};
    RT(rtcrt_buffer_read(w->words, 0, words, sizeof words, &error));
    RT(rtcrt_buffer_write(w->words, 0, nothing, sizeof nothing, &error));
    for (uint32_t ray = 0; ray < RAYS; ++ray) {
        uint32_t sum = ray;
        for (uint32_t n = 0; n < 1 + (ray & 3); ++n) {
            sum = sum * 5 + n;
        }
        CHECK(words[ray] == sum);
    }
}

static void unsorted(struct stage *s, const rtcrt_forms *forms, uint32_t form) {
    struct walk w;
    rtcrt_buffer *plain[4];
    static const char *const names[4] = {"rtc.wavefront.control", "rtc.wavefront.state", "rtc.wavefront.keys", "rtc.wavefront.slots"};
    walk_open(s, forms, form, &w);
    for (size_t i = 0; i < 4; ++i) {
        static const uint8_t zeros[1024];
        uint64_t size = rtcrt_wavefront_plain_size(i);
        CHECK(size > 0 && size <= sizeof zeros);
        plain[i] = gpu_buffer(&s->gpu, size);
        RT(rtcrt_buffer_write(plain[i], 0, zeros, size, &error));
        bind(s, &w, names[i], HANDLE(VkBuffer, rtcrt_buffer_handle(plain[i])));
    }
    CHECK(rtcrt_wavefront_plain_size(4) == 0);
    begin(s, &w);
    RT(rtcrt_dispatch_rays(w.pipeline, s->commands, &w.dispatch, &error));
    stage_run(s);
    finished(&w);
    for (size_t i = 0; i < 4; ++i) {
        rtcrt_buffer_free(plain[i]);
    }
    walk_close(s, &w);
}

static void wrong_launches(struct stage *s, struct walk *w, const rtcrt_wavefront *kernels, const rtcrt_wavefront_launch *launch) {
    rtcrt_wavefront_plan *plan = NULL;
    rtcrt_wavefront_buffer buffer;
    rtcrt_wavefront_progress progress;
    rtcrt_blob *records = NULL;
    const uint8_t *record = rtcrt_blob_bytes(w->encoded).data;
    INVALID(rtcrt_wavefront_plan_new(s->gpu.rt, w->library, "Gone", &w->dispatch, MEMORY, &plan, &error), "`Gone`, which is not divided");
    FAILS(rtcrt_wavefront_plan_new(s->gpu.rt, w->library, "Walk", &w->dispatch, 1, &plan, &error), RTCRT_STATUS_LIMIT, "bytes of memory");
    INVALID(rtcrt_wavefront_plan_new(NULL, NULL, "Walk", NULL, 1, &plan, &error), "`device` is null");
    INVALID(rtcrt_wavefront_memory_new(s->gpu.rt, s->gpu.memory, NULL, NULL, &error), "`plan` is null");
    INVALID(rtcrt_wavefront_memory_buffer(launch->memory, 4, &buffer, &error), "`index` is 4, there are 4 buffers");
    INVALID(rtcrt_wavefront_records(w->pipeline, launch->plan, record, 3, &records, &error), "`size` is 3, an identifier has");
    INVALID(rtcrt_wavefront_start(kernels, s->commands, launch, 99, &error), "`tile` is 99, the plan has");
    INVALID(rtcrt_wavefront_dispatch_rays(kernels, s->commands, NULL, 1, &error), "`launch` is null");
    INVALID(rtcrt_wavefront_dispatch_rays(NULL, s->commands, launch, 1, &error), "`wavefront` is null");
    FAILS(rtcrt_wavefront_dispatch_rays(kernels, NULL, launch, 1, &error), RTCRT_STATUS_BINDING, "VkCommandBuffer is null");
    rtcrt_wavefront_launch other = *launch;
    other.resume.size = 0;
    FAILS(rtcrt_wavefront_iterate(kernels, s->commands, &other, 0, 0, &error), RTCRT_STATUS_BINDING, "for the records of 1 reorder point(s)");
    other = *launch;
    other.push_constants = "four";
    other.push_constants_size = 4;
    FAILS(rtcrt_wavefront_start(kernels, s->commands, &other, 0, &error), RTCRT_STATUS_BINDING, "4 bytes of push constants");
    INVALID(rtcrt_wavefront_copy_progress(kernels, s->commands, NULL, 0, NULL, &error), "`memory` is null");
    INVALID(rtcrt_wavefront_read_progress(record, 15, &progress, &error), "`size` is 15, progress has 16 bytes");
    INVALID(rtcrt_wavefront_new(NULL, NULL, &error), "`device` is null");
    CHECK(plan == NULL && records == NULL && rtcrt_wavefront_plan_size(NULL) == 0 && rtcrt_wavefront_plan_tiles(NULL) == 0);
    rtcrt_wavefront_free(NULL);
    rtcrt_wavefront_plan_free(NULL);
    rtcrt_wavefront_memory_free(NULL);
}

/* Recorded whole, and tile by tile until no ray is left. */
static void sorted(struct stage *s, const rtcrt_forms *forms) {
    struct walk w;
    rtcrt_wavefront *kernels = NULL;
    rtcrt_wavefront_plan *plan = NULL;
    rtcrt_wavefront_memory *memory = NULL;
    rtcrt_blob *records = NULL;
    rtcrt_buffer *resume = NULL, *counted = gpu_buffer(&s->gpu, RTCRT_WAVEFRONT_PROGRESS_SIZE);
    walk_open(s, forms, RTCRT_FORM_WAVEFRONT, &w);
    RT(rtcrt_wavefront_new(s->gpu.rt, &kernels, &error));
    RT(rtcrt_wavefront_plan_new(s->gpu.rt, w.library, "Walk", &w.dispatch, MEMORY, &plan, &error));
    CHECK(rtcrt_wavefront_plan_size(plan) <= MEMORY && rtcrt_wavefront_plan_tiles(plan) > 1);
    RT(rtcrt_wavefront_memory_new(s->gpu.rt, s->gpu.memory, plan, &memory, &error));
    for (size_t i = 0; i < 4; ++i) {
        rtcrt_wavefront_buffer buffer;
        RT(rtcrt_wavefront_memory_buffer(memory, i, &buffer, &error));
        CHECK(buffer.size > 0);
        bind(s, &w, buffer.name, HANDLE(VkBuffer, buffer.buffer));
    }
    /* The ray generation record is the first. */
    RT(rtcrt_wavefront_records(w.pipeline, plan, rtcrt_blob_bytes(w.encoded).data, w.dispatch.raygen.size, &records, &error));
    rtcrt_bytes bytes = rtcrt_blob_bytes(records);
    uint32_t usage = VK_BUFFER_USAGE_SHADER_BINDING_TABLE_BIT_KHR;
    enum { ALIGNMENT = 256 };
    RT(rtcrt_buffer_new(s->gpu.rt, s->gpu.memory, bytes.size + ALIGNMENT, usage, RTCRT_HOST_ACCESS_WRITE, &resume, &error));
    uint64_t at = (rtcrt_buffer_address(resume) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    RT(rtcrt_buffer_write(resume, at - rtcrt_buffer_address(resume), bytes.data, bytes.size, &error));
    rtcrt_wavefront_launch launch = {.pipeline = w.pipeline,
                                     .tables = w.dispatch,
                                     .resume = {at, bytes.size},
                                     .plan = plan,
                                     .memory = memory};
    wrong_launches(s, &w, kernels, &launch);
    for (uint32_t iterations = 0; iterations < 6; iterations += 5) {
        begin(s, &w);
        RT(rtcrt_wavefront_dispatch_rays(kernels, s->commands, &launch, iterations, &error));
        stage_run(s);
        finished(&w);
    }
    uint64_t sorts = 0, sum = 0;
    for (uint64_t tile = 0; tile < rtcrt_wavefront_plan_tiles(plan); ++tile) {
        rtcrt_wavefront_progress progress = {1, 0, 0};
        for (uint32_t n = 0; progress.live != 0; ++n) {
            uint8_t data[RTCRT_WAVEFRONT_PROGRESS_SIZE];
            CHECK(n < 10);
            begin(s, &w);
            if (n == 0) {
                RT(rtcrt_wavefront_start(kernels, s->commands, &launch, tile, &error));
            }
            RT(rtcrt_wavefront_iterate(kernels, s->commands, &launch, n, 0, &error));
            RT(rtcrt_wavefront_copy_progress(kernels, s->commands, memory, n + 1, counted, &error));
            stage_run(s);
            RT(rtcrt_buffer_read(counted, 0, data, sizeof data, &error));
            RT(rtcrt_wavefront_read_progress(data, sizeof data, &progress, &error));
        }
        sorts += progress.sorts;
        sum += progress.sorted;
    }
    finished(&w);
    /* One to four times each. */
    CHECK(sum == RAYS / 4 * (1 + 2 + 3 + 4) && sorts >= 4);
    rtcrt_buffer_free(resume);
    rtcrt_buffer_free(counted);
    rtcrt_blob_free(records);
    rtcrt_wavefront_memory_free(memory);
    rtcrt_wavefront_plan_free(plan);
    rtcrt_wavefront_free(kernels);
    walk_close(s, &w);
}

static void measured(struct stage *s, const rtcrt_forms *forms) {
    static const uint32_t list[2] = {RTCRT_FORM_LOWER, RTCRT_FORM_WAVEFRONT}, wrong = 9;
    rtcrt_choices *choices = NULL;
    rtcrt_measure *measure = NULL, *known = NULL;
    uint32_t form = 9, ended = 9;
    RT(rtcrt_choices_open(s->gpu.rt, FOLDER, &choices, &error));
    CHECK(rtcrt_choices_note(choices).size == 0 && rtcrt_choices_note(NULL).size == 0);
    RT(rtcrt_choices_measure(choices, forms, "Other", list, 2, &measure, &error));
    INVALID(rtcrt_choices_keep(choices, forms, "Other", measure, &error), "`measure` has measured nothing yet");
    rtcrt_measure_free(measure);
    RT(rtcrt_measure_new(list, 2, &measure, &error));
    CHECK(rtcrt_measure_nanoseconds(measure, RTCRT_FORM_LOWER) == 0 && rtcrt_measure_nanoseconds(NULL, 0) == 0);
    for (int n = 0; n < 20 && ended != 1; ++n) {
        /* Two of each to warm up, and then from the first to the last and back. */
        int turn = n < 4 ? n / 2 : (n / 2 % 2 ? 1 - n % 2 : n % 2);
        RT(rtcrt_measure_next(measure, &form, &error));
        CHECK(form == list[turn]);
        RT(rtcrt_measure_record(measure, form, form == RTCRT_FORM_LOWER ? 3000 : 2000, 1000, &ended, &error));
    }
    CHECK(ended == 1 && rtcrt_measure_nanoseconds(measure, RTCRT_FORM_LOWER) == 3 && rtcrt_measure_nanoseconds(measure, RTCRT_FORM_WAVEFRONT) == 2);
    RT(rtcrt_measure_next(measure, &form, &error));
    CHECK(form == RTCRT_FORM_WAVEFRONT);
    RT(rtcrt_measure_record(measure, form, 2000, 1000, NULL, &error));
    RT(rtcrt_choices_keep(choices, forms, "Walk", measure, &error));
    rtcrt_choices_free(choices);
    /* Another process of the same device. */
    RT(rtcrt_choices_open(s->gpu.rt, FOLDER, &choices, &error));
    CHECK(rtcrt_choices_note(choices).size == 0);
    RT(rtcrt_choices_measure(choices, forms, "Walk", list, 2, &known, &error));
    RT(rtcrt_measure_next(known, &form, &error));
    CHECK(form == RTCRT_FORM_WAVEFRONT);
    RT(rtcrt_measure_restart(known, &error));
    RT(rtcrt_measure_next(known, &form, &error));
    CHECK(form == RTCRT_FORM_LOWER);
    INVALID(rtcrt_measure_new(NULL, 0, &measure, &error), "`list` has no form");
    INVALID(rtcrt_measure_new(&wrong, 1, &measure, &error), "`form` is 9, which means nothing");
    INVALID(rtcrt_measure_record(measure, 9, 1, 1, NULL, &error), "`form` is 9");
    INVALID(rtcrt_measure_next(NULL, &form, &error), "`measure` is null");
    INVALID(rtcrt_measure_restart(NULL, &error), "`measure` is null");
    INVALID(rtcrt_choices_open(NULL, FOLDER, &choices, &error), "`device` is null");
    rtcrt_measure_free(known);
    rtcrt_measure_free(measure);
    rtcrt_measure_free(NULL);
    rtcrt_choices_free(choices);
    rtcrt_choices_free(NULL);
}

void forms(struct stage *s) {
    rtcrt_package several = stage_package("forms.rtp"), one = s->packages[2], both[2];
    rtcrt_forms *all = NULL, *few = NULL;
    rtcrt_texts *reasons = NULL;
    rtcrt_blob *bytes = NULL;
    rtcrt_library *library = NULL;
    uint32_t form = 9;
    RT(rtcrt_forms_read(&several, 1, NULL, &all, &error));
    CHECK(rtcrt_forms_possible(all) == 0xf && rtcrt_forms_possible(NULL) == 0);
    /* Whatever the device could do: the extensions are not switched on. */
    RT(rtcrt_forms_choose(all, s->gpu.rt, &form, &error));
    CHECK(form == RTCRT_FORM_LOWER && rtcrt_device_reorders(s->gpu.rt) == 0 && rtcrt_device_reorders(NULL) == 0);
    unsorted(s, all, RTCRT_FORM_LOWER);
    unsorted(s, all, RTCRT_FORM_WAVEFRONT);
    sorted(s, all);
    measured(s, all);
    /* A package in one form, as bytes. */
    RT(rtcrt_forms_package(all, RTCRT_FORM_NV, 0, &bytes, &error));
    rtcrt_package nv = {"nv.rtp", rtcrt_blob_bytes(bytes).data, rtcrt_blob_bytes(bytes).size};
    RT(rtcrt_forms_read(&nv, 1, NULL, &few, &error));
    CHECK(rtcrt_forms_possible(few) == 1u << RTCRT_FORM_NV);
    FAILS(rtcrt_forms_choose(few, s->gpu.rt, &form, &error), RTCRT_STATUS_LIMIT, "the device runs none of the package's forms");
    FAILS(rtcrt_forms_library(few, RTCRT_FORM_EXT, &library, &error), RTCRT_STATUS_PACKAGE, "has no form `ext`");
    INVALID(rtcrt_forms_package(few, RTCRT_FORM_NV, 1, &bytes, &error), "`index` is 1, there are 1 packages");
    INVALID(rtcrt_forms_library(few, 9, &library, &error), "`form` is 9, which means nothing");
    rtcrt_forms_free(few);
    /* A package without hit objects in one pipeline with hit objects. */
    both[0] = several;
    both[1] = one;
    rtcrt_overrides overrides = {.size = sizeof overrides, .has_pipeline = 1, .max_recursion = 1, .has_shader = 1, .max_payload = 32, .max_attribute = 8};
    RT(rtcrt_forms_read(both, 2, &overrides, &few, &error));
    CHECK((rtcrt_forms_possible(few) & (1u << RTCRT_FORM_EXT | 1u << RTCRT_FORM_NV)) != 0);
    RT(rtcrt_forms_impossible(few, &reasons, &error));
    for (size_t i = 0; i < rtcrt_texts_count(reasons); ++i) {
        CHECK(strncmp((const char *)rtcrt_texts_at(reasons, i).data, "form `", 6) == 0);
    }
    rtcrt_texts_free(reasons);
    rtcrt_forms_free(few);
    INVALID(rtcrt_forms_read(NULL, 0, NULL, &few, &error), "`packages` are none");
    INVALID(rtcrt_forms_impossible(NULL, &reasons, &error), "`forms` is null");
    rtcrt_forms_free(NULL);
    rtcrt_blob_free(bytes);
    rtcrt_forms_free(all);
    free((void *)several.data);
}
