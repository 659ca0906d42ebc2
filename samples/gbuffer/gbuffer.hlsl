// rtc -T lib_6_5 -HV 2021
// A G-buffer from rays: the ray generation shader writes the images of a deferred renderer in their formats,
// with texture gradients from ray differentials and motion vectors of moving objects. A compute shader then shows all
// channels as a contact sheet.

#include "../common/camera.hlsli"
#include "../common/packing.hlsli"
#include "../common/random.hlsli"
#include "../common/scene.hlsli"
#include "../common/tonemap.hlsli"

#ifndef NO_SUBOBJECTS
GlobalRootSignature Globals =
{
    "CBV(b0), SRV(t0), SRV(t1), SRV(t2), SRV(t3), DescriptorTable(UAV(u0, numDescriptors = 7)),"
    "DescriptorTable(SRV(t0, space = 1, numDescriptors = unbounded)),"
    "DescriptorTable(SRV(t0, space = 2, numDescriptors = unbounded)),"
    "DescriptorTable(Sampler(s0))"
};
TriangleHitGroup Solid = { "", "HitSurface" };
TriangleHitGroup Masked = { "TestAlpha", "HitSurface" };
RaytracingShaderConfig Sizes = { 64, 8 };
RaytracingPipelineConfig Depth = { 1 };
#endif

struct FrameConstants
{
    CameraConstants camera;
    float4x4 previousWorldToClip;
    float2 jitter;
    uint frameIndex;
};

// Where an instance was a frame ago.
struct InstanceMotion
{
    row_major float3x4 previousToWorld;
};

ConstantBuffer<FrameConstants> g_Frame : register(b0);
StructuredBuffer<InstanceMotion> g_Motion : register(t3);

// Base colour as sRGB (eight bits of linear light would show as bands, and the last of them as five of 255) and roughness, octahedral
// normals, motion in pixels, depth, material and instance, emission.
RWTexture2D<float4> g_BaseColorRoughness : register(u0);
RWTexture2D<uint> g_Normals : register(u1);
RWTexture2D<uint> g_MotionVectors : register(u2);
RWTexture2D<float> g_Depth : register(u3);
RWTexture2D<uint> g_Identity : register(u4);
RWTexture2D<uint> g_Emission : register(u5);
RWTexture2D<float4> g_Output : register(u6);

static const uint IDENTITY_SKY = 0xffffffffu;

// A ray with those of the pixels to the right and below (Igehy, "Tracing Ray Differentials").
struct DifferentialRay
{
    RayDesc ray;
    float3 directionX;
    float3 directionY;

    static DifferentialRay Create(CameraConstants view, float2 position, float2 size)
    {
        DifferentialRay d;
        d.ray = camera::PrimaryRay(view, position, size);
        d.directionX = camera::PrimaryRay(view, position + float2(1, 0), size).Direction;
        d.directionY = camera::PrimaryRay(view, position + float2(0, 1), size).Direction;
        return d;
    }
};

struct TextureGradients
{
    float2 ddx;
    float2 ddy;
};

struct Payload
{
    float t;
    uint identity;
    uint baseColorRoughness;
    uint normal;
    uint emission;
    float3 previousPosition;
    // In: directions of the neighbours' rays, as octahedral pairs of halves would be too coarse.
    float3 directionX;
    float3 directionY;
};

// Barycentrics of where a ray meets the plane of a triangle, inside or not.
float2 PlaneBarycentrics(scene::Triangle t, float3 origin, float3 direction)
{
    const float3 edge1 = t.positions[1] - t.positions[0];
    const float3 edge2 = t.positions[2] - t.positions[0];
    const float3 p = cross(direction, edge2);
    const float inverse = SafeDivide(1, dot(edge1, p));
    const float3 s = origin - t.positions[0];
    const float3 q = cross(s, edge1);
    return float2(dot(s, p), dot(direction, q)) * inverse;
}

TextureGradients ComputeGradients(GeometryRecord geometry, uint primitive, float2 uv, float3 directionX, float3 directionY)
{
    TextureGradients g;
    g.ddx = 0;
    g.ddy = 0;
    if (geometry.flags & GEOMETRY_HAS_UVS)
    {
        const scene::Triangle t = scene::FetchTriangle(geometry, primitive);
        const float3 origin = ObjectRayOrigin();
        const float3x3 toObject = (float3x3)WorldToObject3x4();
        const float2 atX = PlaneBarycentrics(t, origin, mul(toObject, directionX));
        const float2 atY = PlaneBarycentrics(t, origin, mul(toObject, directionY));
        g.ddx = scene::FetchUv(geometry, t.indices, atX) - uv;
        g.ddy = scene::FetchUv(geometry, t.indices, atY) - uv;
    }
    return g;
}

float4 SampleGradients(MaterialRecord material, float2 uv, TextureGradients g)
{
    const float4 factor = float4(material.baseColor, 1);
    if (material.baseColorTexture == INVALID_INDEX)
        return factor;
    const float2 scale = material.uvScale;
    return factor * BINDLESS(g_Textures, material.baseColorTexture).SampleGrad(g_LinearWrap, uv * scale, g.ddx * scale, g.ddy * scale);
}

[shader("raygeneration")]
void FillGBuffer()
{
    const uint2 pixel = DispatchRaysIndex().xy;
    const float2 size = float2(DispatchRaysDimensions().xy);
    const float2 position = float2(pixel) + 0.5 + g_Frame.jitter;
    const DifferentialRay d = DifferentialRay::Create(g_Frame.camera, position, size);

    Payload payload = (Payload)0;
    payload.t = -1;
    payload.identity = IDENTITY_SKY;
    payload.directionX = d.directionX;
    payload.directionY = d.directionY;
    TraceRay(g_Scene, RAY_FLAG_CULL_BACK_FACING_TRIANGLES, 0xff, 0, 1, 0, d.ray, payload);

    g_Identity[pixel] = payload.identity;
    g_Normals[pixel] = payload.normal;
    g_Emission[pixel] = payload.emission;
    g_BaseColorRoughness[pixel] = packing::UnpackUnorm4x8(payload.baseColorRoughness);

    // The sky moves as a point far away does.
    const bool sky = payload.t < 0;
    const float3 here = d.ray.Origin + d.ray.Direction * (sky ? RAY_FAR : payload.t);
    const float3 before = sky ? here : payload.previousPosition;
    const float2 motion = camera::Project(g_Frame.previousWorldToClip, before, size) - position;
    g_MotionVectors[pixel] = packing::PackHalf2(motion);
    const float4 clip = mul(g_Frame.camera.worldToClip, float4(here, 1));
    g_Depth[pixel] = sky ? 1 : clip.z / clip.w;
}

[shader("miss")]
void MissSky(inout Payload payload)
{
    const float up = saturate(WorldRayDirection().y);
    payload.emission = packing::PackRgb9e5(lerp(float3(0.8, 0.85, 0.9), float3(0.2, 0.4, 0.8), sqrt(up)));
    payload.normal = packing::PackNormal(-WorldRayDirection());
}

[shader("closesthit")]
void HitSurface(inout Payload payload, in BuiltInTriangleIntersectionAttributes attributes)
{
    const GeometryRecord geometry = g_Geometries[InstanceID()];
    const MaterialRecord material = g_Materials[geometry.material];
    const scene::Interpolated surface = scene::InterpolateTriangle(geometry, PrimitiveIndex(), attributes.barycentrics);
    const TextureGradients gradients =
        ComputeGradients(geometry, PrimitiveIndex(), surface.uv, payload.directionX, payload.directionY);

    const float4 color = SampleGradients(material, surface.uv, gradients);
    const float3 normal = normalize(mul(surface.shadingNormal, (float3x3)WorldToObject3x4()));
    payload.t = RayTCurrent();
    payload.identity = geometry.material | InstanceIndex() << 16;
    payload.baseColorRoughness = packing::PackUnorm4x8(float4(tonemap::LinearToSrgb(color.rgb), material.roughness));
    payload.normal = packing::PackNormal(normal);
    payload.emission = packing::PackRgb9e5(material.emission);
    payload.previousPosition = mul(g_Motion[InstanceIndex()].previousToWorld, float4(surface.position, 1));
}

[shader("anyhit")]
void TestAlpha(inout Payload payload, in BuiltInTriangleIntersectionAttributes attributes)
{
    const GeometryRecord geometry = g_Geometries[InstanceID()];
    if (scene::IsTransparent(geometry, PrimitiveIndex(), attributes.barycentrics))
        IgnoreHit();
}

// ---- The contact sheet ----

#define SHEET_COLUMNS 3
#define SHEET_ROWS 2

#define CHANNEL_BASE_COLOR 0
#define CHANNEL_NORMAL 1
#define CHANNEL_MOTION 2
#define CHANNEL_DEPTH 3
#define CHANNEL_IDENTITY 4
// The sixth is a lit view of all of them.

float3 FalseColor(uint value)
{
    const uint h = rng::Pcg(value + 1);
    return float3(h & 0xff, h >> 8 & 0xff, h >> 16 & 0xff) / 255.0;
}

// Direction as hue, length as brightness.
float3 ShowMotion(float2 motion)
{
    const float angle = atan2(motion.y, motion.x);
    const float3 hue = 0.5 + 0.5 * cos(angle + float3(0, 2.0943951, 4.1887902));
    return hue * saturate(length(motion) / 6);
}

float LinearDepth(float depth, float near, float far)
{
    return near * far / (far - depth * (far - near));
}

float3 ShowLit(uint2 pixel)
{
    const float3 emission = packing::UnpackRgb9e5(g_Emission[pixel]);
    if (g_Identity[pixel] == IDENTITY_SKY)
        return emission;
    const float3 normal = packing::UnpackNormal(g_Normals[pixel]);
    const float light = saturate(dot(normal, normalize(float3(-0.4, 0.8, -0.45))));
    return tonemap::SrgbToLinear(g_BaseColorRoughness[pixel].rgb) * (0.25 + 0.9 * light) + emission;
}

float3 ShowChannel(uint channel, uint2 pixel)
{
    float3 color = 0;
    switch (channel)
    {
        case CHANNEL_BASE_COLOR:
            color = g_BaseColorRoughness[pixel].rgb;
            break;
        case CHANNEL_NORMAL:
            color = packing::UnpackNormal(g_Normals[pixel]) * 0.5 + 0.5;
            break;
        case CHANNEL_MOTION:
            color = ShowMotion(packing::UnpackHalf2(g_MotionVectors[pixel]));
            break;
        case CHANNEL_DEPTH:
            color = saturate(LinearDepth(g_Depth[pixel], 0.1, 100) / 12);
            break;
        case CHANNEL_IDENTITY:
            color = g_Identity[pixel] == IDENTITY_SKY ? 0 : FalseColor(g_Identity[pixel] >> 16);
            break;
        default:
            color = tonemap::LinearToSrgb(ShowLit(pixel));
            break;
    }
    return color;
}

[shader("compute")]
[numthreads(8, 8, 1)]
void ShowSheet(uint3 id : SV_DispatchThreadID)
{
    uint2 size;
    g_Depth.GetDimensions(size.x, size.y);
    const uint2 cell = id.xy / size;
    if (any(cell >= uint2(SHEET_COLUMNS, SHEET_ROWS)))
        return;
    const uint2 pixel = id.xy % size;
    const float3 color = ShowChannel(cell.y * SHEET_COLUMNS + cell.x, pixel);
    const bool border = any(pixel == 0) && any(cell > 0);
    g_Output[id.xy] = float4(border ? 0 : color, 1);
}
