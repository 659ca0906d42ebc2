/* Constants of a package: what they are, and what a shader writes when they have values. */

#include "stage.h"

/* What the shader writes. */
static uint32_t filled(struct stage *s, const rtcrt_library *library) {
    rtcrt_pipeline *pipeline = NULL;
    rtcrt_tables *tables = NULL;
    rtcrt_frame_tables *frames = NULL;
    rtcrt_record fill = {"Fill", NULL, 0};
    rtcrt_dispatch dispatch;
    picture drawn;
    RT(rtcrt_pipeline_new(library, s->layout, NULL, &pipeline, &error));
    RT(rtcrt_tables_new(&tables, &error));
    RT(rtcrt_tables_put(tables, RTCRT_TABLE_RAY_GENERATION, 0, &fill, &error));
    RT(rtcrt_frame_tables_new(pipeline, s->gpu.memory, tables, 1, &frames, &error));
    RT(rtcrt_frame_tables_begin(frames, 0, &dispatch, &error));
    dispatch.width = 4;
    dispatch.height = dispatch.depth = 1;
    stage_bind(s, s->scene.top);
    RT(rtcrt_dispatch_rays(pipeline, s->commands, &dispatch, &error));
    stage_run(s);
    stage_picture(s, drawn);
    CHECK(drawn[3] == drawn[0] && drawn[4] == 0);
    rtcrt_frame_tables_free(frames);
    rtcrt_tables_free(tables);
    rtcrt_pipeline_free(pipeline);
    return drawn[0];
}

static rtcrt_specialisation by_id(uint32_t id, uint32_t kind, uint64_t bits) {
    return (rtcrt_specialisation){.size = sizeof(rtcrt_specialisation), .id = id, .kind = kind, .bits = bits};
}

static void wrong(const rtcrt_library *library) {
    rtcrt_library *made = NULL;
    rtcrt_specialisation value = by_id(5, RTCRT_CONSTANT_KIND_INT32, 1);
    FAILS(rtcrt_library_specialise(library, &value, 1, &made, &error),
          RTCRT_STATUS_BINDING, "has no constant 5\n  note: constants: `3 (Number)`");
    value = by_id(3, RTCRT_CONSTANT_KIND_FLOAT32, 1);
    FAILS(rtcrt_library_specialise(library, &value, 1, &made, &error), RTCRT_STATUS_BINDING, "`3 (Number)` is an integer of 32 bits");
    value.export_name = "Gone";
    FAILS(rtcrt_library_specialise(library, &value, 1, &made, &error), RTCRT_STATUS_STATE_OBJECT, "`Gone`");
    value.name = "\xff";
    INVALID(rtcrt_library_specialise(library, &value, 1, &made, &error), "`name` is not UTF-8");
    value.kind = RTCRT_CONSTANT_KIND_OTHER;
    INVALID(rtcrt_library_specialise(library, &value, 1, &made, &error), "`kind` is 7");
    value.size = 1;
    INVALID(rtcrt_library_specialise(library, &value, 1, &made, &error), "`values[0]` has 1");
    INVALID(rtcrt_library_specialise(library, NULL, 1, &made, &error), "`values` is null");
    INVALID(rtcrt_library_specialise(NULL, NULL, 0, &made, &error), "`library` is null");
    CHECK(made == NULL);
}

void specialisation(struct stage *s) {
    static const uint32_t ids[4] = {3, 4, 7, 12};
    static const rtcrt_constant_kind kinds[4] = {RTCRT_CONSTANT_KIND_INT32, RTCRT_CONSTANT_KIND_BOOL, RTCRT_CONSTANT_KIND_FLOAT32,
                                                 RTCRT_CONSTANT_KIND_INT64};
    size_t count = 0;
    const rtcrt_constant *all = rtcrt_library_constants(s->constants_library, &count);
    CHECK(count == 4 && strcmp(all[0].name, "Number") == 0 && all[0].default_bits == 5 && all[2].default_bits == 0x3f000000);
    for (size_t i = 0; i < count; ++i) {
        CHECK(all[i].id == ids[i] && all[i].kind == kinds[i]);
    }
    CHECK(rtcrt_library_constants(s->first, &count) != NULL && count == 0);
    CHECK(rtcrt_library_constants(NULL, &count) != NULL && count == 0 && rtcrt_library_constants(s->first, NULL) == NULL);
    CHECK(filled(s, s->constants_library) == 5050);

    rtcrt_library *made = NULL, *more = NULL;
    rtcrt_specialisation values[3] = {by_id(3, RTCRT_CONSTANT_KIND_INT32, 7), by_id(4, RTCRT_CONSTANT_KIND_BOOL, 1),
                                      by_id(0, RTCRT_CONSTANT_KIND_FLOAT32, 0x3e800000)};
    values[2].name = "Share";
    RT(rtcrt_library_specialise(s->constants_library, values, 3, &made, &error));
    CHECK(filled(s, made) == 2 * 7025);
    /* Values are added to those that are there. */
    values[0] = by_id(12, RTCRT_CONSTANT_KIND_INT64, 3ull << 32);
    values[0].export_name = "Fill";
    RT(rtcrt_library_specialise(made, values, 1, &more, &error));
    CHECK(filled(s, more) == 2 * 7025 + 3);
    wrong(s->constants_library);
    rtcrt_library_free(more);
    rtcrt_library_free(made);
}
