// The third package, added while frames are in flight: a material that traces a ray of its own.

#include "common.hlsli"

RaytracingAccelerationStructure Scene : register(t0);

RaytracingShaderConfig Shaders = {16, 8};
RaytracingPipelineConfig Pipeline = {2};
TriangleHitGroup Mirror = {"", "MirrorHit"};

[shader("closesthit")]
void MirrorHit(inout Payload payload, BuiltInTriangleIntersectionAttributes attributes)
{
    float3 normal = normalize(mul((float3x3)ObjectToWorld3x4(), octant(PrimitiveIndex())));
    float3 direction = reflect(WorldRayDirection(), normal);
    if (payload.depth > 0)
    {
        payload.color = sky(direction);
        return;
    }
    RayDesc ray;
    ray.Origin = WorldRayOrigin() + WorldRayDirection() * RayTCurrent();
    ray.Direction = direction;
    ray.TMin = 0.001;
    ray.TMax = 100;
    Payload next;
    next.color = 0;
    next.depth = 1;
    TraceRay(Scene, RAY_FLAG_NONE, 0xff, 0, 0, 0, ray, next);
    payload.color = next.color * 0.85;
}
