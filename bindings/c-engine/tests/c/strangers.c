/* Objects of another device. */

#include "stage.h"

#define STRANGE(call, text) FAILS(call, RTCRT_STATUS_OTHER_DEVICE, text)

void strangers(struct stage *s, struct stage *other) {
    rtcrt_pipeline *own = NULL, *made = NULL;
    rtcrt_cache *cache = NULL;
    rtcrt_size_queries *queries = NULL;
    rtcrt_frame_tables *frames = NULL;
    rtcrt_tables *tables = stage_tables();
    rtcrt_build build = other->scene.builds[0];
    const rtcrt_accel *const structure[1] = {other->scene.top};
    STRANGE(rtcrt_build_accels(s->gpu.rt, s->commands, &build, 1, 1 << 20, 1 << 20, &error), "build 0: the structure belongs to another device");
    STRANGE(rtcrt_copy_accel(s->gpu.rt, s->commands, other->scene.top, s->scene.top, RTCRT_COPY_MODE_CLONE, &error), "to copy");
    STRANGE(rtcrt_serialize_accel(s->gpu.rt, s->commands, other->scene.top, 256, &error), "to serialise");
    RT(rtcrt_size_queries_new(s->gpu.rt, RTCRT_POSTBUILD_INFO_SERIALIZATION_SIZE, 1, &queries, &error));
    STRANGE(rtcrt_size_queries_record(queries, s->commands, structure, 1, &error), "structure 0");
    rtcrt_size_queries_free(queries);

    RT(rtcrt_cache_open(other->gpu.rt, "cache", &cache, &error));
    rtcrt_pipeline_options options = {.size = sizeof options, .cache = cache};
    STRANGE(rtcrt_pipeline_new(s->first, s->layout, &options, &made, &error), "the pipeline cache");
    rtcrt_cache_free(cache);
    RT(rtcrt_pipeline_new(s->first, s->layout, NULL, &own, &error));
    RT(rtcrt_pipeline_new(other->first, other->layout, NULL, &made, &error));
    RT(rtcrt_frame_tables_new(own, s->gpu.memory, tables, 1, &frames, &error));
    STRANGE(rtcrt_frame_tables_retarget(frames, made, &error), "a shader table");
    STRANGE(rtcrt_convert_indirect_sizes(own, s->commands, other->output, 0, s->output, 0, &error), "the buffer of descriptions");
    rtcrt_frame_tables_free(frames);
    rtcrt_tables_free(tables);
    rtcrt_pipeline_free(own);
    rtcrt_pipeline_free(made);
}
