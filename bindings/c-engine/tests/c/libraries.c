/* Libraries of state objects: exports with other names, hit groups and associations of the state object, collections. */

#include "stage.h"

static bool has(rtcrt_texts *names, const char *name) {
    for (size_t i = 0; i < rtcrt_texts_count(names); ++i) {
        if (strcmp((const char *)rtcrt_texts_at(names, i).data, name) == 0) {
            return true;
        }
    }
    return false;
}

static rtcrt_texts *names_of(const rtcrt_library *library) {
    rtcrt_texts *names = NULL;
    RT(rtcrt_library_names(library, &names, &error));
    return names;
}

static void overrides(struct stage *s) {
    rtcrt_library *library = NULL;
    rtcrt_hit_group more = {.name = "More", .closest_hit = "MirrorHit"};
    rtcrt_overrides o = {.size = sizeof o, .has_pipeline = 1, .max_recursion = 1, .hit_groups = &more, .hit_group_count = 1};
    RT(rtcrt_library_read(&s->packages[2], 1, &o, &library, &error));
    rtcrt_texts *names = names_of(library), *warnings = NULL;
    CHECK(rtcrt_texts_count(names) == 2 && has(names, "Mirror") && has(names, "More"));
    RT(rtcrt_library_warnings(library, &warnings, &error));
    rtcrt_texts_free(warnings);
    rtcrt_texts_free(names);
    rtcrt_library_free(library);
    more.closest_hit = "Nobody";
    FAILS(rtcrt_library_read(&s->packages[2], 1, &o, &library, &error), RTCRT_STATUS_STATE_OBJECT, "Nobody");
    more.name = NULL;
    INVALID(rtcrt_library_read(&s->packages[2], 1, &o, &library, &error), "`name` is null");
}

static void state_object(struct stage *s) {
    rtcrt_state_object *whole = NULL, *collection = NULL;
    rtcrt_library *library = NULL;
    RT(rtcrt_state_object_new(&whole, &error));
    RT(rtcrt_state_object_add_package(whole, &s->packages[0], NULL, 0, &error));
    rtcrt_export exports[2] = {{"Stone", "Matte"}, {"MatteHit", NULL}};
    RT(rtcrt_state_object_add_package(whole, &s->packages[1], exports, 2, &error));
    RT(rtcrt_state_object_add_config(whole, "Config", 0, &error));
    RT(rtcrt_state_object_add_shader_config(whole, "Sizes", 16, 8, &error));
    RT(rtcrt_state_object_add_pipeline_config(whole, "Depth", 2, 0, &error));
    rtcrt_hit_group extra = {.name = "Extra", .closest_hit = "MatteHit"};
    RT(rtcrt_state_object_add_hit_group(whole, &extra, &error));
    const char *const to[1] = {"Extra"};
    RT(rtcrt_state_object_associate(whole, "Colors", to, 1, &error));
    RT(rtcrt_state_object_library(whole, &library, &error));
    rtcrt_texts *names = names_of(library);
    CHECK(rtcrt_texts_count(names) == 4 && has(names, "Camera") && has(names, "Sky") && has(names, "Stone") && has(names, "Extra"));
    rtcrt_texts_free(names);

    /* The records of what was associated have the arguments of its local root signature. */
    rtcrt_blob *record = NULL;
    float color[3] = {1, 2, 3};
    rtcrt_argument material = {.slot = "Material", .kind = RTCRT_ARGUMENT_KIND_CONSTANTS, .data = color, .data_size = sizeof color};
    RT(rtcrt_library_record(library, "Extra", &material, 1, &record, &error));
    CHECK(rtcrt_blob_bytes(record).size == sizeof color && memcmp(rtcrt_blob_bytes(record).data, color, sizeof color) == 0);
    rtcrt_blob_free(record);
    FAILS(rtcrt_library_record(library, "Extra", NULL, 0, &record, &error), RTCRT_STATUS_BINDING, "missing argument `Material`");
    FAILS(rtcrt_library_record(library, "Matte", NULL, 0, &record, &error), RTCRT_STATUS_STATE_OBJECT, "`Matte`");
    rtcrt_library_free(library);

    /* It can be used again, and then it is wrong. */
    RT(rtcrt_state_object_associate(whole, "Nothing", to, 1, &error));
    FAILS(rtcrt_state_object_library(whole, &library, &error), RTCRT_STATUS_STATE_OBJECT, "Nothing");
    rtcrt_state_object_free(whole);

    /* A collection that is described on its own. */
    RT(rtcrt_state_object_new(&whole, &error));
    RT(rtcrt_state_object_new(&collection, &error));
    RT(rtcrt_state_object_add_package(whole, &s->packages[0], NULL, 0, &error));
    RT(rtcrt_state_object_add_package(collection, &s->packages[2], NULL, 0, &error));
    RT(rtcrt_state_object_add_collection(whole, collection, &error));
    FAILS(rtcrt_state_object_add_collection(whole, whole, &error), RTCRT_STATUS_BUSY, "`collection` is in use");
    INVALID(rtcrt_state_object_add_collection(whole, NULL, &error), "`collection` is null");
    rtcrt_state_object_free(collection);
    RT(rtcrt_state_object_library(whole, &library, &error));
    names = names_of(library);
    CHECK(rtcrt_texts_count(names) == 3 && has(names, "Mirror"));
    rtcrt_texts_free(names);
    rtcrt_library_free(library);
    rtcrt_state_object_free(whole);
}

static void wrong_state_objects(struct stage *s) {
    rtcrt_state_object *whole = NULL;
    rtcrt_library *library = NULL;
    RT(rtcrt_state_object_new(&whole, &error));
    INVALID(rtcrt_state_object_add_package(whole, NULL, NULL, 0, &error), "`package` is null");
    INVALID(rtcrt_state_object_add_package(NULL, &s->packages[0], NULL, 0, &error), "`state_object` is null");
    INVALID(rtcrt_state_object_add_shader_config(whole, NULL, 1, 1, &error), "`name` is null");
    INVALID(rtcrt_state_object_add_hit_group(whole, NULL, &error), "`group` is null");
    INVALID(rtcrt_state_object_associate(whole, "x", NULL, 1, &error), "`exports` is null");
    INVALID(rtcrt_state_object_add_root_signature(whole, "x", true, NULL, 1, &error), "`data` is null");
    rtcrt_export gone = {"Gone", NULL};
    RT(rtcrt_state_object_add_package(whole, &s->packages[0], &gone, 1, &error));
    FAILS(rtcrt_state_object_library(whole, &library, &error), RTCRT_STATUS_STATE_OBJECT, "does not export `Gone`");
    rtcrt_state_object_free(whole);
    RT(rtcrt_state_object_new(&whole, &error));
    RT(rtcrt_state_object_add_package(whole, &s->packages[0], NULL, 0, &error));
    RT(rtcrt_state_object_add_root_signature(whole, "Root", true, (const uint8_t *)"garbage", 7, &error));
    rtcrt_status status = rtcrt_state_object_library(whole, &library, NULL);
    CHECK(status == RTCRT_STATUS_STATE_OBJECT || status == RTCRT_STATUS_PACKAGE);
    rtcrt_state_object_free(whole);
}

void libraries(struct stage *s) {
    overrides(s);
    state_object(s);
    wrong_state_objects(s);
    RT(rtcrt_device_check(s->gpu.rt, s->first, &error));
    rtcrt_limits limits;
    RT(rtcrt_device_limits(s->gpu.rt, &limits, &error));
    CHECK(limits.handle_size == 32 && limits.max_rays > 0 && limits.scratch_alignment > 0 && limits.max_instances > 0);
    CHECK(rtcrt_device_name(s->gpu.rt).size > 0);
}
