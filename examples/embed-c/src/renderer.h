/* The renderer: two packages at the start, a third while it runs. */
#ifndef RENDERER_H
#define RENDERER_H

#include "check.h"

/* What to render. */
struct options {
    uint32_t frames;
    /* The frame in which the third package begins to be compiled. */
    uint32_t add_at;
    uint32_t width, height;
    bool validation;
    /* Files: the two packages of the beginning, and the third. */
    const char *packages[3];
};

/* Renders frames, and returns the last: red, green, blue and alpha of each pixel, for the caller to free. */
uint8_t *render(const struct options *options);

#endif
