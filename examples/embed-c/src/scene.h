/* Octahedra over a ground: their vertices and instances change each frame, and both levels are rebuilt. */
#ifndef SCENE_H
#define SCENE_H

#include "gpu.h"

/* Octahedra in the picture. */
#define OCTAHEDRA 5

/* The structures of one frame in flight, and what they are built from. */
struct scene {
    rtcrt_accel *shape, *ground, *top;
    rtcrt_geometry geometries[2];
    rtcrt_inputs inputs[3];
    rtcrt_build builds[3];
    rtcrt_buffer *vertices, *instances, *scratch;
};

void scene_init(struct scene *scene, struct gpu *gpu);

/* Writes what the frame is built from. The device is done with the frame. */
void scene_animate(struct scene *scene, float time);

/* Records the builds of both levels. */
void scene_build(struct scene *scene, struct gpu *gpu, VkCommandBuffer commands);

void scene_destroy(struct scene *scene);

#endif
