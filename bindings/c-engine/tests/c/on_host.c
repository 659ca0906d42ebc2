/* Builds and copies on the host, or their refusal. */

#include "stage.h"

#define ALLOW_COMPACTION 2

static rtcrt_accel *room(struct stage *s, uint64_t size) {
    rtcrt_accel *accel = NULL;
    RT(rtcrt_accel_new_on_host(s->gpu.rt, s->gpu.memory, false, size, &accel, &error));
    return accel;
}

/* A triangle in the memory of the process. */
static void offered(struct stage *s, const rtcrt_inputs *inputs) {
    rtcrt_sizes sizes;
    uint64_t size = 0;
    RT(rtcrt_inputs_host_sizes(s->gpu.rt, inputs, &sizes, &error));
    rtcrt_accel *built = room(s, sizes.result), *clone = room(s, sizes.result), *back = room(s, sizes.result);
    void *scratch = malloc(sizes.scratch + 512);
    uint64_t at = ((uint64_t)(uintptr_t)scratch + 255) / 256 * 256;
    rtcrt_build build = {.size = sizeof build, .inputs = inputs, .target = built};
    FAILS(rtcrt_accel_host_info(s->gpu.rt, built, RTCRT_POSTBUILD_INFO_COMPACTED_SIZE, &size, &error),
          RTCRT_STATUS_BINDING, "was not built");
    RT(rtcrt_build_accels_on_host(s->gpu.rt, &build, 1, at, sizes.scratch + 256, &error));
    RT(rtcrt_accel_host_info(s->gpu.rt, built, RTCRT_POSTBUILD_INFO_COMPACTED_SIZE, &size, &error));
    CHECK(size > 0 && size <= sizes.result);
    RT(rtcrt_copy_accel_on_host(s->gpu.rt, built, clone, RTCRT_COPY_MODE_CLONE, &error));
    rtcrt_blob *bytes = NULL;
    RT(rtcrt_serialize_accel_on_host(s->gpu.rt, built, &bytes, &error));
    RT(rtcrt_deserialize_accel_on_host(s->gpu.rt, rtcrt_blob_bytes(bytes).data, rtcrt_blob_bytes(bytes).size, back, &error));
    rtcrt_blob_free(bytes);
    free(scratch);
    rtcrt_accel_free(back);
    rtcrt_accel_free(clone);
    rtcrt_accel_free(built);
}

static void refused(struct stage *s, const rtcrt_inputs *inputs) {
    static const char WHY[] = "accelerationStructureHostCommands of VK_KHR_acceleration_structure is not switched on";
    rtcrt_sizes sizes;
    uint64_t size = 0;
    rtcrt_blob *bytes = NULL;
    rtcrt_accel *other = NULL;
    rtcrt_accel *own = room(s, 256);
    const rtcrt_accel *built = s->scene.shape;
    rtcrt_build build = {.size = sizeof build, .inputs = inputs, .target = own};
    FAILS(rtcrt_inputs_host_sizes(s->gpu.rt, inputs, &sizes, &error), RTCRT_STATUS_LIMIT, WHY);
    FAILS(rtcrt_build_accels_on_host(s->gpu.rt, &build, 1, 256, 1 << 20, &error), RTCRT_STATUS_LIMIT, WHY);
    FAILS(rtcrt_copy_accel_on_host(s->gpu.rt, built, own, RTCRT_COPY_MODE_CLONE, &error), RTCRT_STATUS_LIMIT, WHY);
    FAILS(rtcrt_serialize_accel_on_host(s->gpu.rt, built, &bytes, &error), RTCRT_STATUS_LIMIT, WHY);
    FAILS(rtcrt_deserialize_accel_on_host(s->gpu.rt, &size, sizeof size, own, &error), RTCRT_STATUS_LIMIT, WHY);
    FAILS(rtcrt_accel_host_info(s->gpu.rt, built, RTCRT_POSTBUILD_INFO_COMPACTED_SIZE, &size, &error), RTCRT_STATUS_LIMIT, WHY);
    INVALID(rtcrt_accel_host_info(s->gpu.rt, built, 9, &size, &error), "`info` is 9");
    INVALID(rtcrt_copy_accel_on_host(s->gpu.rt, own, own, 5, &error), "`mode` is 5");
    INVALID(rtcrt_deserialize_accel_on_host(s->gpu.rt, NULL, 1, own, &error), "`data` is null");
    INVALID(rtcrt_accel_new_on_host(s->gpu.rt, NULL, false, 1, &other, &error), "`memory` is null");
    rtcrt_accel_free(own);
}

void on_host(struct stage *s) {
    static const float corners[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    rtcrt_geometry triangle = {.size = sizeof triangle,
                               .address = (uint64_t)(uintptr_t)corners,
                               .stride = 12,
                               .count = 3,
                               .format = rtcrt_vertex_format_of_dxgi(6 /* DXGI_FORMAT_R32G32B32_FLOAT */)};
    rtcrt_inputs inputs = {.size = sizeof inputs, .flags = ALLOW_COMPACTION, .geometries = &triangle, .count = 1};
    if (s->uses & RTCRT_USE_HOST_BUILDS) {
        offered(s, &inputs);
    } else {
        refused(s, &inputs);
    }
}
