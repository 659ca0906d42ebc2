// rtc -T lib_6_5 -HV 2021 -Gis
// A volume of irradiance probes, updated with ray queries in compute shaders: trace rays from every probe, blend them into
// octahedral maps of irradiance and of distance, copy the maps' borders, and shade a view with what the probes know
// (Majercik et al., "Dynamic Diffuse Global Illumination with Ray-Traced Irradiance Fields").

#include "../common/camera.hlsli"
#include "../common/lights.hlsli"
#include "../common/packing.hlsli"
#include "../common/random.hlsli"
#include "../common/tonemap.hlsli"
#include "probe-volume.hlsli"

struct FrameConstants
{
    CameraConstants camera;
    ProbeVolume volume;
    float3 lightDirection;
    float exposure;
    float3 lightRadiance;
    uint frameIndex;
    float3 skyRadiance;
    uint showProbes;
};

// What an instance looks like.
struct InstanceRecord
{
    float3 albedo;
    uint shape;
    float3 emission;
    float padding;
};

#define SHAPE_BOX 0
#define SHAPE_SPHERE 1

ConstantBuffer<FrameConstants> g_Frame : register(b0);
RaytracingAccelerationStructure g_Scene : register(t0);
StructuredBuffer<InstanceRecord> g_Instances : register(t1);
// Radiance and distance of every ray of every probe: rays along x, probes along y.
RWTexture2D<float4> g_RayData : register(u0);
// The atlases: a tile with a border for every probe.
RWTexture2D<float4> g_Irradiance : register(u1);
RWTexture2D<float2> g_Distance : register(u2);
RWTexture2D<float4> g_Output : register(u3);
// Statistics of the update: rays that hit, and rays that started inside something.
RWStructuredBuffer<uint> g_Statistics : register(u4);

static const float SHADOW_BIAS = 1e-3;

// ---- Rays ----

struct RayHit
{
    bool hit;
    bool frontFace;
    float t;
    float3 position;
    float3 normal;
    uint instance;
};

// Where all is opaque there are no candidates, and one call of Proceed() does it. A loop is as fast, and compilers exist that drop a
// call whose result is unused.
typedef RayQuery<RAY_FLAG_FORCE_OPAQUE | RAY_FLAG_SKIP_PROCEDURAL_PRIMITIVES> SurfaceQuery;
typedef RayQuery<RAY_FLAG_FORCE_OPAQUE | RAY_FLAG_ACCEPT_FIRST_HIT_AND_END_SEARCH | RAY_FLAG_SKIP_PROCEDURAL_PRIMITIVES> ShadowQuery;

// The shapes are centred at their origins, so that a point of the surface tells its normal.
float3 ObjectNormal(uint shape, float3 p)
{
    if (shape == SHAPE_SPHERE)
        return normalize(p);
    const float3 size = abs(p);
    const float largest = MaxComponent(size);
    return float3(size.x == largest, size.y == largest, size.z == largest) * sign(p);
}

RayHit TraceSurface(float3 origin, float3 direction, float tMax)
{
    RayDesc ray;
    ray.Origin = origin;
    ray.TMin = 0;
    ray.Direction = direction;
    ray.TMax = tMax;

    SurfaceQuery query;
    query.TraceRayInline(g_Scene, RAY_FLAG_NONE, 0xff, ray);
    while (query.Proceed())
    {
    }

    RayHit result = (RayHit)0;
    result.t = tMax;
    if (query.CommittedStatus() != COMMITTED_TRIANGLE_HIT)
        return result;
    result.hit = true;
    result.t = query.CommittedRayT();
    result.frontFace = query.CommittedTriangleFrontFace();
    result.instance = query.CommittedInstanceIndex();
    result.position = origin + direction * result.t;
    const float3 p = query.CommittedObjectRayOrigin() + query.CommittedObjectRayDirection() * result.t;
    const float3 normal = ObjectNormal(g_Instances[result.instance].shape, p);
    result.normal = normalize(mul(normal, (float3x3)query.CommittedWorldToObject3x4()));
    return result;
}

bool IsLit(float3 position, float3 normal)
{
    RayDesc ray;
    ray.Origin = position + normal * SHADOW_BIAS;
    ray.TMin = 0;
    ray.Direction = g_Frame.lightDirection;
    ray.TMax = RAY_FAR;
    ShadowQuery query;
    query.TraceRayInline(g_Scene, RAY_FLAG_NONE, 0xff, ray);
    while (query.Proceed())
    {
    }
    return query.CommittedStatus() == COMMITTED_NOTHING;
}

float3 Sky(float3 direction)
{
    return g_Frame.skyRadiance * lerp(0.4, 1.0, saturate(direction.y));
}

// ---- Looking probes up ----

float3 SampleIrradianceTexel(uint probe, float3 direction)
{
    return BilinearTile<IrradianceTile, float4>(g_Irradiance, g_Frame.volume, probe, direction).rgb;
}

float2 SampleDistanceTexel(uint probe, float3 direction)
{
    return BilinearTile<DistanceTile, float2>(g_Distance, g_Frame.volume, probe, direction);
}

// The share of a probe in a point's light: near ones that face it and, as far as their distances tell, see it.
float ProbeWeight(uint probe, float3 probePosition, float3 position, float3 biased, float3 normal, float trilinear)
{
    const float3 toProbe = SafeNormalize(probePosition - position, normal);
    const float wrapped = dot(toProbe, normal) * 0.5 + 0.5;
    float weight = wrapped * wrapped + 0.2;

    const float3 fromProbe = biased - probePosition;
    const float distance = length(fromProbe);
    const float2 moments = SampleDistanceTexel(probe, SafeNormalize(fromProbe, normal));
    if (distance > moments.x)
    {
        // Chebyshev's bound of how much of the distribution lies farther away.
        const float variance = abs(Square(moments.x) - moments.y) + 1e-5;
        const float bound = variance / (variance + Square(distance - moments.x));
        weight *= max(bound * bound * bound, 0.02);
    }
    // Small weights are made smaller still, but smoothly, so that nothing pops.
    const float threshold = 0.2;
    if (weight < threshold)
        weight *= Square(weight) / Square(threshold);
    return weight * max(trilinear, 1e-3);
}

float3 SampleVolume(float3 position, float3 normal, float3 view)
{
    ProbeVolume volume = g_Frame.volume;
    const float3 biased = position + (normal * 0.2 + view * 0.8) * volume.bias;
    const float3 local = clamp((biased - volume.origin) / volume.spacing, 0, float3(volume.counts) - 1);
    const uint3 base = min(uint3(local), volume.counts - 1);
    const float3 alpha = saturate(local - float3(base));

    float3 sum = 0;
    float weights = 0;
    for (uint corner = 0; corner < 8; ++corner)
    {
        const uint3 offset = uint3(corner, corner >> 1, corner >> 2) & 1;
        const uint3 coordinate = min(base + offset, volume.counts - 1);
        const uint probe = volume.Index(coordinate);
        const float3 each = lerp(1 - alpha, alpha, float3(offset));
        const float weight =
            ProbeWeight(probe, volume.Position(coordinate), position, biased, normal, each.x * each.y * each.z);
        // Blending happens in a perceptual space; see BlendIrradiance.
        sum += weight * SampleIrradianceTexel(probe, normal);
        weights += weight;
    }
    const float3 encoded = sum / max(weights, 1e-5);
    return Square(encoded) * TWO_PI;
}

float3 ShadeHit(RayHit hit, float3 view, bool indirect)
{
    const InstanceRecord instance = g_Instances[hit.instance];
    float3 light = 0;
    const float facing = dot(hit.normal, g_Frame.lightDirection);
    if (facing > 0 && IsLit(hit.position, hit.normal))
        light += facing * g_Frame.lightRadiance * INV_PI;
    if (indirect)
        light += SampleVolume(hit.position, hit.normal, view) * INV_PI;
    return instance.albedo * light + instance.emission;
}

// ---- Pass 1: a ray per thread, a probe per row ----

[shader("compute")]
[numthreads(PROBE_RAYS, 1, 1)]
void TraceProbes(uint3 group : SV_GroupID, uint thread : SV_GroupIndex)
{
    ProbeVolume volume = g_Frame.volume;
    const uint probe = group.x;
    const float3 origin = volume.Position(volume.Coordinate(probe));
    const float3 direction = ProbeRayDirection(thread, g_Frame.frameIndex);
    RayHit hit = TraceSurface(origin, direction, volume.maxDistance);

    float3 radiance;
    float distance = hit.t;
    if (!hit.hit)
    {
        radiance = Sky(direction);
    }
    else if (!hit.frontFace)
    {
        // A probe inside an object: it must not lighten anything, and what it sees is near.
        radiance = 0;
        distance = hit.t * 0.2;
    }
    else
    {
        radiance = ShadeHit(hit, -direction, g_Frame.frameIndex > 0 || volume.bounces > 0);
    }
    g_RayData[uint2(thread, probe)] = float4(radiance, distance);

    const uint hits = WaveActiveCountBits(hit.hit);
    const uint inside = WaveActiveCountBits(hit.hit && !hit.frontFace);
    if (WaveIsFirstLane())
    {
        InterlockedAdd(g_Statistics[0], hits);
        InterlockedAdd(g_Statistics[1], inside);
    }
}

// ---- Pass 2: a thread per texel, a group per probe ----

groupshared float4 s_Rays[PROBE_RAYS];
groupshared float3 s_Directions[PROBE_RAYS];
groupshared float s_Brightest;

template<typename Tile>
void LoadRays(uint probe, uint thread)
{
    for (uint i = thread; i < PROBE_RAYS; i += Tile::INTERIOR * Tile::INTERIOR)
    {
        s_Rays[i] = g_RayData[uint2(i, probe)];
        s_Directions[i] = ProbeRayDirection(i, g_Frame.frameIndex);
    }
    GroupMemoryBarrierWithGroupSync();
}

[shader("compute")]
[numthreads(IRRADIANCE_INTERIOR, IRRADIANCE_INTERIOR, 1)]
void BlendIrradiance(uint3 group : SV_GroupID, uint3 inGroup : SV_GroupThreadID, uint thread : SV_GroupIndex)
{
    const uint probe = group.x;
    LoadRays<IrradianceTile>(probe, thread);

    const float3 direction = TexelDirection<IrradianceTile>(inGroup.xy);
    float3 sum = 0;
    float weights = 0;
    [loop]
    for (uint i = 0; i < PROBE_RAYS; ++i)
    {
        const float weight = max(0, dot(direction, s_Directions[i]));
        sum += weight * s_Rays[i].rgb;
        weights += weight;
    }
    // Half of the irradiance over 2 pi, stored as its root: what the eye sees as even steps.
    const float3 fresh = sqrt(max(sum / max(2 * weights, 1e-4), 0));

    const uint2 at = TileCorner<IrradianceTile>(g_Frame.volume, probe) + 1 + inGroup.xy;
    const float3 old = g_Irradiance[at].rgb;
    // A large change, such as a light that was switched on, is taken over at once.
    const float change = MaxComponent(abs(fresh - old));
    const float strongest = WaveActiveMax(change);
    const float hysteresis = g_Frame.frameIndex == 0 ? 0 : strongest > 0.5 ? 0.3 : g_Frame.volume.hysteresis;
    g_Irradiance[at] = float4(lerp(fresh, old, hysteresis), 1);
}

[shader("compute")]
[numthreads(DISTANCE_INTERIOR, DISTANCE_INTERIOR, 1)]
void BlendDistance(uint3 group : SV_GroupID, uint3 inGroup : SV_GroupThreadID, uint thread : SV_GroupIndex)
{
    const uint probe = group.x;
    LoadRays<DistanceTile>(probe, thread);

    const float3 direction = TexelDirection<DistanceTile>(inGroup.xy);
    const float farthest = length(g_Frame.volume.spacing) * 1.5;
    float2 sum = 0;
    float weights = 0;
    for (uint i = 0; i < PROBE_RAYS; ++i)
    {
        // A narrow lobe: distances must not blur into each other.
        const float weight = pow(max(0, dot(direction, s_Directions[i])), 50);
        const float distance = min(s_Rays[i].a, farthest);
        sum += weight * float2(distance, Square(distance));
        weights += weight;
    }
    const float2 fresh = weights > 1e-4 ? sum / weights : float2(farthest, Square(farthest));
    const uint2 at = TileCorner<DistanceTile>(g_Frame.volume, probe) + 1 + inGroup.xy;
    const float hysteresis = g_Frame.frameIndex == 0 ? 0 : g_Frame.volume.hysteresis;
    g_Distance[at] = lerp(fresh, g_Distance[at], hysteresis);
}

// ---- Pass 3: borders, so that bilinear lookups may cross the octahedron's edges ----

#define DEFINE_BORDER_COPY(Name, Tile, Atlas) \
    [shader("compute")] \
    [numthreads(64, 1, 1)] \
    void Name(uint3 group : SV_GroupID, uint thread : SV_GroupIndex) \
    { \
        const uint2 corner = TileCorner<Tile>(g_Frame.volume, group.x); \
        for (uint i = thread; i < BorderTexels<Tile>(); i += 64) \
        { \
            const uint2 border = BorderTexel<Tile>(i); \
            Atlas[corner + border] = Atlas[corner + BorderSource<Tile>(border)]; \
        } \
    }

DEFINE_BORDER_COPY(CopyIrradianceBorders, IrradianceTile, g_Irradiance)
DEFINE_BORDER_COPY(CopyDistanceBorders, DistanceTile, g_Distance)

// ---- Pass 4: a view of the scene and of the probes in it ----

// The nearest probe in front of `tMax` that a ray hits, as a small sphere.
bool HitProbe(RayDesc ray, inout float t, out uint probe, out float3 normal)
{
    ProbeVolume volume = g_Frame.volume;
    const float radius = 0.09 * min(volume.spacing.x, min(volume.spacing.y, volume.spacing.z));
    bool found = false;
    probe = 0;
    normal = 0;
    for (uint i = 0; i < volume.Count(); ++i)
    {
        const float3 center = volume.Position(volume.Coordinate(i)) - ray.Origin;
        const float along = dot(center, ray.Direction);
        const float inside = Square(radius) - (dot(center, center) - along * along);
        const float at = along - SafeSqrt(inside);
        if (inside > 0 && at > 0 && at < t)
        {
            t = at;
            probe = i;
            normal = normalize(at * ray.Direction - center);
            found = true;
        }
    }
    return found;
}

float3 ShadePixel(RayDesc ray)
{
    RayHit hit = TraceSurface(ray.Origin, ray.Direction, ray.TMax);
    float t = hit.t;
    uint probe;
    float3 probeNormal;
    if (g_Frame.showProbes && HitProbe(ray, t, probe, probeNormal))
        return Square(SampleIrradianceTexel(probe, probeNormal)) * 2;
    return hit.hit ? ShadeHit(hit, -ray.Direction, true) : Sky(ray.Direction);
}

[shader("compute")]
[numthreads(8, 8, 1)]
void ShadeView(uint3 id : SV_DispatchThreadID)
{
    uint2 size;
    g_Output.GetDimensions(size.x, size.y);
    if (any(id.xy >= size))
        return;
    float3 sum = 0;
    [unroll]
    for (uint i = 0; i < 4; ++i)
    {
        const float2 jitter = float2(i & 1, i >> 1) * 0.5 + 0.25;
        sum += ShadePixel(camera::PrimaryRay(g_Frame.camera, float2(id.xy) + jitter, float2(size)));
    }
    g_Output[id.xy] = float4(tonemap::Display(sum / 4, g_Frame.exposure), 1);
}
