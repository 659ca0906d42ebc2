/* Dispatches that the device counts, and builds whose numbers of primitives it reads. */

#include "stage.h"

#define APART 112

static rtcrt_pipeline *pipeline;
static picture expected;

/* Of three dispatches the second draws. */
static void counted(struct stage *s) {
    rtcrt_execute_indirect *execute = NULL;
    rtcrt_tables *tables = stage_tables();
    rtcrt_frame_tables *frames = NULL;
    rtcrt_dispatch dispatch;
    RT(rtcrt_execute_indirect_new(s->gpu.rt, &execute, &error));
    RT(rtcrt_frame_tables_new(pipeline, s->gpu.memory, tables, 1, &frames, &error));
    RT(rtcrt_frame_tables_begin(frames, 0, &dispatch, &error));
    char bytes[3 * APART];
    memset(bytes, 0xff, sizeof bytes);
    for (int i = 0; i < 3; ++i) {
        dispatch.width = i == 1 ? WIDTH : 0;
        dispatch.height = i == 1 ? HEIGHT : 0;
        dispatch.depth = 1;
        memcpy(bytes + i * APART, &dispatch, sizeof dispatch);
    }
    CHECK(rtcrt_execute_indirect_size(3) == 3 * sizeof dispatch);
    rtcrt_buffer *source = gpu_buffer(&s->gpu, sizeof bytes), *target = gpu_buffer(&s->gpu, rtcrt_execute_indirect_size(3));
    rtcrt_buffer *number = gpu_buffer(&s->gpu, 4);
    RT(rtcrt_buffer_write(source, 0, bytes, sizeof bytes, &error));
    rtcrt_indirect_arguments arguments = {
        .address = rtcrt_buffer_address(source), .stride = APART, .count_address = rtcrt_buffer_address(number), .max_count = 3};
    static const uint32_t counts[5] = {0, 1, 2, 3, UINT32_MAX};
    for (int i = 0; i < 6; ++i) {
        picture drawn;
        if (i < 5) {
            RT(rtcrt_buffer_write(number, 0, &counts[i], sizeof counts[i], &error));
        } else {
            arguments.count_address = 0;
        }
        stage_bind(s, s->scene.top);
        RT(rtcrt_execute_indirect_prepare(execute, s->commands, &arguments, target, &error));
        RT(rtcrt_dispatch_rays_indirect(pipeline, s->commands, rtcrt_buffer_address(target), 3, sizeof dispatch, &error));
        stage_run(s);
        stage_picture(s, drawn);
        picture nothing = {0};
        CHECK(memcmp(drawn, i >= 2 ? expected : nothing, sizeof drawn) == 0);
    }
    arguments.max_count = 4;
    FAILS(rtcrt_execute_indirect_prepare(execute, s->commands, &arguments, target, &error),
          RTCRT_STATUS_BINDING, "need 416 bytes, there are 312");
    arguments.stride = 2;
    FAILS(rtcrt_execute_indirect_prepare(execute, s->commands, &arguments, target, &error), RTCRT_STATUS_BINDING, "not a multiple of 4");
    INVALID(rtcrt_execute_indirect_prepare(execute, s->commands, NULL, target, &error), "`arguments` is null");
    INVALID(rtcrt_execute_indirect_prepare(execute, s->commands, &arguments, NULL, &error), "`target` is null");
    INVALID(rtcrt_execute_indirect_prepare(NULL, s->commands, &arguments, target, &error), "`execute_indirect` is null");
    INVALID(rtcrt_execute_indirect_new(NULL, &execute, &error), "`device` is null");
    rtcrt_execute_indirect_free(NULL);
    rtcrt_execute_indirect_free(execute);
    rtcrt_frame_tables_free(frames);
    rtcrt_tables_free(tables);
    rtcrt_buffer_free(source);
    rtcrt_buffer_free(target);
    rtcrt_buffer_free(number);
}

/* The same structure, with a number of instances that the device reads. */
static void built(struct stage *s) {
    VkAccelerationStructureBuildRangeInfoKHR range = {.primitiveCount = OCTAHEDRA + 1};
    rtcrt_buffer *ranges = gpu_buffer(&s->gpu, sizeof range), *scratch = NULL;
    rtcrt_indirect_ranges where = {rtcrt_buffer_address(ranges), sizeof range};
    rtcrt_inputs inputs = s->scene.inputs[2];
    rtcrt_accel *top = NULL;
    rtcrt_sizes sizes;
    uint64_t size = 0;
    picture drawn;
    RT(rtcrt_buffer_write(ranges, 0, &range, sizeof range, &error));
    RT(rtcrt_inputs_sizes(s->gpu.rt, &inputs, &sizes, &error));
    RT(rtcrt_accel_new(s->gpu.rt, s->gpu.memory, true, sizes.result, &top, &error));
    rtcrt_build build = {.size = sizeof build, .inputs = &inputs, .target = top};
    RT(rtcrt_scratch_size(s->gpu.rt, &build, 1, &size, &error));
    scratch = gpu_buffer(&s->gpu, size);
    uint64_t at = rtcrt_buffer_address(scratch);
    VkCommandBuffer commands = stage_begin(s);
    if (s->uses & RTCRT_USE_INDIRECT_BUILDS) {
        RT(rtcrt_build_accels_indirect(s->gpu.rt, commands, &build, &where, 1, at, size, &error));
        where.stride = 6;
        FAILS(rtcrt_build_accels_indirect(s->gpu.rt, commands, &build, &where, 1, at, size, &error),
              RTCRT_STATUS_BINDING, "a stride of 6 bytes");
        stage_run(s);
        stage_draw(s, pipeline, top, drawn);
        CHECK(memcmp(drawn, expected, sizeof drawn) == 0);
    } else {
        FAILS(rtcrt_build_accels_indirect(s->gpu.rt, commands, &build, &where, 1, at, size, &error), RTCRT_STATUS_LIMIT,
              "accelerationStructureIndirectBuild");
        stage_run(s);
    }
    INVALID(rtcrt_build_accels_indirect(s->gpu.rt, commands, &build, NULL, 1, at, size, &error), "`ranges` is null");
    INVALID(rtcrt_build_accels_indirect(NULL, commands, &build, &where, 1, at, size, &error), "`device` is null");
    rtcrt_accel_free(top);
    rtcrt_buffer_free(scratch);
    rtcrt_buffer_free(ranges);
}

/* Answers that a command writes to a buffer. */
static void answered(struct stage *s) {
    rtcrt_size_queries *queries = NULL;
    rtcrt_buffer *buffer = gpu_buffer(&s->gpu, 24);
    uint64_t raw = rtcrt_buffer_handle(buffer), told = 0, written[3] = {0};
    const rtcrt_accel *const list[1] = {s->scene.top};
    size_t count = 1;
    bool ready = false;
    RT(rtcrt_size_queries_new(s->gpu.rt, RTCRT_POSTBUILD_INFO_SERIALIZATION_SIZE, 1, &queries, &error));
    VkCommandBuffer commands = stage_begin(s);
    RT(rtcrt_size_queries_record(queries, commands, list, 1, &error));
    RT(rtcrt_size_queries_write(queries, commands, raw, 8, &error));
    FAILS(rtcrt_size_queries_write(queries, commands, raw, 4, &error), RTCRT_STATUS_BINDING, "not a multiple of 8");
    FAILS(rtcrt_size_queries_write(queries, commands, 0, 8, &error), RTCRT_STATUS_BINDING, "which is null");
    INVALID(rtcrt_size_queries_write(NULL, commands, raw, 8, &error), "`queries` is null");
    stage_run(s);
    RT(rtcrt_size_queries_answers(queries, &told, &count, &ready, &error));
    RT(rtcrt_buffer_read(buffer, 0, written, sizeof written, &error));
    CHECK(ready && told > 0 && written[1] == told && written[2] == 0);
    rtcrt_size_queries_free(queries);
    rtcrt_buffer_free(buffer);
}

void indirect(struct stage *s) {
    RT(rtcrt_pipeline_new(s->first, s->layout, NULL, &pipeline, &error));
    stage_draw(s, pipeline, s->scene.top, expected);
    counted(s);
    built(s);
    answered(s);
    rtcrt_pipeline_free(pipeline);
}
