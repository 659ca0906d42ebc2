// Materials as callable shaders, which the closest-hit shader calls by the identifier of the instance.
// rtc -T lib_6_3
// scene: Inputs/scene.toml
#include "Inputs/bench.hlsli"

struct Payload
{
    float3 color;
};

struct Material
{
    float3 position;
    uint id;
    float3 normal;
    float gloss;
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
    p.color = Sky(WorldRayDirection());
}

[shader("closesthit")]
void Shade(inout Payload p, in BuiltInTriangleIntersectionAttributes attributes)
{
    Material m;
    m.position = HitPosition();
    m.id = InstanceID();
    m.normal = HitNormal();
    m.gloss = 0;
    m.color = 0;
    CallShader(InstanceID() & 3, m);
    float3 between = normalize(Light - WorldRayDirection());
    float shine = m.gloss * pow(saturate(dot(m.normal, between)), 32);
    p.color = m.color * (0.25 + 0.75 * saturate(dot(m.normal, Light))) + shine;
}

[shader("callable")]
void Plain(inout Material m)
{
    m.color = Albedo(m.id);
}

[shader("callable")]
void Stripes(inout Material m)
{
    m.color = Albedo(m.id) * (frac(m.position.y * 6) < 0.5 ? 1 : 0.4);
    m.gloss = 0.3;
}

[shader("callable")]
void Marble(inout Material m)
{
    float v = sin(6 * m.position.x + 8 * Fbm(m.position * 3, 5));
    m.color = lerp(Albedo(m.id), 0.9, 0.5 + 0.5 * v);
    m.gloss = 0.6;
}

[shader("callable")]
void Rough(inout Material m)
{
    float3 p = m.position * 9;
    float3 bump = float3(ValueNoise(p), ValueNoise(p + 31), ValueNoise(p + 67)) - 0.5;
    m.normal = normalize(m.normal + 0.7 * bump);
    m.color = Albedo(m.id);
}
