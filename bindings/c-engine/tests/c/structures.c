/* Acceleration structures: updates, compaction, clones, serialised bytes, questions; each draws what the usual one draws. */

#include "stage.h"

#define ALLOW_UPDATE 1
#define ALLOW_COMPACTION 2

static rtcrt_pipeline *pipeline;
static picture expected;

static void same(struct stage *s, const rtcrt_accel *top) {
    picture drawn;
    stage_draw(s, pipeline, top, drawn);
    CHECK(memcmp(drawn, expected, sizeof drawn) == 0);
}

static rtcrt_accel *room(struct stage *s, bool top, uint64_t size) {
    rtcrt_accel *accel = NULL;
    RT(rtcrt_accel_new(s->gpu.rt, s->gpu.memory, top, size, &accel, &error));
    CHECK(rtcrt_accel_size(accel) == size && rtcrt_accel_handle(accel) != 0);
    return accel;
}

/* A structure over the same instances that may be updated and compacted. */
static rtcrt_accel *build_top(struct stage *s, rtcrt_inputs *inputs) {
    rtcrt_sizes sizes;
    *inputs = s->scene.inputs[2];
    inputs->flags = ALLOW_UPDATE | ALLOW_COMPACTION;
    RT(rtcrt_inputs_sizes(s->gpu.rt, inputs, &sizes, &error));
    rtcrt_accel *top = room(s, true, sizes.result);
    rtcrt_build build = {.size = sizeof build, .inputs = inputs, .target = top};
    uint64_t size = 0;
    RT(rtcrt_scratch_size(s->gpu.rt, &build, 1, &size, &error));
    rtcrt_buffer *scratch = gpu_buffer(&s->gpu, size);
    RT(rtcrt_build_accels(s->gpu.rt, stage_begin(s), &build, 1, rtcrt_buffer_address(scratch), size, &error));
    stage_run(s);
    rtcrt_buffer_free(scratch);
    return top;
}

static void updates(struct stage *s) {
    rtcrt_inputs inputs;
    rtcrt_accel *top = build_top(s, &inputs), *other = room(s, true, rtcrt_accel_size(top));
    uint64_t size = 1 << 20;
    rtcrt_buffer *scratch = gpu_buffer(&s->gpu, size);
    uint64_t at = rtcrt_buffer_address(scratch);
    rtcrt_build build = {.size = sizeof build, .inputs = &inputs, .target = top, .mode = RTCRT_BUILD_MODE_UPDATE};
    VkCommandBuffer commands = stage_begin(s);
    RT(rtcrt_build_accels(s->gpu.rt, commands, &build, 1, at, size, &error));
    build.source = top;
    build.target = other;
    RT(rtcrt_build_accels(s->gpu.rt, commands, &build, 1, at, size, &error));

    rtcrt_build two[2] = {build, build};
    two[1].target = top;
    two[1].source = NULL;
    FAILS(rtcrt_build_accels(s->gpu.rt, commands, two, 2, at, size, &error), RTCRT_STATUS_BUSY, "`builds[0].source`");
    two[1].target = other;
    FAILS(rtcrt_build_accels(s->gpu.rt, commands, two, 2, at, size, &error), RTCRT_STATUS_BUSY, "`builds[1].target`");
    build.mode = RTCRT_BUILD_MODE_BUILD;
    INVALID(rtcrt_build_accels(s->gpu.rt, commands, &build, 1, at, size, &error), "it is no update");
    build.mode = 9;
    INVALID(rtcrt_build_accels(s->gpu.rt, commands, &build, 1, at, size, &error), "`mode` is 9");
    build.mode = RTCRT_BUILD_MODE_BUILD;
    build.source = NULL;
    INVALID(rtcrt_build_accels(s->gpu.rt, commands, &build, 1, UINT64_MAX, 16, &error), "scratch memory of 16 bytes");
    FAILS(rtcrt_build_accels(s->gpu.rt, NULL, &build, 1, at, size, &error), RTCRT_STATUS_BINDING, "VkCommandBuffer is null");
    inputs.flags = 4 | 8;
    FAILS(rtcrt_build_accels(s->gpu.rt, commands, &build, 1, at, size, &error), RTCRT_STATUS_BINDING, "build 0: ");
    build.target = NULL;
    INVALID(rtcrt_build_accels(s->gpu.rt, commands, &build, 1, at, size, &error), "`builds[0].target` is null");
    build.size = 0;
    INVALID(rtcrt_build_accels(s->gpu.rt, commands, &build, 1, at, size, &error), "`builds[0]` has 0");
    stage_run(s);
    same(s, top);
    same(s, other);
    rtcrt_accel_free(top);
    rtcrt_accel_free(other);
    rtcrt_buffer_free(scratch);
}

static uint64_t answer(rtcrt_size_queries *queries) {
    uint64_t size = 0;
    size_t count = 1;
    bool ready = false;
    RT(rtcrt_size_queries_answers(queries, &size, &count, &ready, &error));
    CHECK(ready && count == 1);
    count = 0;
    INVALID(rtcrt_size_queries_answers(queries, &size, &count, &ready, &error), "`answers` has room for 0 numbers, there are 1");
    rtcrt_size_queries_free(queries);
    return size;
}

static rtcrt_size_queries *ask(struct stage *s, uint32_t info, const rtcrt_accel *about, VkCommandBuffer commands) {
    rtcrt_size_queries *queries = NULL;
    const rtcrt_accel *const list[2] = {about, about};
    RT(rtcrt_size_queries_new(s->gpu.rt, info, 1, &queries, &error));
    FAILS(rtcrt_size_queries_record(queries, commands, list, 2, &error), RTCRT_STATUS_BINDING, "2 questions, there is room for 1");
    RT(rtcrt_size_queries_record(queries, commands, list, 1, &error));
    return queries;
}

static void copies(struct stage *s) {
    rtcrt_inputs inputs;
    rtcrt_accel *top = build_top(s, &inputs);
    rtcrt_size_queries *none = NULL;
    INVALID(rtcrt_size_queries_new(s->gpu.rt, 4, 1, &none, &error), "`info` is 4");
    VkCommandBuffer commands = stage_begin(s);
    rtcrt_size_queries *compacted = ask(s, RTCRT_POSTBUILD_INFO_COMPACTED_SIZE, top, commands);
    rtcrt_size_queries *serialized = ask(s, RTCRT_POSTBUILD_INFO_SERIALIZATION_SIZE, top, commands);
    stage_run(s);
    rtcrt_accel *small = room(s, true, answer(compacted)), *clone = room(s, true, rtcrt_accel_size(top));
    uint64_t size = answer(serialized);
    rtcrt_buffer *bytes = gpu_buffer(&s->gpu, size + 256);
    uint64_t at = (rtcrt_buffer_address(bytes) + 255) / 256 * 256, offset = at - rtcrt_buffer_address(bytes);
    commands = stage_begin(s);
    RT(rtcrt_copy_accel(s->gpu.rt, commands, top, small, RTCRT_COPY_MODE_COMPACT, &error));
    RT(rtcrt_copy_accel(s->gpu.rt, commands, top, clone, RTCRT_COPY_MODE_CLONE, &error));
    RT(rtcrt_serialize_accel(s->gpu.rt, commands, top, at, &error));
    FAILS(rtcrt_copy_accel(s->gpu.rt, commands, top, top, RTCRT_COPY_MODE_CLONE, &error), RTCRT_STATUS_BUSY, "`target`");
    INVALID(rtcrt_copy_accel(s->gpu.rt, commands, top, clone, 2, &error), "`mode` is 2");
    FAILS(rtcrt_serialize_accel(s->gpu.rt, commands, top, at + 16, &error), RTCRT_STATUS_BINDING, "not a multiple of 256");
    stage_run(s);
    same(s, small);
    same(s, clone);

    uint8_t *data = malloc(size);
    rtcrt_serialized_header header;
    RT(rtcrt_buffer_read(bytes, offset, data, size, &error));
    RT(rtcrt_serialized_read(s->gpu.rt, data, size, &header, &error));
    FAILS(rtcrt_serialized_read(s->gpu.rt, data, 20, &header, &error), RTCRT_STATUS_BINDING, "too few for a header");
    uint64_t bottoms[16];
    CHECK(header.handles <= 16);
    /* The addresses that are there are good: the structures live. */
    memcpy(bottoms, data + 56, header.handles * sizeof bottoms[0]);
    RT(rtcrt_serialized_patch(&header, data, size, bottoms, header.handles, &error));
    RT(rtcrt_buffer_write(bytes, offset, data, size, &error));
    rtcrt_accel *back = room(s, true, header.deserialized_size);
    RT(rtcrt_deserialize_accel(s->gpu.rt, stage_begin(s), &header, at, back, &error));
    stage_run(s);
    same(s, back);
    data[0] ^= 0xff;
    FAILS(rtcrt_serialized_read(s->gpu.rt, data, size, &header, &error), RTCRT_STATUS_BINDING, "another device or driver");
    free(data);
    rtcrt_accel_free(back);
    rtcrt_accel_free(small);
    rtcrt_accel_free(clone);
    rtcrt_accel_free(top);
    rtcrt_buffer_free(bytes);
}

static void inputs_that_are_wrong(struct stage *s) {
    rtcrt_sizes sizes;
    rtcrt_geometry g = s->scene.geometries[0];
    rtcrt_inputs inputs = {.size = sizeof inputs, .geometries = &g, .count = 1};
    RT(rtcrt_inputs_sizes(s->gpu.rt, &inputs, &sizes, &error));
    CHECK(sizes.result > 0 && sizes.update_scratch == 0);
    g.index_kind = RTCRT_INDEX_KIND_UINT16;
    g.index_address = 3;
    g.index_count = 3;
    FAILS(rtcrt_inputs_sizes(s->gpu.rt, &inputs, &sizes, &error), RTCRT_STATUS_BINDING, "indices at 0x3");
    g.index_kind = 3;
    INVALID(rtcrt_inputs_sizes(s->gpu.rt, &inputs, &sizes, &error), "`index_kind` is 3");
    g.index_kind = RTCRT_INDEX_KIND_NONE;
    g.format = 13;
    FAILS(rtcrt_inputs_sizes(s->gpu.rt, &inputs, &sizes, &error), RTCRT_STATUS_LIMIT, "takes no vertices of format");
    g.kind = RTCRT_GEOMETRY_KIND_BOXES;
    g.stride = 20;
    FAILS(rtcrt_inputs_sizes(s->gpu.rt, &inputs, &sizes, &error), RTCRT_STATUS_BINDING, "a stride of 20");
    g.kind = 2;
    INVALID(rtcrt_inputs_sizes(s->gpu.rt, &inputs, &sizes, &error), "`kind` is 2");
    g.size = 4;
    INVALID(rtcrt_inputs_sizes(s->gpu.rt, &inputs, &sizes, &error), "`geometries[0]` has 4");
    inputs.geometries = NULL;
    INVALID(rtcrt_inputs_sizes(s->gpu.rt, &inputs, &sizes, &error), "`geometries` is null");
    inputs.count = 0;
    RT(rtcrt_inputs_sizes(s->gpu.rt, &inputs, &sizes, &error));
}

void structures(struct stage *s) {
    RT(rtcrt_pipeline_new(s->first, s->layout, NULL, &pipeline, &error));
    stage_draw(s, pipeline, s->scene.top, expected);
    updates(s);
    copies(s);
    inputs_that_are_wrong(s);
    rtcrt_pipeline_free(pipeline);
}
