/* A small engine in C: a renderer with a Vulkan device of its own that gets D3D12's objects of ray tracing from librtcrt.
 *
 * Renders some frames of a scene and writes the last as a PPM picture:
 *
 *     embed-c [--frames N] [--add-at N] [--size WIDTH HEIGHT] [--no-validation] BASE.rtp MATTE.rtp MIRROR.rtp PICTURE.ppm
 *
 * The packages are those of `examples/embed-ash/shaders/`. The program ends with 77 if no device can do this. */

#include "renderer.h"

#include <string.h>
#include <time.h>

static void usage(void) {
    fprintf(stderr, "usage: embed-c [--frames N] [--add-at N] [--size WIDTH HEIGHT] [--no-validation] BASE.rtp MATTE.rtp MIRROR.rtp PICTURE.ppm\n");
    exit(2);
}

static uint32_t number(const char *text) {
    char *end = NULL;
    unsigned long n = text == NULL ? 0 : strtoul(text, &end, 10);
    if (end == NULL || end == text || *end != 0 || n > 65536) {
        usage();
    }
    return (uint32_t)n;
}

static void write_picture(const char *path, const uint8_t *pixels, uint32_t width, uint32_t height) {
    FILE *file = fopen(path, "wb");
    bool good = file != NULL && fprintf(file, "P6\n%u %u\n255\n", width, height) > 0;
    for (size_t i = 0; good && i < (size_t)width * height; ++i) {
        good = fwrite(pixels + i * 4, 1, 3, file) == 3;
    }
    if (!good || fclose(file) != 0) {
        perror(path);
        exit(1);
    }
}

int main(int count, char **arguments) {
    struct options o = {.frames = 60, .add_at = 20, .width = 160, .height = 120, .validation = true};
    const char *picture = NULL;
    int files = 0;
    (void)count;
    for (char **a = arguments + 1; *a != NULL; ++a) {
        if (strcmp(*a, "--frames") == 0) {
            o.frames = number(*++a);
        } else if (strcmp(*a, "--add-at") == 0) {
            o.add_at = number(*++a);
        } else if (strcmp(*a, "--size") == 0 && a[1] != NULL) {
            o.width = number(*++a);
            o.height = number(*++a);
        } else if (strcmp(*a, "--no-validation") == 0) {
            o.validation = false;
        } else if (files < 3) {
            o.packages[files++] = *a;
        } else if (picture == NULL) {
            picture = *a;
        } else {
            usage();
        }
        if (*a == NULL) {
            usage();
        }
    }
    if (picture == NULL || o.frames == 0 || o.width == 0 || o.height == 0) {
        usage();
    }
    clock_t started = clock();
    uint8_t *pixels = render(&o);
    printf("%u frames, %.2f ms of processor time each\n", o.frames, (double)(clock() - started) * 1000 / CLOCKS_PER_SEC / o.frames);
    write_picture(picture, pixels, o.width, o.height);
    free(pixels);
    return 0;
}
