/* Pipelines: additions, identifiers, stacks, deferred compilation, collections, the cache on disk. */

#include "stage.h"

static rtcrt_bytes bytes_of(const rtcrt_pipeline *pipeline, const char *name) {
    rtcrt_bytes bytes;
    RT(rtcrt_pipeline_name_bytes(pipeline, name, &bytes, &error));
    CHECK(bytes.size == 32);
    return bytes;
}

static void additions(struct stage *s) {
    rtcrt_pipeline *pipeline = NULL, *grown = NULL, *fixed = NULL;
    rtcrt_identifier *camera = NULL, *again = NULL, *mirror = NULL;
    rtcrt_texts *names = NULL;
    rtcrt_bytes bytes;
    RT(rtcrt_pipeline_new(s->first, s->layout, &GROWING, &pipeline, &error));
    CHECK(rtcrt_pipeline_handle(pipeline) != 0);
    RT(rtcrt_pipeline_set_stack_size(pipeline, 12345, &error));
    RT(rtcrt_pipeline_add(pipeline, s->mirror, &GROWING, &grown, &error));
    CHECK(rtcrt_pipeline_stack_size(grown) == 12345);
    RT(rtcrt_pipeline_names(grown, &names, &error));
    CHECK(rtcrt_texts_count(names) == 5);
    rtcrt_texts_free(names);
    RT(rtcrt_pipeline_identifier(pipeline, "Camera", &camera, &error));
    RT(rtcrt_pipeline_identifier(grown, "Camera", &again, &error));
    RT(rtcrt_pipeline_identifier(grown, "Mirror", &mirror, &error));
    CHECK(rtcrt_identifier_equal(camera, again) && !rtcrt_identifier_equal(camera, mirror) && !rtcrt_identifier_equal(camera, NULL));
    RT(rtcrt_pipeline_identifier_bytes(grown, camera, &bytes, &error));
    CHECK(memcmp(bytes.data, bytes_of(grown, "Camera").data, 32) == 0);
    FAILS(rtcrt_pipeline_identifier_bytes(pipeline, mirror, &bytes, &error), RTCRT_STATUS_STATE_OBJECT, "the identifier of `Mirror`");
    FAILS(rtcrt_pipeline_identifier(pipeline, "Mirror", &again, &error), RTCRT_STATUS_STATE_OBJECT, "no shader or hit group `Mirror`");
    rtcrt_identifier_free(camera);
    rtcrt_identifier_free(again);
    rtcrt_identifier_free(mirror);

    rtcrt_stage_stacks stacks;
    RT(rtcrt_pipeline_stage_stacks(grown, &stacks, &error));
    CHECK(rtcrt_pipeline_default_stack_size(grown) >= stacks.raygen);
    CHECK(rtcrt_pipeline_shader_stack_size(grown, "Mirror::closesthit") == stacks.closest_hit ||
          rtcrt_pipeline_shader_stack_size(grown, "Matte::closesthit") == stacks.closest_hit);
    CHECK(rtcrt_pipeline_shader_stack_size(grown, "Mirror::anyhit") == 0xffffffff);
    CHECK(rtcrt_pipeline_shader_stack_size(grown, NULL) == 0xffffffff);
    RT(rtcrt_pipeline_set_stack_size(grown, 0xffffffff, &error));
    CHECK(rtcrt_pipeline_stack_size(grown) == 12345);

    FAILS(rtcrt_pipeline_add(grown, s->mirror, &GROWING, &fixed, &error), RTCRT_STATUS_STATE_OBJECT, "`Mirror` is exported twice");
    RT(rtcrt_pipeline_new(s->first, s->layout, NULL, &fixed, &error));
    FAILS(rtcrt_pipeline_set_stack_size(fixed, 64, &error), RTCRT_STATUS_STATE_OBJECT, "stack size");
    FAILS(rtcrt_pipeline_add(fixed, s->mirror, &GROWING, &grown, &error), RTCRT_STATUS_STATE_OBJECT, "not made to allow additions");
    rtcrt_pipeline_options wrong = {.size = 1};
    INVALID(rtcrt_pipeline_new(s->first, s->layout, &wrong, &fixed, &error), "`options` has 1");
    INVALID(rtcrt_pipeline_new(s->first, s->layout, NULL, NULL, &error), "`pipeline` is null");
    rtcrt_pipeline_free(fixed);
    /* The parent may go first. */
    rtcrt_pipeline_free(pipeline);
    picture drawn;
    stage_draw(s, grown, s->scene.top, drawn);
    CHECK(drawn[0] != 0);
    rtcrt_pipeline_free(grown);
}

/* A layout without the resources of a library. */
static void layouts(struct stage *s) {
    rtcrt_layout *small = NULL;
    rtcrt_pipeline *pipeline = NULL;
    rtcrt_place place;
    rtcrt_layout_options options = {.size = sizeof options, .unbounded = 7};
    const rtcrt_library *const one[1] = {s->mirror};
    size_t count = 9;
    RT(rtcrt_layout_new(s->gpu.rt, one, 1, &options, &small, &error));
    FAILS(rtcrt_pipeline_new(s->first, small, NULL, &pipeline, &error), RTCRT_STATUS_BINDING, "the layout has no room for the resource");
    FAILS(rtcrt_layout_place(small, s->mirror, "Output", &place, &error), RTCRT_STATUS_BINDING, "no resource `Output`");
    CHECK(rtcrt_layout_push_size(small) == 0 && rtcrt_layout_push_stages(small) != 0);
    rtcrt_layout_samplers(small, &count);
    CHECK(count == 0);
    rtcrt_layout_free(small);
}

static void *join(void *compilation) {
    RT(rtcrt_compilation_join(compilation, NULL, &error));
    return NULL;
}

static rtcrt_pipeline *together(rtcrt_compilation *compilation) {
    pthread_t threads[2];
    rtcrt_pipeline *pipeline = NULL, *twice = NULL;
    CHECK(rtcrt_compilation_max_concurrency(compilation) < 1 << 20);
    for (int i = 0; i < 2; ++i) {
        CHECK(pthread_create(&threads[i], NULL, join, compilation) == 0);
    }
    for (int i = 0; i < 2; ++i) {
        CHECK(pthread_join(threads[i], NULL) == 0);
    }
    bool complete = false;
    while (!rtcrt_compilation_is_complete(compilation)) {
        RT(rtcrt_compilation_join(compilation, &complete, &error));
    }
    RT(rtcrt_compilation_finish(compilation, &pipeline, &error));
    INVALID(rtcrt_compilation_finish(compilation, &twice, &error), "finished before");
    INVALID(rtcrt_compilation_join(compilation, &complete, &error), "finished before");
    rtcrt_compilation_free(compilation);
    return pipeline;
}

static void deferred(struct stage *s) {
    rtcrt_compilation *compilation = NULL;
    RT(rtcrt_compilation_new(s->first, s->layout, &GROWING, &compilation, &error));
    rtcrt_pipeline *pipeline = together(compilation);
    RT(rtcrt_pipeline_add_deferred(pipeline, s->mirror, &GROWING, &compilation, &error));
    rtcrt_pipeline *grown = together(compilation);
    bytes_of(grown, "Mirror");
    /* One that is given up. */
    RT(rtcrt_compilation_new(s->first, s->layout, NULL, &compilation, &error));
    rtcrt_compilation_free(compilation);
    rtcrt_pipeline_free(pipeline);
    rtcrt_pipeline_free(grown);
}

static void collections(struct stage *s) {
    rtcrt_collection *all[2] = {NULL, NULL}, *larger = NULL;
    rtcrt_pipeline *pipeline = NULL;
    RT(rtcrt_collection_new(s->first, s->layout, 0, NULL, &all[0], &error));
    RT(rtcrt_collection_new(s->mirror, s->layout, 0, NULL, &all[1], &error));
    const rtcrt_collection *const both[2] = {all[0], all[1]};
    RT(rtcrt_pipeline_link(both, 2, NULL, &pipeline, &error));
    bytes_of(pipeline, "Mirror");
    bytes_of(pipeline, "Camera");
    RT(rtcrt_collection_new(s->mirror, s->layout, 64, NULL, &larger, &error));
    const rtcrt_collection *const uneven[2] = {all[0], larger}, *const twice[2] = {all[0], all[0]}, *const null[1] = {NULL};
    rtcrt_pipeline *none = NULL;
    FAILS(rtcrt_pipeline_link(uneven, 2, NULL, &none, &error), RTCRT_STATUS_STATE_OBJECT, "64 bytes");
    FAILS(rtcrt_pipeline_link(twice, 2, NULL, &none, &error), RTCRT_STATUS_STATE_OBJECT, "exported twice");
    FAILS(rtcrt_pipeline_link(NULL, 0, NULL, &none, &error), RTCRT_STATUS_STATE_OBJECT, "no collections");
    INVALID(rtcrt_pipeline_link(null, 1, NULL, &none, &error), "`collections[0]` is null");
    rtcrt_collection_free(all[0]);
    rtcrt_collection_free(all[1]);
    rtcrt_collection_free(larger);
    picture drawn;
    stage_draw(s, pipeline, s->scene.top, drawn);
    CHECK(drawn[0] != 0);
    rtcrt_pipeline_free(pipeline);
}

static void cache(struct stage *s) {
    rtcrt_cache *cache = NULL;
    rtcrt_pipeline *pipeline = NULL;
    rtcrt_blob *data = NULL;
    RT(rtcrt_cache_open(s->gpu.rt, "cache", &cache, &error));
    rtcrt_pipeline_options options = {.size = sizeof options, .cache = cache};
    RT(rtcrt_pipeline_new(s->first, s->layout, &options, &pipeline, &error));
    rtcrt_pipeline_free(pipeline);
    RT(rtcrt_cache_save(cache, &error));
    RT(rtcrt_cache_data(cache, &data, &error));
    FILE *file = fopen((const char *)rtcrt_cache_path(cache).data, "rb");
    CHECK(file != NULL && fseek(file, 0, SEEK_END) == 0 && (size_t)ftell(file) == rtcrt_blob_bytes(data).size && fclose(file) == 0);
    rtcrt_blob_free(data);
    rtcrt_cache_free(cache);
    FAILS(rtcrt_cache_open(s->gpu.rt, "base.rtp", &cache, &error), RTCRT_STATUS_IO, "cannot make base.rtp");
    INVALID(rtcrt_cache_open(s->gpu.rt, NULL, &cache, &error), "`folder` is null");
}

void pipelines(struct stage *s) {
    additions(s);
    layouts(s);
    /* Older validation layers (1.3.239) give the driver handles of their own when a library was compiled by a deferred operation. */
    if (s->gpu.messenger == VK_NULL_HANDLE) {
        deferred(s);
    }
    collections(s);
    cache(s);
}
