/* Vertices, instances and builds of a frame. */

#include "scene.h"

#include <math.h>
#include <string.h>

#define SHAPE_FLOATS (8 * 9)
#define GROUND_FLOATS 18
#define PREFER_FAST_BUILD 8 /* D3D12_RAYTRACING_ACCELERATION_STRUCTURE_BUILD_FLAG_PREFER_FAST_BUILD */

static const float GROUND[GROUND_FLOATS] = {-20, 0, -20, -20, 0, 20, 20, 0, 20, -20, 0, -20, 20, 0, 20, 20, 0, -20};

/* The corners of the eight sides, side by side; side `i` is in the octant that the shaders compute from `i`. */
static void octahedron(float size, float out[SHAPE_FLOATS]) {
    memset(out, 0, SHAPE_FLOATS * sizeof *out);
    for (int side = 0; side < 8; ++side) {
        for (int axis = 0; axis < 3; ++axis) {
            out[side * 9 + axis * 4] = side >> axis & 1 ? -size : size;
        }
    }
}

/* Turned about y, moved. */
static VkAccelerationStructureInstanceKHR instance(float angle, float x, float y, float z, uint32_t hit, const rtcrt_accel *of) {
    float s = sinf(angle), c = cosf(angle);
    VkAccelerationStructureInstanceKHR out = {
        .transform = {{{c, 0, s, x}, {0, 1, 0, y}, {-s, 0, c, z}}},
        .mask = 0xff,
        .instanceShaderBindingTableRecordOffset = hit,
        /* Both sides of triangles are seen. */
        .flags = VK_GEOMETRY_INSTANCE_TRIANGLE_FACING_CULL_DISABLE_BIT_KHR,
        .accelerationStructureReference = rtcrt_accel_address(of),
    };
    return out;
}

static rtcrt_accel *room(struct gpu *gpu, const rtcrt_inputs *inputs) {
    rtcrt_sizes sizes;
    rtcrt_accel *accel = NULL;
    RT(rtcrt_inputs_sizes(gpu->rt, inputs, &sizes, &error));
    RT(rtcrt_accel_new(gpu->rt, gpu->memory, inputs->top != 0, sizes.result, &accel, &error));
    return accel;
}

void scene_init(struct scene *s, struct gpu *gpu) {
    static const uint32_t floats[2] = {SHAPE_FLOATS, GROUND_FLOATS};
    memset(s, 0, sizeof *s);
    s->vertices = gpu_buffer(gpu, (SHAPE_FLOATS + GROUND_FLOATS) * sizeof(float));
    s->instances = gpu_buffer(gpu, (OCTAHEDRA + 1) * sizeof(VkAccelerationStructureInstanceKHR));
    for (int i = 0; i < 2; ++i) {
        rtcrt_geometry *g = &s->geometries[i];
        g->size = sizeof *g;
        g->kind = RTCRT_GEOMETRY_KIND_TRIANGLES;
        g->flags = VK_GEOMETRY_OPAQUE_BIT_KHR;
        g->address = rtcrt_buffer_address(s->vertices) + (i == 0 ? 0 : SHAPE_FLOATS * sizeof(float));
        g->stride = 3 * sizeof(float);
        g->count = floats[i] / 3;
        g->format = VK_FORMAT_R32G32B32_SFLOAT;
        s->inputs[i].geometries = g;
        s->inputs[i].count = 1;
    }
    s->inputs[2].top = 1;
    s->inputs[2].instances = rtcrt_buffer_address(s->instances);
    s->inputs[2].count = OCTAHEDRA + 1;
    rtcrt_accel **accels[3] = {&s->shape, &s->ground, &s->top};
    for (int i = 0; i < 3; ++i) {
        s->inputs[i].size = sizeof s->inputs[i];
        s->inputs[i].flags = PREFER_FAST_BUILD;
        *accels[i] = room(gpu, &s->inputs[i]);
        s->builds[i] = (rtcrt_build){.size = sizeof s->builds[i], .inputs = &s->inputs[i], .target = *accels[i]};
    }
    uint64_t scratch = 0;
    RT(rtcrt_scratch_size(gpu->rt, s->builds, 3, &scratch, &error));
    s->scratch = gpu_buffer(gpu, scratch);
}

void scene_animate(struct scene *s, float time) {
    float shape[SHAPE_FLOATS];
    VkAccelerationStructureInstanceKHR instances[OCTAHEDRA + 1];
    octahedron(0.6f + 0.1f * sinf(time * 3), shape);
    for (int i = 0; i < OCTAHEDRA; ++i) {
        float phase = time + (float)i * 6.2831853f / OCTAHEDRA;
        float y = 0.8f + 0.2f * sinf(phase * 2);
        instances[i] = instance(phase, cosf(phase) * 2, y, sinf(phase) * 2, (uint32_t)i, s->shape);
    }
    instances[OCTAHEDRA] = instance(0, 0, 0, 0, OCTAHEDRA, s->ground);
    RT(rtcrt_buffer_write(s->vertices, 0, shape, sizeof shape, &error));
    RT(rtcrt_buffer_write(s->vertices, sizeof shape, GROUND, sizeof GROUND, &error));
    RT(rtcrt_buffer_write(s->instances, 0, instances, sizeof instances, &error));
}

void scene_build(struct scene *s, struct gpu *gpu, VkCommandBuffer commands) {
    uint64_t address = rtcrt_buffer_address(s->scratch), size = rtcrt_buffer_size(s->scratch);
    RT(rtcrt_build_accels(gpu->rt, commands, s->builds, 3, address, size, &error));
}

void scene_destroy(struct scene *s) {
    rtcrt_accel_free(s->top);
    rtcrt_accel_free(s->ground);
    rtcrt_accel_free(s->shape);
    rtcrt_buffer_free(s->vertices);
    rtcrt_buffer_free(s->instances);
    rtcrt_buffer_free(s->scratch);
}
