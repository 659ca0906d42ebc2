// rtc -T lib_6_5 -HV 2021
// Ray-traced reflections over a deferred base: primary rays fill a G-buffer; each reflective pixel sends rays into the lobe of
// its roughness, whose ray cones choose the mip levels of what they see; a compute shader composes and tonemaps.

#include "../common/camera.hlsli"
#include "../common/lights.hlsli"
#include "../common/random.hlsli"
#include "../common/surface.hlsli"
#include "../common/tonemap.hlsli"

#ifndef NO_SUBOBJECTS
GlobalRootSignature Globals =
{
    "CBV(b0), CBV(b1), SRV(t0), SRV(t1), SRV(t2), DescriptorTable(UAV(u0, numDescriptors = 4)),"
    "DescriptorTable(SRV(t0, space = 1, numDescriptors = unbounded)),"
    "DescriptorTable(SRV(t0, space = 2, numDescriptors = unbounded)),"
    "StaticSampler(s0, filter = FILTER_MIN_MAG_MIP_LINEAR, addressU = TEXTURE_ADDRESS_WRAP, addressV = TEXTURE_ADDRESS_WRAP)"
};
TriangleHitGroup Solid = { "", "HitSurface" };
RaytracingShaderConfig Sizes = { 40, 8 };
RaytracingPipelineConfig Depth = { 1 };
#endif

#ifndef REFLECTION_SAMPLES
#define REFLECTION_SAMPLES 8
#endif

struct FrameConstants
{
    CameraConstants camera;
    uint frameIndex;
    float roughnessCutoff;
    float exposure;
};

ConstantBuffer<FrameConstants> g_Frame : register(b0);
ConstantBuffer<EnvironmentConstants> g_Environment : register(b1);

// Lit colour and distance; normals, roughness and reflectance for the second pass; reflections; the picture.
RWTexture2D<float4> g_Lit : register(u0);
RWTexture2D<uint4> g_Surface : register(u1);
RWTexture2D<float4> g_Reflected : register(u2);
RWTexture2D<float4> g_Output : register(u3);

struct Payload
{
    float t;
    float coneWidth;
    float coneSpread;
    uint normal;
    // Of the surface without what it reflects.
    uint baseColor;
    uint material;
    uint2 padding;

    static Payload Create(RayCone cone)
    {
        Payload payload = (Payload)0;
        payload.t = -1;
        payload.coneWidth = cone.width;
        payload.coneSpread = cone.spread;
        return payload;
    }
};

// What the second pass knows of a pixel.
struct ReflectiveSurface
{
    float3 normal;
    float roughness;
    float3 f0;
    float coneWidth;

    uint4 Pack()
    {
        return uint4(
            packing::PackNormal(normal), asuint(roughness), packing::PackUnorm4x8(float4(f0, 0)), asuint(coneWidth));
    }

    static ReflectiveSurface Unpack(uint4 raw)
    {
        ReflectiveSurface s;
        s.normal = packing::UnpackNormal(raw.x);
        s.roughness = asfloat(raw.y);
        s.f0 = packing::UnpackUnorm4x8(raw.z).rgb;
        s.coneWidth = asfloat(raw.w);
        return s;
    }

    bool Reflects()
    {
        return MaxComponent(f0) > 0 && roughness <= g_Frame.roughnessCutoff;
    }
};

// ---- Shading of whatever a ray hits ----

bool InShadow(float3 position, float3 normal)
{
    RayDesc ray;
    ray.Origin = OffsetRay(position, normal);
    ray.TMin = 0;
    ray.Direction = g_Environment.sunDirection;
    ray.TMax = RAY_FAR;
    Payload shadow = Payload::Create(RayCone::Create(0, 0));
    shadow.t = 1;
    const uint flags = RAY_FLAG_ACCEPT_FIRST_HIT_AND_END_SEARCH | RAY_FLAG_SKIP_CLOSEST_HIT_SHADER | RAY_FLAG_FORCE_OPAQUE;
    TraceRay(g_Scene, flags, 0xff, 0, 1, 0, ray, shadow);
    return shadow.t > 0;
}

float3 SkyRadiance(float3 direction)
{
    lights::Sky sky;
    sky.constants = g_Environment;
    return sky.Radiance(direction);
}

// Diffuse light only: sun with a shadow ray, sky by the normal's height.
float3 ShadeDiffuse(float3 position, float3 normal, float3 albedo, float3 emission)
{
    const float facing = saturate(dot(normal, g_Environment.sunDirection));
    float3 light = lerp(g_Environment.horizon * 0.35, g_Environment.zenith + g_Environment.horizon, normal.y * 0.5 + 0.5) * 0.5;
    if (facing > 0 && !InShadow(position, normal))
        light += facing * g_Environment.sunRadiance;
    return albedo * light + emission;
}

struct Shaded
{
    float3 color;
    float t;
    float coneWidth;
    ReflectiveSurface surface;
};

// What a surface seen in a reflection reflects itself: the sky without looking.
float3 ApproximateReflection(ReflectiveSurface surface, float3 direction)
{
    const float3 mirrored = reflect(direction, surface.normal);
    const float3 fresnel = bsdf::FresnelSchlick(surface.f0, saturate(dot(mirrored, surface.normal)));
    return fresnel * lerp(SkyRadiance(mirrored), g_Environment.horizon, surface.roughness);
}

Shaded TraceAndShade(RayDesc ray, RayCone cone)
{
    Payload payload = Payload::Create(cone);
    TraceRay(g_Scene, RAY_FLAG_FORCE_OPAQUE, 0xff, 0, 1, 0, ray, payload);

    Shaded result = (Shaded)0;
    result.t = payload.t;
    if (payload.t < 0)
    {
        result.color = SkyRadiance(ray.Direction);
        return result;
    }
    const MaterialRecord material = g_Materials[payload.material];
    const float3 baseColor = packing::UnpackRgb9e5(payload.baseColor);
    result.coneWidth = payload.coneWidth;
    result.surface.normal = packing::UnpackNormal(payload.normal);
    result.surface.roughness = material.roughness;
    result.surface.coneWidth = payload.coneWidth;
    const bool dielectric = material.kind == MATERIAL_PRINCIPLED;
    result.surface.f0 = material.kind == MATERIAL_CONDUCTOR ? baseColor : dielectric ? lerp(bsdf::F0FromIor(material.ior), baseColor, material.metallic) : 0;
    const float3 albedo = material.kind == MATERIAL_CONDUCTOR ? 0 : baseColor * (1 - material.metallic);
    const float3 position = ray.Origin + ray.Direction * payload.t;
    result.color = ShadeDiffuse(position, result.surface.normal, albedo, material.emission);
    return result;
}

// ---- Pass 1 ----

[shader("raygeneration")]
void TracePrimary()
{
    const uint2 pixel = DispatchRaysIndex().xy;
    const float2 size = float2(DispatchRaysDimensions().xy);
    const RayDesc ray = camera::PrimaryRay(g_Frame.camera, float2(pixel) + 0.5, size);
    Shaded shaded = TraceAndShade(ray, RayCone::Pixel(g_Frame.camera.tanHalfFov, size.y));
    g_Lit[pixel] = float4(shaded.color, shaded.t);
    g_Surface[pixel] = shaded.surface.Pack();
}

// ---- Pass 2 ----

[shader("raygeneration")]
void TraceReflections()
{
    const uint2 pixel = DispatchRaysIndex().xy;
    const float2 size = float2(DispatchRaysDimensions().xy);
    ReflectiveSurface surface = ReflectiveSurface::Unpack(g_Surface[pixel]);
    const float t = g_Lit[pixel].w;
    if (t < 0 || !surface.Reflects())
    {
        g_Reflected[pixel] = 0;
        return;
    }

    const RayDesc primary = camera::PrimaryRay(g_Frame.camera, float2(pixel) + 0.5, size);
    const float3 position = primary.Origin + primary.Direction * t;
    Frame frame = Frame::FromNormal(surface.normal);
    const float3 wo = frame.ToLocal(-primary.Direction);
    bsdf::Conductor lobe = bsdf::MakeConductor(surface.f0, surface.roughness);

    // A mirror needs one ray only.
    const uint samples = surface.roughness < 0.03 ? 1 : REFLECTION_SAMPLES;
    const RayCone cone = RayCone::Create(
        surface.coneWidth, RayCone::Pixel(g_Frame.camera.tanHalfFov, size.y).spread + RoughnessSpread(surface.roughness));
    float3 sum = 0;
    for (uint i = 0; i < samples; ++i)
    {
        rng::Sequence random = rng::Sequence::Create(pixel, g_Frame.frameIndex, i);
        bsdf::ScatterSample s;
        if (!lobe.Sample(wo, random.Next3D(), s))
            continue;
        RayDesc ray;
        ray.Origin = OffsetRay(position, surface.normal);
        ray.TMin = 1e-3;
        ray.Direction = frame.ToWorld(s.wi);
        ray.TMax = RAY_FAR;
        Shaded seen = TraceAndShade(ray, cone);
        if (seen.t >= 0 && seen.surface.Reflects())
            seen.color += ApproximateReflection(seen.surface, ray.Direction);
        // The sun's disc is a light, not something to find by chance.
        sum += s.weight * min(seen.color, 4);
    }
    g_Reflected[pixel] = float4(sum / samples, 1);
}

// ---- Pass 3 ----

[shader("compute")]
[numthreads(16, 4, 1)]
void Compose(uint3 id : SV_DispatchThreadID)
{
    uint width, height;
    g_Output.GetDimensions(width, height);
    if (id.x >= width || id.y >= height)
        return;

    // Rough reflections are noisy: average those of neighbours on the same surface.
    ReflectiveSurface here = ReflectiveSurface::Unpack(g_Surface[id.xy]);
    const int radius = here.roughness < 0.03 ? 0 : here.roughness < 0.2 ? 1 : 2;
    float4 sum = 0;
    for (int y = -radius; y <= radius; ++y)
    {
        for (int x = -radius; x <= radius; ++x)
        {
            const int2 at = clamp(int2(id.xy) + int2(x, y), 0, int2(width, height) - 1);
            const ReflectiveSurface other = ReflectiveSurface::Unpack(g_Surface[at]);
            const float depth = abs(g_Lit[at].w - g_Lit[id.xy].w) / max(g_Lit[id.xy].w, 1e-3);
            const bool same = other.roughness == here.roughness && dot(other.normal, here.normal) > 0.95 && depth < 0.05;
            sum += same ? float4(g_Reflected[at].rgb, 1) : 0;
        }
    }
    const float3 reflected = sum.rgb / max(sum.w, 1);
    const float3 color = g_Lit[id.xy].rgb + reflected;
    g_Output[id.xy] = float4(tonemap::Display(color, g_Frame.exposure), 1);
}

// ---- Hits ----

[shader("miss")]
void MissAll(inout Payload payload)
{
    payload.t = -1;
}

[shader("closesthit")]
void HitSurface(inout Payload payload, in BuiltInTriangleIntersectionAttributes attributes)
{
    const GeometryRecord geometry = g_Geometries[InstanceID()];
    const MaterialRecord material = g_Materials[geometry.material];
    const scene::Interpolated surface = scene::InterpolateTriangle(geometry, PrimitiveIndex(), attributes.barycentrics);
    float3 normal = normalize(mul(surface.shadingNormal, (float3x3)WorldToObject3x4()));
    if (dot(normal, WorldRayDirection()) > 0)
        normal = -normal;

    const RayCone cone = RayCone::Create(payload.coneWidth, payload.coneSpread).Propagate(0, RayTCurrent());
    // The density is one of object space; instances scale by the length of a column.
    const float scale = length(ObjectToWorld4x3()[0]);
    scene::Interpolated scaled = surface;
    scaled.uvDensity /= Square(scale);
    const float lod = scene::TextureLod(material, scaled, cone, dot(normal, WorldRayDirection()));

    payload.t = RayTCurrent();
    payload.coneWidth = cone.width;
    payload.normal = packing::PackNormal(normal);
    payload.baseColor = packing::PackRgb9e5(scene::SampleBaseColor(material, surface.uv, lod).rgb);
    payload.material = geometry.material;
}
