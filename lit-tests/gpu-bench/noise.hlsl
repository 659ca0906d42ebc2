// A costly closest-hit shader: noise of eight octaves, also for the normal.
// rtc -T lib_6_3
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
    float3 d = WorldRayDirection();
    p.color = lerp(Sky(d), 1, saturate(2 * Fbm(d * 5, 6) - 0.8));
}

[shader("closesthit")]
void Shade(inout Payload p, in BuiltInTriangleIntersectionAttributes attributes)
{
    float3 at = HitPosition() * 3 + InstanceID();
    float here = Fbm(at, 8);
    float2 e = float2(0.02, 0);
    float3 slope = float3(Fbm(at + e.xyy, 8), Fbm(at + e.yxy, 8), Fbm(at + e.yyx, 8)) - here;
    float3 normal = normalize(HitNormal() - 8 * slope);
    p.color = lerp(Albedo(InstanceID()), float3(0.9, 0.85, 0.8), saturate(here * 1.6 - 0.3)) * (0.25 + 0.75 * saturate(dot(normal, Light)));
}
