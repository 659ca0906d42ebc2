// Light through haze: the ray generation shader steps along the ray, with a shadow ray at each step.
// rtc -T lib_6_3
// scene: Inputs/scene.toml
#include "Inputs/bench.hlsli"

struct Payload
{
    float3 color;
    float t;
};

struct Shadow
{
    bool lit;
};

#ifndef NO_SUBOBJECTS
GlobalRootSignature Globals = { "CBV(b0), SRV(t0), DescriptorTable(UAV(u0))" };
TriangleHitGroup Solid = { "", "Shade" };
RaytracingShaderConfig Sizes = { 16, 8 };
RaytracingPipelineConfig Recursion = { 1 };
#endif

bool IsLit(float3 at)
{
    Shadow shadow = { false };
    TraceRay(Scene, SHADOW_FLAGS | RAY_FLAG_FORCE_OPAQUE, 0xff, 0, 1, 1, Ray(at, Light), shadow);
    return shadow.lit;
}

[shader("raygeneration")]
void Render()
{
    RayDesc ray = CameraRay();
    Payload p = (Payload)0;
    TraceRay(Scene, RAY_FLAG_FORCE_OPAQUE, 0xff, 0, 1, 0, ray, p);
    const uint steps = 24;
    uint state = Seed(0);
    float length = min(p.t, 20) / steps;
    float3 haze = 0;
    float through = 1;
    for (uint i = 0; i < steps; ++i)
    {
        float3 at = ray.Origin + (i + Random(state)) * length * ray.Direction;
        float density = 0.09 * exp(-0.5 * max(at.y, 0));
        float kept = exp(-density * length);
        haze += through * (1 - kept) * (IsLit(at) ? 1.4 : 0.25);
        through *= kept;
    }
    Output[DispatchRaysIndex().xy] = float4(p.color * through + haze * float3(0.9, 0.92, 1), 1);
}

[shader("miss")]
void Missed(inout Payload p)
{
    p.color = Sky(WorldRayDirection());
    p.t = 100;
}

[shader("miss")]
void Unshadowed(inout Shadow shadow)
{
    shadow.lit = true;
}

[shader("closesthit")]
void Shade(inout Payload p, in BuiltInTriangleIntersectionAttributes attributes)
{
    p.color = Albedo(InstanceID()) * (0.25 + 0.75 * saturate(dot(HitNormal(), Light)));
    p.t = RayTCurrent();
}
