// Mirrors: closest-hit shaders trace on, up to four times.
// rtc -T lib_6_3
// scene: Inputs/scene.toml
#include "Inputs/bench.hlsli"

struct Payload
{
    float3 color;
    uint depth;
};

#ifndef NO_SUBOBJECTS
GlobalRootSignature Globals = { "CBV(b0), SRV(t0), DescriptorTable(UAV(u0))" };
TriangleHitGroup Solid = { "", "Shade" };
RaytracingShaderConfig Sizes = { 16, 8 };
RaytracingPipelineConfig Recursion = { 5 };
#endif

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
    float3 color = Albedo(InstanceID()) * (0.3 + 0.7 * saturate(dot(normal, Light)));
    if (p.depth < Depth)
    {
        Payload next = (Payload)0;
        next.depth = p.depth + 1;
        float3 direction = reflect(WorldRayDirection(), normal);
        TraceRay(Scene, RAY_FLAG_FORCE_OPAQUE, 0xff, 0, 1, 0, Ray(HitPosition() + 0.001 * normal, direction), next);
        float share = InstanceID() == 0 ? 0.15 : 0.6;
        color = lerp(color, next.color, share);
    }
    p.color = color;
}
