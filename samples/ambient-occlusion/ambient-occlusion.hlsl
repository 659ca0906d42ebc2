// rtc -T lib_6_5 -HV 2021
// Ray-traced ambient occlusion in three passes: primary rays fill a small G-buffer, short rays gather occlusion with a
// rotated pattern, and a compute shader filters the noise away without crossing edges.

#include "../common/camera.hlsli"
#include "../common/packing.hlsli"
#include "../common/random.hlsli"
#include "../common/sampling.hlsli"
#include "../common/tonemap.hlsli"

#ifndef NO_SUBOBJECTS
GlobalRootSignature Globals =
{
    "CBV(b0), SRV(t0), SRV(t1), DescriptorTable(UAV(u0, numDescriptors = 3))"
};
TriangleHitGroup Meshes = { "", "HitMesh" };
RaytracingShaderConfig Sizes = { 16, 8 };
RaytracingPipelineConfig Depth = { 1 };
#endif

// What a pattern of OCCLUSION_TILE² pixels shares between its pixels.
#define OCCLUSION_TILE 4
#define OCCLUSION_RAYS 8

#define FILTER_GROUP 8
#define FILTER_RADIUS 3
#define FILTER_CACHE (FILTER_GROUP + 2 * FILTER_RADIUS)

struct FrameConstants
{
    CameraConstants camera;
    float radius;
    float strength;
    float normalPower;
    float planeWeight;
};

ConstantBuffer<FrameConstants> g_Frame : register(b0);
RaytracingAccelerationStructure g_Scene : register(t0);
// Tint of each instance.
StructuredBuffer<float3> g_Colors : register(t1);
// x: normal, y: distance, 0 for none; z: colour of the instance.
RWTexture2D<uint4> g_GBuffer : register(u0);
RWTexture2D<float> g_Occlusion : register(u1);
RWTexture2D<float4> g_Output : register(u2);

struct PrimaryPayload
{
    float t;
    uint normal;
    uint color;
    uint padding;
};

struct GBufferTexel
{
    float3 normal;
    float t;
    float3 color;

    bool IsSky()
    {
        return t <= 0;
    }

    uint4 Pack()
    {
        return uint4(packing::PackNormal(normal), asuint(t), packing::PackUnorm4x8(float4(color, 1)), 0);
    }

    static GBufferTexel Unpack(uint4 raw)
    {
        GBufferTexel texel;
        texel.normal = packing::UnpackNormal(raw.x);
        texel.t = asfloat(raw.y);
        texel.color = packing::UnpackUnorm4x8(raw.z).rgb;
        return texel;
    }
};

// ---- Pass 1: primary rays ----

[shader("raygeneration")]
void TracePrimary()
{
    const uint2 pixel = DispatchRaysIndex().xy;
    const RayDesc ray = camera::PrimaryRay(g_Frame.camera, float2(pixel) + 0.5, float2(DispatchRaysDimensions().xy));
    PrimaryPayload payload = (PrimaryPayload)0;
    TraceRay(g_Scene, RAY_FLAG_FORCE_OPAQUE, 0xff, 0, 1, 0, ray, payload);
    g_GBuffer[pixel] = uint4(payload.normal, asuint(payload.t), payload.color, 0);
}

[shader("miss")]
void MissAll(inout PrimaryPayload payload)
{
    payload.t = 0;
}

[shader("closesthit")]
void HitMesh(inout PrimaryPayload payload, in BuiltInTriangleIntersectionAttributes attributes)
{
    // A faceted normal straight from the structure would need its vertices: the meshes are boxes, spheres and planes
    // around their origins, so that their normals follow from the hit point alone.
    const float3 p = ObjectRayOrigin() + RayTCurrent() * ObjectRayDirection();
    float3 normal;
    switch (InstanceID() & 3)
    {
        case 0:
            normal = float3(0, 1, 0);
            break;
        case 1:
            normal = normalize(p);
            break;
        default:
        {
            const float3 size = abs(p);
            const float largest = MaxComponent(size);
            normal = float3(size.x == largest, size.y == largest, size.z == largest) * sign(p);
            break;
        }
    }
    normal = normalize(mul(normal, (float3x3)WorldToObject3x4()));

    GBufferTexel texel;
    texel.normal = dot(normal, WorldRayDirection()) > 0 ? -normal : normal;
    texel.t = RayTCurrent();
    texel.color = g_Colors[InstanceIndex()];
    const uint4 packed = texel.Pack();
    payload.normal = packed.x;
    payload.t = asfloat(packed.y);
    payload.color = packed.z;
}

// ---- Pass 2: occlusion ----

// How much a hit at a distance takes away: all nearby, nothing at the radius.
float Falloff(float t)
{
    const float x = saturate(t / g_Frame.radius);
    return Square(1 - x * x);
}

float TraceOcclusion(float3 origin, float3 direction)
{
    RayDesc ray;
    ray.Origin = origin;
    // The meshes are coarser than the normals that their shapes imply: skip what lies between the two.
    ray.TMin = 0.02 * g_Frame.radius;
    ray.Direction = direction;
    ray.TMax = g_Frame.radius;
    PrimaryPayload payload = (PrimaryPayload)0;
    TraceRay(g_Scene, RAY_FLAG_FORCE_OPAQUE, 0xff, 0, 1, 0, ray, payload);
    return payload.t > 0 ? Falloff(payload.t) : 0;
}

[shader("raygeneration")]
void GatherOcclusion()
{
    const uint2 pixel = DispatchRaysIndex().xy;
    const GBufferTexel texel = GBufferTexel::Unpack(g_GBuffer[pixel]);
    GBufferTexel here = texel;
    if (here.IsSky())
    {
        g_Occlusion[pixel] = 1;
        return;
    }
    const RayDesc primary = camera::PrimaryRay(g_Frame.camera, float2(pixel) + 0.5, float2(DispatchRaysDimensions().xy));
    const float3 position = OffsetRay(primary.Origin + primary.Direction * here.t, here.normal);
    Frame frame = Frame::FromNormal(here.normal);

    // Neighbours take different parts of one point set, which the filter then joins.
    const uint2 inTile = pixel % OCCLUSION_TILE;
    const uint slice = inTile.y * OCCLUSION_TILE + inTile.x;
    float sum = 0;
    [loop]
    for (uint i = 0; i < OCCLUSION_RAYS; ++i)
    {
        rng::Sequence random = rng::Sequence::Create(uint2(0, 0), 7, slice * OCCLUSION_RAYS + i);
        const float3 direction = frame.ToWorld(sampling::CosineHemisphere(random.Next2D()));
        sum += TraceOcclusion(position, direction);
    }
    g_Occlusion[pixel] = saturate(1 - g_Frame.strength * sum / OCCLUSION_RAYS);
}

// ---- Pass 3: filter ----

groupshared uint4 s_GBuffer[FILTER_CACHE][FILTER_CACHE];
groupshared float s_Occlusion[FILTER_CACHE][FILTER_CACHE];

uint2 ClampToImage(int2 pixel, uint2 size)
{
    return uint2(clamp(pixel, int2(0, 0), int2(size) - 1));
}

// The group fills its cache together: more texels than threads.
void FillCache(uint2 group, uint thread, uint2 size)
{
    const int2 corner = int2(group * FILTER_GROUP) - FILTER_RADIUS;
    for (uint i = thread; i < FILTER_CACHE * FILTER_CACHE; i += FILTER_GROUP * FILTER_GROUP)
    {
        const uint2 at = uint2(i % FILTER_CACHE, i / FILTER_CACHE);
        const uint2 pixel = ClampToImage(corner + int2(at), size);
        s_GBuffer[at.y][at.x] = g_GBuffer[pixel];
        s_Occlusion[at.y][at.x] = g_Occlusion[pixel];
    }
    GroupMemoryBarrierWithGroupSync();
}

float3 PositionOf(float2 pixel, float t, float2 size)
{
    const RayDesc ray = camera::PrimaryRay(g_Frame.camera, pixel + 0.5, size);
    return ray.Origin + ray.Direction * t;
}

// How much a neighbour counts: only what is in the same plane and faces the same way.
float EdgeWeight(GBufferTexel here, float3 herePosition, GBufferTexel other, float3 otherPosition)
{
    const float facing = pow(saturate(dot(here.normal, other.normal)), g_Frame.normalPower);
    const float offPlane = abs(dot(otherPosition - herePosition, here.normal));
    return facing * exp(-g_Frame.planeWeight * offPlane / here.t);
}

[shader("compute")]
[numthreads(FILTER_GROUP, FILTER_GROUP, 1)]
void FilterOcclusion(uint3 pixel : SV_DispatchThreadID, uint3 group : SV_GroupID, uint3 inGroup : SV_GroupThreadID, uint thread : SV_GroupIndex)
{
    uint2 size;
    g_Output.GetDimensions(size.x, size.y);
    FillCache(group.xy, thread, size);
    if (any(pixel.xy >= size))
        return;

    const int2 center = int2(inGroup.xy) + FILTER_RADIUS;
    GBufferTexel here = GBufferTexel::Unpack(s_GBuffer[center.y][center.x]);
    if (here.IsSky())
    {
        const float up = 1 - float(pixel.y) / size.y;
        g_Output[pixel.xy] = float4(lerp(float3(0.62, 0.66, 0.70), float3(0.35, 0.45, 0.60), up), 1);
        return;
    }

    const float3 position = PositionOf(float2(pixel.xy), here.t, float2(size));
    float sum = 0, weights = 0;
    for (int y = -FILTER_RADIUS; y <= FILTER_RADIUS; ++y)
    {
        for (int x = -FILTER_RADIUS; x <= FILTER_RADIUS; ++x)
        {
            const int2 at = center + int2(x, y);
            GBufferTexel other = GBufferTexel::Unpack(s_GBuffer[at.y][at.x]);
            if (other.IsSky())
                continue;
            const float3 otherPosition = PositionOf(float2(int2(pixel.xy) + int2(x, y)), other.t, float2(size));
            const float weight = EdgeWeight(here, position, other, otherPosition);
            sum += weight * s_Occlusion[at.y][at.x];
            weights += weight;
        }
    }
    // The centre always counts, so that `weights` is at least one.
    const float visibility = sum / weights;
    const float sky = 0.6 + 0.4 * here.normal.y;
    const float3 color = here.color * visibility * sky;
    g_Output[pixel.xy] = float4(tonemap::LinearToSrgb(color), 1);
}
