/* The engine's own allocator of device memory: blocks that small requests share. */
#ifndef ALLOCATOR_H
#define ALLOCATOR_H

#include "check.h"

#include <pthread.h>

#define MAX_BLOCKS 256

/* One VkDeviceMemory. */
struct block {
    VkDeviceMemory memory;
    VkDeviceSize size;
    VkDeviceSize used;
    char *mapped;
    uint32_t type;
    unsigned alive;
};

struct allocator {
    VkPhysicalDevice physical;
    VkDevice device;
    pthread_mutex_t lock;
    struct block blocks[MAX_BLOCKS];
    /* Requests that were not freed. */
    unsigned alive;
};

void allocator_init(struct allocator *a, VkPhysicalDevice physical, VkDevice device);

/* Memory of librtcrt that comes from the allocator. */
rtcrt_memory *allocator_memory(struct allocator *a);

/* Frees all blocks. */
void allocator_destroy(struct allocator *a);

#endif
