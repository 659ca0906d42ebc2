// From scene-referred light to the screen.
#ifndef COMMON_TONEMAP_HLSLI
#define COMMON_TONEMAP_HLSLI

#include "core.hlsli"

#define TONEMAP_NONE 0
#define TONEMAP_REINHARD 1
#define TONEMAP_ACES 2

#ifndef TONEMAP
#define TONEMAP TONEMAP_ACES
#endif

namespace tonemap
{

float3 LinearToSrgb(float3 color)
{
    const float3 c = saturate(color);
    const float3 low = c * 12.92;
    const float3 high = 1.055 * pow(c, 1 / 2.4) - 0.055;
    return float3(c.x <= 0.0031308 ? low.x : high.x, c.y <= 0.0031308 ? low.y : high.y, c.z <= 0.0031308 ? low.z : high.z);
}

float3 SrgbToLinear(float3 color)
{
    const float3 low = color / 12.92;
    const float3 high = pow((color + 0.055) / 1.055, 2.4);
    return float3(color.x <= 0.04045 ? low.x : high.x, color.y <= 0.04045 ? low.y : high.y, color.z <= 0.04045 ? low.z : high.z);
}

float3 Reinhard(float3 color)
{
    return color / (1 + Luminance(color));
}

// Hill's fit of the reference rendering transform and the sRGB output transform.
float3 Aces(float3 color)
{
    static const float3x3 toRrt =
    {
        { 0.59719, 0.35458, 0.04823 },
        { 0.07600, 0.90834, 0.01566 },
        { 0.02840, 0.13383, 0.83777 },
    };
    static const float3x3 fromOdt =
    {
        { 1.60475, -0.53108, -0.07367 },
        { -0.10208, 1.10813, -0.00605 },
        { -0.00327, -0.07276, 1.07602 },
    };
    const float3 v = mul(toRrt, color);
    const float3 a = v * (v + 0.0245786) - 0.000090537;
    const float3 b = v * (0.983729 * v + 0.4329510) + 0.238081;
    return saturate(mul(fromOdt, a / b));
}

// Exposure in stops, the curve that `TONEMAP` names, and the display's encoding.
float3 Display(float3 color, float stops)
{
    color *= exp2(stops);
#if TONEMAP == TONEMAP_ACES
    color = Aces(color);
#elif TONEMAP == TONEMAP_REINHARD
    color = Reinhard(color);
#elif TONEMAP != TONEMAP_NONE
#error TONEMAP is none of TONEMAP_NONE, TONEMAP_REINHARD, TONEMAP_ACES
#endif
    return LinearToSrgb(color);
}

} // namespace tonemap

#endif
