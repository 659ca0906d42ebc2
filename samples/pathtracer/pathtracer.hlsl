// rtc -T lib_6_5 -HV 2021 -Gis
// A path tracer: iterative, with next-event estimation and multiple importance sampling, five kinds of materials,
// area lights and a sky, alpha-tested triangles, analytic spheres, and everything bindless.

#include "../common/camera.hlsli"
#include "../common/lights.hlsli"
#include "../common/random.hlsli"
#include "../common/sphere.hlsli"
#include "../common/surface.hlsli"
#include "../common/tonemap.hlsli"

#ifndef NO_SUBOBJECTS
GlobalRootSignature Globals =
{
    "CBV(b0), CBV(b1), SRV(t0), SRV(t1), SRV(t2), SRV(t3), DescriptorTable(UAV(u0)),"
    "DescriptorTable(SRV(t0, space = 1, numDescriptors = unbounded)),"
    "DescriptorTable(SRV(t0, space = 2, numDescriptors = unbounded)),"
    "StaticSampler(s0, filter = FILTER_MIN_MAG_MIP_LINEAR, addressU = TEXTURE_ADDRESS_WRAP, addressV = TEXTURE_ADDRESS_WRAP)"
};
TriangleHitGroup Solid = { "", "HitTriangle" };
TriangleHitGroup Masked = { "TestAlpha", "HitTriangle" };
ProceduralPrimitiveHitGroup Sphere = { "", "HitSphere", "IntersectSphere" };
RaytracingShaderConfig Sizes = { 32, 12 };
RaytracingPipelineConfig Depth = { 1 };
#endif

struct FrameConstants
{
    CameraConstants camera;
    uint frameIndex;
    uint samples;
    uint maxBounces;
    float fireflyClamp;
    float exposure;
};

ConstantBuffer<FrameConstants> g_Frame : register(b0);
ConstantBuffer<EnvironmentConstants> g_Environment : register(b1);
StructuredBuffer<LightRecord> g_Lights : register(t3);
RWTexture2D<float4> g_Output : register(u0);

static const uint MISS_SURFACE = 0;
static const uint MISS_SHADOW = 1;
static const uint MASK_ALL = 0xff;
// Emitters do not block the rays that look for them.
static const uint MASK_OCCLUDERS = 0x01;

// A hit in 32 bytes: the closest-hit shader fetches vertices and textures, the ray generation shader scatters.
struct HitPayload
{
    // Negative: missed, or not occluded.
    float t;
    float coneWidth;
    float coneSpread;
    uint geometricNormal;
    uint shadingNormal;
    uint baseColor;
    // The top bit: the back side was hit.
    uint material;
    uint light;

    static HitPayload Create(RayCone cone)
    {
        HitPayload payload = (HitPayload)0;
        payload.t = -1;
        payload.coneWidth = cone.width;
        payload.coneSpread = cone.spread;
        payload.light = INVALID_INDEX;
        return payload;
    }

    bool Missed()
    {
        return t < 0;
    }

    Surface Unpack(RayDesc ray)
    {
        Surface surface;
        surface.position = ray.Origin + t * ray.Direction;
        surface.geometricNormal = packing::UnpackNormal(geometricNormal);
        surface.shadingNormal = packing::UnpackNormal(shadingNormal);
        surface.baseColor = packing::UnpackRgb9e5(baseColor);
        surface.material = material & 0x7fffffff;
        surface.backSide = material >> 31;
        return surface;
    }
};

struct SphereAttributes
{
    float3 normal;
};

// ---- Light arriving at a surface ----

bool IsVisible(float3 position, float3 normal, float3 direction, float distance)
{
    RayDesc ray;
    ray.Origin = OffsetRay(position, dot(normal, direction) >= 0 ? normal : -normal);
    ray.TMin = 0;
    ray.Direction = direction;
    ray.TMax = distance * 0.999;

    HitPayload shadow = HitPayload::Create(RayCone::Create(0, 0));
    shadow.t = 1;
    const uint flags = RAY_FLAG_ACCEPT_FIRST_HIT_AND_END_SEARCH | RAY_FLAG_SKIP_CLOSEST_HIT_SHADER;
    TraceRay(g_Scene, flags, MASK_OCCLUDERS, 0, 1, MISS_SHADOW, ray, shadow);
    return shadow.Missed();
}

// One of the area lights or the sky, chosen uniformly: the index of the sky is the number of lights.
uint ChooseLight(inout float u)
{
    const uint count = g_Environment.lightCount + 1;
    const float scaled = u * count;
    const uint index = min(uint(scaled), count - 1);
    u = saturate(scaled - index);
    return index;
}

float ChoiceProbability()
{
    return 1.0 / (g_Environment.lightCount + 1);
}

lights::Sky GetSky()
{
    lights::Sky sky;
    sky.constants = g_Environment;
    return sky;
}

float3 SampleDirectLight(Surface surface, Frame frame, float3 wo, inout rng::Sequence random)
{
    float3 u = random.Next3D();
    const uint index = ChooseLight(u.z);
    lights::LightSample light;
    if (index < g_Environment.lightCount)
    {
        light = lights::SampleLight(g_Lights[index], surface.position, u.xy);
    }
    else
    {
        lights::Sky sky = GetSky();
        light = sky.Sample(u.xy);
    }
    if (light.pdf <= 0)
        return 0;

    const float3 wi = frame.ToLocal(light.direction);
    float bsdfPdf;
    const float3 value = shading::Evaluate(surface, wo, wi, bsdfPdf);
    if (all(value == 0) || dot(surface.geometricNormal, light.direction) * wi.z <= 0)
        return 0;
    if (!IsVisible(surface.position, surface.geometricNormal, light.direction, light.distance))
        return 0;
    const float lightPdf = light.pdf * ChoiceProbability();
    return value * light.radiance * (sampling::PowerHeuristic(lightPdf, bsdfPdf) / lightPdf);
}

// Weight of light that scattering has found by itself, given the density with which it was looked for.
float ScatteredWeight(float lightPdf, float bsdfPdf, bool counted)
{
    return counted ? sampling::PowerHeuristic(bsdfPdf, lightPdf * ChoiceProbability()) : 1;
}

// ---- Paths ----

struct PathState
{
    RayDesc ray;
    RayCone cone;
    float3 throughput;
    float3 radiance;
    float bsdfPdf;
    // Whether lights were also sampled where the ray starts.
    bool lightsSampled;
    uint bounce;

    void Add(float3 contribution)
    {
        const float3 light = throughput * contribution;
        // The first two vertices are what the eye sees sharply; beyond them a rare bright path is noise.
        const float limit = bounce < 1 ? 1e6 : g_Frame.fireflyClamp;
        radiance += light * min(1, limit / max(MaxComponent(light), 1e-6));
    }

    // Russian roulette by length alone: a throughput that went through textures is known as well as a device filters.
    bool Survives(inout rng::Sequence random)
    {
        if (bounce < 2)
            return true;
        const float probability = 0.8;
        throughput /= probability;
        return random.Next1D() < probability;
    }
};

void AddSky(inout PathState path)
{
    lights::Sky sky = GetSky();
    const float3 direction = path.ray.Direction;
    path.Add(sky.Radiance(direction) * ScatteredWeight(sky.Pdf(direction), path.bsdfPdf, path.lightsSampled));
}

void AddEmitter(inout PathState path, Surface surface, uint light)
{
    float weight = 1;
    if (light != INVALID_INDEX && path.lightsSampled)
    {
        const float pdf = lights::LightPdf(g_Lights[light], path.ray.Origin, path.ray.Direction);
        weight = ScatteredWeight(pdf, path.bsdfPdf, true);
    }
    path.Add(surface.Emission() * weight);
}

// Scatters at a surface; false when the path ends.
bool Scatter(inout PathState path, Surface surface, Frame frame, float3 wo, inout rng::Sequence random)
{
    bsdf::ScatterSample s;
    if (!shading::Sample(surface, wo, random.Next3D(), s))
        return false;
    const float3 direction = frame.ToWorld(s.wi);
    const bool through = s.flags & bsdf::TRANSMISSION;
    const float side = dot(surface.geometricNormal, direction);
    // A shading normal may scatter into the surface that it belongs to.
    if (!through && side * wo.z <= 0)
        return false;
    path.throughput *= s.weight;
    path.bsdfPdf = s.pdf;
    path.lightsSampled = !(s.flags & bsdf::SPECULAR);
    path.ray.Origin = OffsetRay(surface.position, side >= 0 ? surface.geometricNormal : -surface.geometricNormal);
    path.ray.Direction = direction;
    path.ray.TMin = 0;
    path.ray.TMax = RAY_FAR;
    path.cone = path.cone.Propagate(path.lightsSampled ? RoughnessSpread(g_Materials[surface.material].roughness) : 0, 0);
    return true;
}

float3 TracePath(RayDesc ray, RayCone cone, inout rng::Sequence random)
{
    PathState path;
    path.ray = ray;
    path.cone = cone;
    path.throughput = 1;
    path.radiance = 0;
    path.bsdfPdf = 1;
    path.lightsSampled = false;

    for (path.bounce = 0; path.bounce <= g_Frame.maxBounces; ++path.bounce)
    {
        HitPayload hit = HitPayload::Create(path.cone);
        TraceRay(g_Scene, RAY_FLAG_NONE, MASK_ALL, 0, 1, MISS_SURFACE, path.ray, hit);
        if (hit.Missed())
        {
            AddSky(path);
            break;
        }
        Surface surface = hit.Unpack(path.ray);
        if (surface.IsEmitter())
        {
            AddEmitter(path, surface, hit.light);
            break;
        }
        path.cone = RayCone::Create(hit.coneWidth, path.cone.spread);

        Frame frame = Frame::FromNormal(surface.shadingNormal);
        const float3 wo = frame.ToLocal(-path.ray.Direction);
        if (!shading::IsSpecular(surface))
            path.Add(SampleDirectLight(surface, frame, wo, random));
        if (!path.Survives(random) || !Scatter(path, surface, frame, wo, random))
            break;
    }
    return path.radiance;
}

[shader("raygeneration")]
void Camera()
{
    const uint2 pixel = DispatchRaysIndex().xy;
    const float2 size = float2(DispatchRaysDimensions().xy);
    const RayCone cone = RayCone::Pixel(g_Frame.camera.tanHalfFov, size.y);

    float3 sum = 0;
    for (uint i = 0; i < g_Frame.samples; ++i)
    {
        rng::Sequence random = rng::Sequence::Create(pixel, g_Frame.frameIndex, i);
        const float2 position = float2(pixel) + random.Next2D();
        const float3 radiance = TracePath(camera::PrimaryRay(g_Frame.camera, position, size), cone, random);
        // A number that is none would stay in the sum for good.
        sum += any(isnan(radiance)) || any(isinf(radiance)) ? 0 : radiance;
    }
    g_Output[pixel] = float4(tonemap::Display(sum / g_Frame.samples, g_Frame.exposure), 1);
}

[shader("miss")]
void MissSurface(inout HitPayload payload)
{
    payload.t = -1;
}

[shader("miss")]
void MissShadow(inout HitPayload payload)
{
    payload.t = -1;
}

// ---- Hits ----

// Distance to a point of the world. A point that was interpolated on its triangle is more exact than RayTCurrent().
float DistanceTo(float3 position)
{
    return dot(position - WorldRayOrigin(), WorldRayDirection());
}

void Report(inout HitPayload payload, GeometryRecord geometry, float t, float3 baseColor, float3 geometricNormal, float3 shadingNormal, bool backSide)
{
    payload.t = t;
    payload.geometricNormal = packing::PackNormal(geometricNormal);
    payload.shadingNormal = packing::PackNormal(shadingNormal);
    payload.baseColor = packing::PackRgb9e5(baseColor);
    payload.material = geometry.material | (backSide ? 0x80000000u : 0);
    payload.light = geometry.light;
}

[shader("closesthit")]
void HitTriangle(inout HitPayload payload, in BuiltInTriangleIntersectionAttributes attributes)
{
    const GeometryRecord geometry = g_Geometries[InstanceID() + GeometryIndex()];
    const MaterialRecord material = g_Materials[geometry.material];
    scene::Interpolated surface = scene::InterpolateTriangle(geometry, PrimitiveIndex(), attributes.barycentrics);

    // Normals transform by the inverse transpose.
    const float3x3 toObject = (float3x3)WorldToObject3x4();
    float3 geometricNormal = normalize(mul(surface.geometricNormal, toObject));
    float3 shadingNormal = normalize(mul(surface.shadingNormal, toObject));
    const bool backSide = HitKind() == HIT_KIND_TRIANGLE_BACK_FACE;
    if (backSide && material.kind != MATERIAL_DIELECTRIC)
    {
        geometricNormal = -geometricNormal;
        shadingNormal = -shadingNormal;
    }

    const float t = DistanceTo(mul(ObjectToWorld3x4(), float4(surface.position, 1)));
    const RayCone cone = RayCone::Create(payload.coneWidth, payload.coneSpread).Propagate(0, t);
    payload.coneWidth = cone.width;
    const float lod = scene::TextureLod(material, surface, cone, dot(geometricNormal, WorldRayDirection()));
    const float3 baseColor = scene::SampleBaseColor(material, surface.uv, lod).rgb;
    Report(payload, geometry, t, baseColor, geometricNormal, shadingNormal, backSide);
}

[shader("anyhit")]
void TestAlpha(inout HitPayload payload, in BuiltInTriangleIntersectionAttributes attributes)
{
    const GeometryRecord geometry = g_Geometries[InstanceID() + GeometryIndex()];
    if (scene::IsTransparent(geometry, PrimitiveIndex(), attributes.barycentrics))
        IgnoreHit();
}

bool ReportSphere(sphere::Sphere ball, float t, uint side)
{
    if (t < RayTMin() || t > RayTCurrent())
        return false;
    SphereAttributes attributes;
    attributes.normal = ball.NormalAt(WorldRayOrigin() + t * WorldRayDirection());
    return ReportHit(t, side, attributes);
}

// The nearer root comes first; inside, the farther one is what is left.
[shader("intersection")]
void IntersectSphere()
{
    sphere::Sphere ball = sphere::Sphere::Of(ObjectToWorld3x4());
    float2 distances;
    if (!ball.Intersect(WorldRayOrigin(), WorldRayDirection(), distances))
        return;

    // Only what can be a hit is reported: not every driver keeps a nearer hit's attributes when a report is refused.
    if (ReportSphere(ball, distances.x, 0))
        return;
    ReportSphere(ball, distances.y, 1);
}

[shader("closesthit")]
void HitSphere(inout HitPayload payload, in SphereAttributes attributes)
{
    const GeometryRecord geometry = g_Geometries[InstanceID() + GeometryIndex()];
    const MaterialRecord material = g_Materials[geometry.material];
    float3 normal = attributes.normal;
    const bool backSide = dot(normal, WorldRayDirection()) > 0;
    if (backSide && material.kind != MATERIAL_DIELECTRIC)
        normal = -normal;
    sphere::Sphere ball = sphere::Sphere::Of(ObjectToWorld3x4());
    const float t = DistanceTo(ball.PointAt(attributes.normal));
    payload.coneWidth += payload.coneSpread * t;
    Report(payload, geometry, t, material.baseColor, normal, normal, backSide);
}
