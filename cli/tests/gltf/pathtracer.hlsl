// rtc -T lib_6_5 -HV 2021 -Gis
// A path tracer over a glTF file: sun and sky, diffuse and metallic surfaces, normal maps, alpha masks. Nothing is chosen by what a texture
// says, so that devices differ only as far as they filter.

#include "../../../samples/common/camera.hlsli"
#include "../../../samples/common/gltf.hlsli"
#include "../../../samples/common/random.hlsli"
#include "../../../samples/common/sampling.hlsli"

TriangleHitGroup Hit = { "TestAlpha", "HitTriangle" };
RaytracingShaderConfig Sizes = { 60, 8 };
RaytracingPipelineConfig Depth = { 1 };

struct FrameConstants
{
    CameraConstants camera;
    uint index;
    uint samples;
    uint maxBounces;
};

ConstantBuffer<FrameConstants> g_Frame : register(b0);
RaytracingAccelerationStructure g_Scene : register(t0);
RWTexture2D<float4> g_Output : register(u0);

static const float3 SUN = float3(0.48, 0.64, -0.6);
static const float3 SUN_RADIANCE = float3(3.2, 2.9, 2.5);

struct Payload
{
    // Negative: missed.
    float t;
    float3 geometricNormal;
    float3 normal;
    float3 baseColor;
    float3 emissive;
    float metallic;
    float roughness;
};

float3 Sky(float3 direction)
{
    return Mix(float3(0.8, 0.85, 0.9), float3(0.2, 0.4, 0.8), saturate(direction.y));
}

bool IsVisible(float3 origin, float3 direction)
{
    RayDesc ray;
    ray.Origin = origin;
    ray.TMin = 0;
    ray.Direction = direction;
    ray.TMax = RAY_FAR;
    Payload shadow = (Payload)0;
    TraceRay(g_Scene, RAY_FLAG_ACCEPT_FIRST_HIT_AND_END_SEARCH | RAY_FLAG_SKIP_CLOSEST_HIT_SHADER, 0xff, 0, 0, 0, ray, shadow);
    return shadow.t < 0;
}

float3 TracePath(RayDesc ray, inout rng::Sequence random)
{
    float3 throughput = 1;
    float3 radiance = 0;
    for (uint bounce = 0; bounce <= g_Frame.maxBounces; ++bounce)
    {
        Payload hit = (Payload)0;
        TraceRay(g_Scene, RAY_FLAG_NONE, 0xff, 0, 0, 0, ray, hit);
        if (hit.t < 0)
        {
            radiance += throughput * Sky(ray.Direction);
            break;
        }
        radiance += throughput * hit.emissive;
        const bool back = dot(hit.geometricNormal, ray.Direction) > 0;
        const float3 geometric = back ? -hit.geometricNormal : hit.geometricNormal;
        const float3 normal = back ? -hit.normal : hit.normal;
        const float3 position = OffsetRay(ray.Origin + hit.t * ray.Direction, geometric);

        const float cosine = dot(normal, SUN);
        const float3 diffuse = hit.baseColor * (1 - hit.metallic);
        if (cosine > 0 && dot(geometric, SUN) > 0 && IsVisible(position, SUN))
            radiance += throughput * diffuse * (cosine * INV_PI) * SUN_RADIANCE;

        const float2 u = random.Next2D();
        const float3 scattered = Frame::FromNormal(normal).ToWorld(sampling::CosineHemisphere(u));
        const float3 mirrored = reflect(ray.Direction, normal);
        float3 direction = SafeNormalize(Mix(mirrored, scattered, Mix(1.0, hit.roughness, hit.metallic)), normal);
        // A shading normal may point into the surface.
        if (dot(direction, geometric) <= 0)
            direction = SafeNormalize(direction - 2 * dot(direction, geometric) * geometric, geometric);
        throughput *= hit.baseColor;
        ray.Origin = position;
        ray.Direction = direction;
        ray.TMin = 0;
        ray.TMax = RAY_FAR;
    }
    return radiance;
}

[shader("raygeneration")]
void Camera()
{
    const uint2 pixel = DispatchRaysIndex().xy;
    const float2 size = float2(DispatchRaysDimensions().xy);
    float3 sum = 0;
    for (uint i = 0; i < g_Frame.samples; ++i)
    {
        rng::Sequence random = rng::Sequence::Create(pixel, g_Frame.index, i);
        const float2 position = float2(pixel) + random.Next2D();
        sum += TracePath(camera::PrimaryRay(g_Frame.camera, position, size), random);
    }
    g_Output[pixel] = float4(sum / g_Frame.samples, 1);
}

[shader("miss")]
void Miss(inout Payload payload)
{
    payload.t = -1;
}

[shader("anyhit")]
void TestAlpha(inout Payload payload, in BuiltInTriangleIntersectionAttributes attributes)
{
    if (gltf::IsTransparent(InstanceID() + GeometryIndex(), PrimitiveIndex(), attributes.barycentrics))
        IgnoreHit();
}

[shader("closesthit")]
void HitTriangle(inout Payload payload, in BuiltInTriangleIntersectionAttributes attributes)
{
    const gltf::Surface surface = gltf::Interpolate(InstanceID() + GeometryIndex(), PrimitiveIndex(), attributes.barycentrics);
    // Normals are rows of the inverse.
    const float3x3 toObject = (float3x3)WorldToObject3x4();
    payload.t = RayTCurrent();
    payload.geometricNormal = SafeNormalize(mul(surface.geometricNormal, toObject), float3(0, 1, 0));
    payload.normal = SafeNormalize(mul(surface.normal, toObject), float3(0, 1, 0));
    payload.baseColor = surface.baseColor.rgb;
    payload.emissive = surface.emissive;
    payload.metallic = surface.metallic;
    payload.roughness = surface.roughness;
}
