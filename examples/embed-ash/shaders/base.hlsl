// The first package: rays of a camera, the sky, and configurations.

#include "common.hlsli"

RaytracingAccelerationStructure Scene : register(t0);
RWStructuredBuffer<uint> Output : register(u0);

cbuffer Frame : register(b0)
{
    float Time;
    float Aspect;
};

RaytracingShaderConfig Shaders = {16, 8};
RaytracingPipelineConfig Pipeline = {2};

uint pack(float3 color)
{
    uint3 c = (uint3)(saturate(color) * 255.0 + 0.5);
    return c.x | c.y << 8 | c.z << 16 | 0xff000000;
}

[shader("raygeneration")]
void Camera()
{
    uint2 i = DispatchRaysIndex().xy;
    uint2 n = DispatchRaysDimensions().xy;
    float2 at = (i + 0.5) / n * float2(2, -2) + float2(-1, 1);
    RayDesc ray;
    ray.Origin = float3(0, 1.5, -5);
    ray.Direction = normalize(float3(at.x * Aspect, at.y - 0.2, 1.8));
    ray.TMin = 0.001;
    ray.TMax = 100;
    Payload payload;
    payload.color = 0;
    payload.depth = 0;
    TraceRay(Scene, RAY_FLAG_NONE, 0xff, 0, 0, 0, ray, payload);
    Output[i.y * n.x + i.x] = pack(payload.color);
}

[shader("miss")]
void Sky(inout Payload payload)
{
    payload.color = sky(WorldRayDirection());
}
