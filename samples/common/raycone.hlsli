// Ray cones: the footprint of a pixel carried along a path, and the mip level that it asks for
// (Akenine-Möller et al., "Texture Level of Detail Strategies for Real-Time Ray Tracing").
#ifndef COMMON_RAYCONE_HLSLI
#define COMMON_RAYCONE_HLSLI

#include "core.hlsli"

struct RayCone
{
    float width;
    float spread;

    static RayCone Create(float width, float spread)
    {
        RayCone cone;
        cone.width = width;
        cone.spread = spread;
        return cone;
    }

    // The cone of one pixel of a pinhole camera.
    static RayCone Pixel(float tanHalfFov, float height)
    {
        return Create(0, atan(2 * tanHalfFov / height));
    }

    RayCone Propagate(float surfaceSpread, float t)
    {
        return Create(spread * t + width, spread + surfaceSpread);
    }

    // `density` is texels per unit of area. The cone's width covers width² / cosine of the surface.
    float Lod(float density, float cosine)
    {
        const float footprint = width * width / max(abs(cosine), 1e-3);
        return 0.5 * log2(max(footprint * density, 1e-12));
    }
};

// How much a rough reflection widens a cone: half the angle that holds most of the lobe.
float RoughnessSpread(float roughness)
{
    return roughness * roughness * 0.5;
}

#endif
