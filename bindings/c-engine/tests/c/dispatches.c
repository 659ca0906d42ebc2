/* Dispatches: the same picture directly, indirectly, and with sizes alone from the device; tables in a buffer of the caller, tables that change. */

#include "stage.h"

static const rtcrt_range NO_RANGE = {0, 0};

static void three_ways(struct stage *s, rtcrt_pipeline *pipeline, const picture expected) {
    rtcrt_tables *tables = stage_tables();
    rtcrt_blob *bytes = NULL;
    rtcrt_dispatch dispatch;
    uint64_t size = 0;
    RT(rtcrt_tables_size(tables, pipeline, &size, &error));
    rtcrt_buffer *buffer = NULL;
    uint32_t usage = VK_BUFFER_USAGE_SHADER_BINDING_TABLE_BIT_KHR;
    RT(rtcrt_buffer_new(s->gpu.rt, s->gpu.memory, size, usage, RTCRT_HOST_ACCESS_WRITE, &buffer, &error));
    RT(rtcrt_tables_encode(tables, pipeline, rtcrt_buffer_address(buffer), &bytes, &dispatch, &error));
    CHECK(rtcrt_blob_bytes(bytes).size <= size);
    RT(rtcrt_buffer_write(buffer, 0, rtcrt_blob_bytes(bytes).data, rtcrt_blob_bytes(bytes).size, &error));
    rtcrt_blob_free(bytes);
    INVALID(rtcrt_tables_encode(tables, pipeline, UINT64_MAX, &bytes, &dispatch, &error), "`address` is 0xffffffffffffffff");
    dispatch.width = WIDTH;
    dispatch.height = HEIGHT;
    dispatch.depth = 1;
    rtcrt_buffer *arguments = gpu_buffer(&s->gpu, sizeof dispatch), *sizes = gpu_buffer(&s->gpu, 12);
    RT(rtcrt_buffer_write(arguments, 0, &dispatch, sizeof dispatch, &error));
    uint64_t at = rtcrt_buffer_address(arguments);
    picture drawn;
    for (int way = 0; way < 3; ++way) {
        stage_bind(s, s->scene.top);
        if (way == 0) {
            RT(rtcrt_dispatch_rays(pipeline, s->commands, &dispatch, &error));
        } else if (way == 1) {
            RT(rtcrt_dispatch_rays_indirect(pipeline, s->commands, at, 1, sizeof dispatch, &error));
        } else {
            rtcrt_dispatch sizeless = dispatch;
            sizeless.width = sizeless.height = sizeless.depth = 0;
            RT(rtcrt_convert_indirect_sizes(pipeline, s->commands, arguments, 0, sizes, 0, &error));
            RT(rtcrt_dispatch_rays_indirect_sizes(pipeline, s->commands, &sizeless, rtcrt_buffer_address(sizes), &error));
        }
        stage_run(s);
        stage_picture(s, drawn);
        CHECK(memcmp(drawn, expected, sizeof drawn) == 0);
    }
    /* Nothing is recorded after an error. */
    rtcrt_dispatch wrong = dispatch;
    wrong.raygen = NO_RANGE;
    FAILS(rtcrt_dispatch_check(s->gpu.rt, &wrong, &error), RTCRT_STATUS_BINDING, "no ray generation record");
    FAILS(rtcrt_dispatch_rays(pipeline, s->commands, &wrong, &error), RTCRT_STATUS_BINDING, "no ray generation record");
    FAILS(rtcrt_dispatch_rays(pipeline, NULL, &dispatch, &error), RTCRT_STATUS_BINDING, "VkCommandBuffer is null");
    FAILS(rtcrt_dispatch_rays_indirect(pipeline, s->commands, 2, 1, 104, &error), RTCRT_STATUS_BINDING, "not a multiple of 4");
    FAILS(rtcrt_convert_indirect_sizes(pipeline, s->commands, arguments, 4, sizes, 0, &error), RTCRT_STATUS_BINDING, "leave their buffer");
    wrong = dispatch;
    wrong.width = 0xffffffff;
    FAILS(rtcrt_dispatch_check(s->gpu.rt, &wrong, &error), RTCRT_STATUS_LIMIT, "the device allows");
    rtcrt_buffer_free(arguments);
    rtcrt_buffer_free(sizes);
    rtcrt_buffer_free(buffer);
    rtcrt_tables_free(tables);
}

static void changes(struct stage *s, rtcrt_pipeline *pipeline) {
    rtcrt_tables *tables = stage_tables();
    rtcrt_frame_tables *frames = NULL;
    rtcrt_dispatch one, two;
    rtcrt_record wrong = {"Sky", NULL, 0}, null = {NULL, NULL, 0};
    FAILS(rtcrt_frame_tables_new(pipeline, s->gpu.memory, tables, 0, &frames, &error), RTCRT_STATUS_BINDING, "for no frame");
    RT(rtcrt_frame_tables_new(pipeline, s->gpu.memory, tables, 2, &frames, &error));
    RT(rtcrt_frame_tables_begin(frames, 0, &one, &error));
    RT(rtcrt_frame_tables_begin(frames, 1, &two, &error));
    CHECK(one.raygen.address != two.raygen.address && one.hit.size == two.hit.size && one.width == 0);
    FAILS(rtcrt_frame_tables_begin(frames, 2, &two, &error), RTCRT_STATUS_BINDING, "frame 2 of 2");
    FAILS(rtcrt_frame_tables_set(frames, pipeline, RTCRT_TABLE_HIT, 0, &wrong, &error), RTCRT_STATUS_STATE_OBJECT, "cannot be a hit group record");
    FAILS(rtcrt_frame_tables_set(frames, pipeline, RTCRT_TABLE_HIT, 99, &null, &error), RTCRT_STATUS_BINDING, "index 99");
    RT(rtcrt_frame_tables_set(frames, pipeline, RTCRT_TABLE_HIT, 0, &null, &error));
    RT(rtcrt_frame_tables_replace(frames, pipeline, tables, &error));
    RT(rtcrt_frame_tables_retarget(frames, pipeline, &error));
    RT(rtcrt_tables_put(tables, RTCRT_TABLE_HIT, 100, &null, &error));
    FAILS(rtcrt_frame_tables_replace(frames, pipeline, tables, &error), RTCRT_STATUS_BINDING, "do not fit where tables");
    rtcrt_frame_tables_free(frames);
    rtcrt_tables_free(tables);
}

/* What two threads do at once with one object. */
struct shared {
    rtcrt_pipeline *pipeline;
    rtcrt_frame_tables *frames;
    rtcrt_tables *tables;
};

static void *use(void *argument) {
    struct shared *shared = argument;
    for (int i = 0; i < 500; ++i) {
        rtcrt_record null = {NULL, NULL, 0};
        rtcrt_dispatch dispatch;
        uint64_t size = 0;
        rtcrt_status all[4] = {rtcrt_frame_tables_set(shared->frames, shared->pipeline, RTCRT_TABLE_HIT, 0, &null, NULL),
                               rtcrt_frame_tables_begin(shared->frames, 0, &dispatch, NULL),
                               rtcrt_tables_put(shared->tables, RTCRT_TABLE_MISS, 0, &null, NULL),
                               rtcrt_tables_size(shared->tables, shared->pipeline, &size, NULL)};
        for (int n = 0; n < 4; ++n) {
            CHECK(all[n] == RTCRT_STATUS_OK || all[n] == RTCRT_STATUS_BUSY);
        }
    }
    return NULL;
}

static void threads(struct stage *s, rtcrt_pipeline *pipeline) {
    struct shared shared = {pipeline, NULL, stage_tables()};
    pthread_t two[2];
    RT(rtcrt_frame_tables_new(pipeline, s->gpu.memory, shared.tables, 1, &shared.frames, &error));
    for (int i = 0; i < 2; ++i) {
        CHECK(pthread_create(&two[i], NULL, use, &shared) == 0);
    }
    for (int i = 0; i < 2; ++i) {
        CHECK(pthread_join(two[i], NULL) == 0);
    }
    rtcrt_frame_tables_free(shared.frames);
    rtcrt_tables_free(shared.tables);
}

void dispatches(struct stage *s) {
    rtcrt_pipeline *pipeline = NULL;
    picture drawn;
    RT(rtcrt_pipeline_new(s->first, s->layout, NULL, &pipeline, &error));
    stage_draw(s, pipeline, s->scene.top, drawn);
    CHECK(drawn[0] != 0 && memcmp(&drawn[0], &drawn[WIDTH * HEIGHT - 1], 4) != 0);
    three_ways(s, pipeline, drawn);
    changes(s, pipeline);
    threads(s, pipeline);
    rtcrt_pipeline_free(pipeline);
}
