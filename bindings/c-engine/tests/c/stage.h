/* What the tests draw with: a device, the packages of the renderer, one frame of its scene, and a picture of a structure. */
#ifndef STAGE_H
#define STAGE_H

#include "scene.h"

#include <string.h>

#define CHECK(condition) \
    do { \
        if (!(condition)) { \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
            exit(1); \
        } \
    } while (0)

/* A call into librtcrt, whose last argument is `&error`, that must fail with a status and a message with a text in it. */
#define FAILS(call, expected, text) \
    do { \
        rtcrt_error *error = NULL; \
        rtcrt_status status_ = (call); \
        const char *message_ = (const char *)rtcrt_error_message(error).data; \
        if (status_ != (expected) || rtcrt_error_status(error) != (expected) || strstr(message_, (text)) == NULL) { \
            fprintf(stderr, "%s:%d: %s: status %d: %s\n", __FILE__, __LINE__, #call, (int)status_, message_); \
            exit(1); \
        } \
        rtcrt_error_free(error); \
    } while (0)

#define INVALID(call, text) FAILS(call, RTCRT_STATUS_INVALID_ARGUMENT, text)

enum { WIDTH = 16, HEIGHT = 12 };

typedef uint32_t picture[WIDTH * HEIGHT];

struct stage {
    struct gpu gpu;
    /* The files base.rtp, matte.rtp, mirror.rtp and constants.rtp. */
    rtcrt_package packages[4];
    /* The first two, the third, and the fourth. */
    rtcrt_library *first, *mirror, *constants_library;
    /* RTCRT_USE_*: what the device was made for. */
    uint32_t uses;
    rtcrt_layout *layout;
    struct scene scene;
    VkDescriptorPool pool;
    VkDescriptorSet set;
    VkCommandBuffer commands;
    rtcrt_buffer *constants, *output;
};

extern const rtcrt_pipeline_options GROWING;

/* A package from its file; the caller frees the bytes. */
rtcrt_package stage_package(const char *path);

void stage_open(struct stage *s, bool validation);
void stage_close(struct stage *s);

/* Begins commands, and runs them to their end. */
VkCommandBuffer stage_begin(struct stage *s);
void stage_run(struct stage *s);

/* The tables of the renderer. */
rtcrt_tables *stage_tables(void);

/* Binds the set with a structure to see. */
void stage_bind(struct stage *s, const rtcrt_accel *top);

/* The picture that was drawn last. */
void stage_picture(struct stage *s, picture to);

/* Draws a structure with a pipeline and its tables. */
void stage_draw(struct stage *s, const rtcrt_pipeline *pipeline, const rtcrt_accel *top, picture to);

/* The tests. */
void mistakes(void);
void descriptions(void);
void libraries(struct stage *s);
void pipelines(struct stage *s);
void dispatches(struct stage *s);
void forms(struct stage *s);
void structures(struct stage *s);
void specialisation(struct stage *s);
void indirect(struct stage *s);
void descriptor_buffers(struct stage *s);
void on_host(struct stage *s);
void newer(struct stage *s);
void on_mock(struct stage *s);
void memory(struct stage *s);
void host_memory(struct stage *s);
void strangers(struct stage *s, struct stage *other);

#endif
