/* Descriptors in memory: a picture, and what is refused. */

#include "stage.h"

static rtcrt_place place(struct stage *s, const rtcrt_layout *layout, const char *name) {
    rtcrt_place at;
    RT(rtcrt_layout_place(layout, s->first, name, &at, &error));
    return at;
}

static void put(struct stage *s, const rtcrt_layout *layout, const rtcrt_descriptor_buffer *buffer, const char *name,
                rtcrt_descriptor what) {
    rtcrt_place at = place(s, layout, name);
    what.size = sizeof what;
    what.descriptor_type = at.descriptor_type;
    RT(rtcrt_descriptor_buffer_write(buffer, 1, at.set, at.binding, 0, &what, &error));
}

static void wrong(struct stage *s, const rtcrt_layout *layout, const rtcrt_descriptor_buffer *buffer) {
    rtcrt_place at = place(s, layout, "Output");
    rtcrt_descriptor d = {.size = sizeof d, .descriptor_type = at.descriptor_type, .address = rtcrt_buffer_address(s->output), .range = 16};
    FAILS(rtcrt_descriptor_buffer_write(buffer, 2, at.set, at.binding, 0, &d, &error), RTCRT_STATUS_BINDING, "copy 2 of 2");
    FAILS(rtcrt_descriptor_buffer_write(buffer, 0, at.set, 999, 0, &d, &error), RTCRT_STATUS_BINDING, "no binding 999");
    FAILS(rtcrt_descriptor_buffer_write(buffer, 0, at.set, at.binding, 1, &d, &error), RTCRT_STATUS_BINDING, "element 1 of 1");
    d.null = 1;
    FAILS(rtcrt_descriptor_buffer_write(buffer, 0, at.set, at.binding, 0, &d, &error), RTCRT_STATUS_LIMIT, "nullDescriptor");
    d.null = 0;
    static const uint32_t kinds[5] = {VK_DESCRIPTOR_TYPE_SAMPLER, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE,
                                      VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER};
    for (int i = 0; i < 5; ++i) {
        d.descriptor_type = kinds[i];
        FAILS(rtcrt_descriptor_buffer_write(buffer, 0, at.set, at.binding, 0, &d, &error), RTCRT_STATUS_BINDING, "takes descriptors of");
    }
    d.descriptor_type = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
    INVALID(rtcrt_descriptor_buffer_write(buffer, 0, at.set, at.binding, 0, &d, &error), "`descriptor_type` is 1");
    d.size = 0;
    INVALID(rtcrt_descriptor_buffer_write(buffer, 0, at.set, at.binding, 0, &d, &error), "`descriptor` has 0");
    FAILS(rtcrt_descriptor_buffer_bind(buffer, s->commands, 2, &error), RTCRT_STATUS_BINDING, "copy 2 of 2");
    FAILS(rtcrt_descriptor_buffer_bind(buffer, NULL, 0, &error), RTCRT_STATUS_BINDING, "VkCommandBuffer is null");
    uint64_t offset = 0, sizes[8];
    size_t none = 0;
    RT(rtcrt_layout_binding_offset(layout, at.set, at.binding, &offset, &error));
    FAILS(rtcrt_layout_binding_offset(layout, at.set, 999, &offset, &error), RTCRT_STATUS_BINDING, "no binding 999");
    INVALID(rtcrt_layout_set_sizes(layout, sizes, &none, &error), "`sizes` has room for 0 numbers");
    rtcrt_descriptor_buffer *made = NULL;
    FAILS(rtcrt_descriptor_buffer_new(layout, s->gpu.memory, 0, &made, &error), RTCRT_STATUS_BINDING, "for no copy");
    CHECK(made == NULL);
}

static void draw(struct stage *s, const rtcrt_layout *layout, picture to) {
    rtcrt_pipeline *pipeline = NULL;
    rtcrt_descriptor_buffer *buffer = NULL;
    rtcrt_tables *tables = stage_tables();
    rtcrt_frame_tables *frames = NULL;
    rtcrt_dispatch dispatch;
    RT(rtcrt_descriptor_buffer_new(layout, s->gpu.memory, 2, &buffer, &error));
    CHECK(rtcrt_descriptor_buffer_copies(buffer) == 2);
    put(s, layout, buffer, "Scene", (rtcrt_descriptor){.address = rtcrt_accel_address(s->scene.top)});
    put(s, layout, buffer, "Output", (rtcrt_descriptor){.address = rtcrt_buffer_address(s->output), .range = sizeof(picture)});
    put(s, layout, buffer, "b0", (rtcrt_descriptor){.address = rtcrt_buffer_address(s->constants), .range = 16});
    RT(rtcrt_pipeline_new(s->first, layout, NULL, &pipeline, &error));
    RT(rtcrt_frame_tables_new(pipeline, s->gpu.memory, tables, 1, &frames, &error));
    RT(rtcrt_frame_tables_begin(frames, 0, &dispatch, &error));
    dispatch.width = WIDTH;
    dispatch.height = HEIGHT;
    dispatch.depth = 1;
    VkCommandBuffer commands = stage_begin(s);
    RT(rtcrt_descriptor_buffer_bind(buffer, commands, 1, &error));
    RT(rtcrt_dispatch_rays(pipeline, commands, &dispatch, &error));
    wrong(s, layout, buffer);
    stage_run(s);
    stage_picture(s, to);
    rtcrt_frame_tables_free(frames);
    rtcrt_tables_free(tables);
    rtcrt_descriptor_buffer_free(buffer);
    rtcrt_pipeline_free(pipeline);
}

void descriptor_buffers(struct stage *s) {
    const rtcrt_library *const libraries[1] = {s->first};
    rtcrt_layout *layout = NULL;
    uint64_t sizes[8], offset = 0;
    size_t count = 8;
    FAILS(rtcrt_layout_set_sizes(s->layout, sizes, &count, &error), RTCRT_STATUS_BINDING, "made for descriptor sets");
    FAILS(rtcrt_layout_binding_offset(s->layout, 0, 0, &offset, &error), RTCRT_STATUS_BINDING, "made for descriptor sets");
    if ((s->uses & RTCRT_USE_DESCRIPTOR_BUFFERS) == 0) {
        FAILS(rtcrt_layout_for_descriptor_buffers(s->gpu.rt, libraries, 1, NULL, &layout, &error), RTCRT_STATUS_LIMIT, "descriptorBuffer");
        return;
    }
    RT(rtcrt_layout_for_descriptor_buffers(s->gpu.rt, libraries, 1, NULL, &layout, &error));
    RT(rtcrt_layout_set_sizes(layout, sizes, &count, &error));
    CHECK(count >= 1 && sizes[0] > 0);
    picture expected, drawn;
    rtcrt_pipeline *usual = NULL;
    RT(rtcrt_pipeline_new(s->first, s->layout, NULL, &usual, &error));
    stage_draw(s, usual, s->scene.top, expected);
    draw(s, layout, drawn);
    CHECK(memcmp(drawn, expected, sizeof drawn) == 0);
    rtcrt_pipeline_free(usual);
    rtcrt_layout_free(layout);
}
