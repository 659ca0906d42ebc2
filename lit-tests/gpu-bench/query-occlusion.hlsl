// Shadows and occlusion by ray queries of the closest-hit shader.
// rtc -T lib_6_5
// scene: Inputs/scene.toml
#include "Inputs/bench.hlsli"

struct Payload
{
    float3 color;
};

#ifndef NO_SUBOBJECTS
GlobalRootSignature Globals = { "CBV(b0), SRV(t0), DescriptorTable(UAV(u0))" };
TriangleHitGroup Solid = { "", "Shade" };
RaytracingShaderConfig Sizes = { 12, 8 };
RaytracingPipelineConfig Recursion = { 1 };
#endif

bool IsFree(float3 origin, float3 direction, float distance)
{
    RayDesc ray = Ray(origin, direction);
    ray.TMax = distance;
    RayQuery<RAY_FLAG_ACCEPT_FIRST_HIT_AND_END_SEARCH | RAY_FLAG_FORCE_OPAQUE> query;
    query.TraceRayInline(Scene, RAY_FLAG_NONE, 0xff, ray);
    query.Proceed();
    return query.CommittedStatus() == COMMITTED_NOTHING;
}

[shader("raygeneration")]
void Render()
{
    Payload p = (Payload)0;
    TraceRay(Scene, RAY_FLAG_FORCE_OPAQUE, 0xff, 0, 1, 0, CameraRay(), p);
    Output[DispatchRaysIndex().xy] = float4(p.color, 1);
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
    float3 at = HitPosition() + 0.001 * normal;
    uint state = Seed(0);
    uint free = 0;
    for (uint i = 0; i < 8; ++i)
        free += IsFree(at, Scatter(normal, state), 1.5) ? 1 : 0;
    float cosine = saturate(dot(normal, Light));
    float sun = cosine > 0 && IsFree(at, Light, 100) ? cosine : 0;
    p.color = Albedo(InstanceID()) * (0.35 * free / 8 + 0.65 * sun);
}
