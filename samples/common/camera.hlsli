// The camera's constants and the rays that it sends out.
#ifndef COMMON_CAMERA_HLSLI
#define COMMON_CAMERA_HLSLI

#include "core.hlsli"

struct CameraConstants
{
    float4x4 clipToWorld;
    float4x4 worldToClip;
    float3 eye;
    float tanHalfFov;
};

namespace camera
{

// From a position on the screen in pixels to a ray through it.
RayDesc PrimaryRay(CameraConstants view, float2 position, float2 size)
{
    const float2 ndc = position / size * 2 - 1;
    const float4 far = mul(view.clipToWorld, float4(ndc.x, -ndc.y, 1, 1));
    RayDesc ray;
    ray.Origin = view.eye;
    ray.TMin = 0;
    ray.Direction = normalize(far.xyz / far.w - view.eye);
    ray.TMax = RAY_FAR;
    return ray;
}

// Where a point of the world is on the screen, in pixels.
float2 Project(float4x4 worldToClip, float3 position, float2 size)
{
    const float4 clip = mul(worldToClip, float4(position, 1));
    const float2 ndc = clip.xy / max(clip.w, 1e-6);
    return (float2(ndc.x, -ndc.y) * 0.5 + 0.5) * size;
}

} // namespace camera

#endif
