/* A reader of archives of rtc: one file with compiled shaders and an index by key.
 *
 * The key of a shader is its name, its entry point if it has one, and its macros, sorted: "blur:main HALF RADIUS=2".
 *
 *     rtc_archive archive;
 *     const void *object;
 *     size_t size;
 *     if (rtc_archive_open(&archive, bytes, length) && rtc_archive_find(&archive, "blur:main RADIUS=2", &object, &size)) { ... }
 *
 * Nothing is copied or allocated: objects are in the bytes of the archive, aligned to 16 bytes if these are. The format is little-endian on
 * every system. The functions do not read outside of the bytes, whatever these are.
 */
#ifndef RTC_ARCHIVE_H
#define RTC_ARCHIVE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* An archive in memory. */
typedef struct rtc_archive {
    const unsigned char *bytes;
    size_t size;
    uint32_t count; /* the number of entries */
} rtc_archive;

static uint64_t rtc_archive_number(const unsigned char *at, int bytes) {
    uint64_t n = 0;
    while (bytes-- > 0) {
        n = n << 8 | at[bytes];
    }
    return n;
}

/* Opens an archive, whose bytes must live as long as it is used. Returns 0 if they are no archive of version 1. */
static int rtc_archive_open(rtc_archive *archive, const void *bytes, size_t size) {
    const unsigned char *at = (const unsigned char *)bytes;
    if (at == NULL || size < 16 || memcmp(at, "RTCA", 4) != 0 || rtc_archive_number(at + 4, 4) != 1) {
        return 0;
    }
    archive->bytes = at;
    archive->size = size;
    archive->count = (uint32_t)rtc_archive_number(at + 8, 4);
    return archive->count <= (size - 16) / 32;
}

/* The key and the object of entry `i`. Keys have no zero at their end. Returns 0 if there is no such entry, or it is damaged. */
static int rtc_archive_entry(const rtc_archive *archive, uint32_t i, const char **key, size_t *key_size, const void **object, size_t *size) {
    const unsigned char *entry;
    uint64_t key_at, key_length, at, length;
    if (i >= archive->count) {
        return 0;
    }
    entry = archive->bytes + 16 + (size_t)i * 32;
    key_at = rtc_archive_number(entry + 8, 4);
    key_length = rtc_archive_number(entry + 12, 4);
    at = rtc_archive_number(entry + 16, 8);
    length = rtc_archive_number(entry + 24, 8);
    if (key_at > archive->size || key_length > archive->size - key_at || at > archive->size || length > archive->size - at) {
        return 0;
    }
    *key = (const char *)archive->bytes + key_at;
    *key_size = (size_t)key_length;
    *object = archive->bytes + at;
    *size = (size_t)length;
    return 1;
}

/* Finds the object of a key. Returns 0 if there is none. */
static int rtc_archive_find(const rtc_archive *archive, const char *key, const void **object, size_t *size) {
    uint64_t hash = 0xcbf29ce484222325u;
    const char *c;
    size_t length = strlen(key);
    uint32_t low = 0, high = archive->count;
    for (c = key; *c != 0; c++) {
        hash = (hash ^ (unsigned char)*c) * 0x100000001b3u;
    }
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        uint64_t found = rtc_archive_number(archive->bytes + 16 + (size_t)middle * 32, 8);
        const char *other;
        size_t other_length;
        int order;
        if (!rtc_archive_entry(archive, middle, &other, &other_length, object, size)) {
            return 0;
        }
        order = found < hash ? -1 : found > hash;
        if (order == 0) {
            order = memcmp(other, key, other_length < length ? other_length : length);
            order = order != 0 ? order : other_length < length ? -1 : other_length > length;
        }
        if (order == 0) {
            return 1;
        }
        if (order < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return 0;
}

#endif
