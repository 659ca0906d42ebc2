// Soft shadows: sixteen rays to points of a light, traced by the closest-hit shader.
// rtc -T lib_6_3
// scene: Inputs/scene.toml
#include "Inputs/bench.hlsli"

struct Payload
{
    float3 color;
    bool lit;
};

#ifndef NO_SUBOBJECTS
GlobalRootSignature Globals = { "CBV(b0), SRV(t0), DescriptorTable(UAV(u0))" };
TriangleHitGroup Solid = { "", "Shade" };
RaytracingShaderConfig Sizes = { 16, 8 };
RaytracingPipelineConfig Recursion = { 2 };
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

[shader("miss")]
void Unshadowed(inout Payload p)
{
    p.lit = true;
}

[shader("closesthit")]
void Shade(inout Payload p, in BuiltInTriangleIntersectionAttributes attributes)
{
    float3 normal = HitNormal();
    float3 at = HitPosition() + 0.001 * normal;
    uint state = Seed(0);
    float light = 0;
    for (uint i = 0; i < 16; ++i)
    {
        float3 to = Light * 12 + 2.5 * (float3(Random(state), Random(state), Random(state)) - 0.5) - at;
        float3 direction = normalize(to);
        float cosine = dot(normal, direction);
        if (cosine <= 0)
            continue;
        RayDesc ray = Ray(at, direction);
        ray.TMax = length(to);
        Payload shadow = (Payload)0;
        TraceRay(Scene, SHADOW_FLAGS | RAY_FLAG_FORCE_OPAQUE, 0xff, 0, 1, 1, ray, shadow);
        light += shadow.lit ? cosine : 0;
    }
    p.color = Albedo(InstanceID()) * (0.2 + 0.8 * light / 16);
}
