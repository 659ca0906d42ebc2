// Glass: two rays from each hit, of which the weaker ends early; closest-hit shaders trace on, up to four times.
// rtc -T lib_6_3
// scene: Inputs/scene.toml
#include "Inputs/bench.hlsli"

struct Payload
{
    float3 color;
    float weight;
    uint depth;
};

#ifndef NO_SUBOBJECTS
GlobalRootSignature Globals = { "CBV(b0), SRV(t0), DescriptorTable(UAV(u0))" };
TriangleHitGroup Solid = { "", "Shade" };
RaytracingShaderConfig Sizes = { 20, 8 };
RaytracingPipelineConfig Recursion = { 5 };
#endif

float3 Follow(float3 origin, float3 direction, float weight, uint depth)
{
    Payload p = (Payload)0;
    p.weight = weight;
    p.depth = depth;
    TraceRay(Scene, RAY_FLAG_FORCE_OPAQUE, 0xff, 0, 1, 0, Ray(origin, direction), p);
    return p.color;
}

[shader("raygeneration")]
void Render()
{
    RayDesc ray = CameraRay();
    Output[DispatchRaysIndex().xy] = float4(Follow(ray.Origin, ray.Direction, 1, 0), 1);
}

[shader("miss")]
void Missed(inout Payload p)
{
    p.color = Sky(WorldRayDirection());
}

[shader("closesthit")]
void Shade(inout Payload p, in BuiltInTriangleIntersectionAttributes attributes)
{
    float3 normal = HitNormal();
    float3 at = HitPosition();
    float3 along = WorldRayDirection();
    if (InstanceID() == 0)
    {
        float2 square = floor(at.xz);
        p.color = (int(square.x + square.y) & 1 ? 0.3 : 0.8) * (0.3 + 0.7 * Light.y);
        return;
    }
    bool inside = dot(normal, along) > 0;
    float3 facing = inside ? -normal : normal;
    float cosine = -dot(facing, along);
    float reflected = 0.04 + 0.96 * pow(1 - saturate(cosine), 5);
    float3 through = refract(along, facing, inside ? 1.5 : 1 / 1.5);
    if (all(through == 0))
        reflected = 1;
    float3 color = 0;
    if (p.depth < Depth)
    {
        if (p.weight * reflected > 0.02)
            color += reflected * Follow(at + 0.001 * facing, reflect(along, facing), p.weight * reflected, p.depth + 1);
        if (p.weight * (1 - reflected) > 0.02)
            color += (1 - reflected) * Follow(at - 0.001 * facing, through, p.weight * (1 - reflected), p.depth + 1);
    }
    p.color = color * (inside ? 1 : lerp(1, Albedo(InstanceID()), 0.4));
}
