// A primary ray and a shadow ray for each pixel, both traced by the ray generation shader.
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
TriangleHitGroup Solid = { "", "Shade" };
RaytracingShaderConfig Sizes = { 32, 8 };
RaytracingPipelineConfig Recursion = { 1 };
#endif

[shader("raygeneration")]
void Render()
{
    RayDesc ray = CameraRay();
    Payload p = (Payload)0;
    TraceRay(Scene, RAY_FLAG_FORCE_OPAQUE, 0xff, 0, 1, 0, ray, p);
    float3 color = p.albedo;
    if (p.t > 0)
    {
        Payload shadow = (Payload)0;
        TraceRay(Scene, SHADOW_FLAGS | RAY_FLAG_FORCE_OPAQUE, 0xff, 0, 1, 1, Ray(ray.Origin + p.t * ray.Direction + 0.001 * p.normal, Light), shadow);
        color *= 0.25 + (shadow.lit ? 0.75 * saturate(dot(p.normal, Light)) : 0);
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

[shader("closesthit")]
void Shade(inout Payload p, in BuiltInTriangleIntersectionAttributes attributes)
{
    p.albedo = Albedo(InstanceID());
    p.t = RayTCurrent();
    p.normal = HitNormal();
}
