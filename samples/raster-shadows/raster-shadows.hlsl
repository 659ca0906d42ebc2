// rtc -T lib_6_6 -HV 2021 -Gis
// A rasterized scene whose pixel shaders trace rays: soft shadows of the sun, ambient occlusion, and reflections in which hits are
// shaded with the vertices and textures of what was hit. Leaves and lattices are cut out by alpha, for the rasterizer with `clip`,
// for rays as candidates. A second draw, one triangle over the whole target, resolves four pixels into one.

#include "../common/camera.hlsli"
#include "../common/lights.hlsli"
#include "../common/random.hlsli"
#include "../common/surface.hlsli"
#include "../common/tonemap.hlsli"

#ifndef SHADOW_RAYS
#define SHADOW_RAYS 8
#endif
#ifndef OCCLUSION_RAYS
#define OCCLUSION_RAYS 4
#endif

struct FrameConstants
{
    CameraConstants camera;
    // Of the target that is drawn into, in pixels; that of the picture is half of it.
    float2 size;
    // Of half the angle under which the sun is seen.
    float sunCosine;
    float occlusionDistance;
    float exposure;
};

struct InstanceRecord
{
    row_major float3x4 objectToWorld;
};

ConstantBuffer<FrameConstants> g_Frame : register(b0);
ConstantBuffer<EnvironmentConstants> g_Environment : register(b1);
StructuredBuffer<InstanceRecord> g_Instances : register(t3);
Texture2D<float4> g_Color : register(t4);

// ---- Rays ----

// A geometry's record: instances number the first of theirs.
GeometryRecord FindGeometry(uint instanceId, uint geometryIndex)
{
    return g_Geometries[instanceId + geometryIndex];
}

bool IsBlocked(float3 origin, float3 direction, float reach)
{
    RayDesc ray;
    ray.Origin = origin;
    ray.TMin = 0;
    ray.Direction = direction;
    ray.TMax = reach;
    RayQuery<RAY_FLAG_ACCEPT_FIRST_HIT_AND_END_SEARCH | RAY_FLAG_SKIP_PROCEDURAL_PRIMITIVES> query;
    query.TraceRayInline(g_Scene, RAY_FLAG_NONE, 0xff, ray);
    while (query.Proceed())
    {
        if (query.CandidateType() != CANDIDATE_NON_OPAQUE_TRIANGLE)
            continue;
        const GeometryRecord geometry = FindGeometry(query.CandidateInstanceID(), query.CandidateGeometryIndex());
        if (!scene::IsTransparent(geometry, query.CandidatePrimitiveIndex(), query.CandidateTriangleBarycentrics()))
            query.CommitNonOpaqueTriangleHit();
    }
    return query.CommittedStatus() == COMMITTED_TRIANGLE_HIT;
}

// Points that are evenly spread within a pixel of the picture, whose four pixels here take turns.
struct PixelSequence
{
    uint first;
    float2 rotation;

    static PixelSequence Create(uint2 pixel, uint rays, uint purpose)
    {
        const uint3 hash = rng::Pcg3d(uint3(pixel >> 1, purpose));
        PixelSequence s;
        s.first = rays * ((pixel.x & 1) + 2 * (pixel.y & 1));
        s.rotation = float2(rng::ToFloat(hash.x), rng::ToFloat(hash.y));
        return s;
    }

    float2 Get(uint index)
    {
        return frac(rng::R2(first + index) + rotation);
    }
};

// The share of the sun that is seen.
float SunVisibility(float3 origin, uint2 pixel, uint rays, uint purpose)
{
    const Frame frame = Frame::FromNormal(g_Environment.sunDirection);
    PixelSequence points = PixelSequence::Create(pixel, rays, purpose);
    uint seen = 0;
    for (uint i = 0; i < rays; ++i)
    {
        Frame around = frame;
        const float3 direction = around.ToWorld(sampling::UniformCone(points.Get(i), g_Frame.sunCosine));
        seen += IsBlocked(origin, direction, RAY_FAR) ? 0 : 1;
    }
    return float(seen) / rays;
}

float AmbientVisibility(float3 origin, float3 normal, uint2 pixel)
{
    Frame frame = Frame::FromNormal(normal);
    PixelSequence points = PixelSequence::Create(pixel, OCCLUSION_RAYS, 2);
    uint open = 0;
    for (uint i = 0; i < OCCLUSION_RAYS; ++i)
        open += IsBlocked(origin, frame.ToWorld(sampling::CosineHemisphere(points.Get(i))), g_Frame.occlusionDistance) ? 0 : 1;
    return float(open) / OCCLUSION_RAYS;
}

// ---- Shading ----

float3 SkyRadiance(float3 direction)
{
    lights::Sky sky;
    sky.constants = g_Environment;
    return sky.Radiance(direction);
}

float3 AmbientLight(float3 normal)
{
    return lerp(g_Environment.horizon * 0.3, g_Environment.zenith * 0.6 + g_Environment.horizon * 0.4, normal.y * 0.5 + 0.5);
}

// Light of the sun and of the sky; `sun` and `sky` are the shares of both that arrive.
float3 ShadeSurface(Surface surface, float3 toEye, float sun, float sky)
{
    const MaterialRecord material = g_Materials[surface.material];
    const float diffuse = material.kind == MATERIAL_CONDUCTOR ? 0 : 1 - material.metallic;
    float3 color = surface.baseColor * diffuse * AmbientLight(surface.shadingNormal) * sky + surface.Emission();
    if (sun > 0 && dot(surface.shadingNormal, toEye) > 0)
    {
        Frame frame = Frame::FromNormal(surface.shadingNormal);
        float pdf;
        const float3 wi = frame.ToLocal(g_Environment.sunDirection);
        color += shading::Evaluate(surface, frame.ToLocal(toEye), wi, pdf) * g_Environment.sunRadiance * (PI * sun);
    }
    return color;
}

// What is seen along a ray. What that reflects itself is the sky without looking.
float3 TraceReflection(float3 origin, float3 direction, uint2 pixel)
{
    RayDesc ray;
    ray.Origin = origin;
    ray.TMin = 0;
    ray.Direction = direction;
    ray.TMax = RAY_FAR;
    RayQuery<RAY_FLAG_SKIP_PROCEDURAL_PRIMITIVES> query;
    query.TraceRayInline(g_Scene, RAY_FLAG_NONE, 0xff, ray);
    while (query.Proceed())
    {
        const GeometryRecord candidate = FindGeometry(query.CandidateInstanceID(), query.CandidateGeometryIndex());
        if (!scene::IsTransparent(candidate, query.CandidatePrimitiveIndex(), query.CandidateTriangleBarycentrics()))
            query.CommitNonOpaqueTriangleHit();
    }
    if (query.CommittedStatus() == COMMITTED_NOTHING)
        return SkyRadiance(direction);

    const GeometryRecord geometry = FindGeometry(query.CommittedInstanceID(), query.CommittedGeometryIndex());
    const MaterialRecord material = g_Materials[geometry.material];
    const scene::Interpolated hit =
        scene::InterpolateTriangle(geometry, query.CommittedPrimitiveIndex(), query.CommittedTriangleBarycentrics());
    Surface surface;
    surface.position = origin + direction * query.CommittedRayT();
    surface.geometricNormal = normalize(mul(hit.geometricNormal, (float3x3)query.CommittedWorldToObject3x4()));
    surface.shadingNormal = normalize(mul(hit.shadingNormal, (float3x3)query.CommittedWorldToObject3x4()));
    surface.baseColor = scene::SampleBaseColor(material, hit.uv, 0).rgb;
    surface.material = geometry.material;
    surface.backSide = !query.CommittedTriangleFrontFace();
    if (dot(surface.geometricNormal, direction) > 0)
        surface.geometricNormal = -surface.geometricNormal;
    if (surface.backSide && !(geometry.flags & GEOMETRY_SMOOTH))
        surface.shadingNormal = -surface.shadingNormal;

    const float sun = SunVisibility(OffsetRay(surface.position, surface.geometricNormal), pixel, 1, 3);
    float3 color = ShadeSurface(surface, -direction, sun, 1);
    if (material.kind == MATERIAL_CONDUCTOR)
        color += surface.baseColor * SkyRadiance(reflect(direction, surface.shadingNormal));
    return color;
}

// Mirrors and polished things reflect; everything else does not.
float3 ReflectanceAtNormal(Surface surface)
{
    const MaterialRecord material = g_Materials[surface.material];
    if (material.roughness > 0.4)
        return 0;
    if (material.kind == MATERIAL_CONDUCTOR)
        return surface.baseColor;
    return material.kind == MATERIAL_PRINCIPLED ? lerp(bsdf::F0FromIor(material.ior), surface.baseColor, material.metallic) : 0;
}

// ---- The scene ----

struct VertexInput
{
    float3 position : POSITION;
    float3 normal : NORMAL;
    float2 uv : TEXCOORD;
    // Of each instance: its index in the acceleration structure, and that of its geometry record.
    uint2 identity : INSTANCE;
};

struct Interpolants
{
    float4 clip : SV_Position;
    float3 position : POSITION;
    float3 normal : NORMAL;
    float2 uv : TEXCOORD;
    nointerpolation uint geometry : GEOMETRY;
};

[shader("vertex")]
Interpolants TransformVertex(VertexInput vertex)
{
    const float3x4 objectToWorld = g_Instances[vertex.identity.x].objectToWorld;
    const float3 x = objectToWorld._m00_m10_m20, y = objectToWorld._m01_m11_m21, z = objectToWorld._m02_m12_m22;
    Interpolants result;
    result.position = mul(objectToWorld, float4(vertex.position, 1));
    result.clip = mul(g_Frame.camera.worldToClip, float4(result.position, 1));
    // Normals are transformed by the cofactors: right for scales that differ by axis, without an inverse.
    result.normal = vertex.normal.x * cross(y, z) + vertex.normal.y * cross(z, x) + vertex.normal.z * cross(x, y);
    result.uv = vertex.uv;
    result.geometry = vertex.identity.y;
    return result;
}

float4 SampleTexture(MaterialRecord material, float2 uv)
{
    const float4 factor = float4(material.baseColor, 1);
    if (material.baseColorTexture == INVALID_INDEX)
        return factor;
    return factor * BINDLESS(g_Textures, material.baseColorTexture).Sample(g_LinearWrap, uv * material.uvScale);
}

float4 ShadePixel(Interpolants input, bool front, float3 baseColor)
{
    const GeometryRecord geometry = g_Geometries[input.geometry];
    const uint2 pixel = uint2(input.clip.xy);
    const float3 toEye = normalize(g_Frame.camera.eye - input.position);
    Surface surface;
    surface.position = input.position;
    surface.shadingNormal = normalize(input.normal);
    if (!front && !(geometry.flags & GEOMETRY_SMOOTH))
        surface.shadingNormal = -surface.shadingNormal;
    surface.geometricNormal = surface.shadingNormal;
    surface.baseColor = baseColor;
    surface.material = geometry.material;
    surface.backSide = !front;

    const float3 origin = OffsetRay(surface.position, surface.geometricNormal) + surface.geometricNormal * 1e-3;
    float sun = 0;
    if (dot(surface.shadingNormal, g_Environment.sunDirection) > 0)
        sun = SunVisibility(origin, pixel, SHADOW_RAYS, 1);
    float3 color = ShadeSurface(surface, toEye, sun, AmbientVisibility(origin, surface.geometricNormal, pixel));

    const float3 f0 = ReflectanceAtNormal(surface);
    if (MaxComponent(f0) > 0)
    {
        const float3 direction = reflect(-toEye, surface.shadingNormal);
        const float3 fresnel = bsdf::FresnelSchlick(f0, saturate(dot(toEye, surface.shadingNormal)));
        color += fresnel * TraceReflection(origin, direction, pixel);
    }
    return float4(min(color, 64), 1);
}

[shader("pixel")]
float4 DrawSolid(Interpolants input, uint front : SV_IsFrontFace) : SV_Target
{
    const MaterialRecord material = g_Materials[g_Geometries[input.geometry].material];
    return ShadePixel(input, front != 0, SampleTexture(material, input.uv).rgb);
}

[shader("pixel")]
float4 DrawMasked(Interpolants input, uint front : SV_IsFrontFace) : SV_Target
{
    const MaterialRecord material = g_Materials[g_Geometries[input.geometry].material];
    const float4 texel = SampleTexture(material, input.uv);
    clip(texel.a - material.alphaCutoff);
    return ShadePixel(input, front != 0, texel.rgb);
}

// ---- The picture ----

[shader("vertex")]
float4 CoverTarget(uint vertex : SV_VertexID) : SV_Position
{
    return float4(vertex == 1 ? 3 : -1, vertex == 2 ? -3 : 1, 0, 1);
}

// Four pixels become one, tone by tone, so that a bright one does not drown its neighbours. Where nothing was drawn is the sky.
[shader("pixel")]
float4 ResolvePixel(float4 position : SV_Position) : SV_Target
{
    float3 sum = 0;
    for (uint i = 0; i < 4; ++i)
    {
        const uint2 at = uint2(position.xy) * 2 + uint2(i & 1, i >> 1);
        float4 color = g_Color.Load(uint3(at, 0));
        if (color.a == 0)
            color.rgb = SkyRadiance(camera::PrimaryRay(g_Frame.camera, float2(at) + 0.5, g_Frame.size).Direction);
        sum += tonemap::Display(color.rgb, g_Frame.exposure);
    }
    return float4(sum / 4, 1);
}
