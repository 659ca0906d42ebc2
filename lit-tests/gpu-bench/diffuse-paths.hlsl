// Diffuse paths of up to four bounces with a shadow ray at each, in a loop of the ray generation shader.
// rtc -T lib_6_3
// scene: Inputs/scene.toml
#include "Inputs/bench.hlsli"

struct Payload
{
    float3 albedo;
    float t;
    float3 normal;
};

struct Shadow
{
    bool lit;
};

#ifndef NO_SUBOBJECTS
GlobalRootSignature Globals = { "CBV(b0), SRV(t0), DescriptorTable(UAV(u0))" };
TriangleHitGroup Solid = { "", "Shade" };
RaytracingShaderConfig Sizes = { 28, 8 };
RaytracingPipelineConfig Recursion = { 1 };
#endif

float3 Path(RayDesc ray, uint state)
{
    float3 throughput = 1, light = 0;
    for (uint bounce = 0; bounce < Depth; ++bounce)
    {
        Payload p;
        p.t = -1;
        TraceRay(Scene, RAY_FLAG_FORCE_OPAQUE, 0xff, 0, 1, 0, ray, p);
        if (p.t < 0)
            return light + throughput * Sky(ray.Direction);
        throughput *= p.albedo;
        float3 at = ray.Origin + p.t * ray.Direction + 0.001 * p.normal;
        float cosine = dot(p.normal, Light);
        if (cosine > 0)
        {
            Shadow shadow = { false };
            TraceRay(Scene, SHADOW_FLAGS | RAY_FLAG_FORCE_OPAQUE, 0xff, 0, 1, 1, Ray(at, Light), shadow);
            light += shadow.lit ? throughput * cosine * 1.5 : 0;
        }
        ray = Ray(at, Scatter(p.normal, state));
    }
    return light;
}

[shader("raygeneration")]
void Render()
{
    float3 sum = 0;
    for (uint i = 0; i < Samples; ++i)
    {
        uint state = Seed(i);
        float2 at = float2(DispatchRaysIndex().xy) + float2(Random(state), Random(state));
        sum += Path(CameraRay(at), state);
    }
    Output[DispatchRaysIndex().xy] = float4(sqrt(sum / Samples * 0.6), 1);
}

[shader("miss")]
void Missed(inout Payload p)
{
}

[shader("miss")]
void Unshadowed(inout Shadow shadow)
{
    shadow.lit = true;
}

[shader("closesthit")]
void Shade(inout Payload p, in BuiltInTriangleIntersectionAttributes attributes)
{
    p.albedo = Albedo(InstanceID());
    p.t = RayTCurrent();
    p.normal = HitNormal();
}
