// Cut-outs: an any-hit shader computes which parts of each surface are there, for primary and for shadow rays.
// rtc -T lib_6_3
// scene: Inputs/scene.toml
#include "Inputs/bench.hlsli"

struct Payload
{
    float3 albedo;
    float t;
    float3 normal;
    bool lit;
};

#ifndef NO_SUBOBJECTS
GlobalRootSignature Globals = { "CBV(b0), SRV(t0), DescriptorTable(UAV(u0))" };
TriangleHitGroup Lattice = { "TestLattice", "Shade" };
RaytracingShaderConfig Sizes = { 32, 8 };
RaytracingPipelineConfig Recursion = { 1 };
#endif

[shader("raygeneration")]
void Render()
{
    RayDesc ray = CameraRay();
    Payload p = (Payload)0;
    TraceRay(Scene, RAY_FLAG_NONE, 0xff, 0, 1, 0, ray, p);
    float3 color = p.albedo;
    if (p.t > 0)
    {
        Payload shadow = (Payload)0;
        TraceRay(Scene, SHADOW_FLAGS, 0xff, 0, 1, 1, Ray(ray.Origin + p.t * ray.Direction + 0.001 * p.normal, Light), shadow);
        color *= 0.25 + (shadow.lit ? 0.75 * abs(dot(p.normal, Light)) : 0);
    }
    Output[DispatchRaysIndex().xy] = float4(color, 1);
}

[shader("miss")]
void Missed(inout Payload p)
{
    p.albedo = Sky(WorldRayDirection());
}

[shader("miss")]
void Unshadowed(inout Payload p)
{
    p.lit = true;
}

[shader("anyhit")]
void TestLattice(inout Payload p, in BuiltInTriangleIntersectionAttributes attributes)
{
    if (InstanceID() == 0)
        return;
    float3 at = mul(WorldToObject3x4(), float4(HitPosition(), 1));
    if (Fbm(at * 4 + InstanceID(), 3) < 0.42)
        IgnoreHit();
}

[shader("closesthit")]
void Shade(inout Payload p, in BuiltInTriangleIntersectionAttributes attributes)
{
    p.albedo = Albedo(InstanceID());
    p.t = RayTCurrent();
    p.normal = HitNormal();
}
