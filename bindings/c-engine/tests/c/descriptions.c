/* What D3D12 describes in memory, read without a device: inputs of builds, arguments of operations, primitives. */

#include "stage.h"

#include <math.h>

/* D3D12's structures, as they are in memory. */
struct inputs_desc {
    uint32_t type, flags, count, layout;
    uint64_t pointer;
};

struct triangles_desc {
    uint64_t transform;
    uint32_t index_format, vertex_format, index_count, vertex_count;
    uint64_t indices, vertices, stride;
};

struct geometry_desc {
    uint32_t type, flags;
    union {
        struct triangles_desc triangles;
        struct {
            uint64_t count, address, stride;
        } boxes;
        struct {
            uint64_t triangles, linkage;
        } linked;
    } of;
};

struct linkage_desc {
    uint64_t indices, stride;
    uint32_t format, base;
    uint64_t array;
};

struct array_desc {
    uint32_t count, unused;
    uint64_t histogram, data, entries, stride;
};

/* The other API's memory is as far away as `user` says; below 256 it has none. */
static uint64_t memory_at(void *user, uint64_t address) {
    return address < 256 ? 0 : address + *(const uint64_t *)user;
}

static rtcrt_micromap_count counts[2] = {{5, 3, 1}, {7, 2, 2}};

static void micromaps_at(void *user, uint64_t address, rtcrt_known_micromaps *found) {
    (void)user;
    CHECK(found->micromaps == 0 && found->counts == NULL && found->count == 0);
    if (address == 0x9000) {
        found->micromaps = 0x77;
        found->counts = counts;
        found->count = 2;
    }
}

static uint64_t number_of(const void *pointer) {
    return (uint64_t)(uintptr_t)pointer;
}

static uint64_t far_away = 0x100000;

static rtcrt_addresses known(void) {
    return (rtcrt_addresses){.size = sizeof(rtcrt_addresses), .memory = memory_at, .micromaps = micromaps_at, .user = &far_away};
}

static void structures_of_d3d12(void) {
    struct triangles_desc triangles = {0x4000, 57, 6, 9, 4, 0x5000, 0x6000, 12};
    struct linkage_desc linkage = {0x7000, 4, 42, 3, 0x9000};
    struct geometry_desc geometries[2] = {{.type = 0, .flags = 1, .of.triangles = triangles},
                                          {.type = 2, .of.linked = {number_of(&triangles), number_of(&linkage)}}};
    struct inputs_desc desc = {1, 4, 2, 0, number_of(geometries)};
    rtcrt_addresses addresses = known();
    rtcrt_d3d12_inputs *read = NULL;
    RT(rtcrt_d3d12_inputs_new(&desc, &addresses, &read, &error));
    const rtcrt_inputs *inputs = rtcrt_d3d12_inputs_structure(read);
    CHECK(inputs->size == sizeof *inputs && !inputs->top && inputs->flags == 4 && inputs->count == 2);
    CHECK(rtcrt_d3d12_inputs_micromaps(read) == NULL);
    for (int i = 0; i < 2; ++i) {
        const rtcrt_geometry *g = &inputs->geometries[i];
        CHECK(g->size == sizeof *g && g->kind == RTCRT_GEOMETRY_KIND_TRIANGLES && g->address == far_away + 0x6000 && g->stride == 12);
        CHECK(g->count == 4 && g->format == VK_FORMAT_R32G32B32_SFLOAT && g->index_kind == RTCRT_INDEX_KIND_UINT16);
        CHECK(g->index_count == 9 && g->index_address == far_away + 0x5000 && g->transform == far_away + 0x4000);
    }
    const rtcrt_micromap_linkage *l = inputs->micromaps[1];
    CHECK(inputs->geometries[0].flags == 1 && inputs->micromaps[0] == NULL && l->size == sizeof *l && l->micromaps == 0x77);
    CHECK(l->index_address == far_away + 0x7000 && l->index_stride == 4 && l->index_size == 4 && l->base == 3 && l->count == 2);
    CHECK(l->counts[0].count == 5 && l->counts[0].level == 3 && l->counts[0].format == 1 && l->counts[1].count == 7);
    rtcrt_d3d12_inputs_free(read);

    /* Boxes, by pointers, at the same addresses. */
    struct geometry_desc boxes = {.type = 1, .of.boxes = {6, 0x8000, 24}};
    const struct geometry_desc *pointers[1] = {&boxes};
    desc = (struct inputs_desc){1, 0, 1, 1, number_of(pointers)};
    RT(rtcrt_d3d12_inputs_new(&desc, NULL, &read, &error));
    inputs = rtcrt_d3d12_inputs_structure(read);
    CHECK(inputs->geometries[0].kind == RTCRT_GEOMETRY_KIND_BOXES && inputs->geometries[0].address == 0x8000 && inputs->micromaps == NULL);
    CHECK(inputs->geometries[0].count == 6 && inputs->geometries[0].stride == 24);
    rtcrt_d3d12_inputs_free(read);

    desc = (struct inputs_desc){0, 8, 100, 1, 0x8000};
    RT(rtcrt_d3d12_inputs_new(&desc, &addresses, &read, &error));
    inputs = rtcrt_d3d12_inputs_structure(read);
    CHECK(inputs->top && inputs->pointers && inputs->count == 100 && inputs->instances == far_away + 0x8000 && inputs->geometries == NULL);
    rtcrt_d3d12_inputs_free(read);

    read = NULL;
    desc.pointer = 16;
    FAILS(rtcrt_d3d12_inputs_new(&desc, &addresses, &read, &error), RTCRT_STATUS_BINDING, "instances in unknown memory at 0x10");
    desc.type = 3;
    FAILS(rtcrt_d3d12_inputs_new(&desc, &addresses, &read, &error), RTCRT_STATUS_BINDING, "unknown type 3");
    desc = (struct inputs_desc){1, 0, 2, 0, number_of(geometries)};
    FAILS(rtcrt_d3d12_inputs_new(&desc, NULL, &read, &error), RTCRT_STATUS_BINDING, "an unknown array of micromaps at 0x9000");
    counts[0].level = 13;
    FAILS(rtcrt_d3d12_inputs_new(&desc, &addresses, &read, &error), RTCRT_STATUS_BINDING, "the finest is 12");
    counts[0].level = 3;
    linkage.array = 0xa000;
    FAILS(rtcrt_d3d12_inputs_new(&desc, &addresses, &read, &error), RTCRT_STATUS_BINDING, "an unknown array of micromaps at 0xa000");
    addresses.size = 2;
    INVALID(rtcrt_d3d12_inputs_new(&desc, &addresses, &read, &error), "`addresses` has 2");
    INVALID(rtcrt_d3d12_inputs_new(NULL, NULL, &read, &error), "`desc` is null");
    CHECK(read == NULL && rtcrt_d3d12_inputs_structure(NULL) == NULL && rtcrt_d3d12_inputs_micromaps(NULL) == NULL);
    rtcrt_d3d12_inputs_free(NULL);
}

static void arrays_of_d3d12(void) {
    rtcrt_micromap_count histogram[2] = {{4, 2, 2}, {1, 0, 1}};
    struct array_desc array = {2, 0, number_of(histogram), 0x1000, 0x2000, 8};
    struct inputs_desc desc = {2, 2, 1, 0, number_of(&array)};
    rtcrt_addresses addresses = known();
    rtcrt_d3d12_inputs *read = NULL;
    RT(rtcrt_d3d12_inputs_new(&desc, &addresses, &read, &error));
    const rtcrt_micromap_inputs *m = rtcrt_d3d12_inputs_micromaps(read);
    CHECK(rtcrt_d3d12_inputs_structure(read) == NULL && m->size == sizeof *m && m->count == 2 && m->flags == 2 && m->stride == 8);
    CHECK(m->data == far_away + 0x1000 && m->entries == far_away + 0x2000 && m->counts[0].format == 1 && m->counts[1].count == 4);
    rtcrt_d3d12_inputs_free(read);
    histogram[0].format = 9;
    FAILS(rtcrt_d3d12_inputs_new(&desc, &addresses, &read, &error),
          RTCRT_STATUS_BINDING, "histogram entry 0: micromaps of unknown format 9");
    CHECK(rtcrt_micromaps_handle(NULL) == 0 && rtcrt_micromaps_address(NULL) == 0 && rtcrt_micromaps_size(NULL) == 0);
    size_t count = 2;
    INVALID(rtcrt_micromaps_counts(NULL, histogram, &count, &error), "`micromaps` is null");
    rtcrt_micromaps_free(NULL);
}

static uint64_t word(const rtcrt_blob *blob, size_t at) {
    uint64_t out = 0;
    CHECK(rtcrt_blob_bytes(blob).size >= at + sizeof out);
    memcpy(&out, rtcrt_blob_bytes(blob).data + at, sizeof out);
    return out;
}

static void arguments_of_d3d12(void) {
    rtcrt_addresses addresses = known();
    rtcrt_blob *made = NULL;
    rtcrt_cluster_inputs inputs = {.size = sizeof inputs,
                                   .operation = RTCRT_CLUSTER_OPERATION_BUILD_CLUSTERS,
                                   .mode = RTCRT_OPERATION_MODE_EXPLICIT,
                                   .vertices = 2,
                                   .instance_vertices = 2,
                                   .index_size = 1};
    uint64_t bytes[13] = {0};
    bytes[4] = 0x1000;
    bytes[5] = 0x2000;
    RT(rtcrt_cluster_arguments(&inputs, bytes, 80, &addresses, &made, &error));
    CHECK(rtcrt_blob_bytes(made).size == 64 && word(made, 24) == far_away + 0x2000 && word(made, 32) == far_away + 0x1000);
    rtcrt_blob_free(made);
    inputs.operation = RTCRT_CLUSTER_OPERATION_BUILD_TEMPLATES;
    RT(rtcrt_cluster_arguments(&inputs, bytes, 88, NULL, &made, &error));
    CHECK(rtcrt_blob_bytes(made).size == 72 && word(made, 32) == 0x1000);
    rtcrt_blob_free(made);
    inputs.operation = RTCRT_CLUSTER_OPERATION_INSTANTIATE_TEMPLATES;
    RT(rtcrt_cluster_arguments(&inputs, bytes, 96, NULL, &made, &error));
    CHECK(rtcrt_blob_bytes(made).size == 96 && word(made, 24) == 12);
    rtcrt_blob_free(made);
    FAILS(rtcrt_cluster_arguments(&inputs, bytes, 33, NULL, &made, &error), RTCRT_STATUS_BINDING, "33 bytes are no whole number");
    inputs.operation = RTCRT_CLUSTER_OPERATION_MOVE;
    inputs.move_kind = RTCRT_MOVE_KIND_TEMPLATE;
    INVALID(rtcrt_cluster_arguments(&inputs, bytes, 8, NULL, &made, &error), "have the same bytes in D3D12 and Vulkan");
    inputs.operation = RTCRT_CLUSTER_OPERATION_BUILD_BOTTOMS;
    INVALID(rtcrt_cluster_arguments(&inputs, bytes, 8, NULL, &made, &error), "have the same bytes in D3D12 and Vulkan");
    INVALID(rtcrt_cluster_arguments(NULL, bytes, 8, NULL, &made, &error), "`inputs` is null");

    memset(bytes, 0, sizeof bytes);
    bytes[8] = 0x3000;
    RT(rtcrt_write_instance_arguments(bytes, 104, &addresses, &made, &error));
    CHECK(rtcrt_blob_bytes(made).size == 104 && word(made, 96) == far_away + 0x3000);
    rtcrt_blob_free(made);
    bytes[8] = 0x30;
    FAILS(rtcrt_write_instance_arguments(bytes, 104, &addresses, &made, &error), RTCRT_STATUS_BINDING, "unknown memory at 0x30");
    INVALID(rtcrt_write_instance_arguments(NULL, 104, &addresses, &made, &error), "`data` is null");

    uint32_t words[2] = {0x20000001, 7};
    RT(rtcrt_geometry_words(words, sizeof words, &error));
    CHECK(words[0] == 0x40000001 && words[1] == 7);
    words[1] = 0x80000000;
    FAILS(rtcrt_geometry_words(words + 1, 4, &error), RTCRT_STATUS_BINDING, "unknown geometry flags");
    INVALID(rtcrt_geometry_words(NULL, 4, &error), "`words` is null");
}

static void primitives(void) {
    CHECK(rtcrt_vertex_format_of_dxgi(6) == VK_FORMAT_R32G32B32_SFLOAT && rtcrt_vertex_format_of_dxgi(2) == VK_FORMAT_UNDEFINED);
    float box[6] = {0, 4, 0, 1, 2, 1};
    RT(rtcrt_upright_boxes(box, sizeof box, sizeof box, &error));
    CHECK(box[0] == 0.5f && box[1] == 3 && box[3] == 0.5f && box[4] == 3);
    FAILS(rtcrt_upright_boxes(box, sizeof box, 8, &error), RTCRT_STATUS_BINDING, "a stride of 8 bytes");
    INVALID(rtcrt_upright_boxes(NULL, 24, 24, &error), "`boxes` is null");

    float positions[5][3] = {{0, 0, 0}, {NAN, 0, 0}, {1, 1, 1}, {2, 2, 2}, {0, 0, 0}};
    uint32_t indices[6] = {0, 2, 3, 0, 1, 2};
    size_t count = 4;
    RT(rtcrt_deactivate_triangles(&positions[0][0], &count, indices, 6, &error));
    CHECK(count == 5 && isnan(positions[4][0]) && indices[2] == 3 && indices[3] == 4 && indices[5] == 4);
    count = 3;
    RT(rtcrt_deactivate_triangles(&positions[0][0], &count, NULL, 0, &error));
    CHECK(count == 3 && isnan(positions[0][0]) && isnan(positions[2][0]) && positions[3][0] == 2);
    INVALID(rtcrt_deactivate_triangles(NULL, &count, NULL, 0, &error), "`positions` is null");
    INVALID(rtcrt_deactivate_triangles(&positions[0][0], &count, NULL, 3, &error), "`indices` is null");
    INVALID(rtcrt_deactivate_triangles(&positions[0][0], NULL, NULL, 0, &error), "`count` is null");
}

void descriptions(void) {
    structures_of_d3d12();
    arrays_of_d3d12();
    arguments_of_d3d12();
    primitives();
}
