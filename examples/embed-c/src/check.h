/* What all files use: errors end the program with their message. */
#ifndef CHECK_H
#define CHECK_H

#include <rtcrt.h>

#include <stdio.h>
#include <stdlib.h>
#include <vulkan/vulkan.h>

/* Frames that the device works on while the host prepares the next. */
#define FRAMES_IN_FLIGHT 3

/* The status with which the program ends if no device can do this. */
#define NO_DEVICE 77

/* Handles of Vulkan as librtcrt has them, and back. */
#define NUMBER(handle) ((uint64_t)(uintptr_t)(handle))
#define HANDLE(type, number) ((type)(uintptr_t)(number))

/* A call into Vulkan that must succeed. */
#define VK(call) \
    do { \
        VkResult result_ = (call); \
        if (result_ != VK_SUCCESS) { \
            fprintf(stderr, "%s:%d: %s: VkResult %d\n", __FILE__, __LINE__, #call, (int)result_); \
            exit(1); \
        } \
    } while (0)

/* A call into librtcrt, whose last argument is `&error`, that must succeed. */
#define RT(call) \
    do { \
        rtcrt_error *error = NULL; \
        if ((call) != RTCRT_STATUS_OK) { \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, (const char *)rtcrt_error_message(error).data); \
            rtcrt_error_free(error); \
            exit(1); \
        } \
    } while (0)

#endif
