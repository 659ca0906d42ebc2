// The weight of a sample of a box blur.

#ifndef RADIUS
#define RADIUS 1
#endif

float weight(int radius)
{
    return 1.0 / (2 * radius + 1);
}
