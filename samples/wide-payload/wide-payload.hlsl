// rtc -T lib_6_5 -HV 2021 -Gis
// A path tracer whose rays carry everything that was ever added, without access qualifiers that state which shader reads or writes
// what. `rtc paq -fix -tightest` finds that out and writes it down; in Vulkan `-payload-layout=packed` then makes the payload smaller.

#include "../common/camera.hlsli"
#include "../common/random.hlsli"
#include "../common/sampling.hlsli"
#include "../common/sphere.hlsli"
#include "../common/tonemap.hlsli"

#ifndef NO_SUBOBJECTS
GlobalRootSignature Globals = { "CBV(b0), SRV(t0), SRV(t1), UAV(u1), DescriptorTable(UAV(u0))" };
TriangleHitGroup Floor = { "", "HitFloor" };
ProceduralPrimitiveHitGroup Ball = { "", "HitBall", "IntersectBall" };
RaytracingShaderConfig Sizes = { 108, 12 };
RaytracingPipelineConfig Depth = { 1 };
#endif

struct FrameConstants
{
    CameraConstants camera;
    float3 sunDirection;
    uint samples;
    float3 sunRadiance;
    uint maxBounces;
    float exposure;
};

struct Material
{
    float3 color;
    // From a mirror to chalk.
    float roughness;
};

ConstantBuffer<FrameConstants> g_Frame : register(b0);
RaytracingAccelerationStructure g_Scene : register(t0);
// By instance; the floor is the first.
StructuredBuffer<Material> g_Materials : register(t1);
RWTexture2D<float4> g_Output : register(u0);
// How many rays were traced: what the benchmark divides by.
RWByteAddressBuffer g_Rays : register(u1);

static const uint FLAG_MISSED = 1;
static const uint FLAG_DIFFUSE = 2;

struct PathPayload
{
    // Of the path so far.
    float3 throughput;
    float3 radiance;
    uint seed;
    // Of the ray: how wide its cone is where it starts, and by how much it widens.
    float coneWidth;
    float coneSpread;
    uint depth;
    // What it met, and how it goes on.
    uint flags;
    float hitDistance;
    float3 normal;
    float3 albedo;
    float3 origin;
    float3 direction;
    // For motion vectors, some day.
    float3 previousPosition;
};

struct ShadowPayload
{
    float visibility;
};

struct BallAttributes
{
    float3 normal;
};

// ---- Paths ----

float SunVisibility(float3 origin)
{
    RayDesc ray;
    ray.Origin = origin;
    ray.TMin = 0;
    ray.Direction = g_Frame.sunDirection;
    ray.TMax = RAY_FAR;
    ShadowPayload shadow;
    shadow.visibility = 0;
    TraceRay(g_Scene, RAY_FLAG_ACCEPT_FIRST_HIT_AND_END_SEARCH | RAY_FLAG_SKIP_CLOSEST_HIT_SHADER, 0xff, 0, 1, 1, ray, shadow);
    return shadow.visibility;
}

PathPayload TraceSegment(RayDesc ray, float3 throughput, float3 radiance, uint seed, float coneWidth, uint depth)
{
    PathPayload path;
    path.throughput = throughput;
    path.radiance = radiance;
    path.seed = seed;
    path.coneWidth = coneWidth;
    path.coneSpread = g_Frame.camera.tanHalfFov * 2 / DispatchRaysDimensions().y;
    path.depth = depth;
    TraceRay(g_Scene, RAY_FLAG_NONE, 0xff, 0, 1, 0, ray, path);
    return path;
}

float3 TracePath(RayDesc ray, uint seed, inout uint rays)
{
    float3 throughput = 1;
    float3 radiance = 0;
    float coneWidth = 0;
    for (uint bounce = 0; bounce <= g_Frame.maxBounces; ++bounce)
    {
        const PathPayload path = TraceSegment(ray, throughput, radiance, seed, coneWidth, bounce);
        ++rays;
        radiance = path.radiance;
        if (path.flags & FLAG_MISSED)
            break;
        const float facing = dot(path.normal, g_Frame.sunDirection);
        if ((path.flags & FLAG_DIFFUSE) && facing > 0)
        {
            ++rays;
            radiance += throughput * path.albedo * (facing * INV_PI * SunVisibility(path.origin)) * g_Frame.sunRadiance;
        }
        throughput *= path.albedo;
        seed = path.seed;
        coneWidth = path.coneWidth;
        ray.Origin = path.origin;
        ray.Direction = path.direction;
        ray.TMin = 0;
        ray.TMax = RAY_FAR;
    }
    return radiance;
}

[shader("raygeneration")]
void Render()
{
    const uint2 pixel = DispatchRaysIndex().xy;
    const float2 size = float2(DispatchRaysDimensions().xy);
    float3 sum = 0;
    uint rays = 0;
    for (uint i = 0; i < g_Frame.samples; ++i)
    {
        rng::Stream random = rng::Stream::Create(pixel, i);
        const float2 position = float2(pixel) + random.Next2D();
        sum += TracePath(camera::PrimaryRay(g_Frame.camera, position, size), random.state, rays);
    }
    g_Output[pixel] = float4(tonemap::Display(sum / g_Frame.samples, g_Frame.exposure), 1);
    g_Rays.InterlockedAdd(0, rays);
}

// ---- Misses ----

[shader("miss")]
void Sky(inout PathPayload path)
{
    const float up = saturate(WorldRayDirection().y);
    path.radiance += path.throughput * lerp(float3(0.80, 0.78, 0.74), float3(0.18, 0.34, 0.72), sqrt(up));
    path.flags = FLAG_MISSED;
}

[shader("miss")]
void Unshadowed(inout ShadowPayload shadow)
{
    shadow.visibility = 1;
}

// ---- Hits ----

void Scatter(inout PathPayload path, float3 position, float3 normal, float3 color, float roughness, float t)
{
    rng::Stream random;
    random.state = path.seed;
    const float2 u = random.Next2D();
    const float choice = random.Next1D();
    path.seed = random.state;

    // After a few bounces what is rough is rough enough.
    const bool diffuse = choice < roughness || path.depth > 2;
    Frame frame = Frame::FromNormal(normal);
    path.flags = diffuse ? FLAG_DIFFUSE : 0;
    path.hitDistance = t;
    path.coneWidth += path.coneSpread * t;
    path.normal = normal;
    path.albedo = diffuse ? color : lerp(color, 1, 0.5);
    path.direction = diffuse ? frame.ToWorld(sampling::CosineHemisphere(u)) : reflect(WorldRayDirection(), normal);
    path.origin = OffsetRay(position, normal);
    path.previousPosition = position;
}

[shader("closesthit")]
void HitFloor(inout PathPayload path, in BuiltInTriangleIntersectionAttributes attributes)
{
    // The floor is where y is zero, which is more exact than RayTCurrent().
    const float t = -WorldRayOrigin().y / WorldRayDirection().y;
    const float3 position = WorldRayOrigin() + t * WorldRayDirection();
    const Material material = g_Materials[0];
    // A wide cone sees many tiles at once.
    const float width = (path.coneWidth + path.coneSpread * t) / max(-WorldRayDirection().y, 0.05);
    const int2 tile = int2(floor(position.xz));
    const float shade = (tile.x + tile.y) & 1 ? 1 : 0.3;
    const float3 color = material.color * lerp(shade, 0.65, saturate(width));
    Scatter(path, float3(position.x, 0, position.z), float3(0, 1, 0), color, material.roughness, t);
}

bool ReportBall(sphere::Sphere ball, float t)
{
    if (t < RayTMin() || t > RayTCurrent())
        return false;
    BallAttributes attributes;
    attributes.normal = ball.NormalAt(WorldRayOrigin() + t * WorldRayDirection());
    return ReportHit(t, 0, attributes);
}

[shader("intersection")]
void IntersectBall()
{
    sphere::Sphere ball = sphere::Sphere::Of(ObjectToWorld3x4());
    float2 distances;
    if (!ball.Intersect(WorldRayOrigin(), WorldRayDirection(), distances))
        return;
    if (!ReportBall(ball, distances.x))
        ReportBall(ball, distances.y);
}

[shader("closesthit")]
void HitBall(inout PathPayload path, in BallAttributes attributes)
{
    sphere::Sphere ball = sphere::Sphere::Of(ObjectToWorld3x4());
    const float3 position = ball.PointAt(attributes.normal);
    const Material material = g_Materials[InstanceID()];
    Scatter(path, position, attributes.normal, material.color, material.roughness, dot(position - WorldRayOrigin(), WorldRayDirection()));
}
