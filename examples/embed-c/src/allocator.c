/* A block is filled from its beginning to its end, and begun anew when nothing in it is alive. An engine has a better allocator; what matters
 * here is that librtcrt asks it for memory and gives memory back, from whichever thread. */

#include "allocator.h"

#include <string.h>

#define BLOCK_SIZE (4u << 20)

void allocator_init(struct allocator *a, VkPhysicalDevice physical, VkDevice device) {
    memset(a, 0, sizeof *a);
    a->physical = physical;
    a->device = device;
    pthread_mutex_init(&a->lock, NULL);
}

/* The memory type for a request; -1: there is none. */
static int find_type(const struct allocator *a, const rtcrt_memory_request *request) {
    VkPhysicalDeviceMemoryProperties properties;
    VkMemoryPropertyFlags mapped = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    /* The better one first. */
    VkMemoryPropertyFlags wishes[2] = {VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, 0};
    if (request->host_access != RTCRT_HOST_ACCESS_NONE) {
        wishes[0] = mapped | (request->host_access == RTCRT_HOST_ACCESS_READ ? VK_MEMORY_PROPERTY_HOST_CACHED_BIT : 0u);
        wishes[1] = mapped;
    }
    vkGetPhysicalDeviceMemoryProperties(a->physical, &properties);
    for (int wish = 0; wish < 2; ++wish) {
        for (uint32_t i = 0; i < properties.memoryTypeCount; ++i) {
            if ((request->memory_types >> i & 1) && (properties.memoryTypes[i].propertyFlags & wishes[wish]) == wishes[wish]) {
                return (int)i;
            }
        }
    }
    return -1;
}

static VkDeviceSize align(VkDeviceSize n, VkDeviceSize alignment) {
    return (n + alignment - 1) / alignment * alignment;
}

/* Makes a block in an empty place. */
static struct block *make_block(struct allocator *a, uint32_t type, VkDeviceSize size, int map) {
    VkMemoryAllocateFlagsInfo flags = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO, NULL, VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT, 0};
    VkMemoryAllocateInfo info = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, &flags, size > BLOCK_SIZE ? size : BLOCK_SIZE, type};
    struct block *b = NULL;
    for (int i = 0; i < MAX_BLOCKS && b == NULL; ++i) {
        if (a->blocks[i].memory == VK_NULL_HANDLE) {
            b = &a->blocks[i];
        }
    }
    if (b == NULL || vkAllocateMemory(a->device, &info, NULL, &b->memory) != VK_SUCCESS) {
        return NULL;
    }
    b->size = info.allocationSize;
    b->used = 0;
    b->type = type;
    b->alive = 0;
    b->mapped = NULL;
    void *at = NULL;
    if (map) {
        if (vkMapMemory(a->device, b->memory, 0, VK_WHOLE_SIZE, 0, &at) != VK_SUCCESS) {
            vkFreeMemory(a->device, b->memory, NULL);
            b->memory = VK_NULL_HANDLE;
            return NULL;
        }
        b->mapped = at;
    }
    return b;
}

static int allocate(void *user, const rtcrt_memory_request *request, rtcrt_allocation *allocation) {
    struct allocator *a = user;
    int map = request->host_access != RTCRT_HOST_ACCESS_NONE;
    int type = find_type(a, request);
    if (type < 0) {
        return 1;
    }
    pthread_mutex_lock(&a->lock);
    struct block *found = NULL;
    for (int i = 0; i < MAX_BLOCKS && found == NULL; ++i) {
        struct block *b = &a->blocks[i];
        if (b->memory != VK_NULL_HANDLE && b->type == (uint32_t)type && (b->mapped != NULL) == map &&
            align(b->used, request->alignment) + request->size <= b->size) {
            found = b;
        }
    }
    if (found == NULL) {
        found = make_block(a, (uint32_t)type, request->size, map);
    }
    if (found != NULL) {
        allocation->memory = NUMBER(found->memory);
        allocation->offset = align(found->used, request->alignment);
        allocation->mapped = map ? found->mapped + allocation->offset : NULL;
        allocation->token = (uint64_t)(found - a->blocks);
        found->used = allocation->offset + request->size;
        ++found->alive;
        ++a->alive;
    }
    pthread_mutex_unlock(&a->lock);
    return found == NULL;
}

static void release(void *user, const rtcrt_allocation *allocation) {
    struct allocator *a = user;
    pthread_mutex_lock(&a->lock);
    struct block *b = &a->blocks[allocation->token];
    --a->alive;
    if (--b->alive == 0) {
        b->used = 0;
    }
    pthread_mutex_unlock(&a->lock);
}

rtcrt_memory *allocator_memory(struct allocator *a) {
    rtcrt_allocator callbacks = {sizeof callbacks, allocate, release, a};
    rtcrt_memory *memory = NULL;
    RT(rtcrt_memory_new(&callbacks, &memory, &error));
    return memory;
}

void allocator_destroy(struct allocator *a) {
    for (int i = 0; i < MAX_BLOCKS; ++i) {
        vkFreeMemory(a->device, a->blocks[i].memory, NULL);
    }
    pthread_mutex_destroy(&a->lock);
}
