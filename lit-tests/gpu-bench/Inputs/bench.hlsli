// What the shaders of the GPU benchmark share: resources, the camera, random numbers, and the surfaces of the scene.

cbuffer Frame : register(b0)
{
    float4x4 ClipToWorld;
    float3 Eye;
    uint Samples;
    float3 Light;
    uint Depth;
};

RaytracingAccelerationStructure Scene : register(t0);
RWTexture2D<float4> Output : register(u0);

static const uint SHADOW_FLAGS = RAY_FLAG_ACCEPT_FIRST_HIT_AND_END_SEARCH | RAY_FLAG_SKIP_CLOSEST_HIT_SHADER;

RayDesc Ray(float3 origin, float3 direction)
{
    RayDesc ray;
    ray.Origin = origin;
    ray.TMin = 0.002;
    ray.Direction = direction;
    ray.TMax = 100;
    return ray;
}

RayDesc CameraRay(float2 at)
{
    float2 clip = (at / float2(DispatchRaysDimensions().xy) * 2 - 1) * float2(1, -1);
    float4 far = mul(ClipToWorld, float4(clip, 1, 1));
    return Ray(Eye, normalize(far.xyz / far.w - Eye));
}

RayDesc CameraRay()
{
    return CameraRay(float2(DispatchRaysIndex().xy) + 0.5);
}

// Integers alone decide, so that every compiler gets the same numbers.
uint Hash(uint x)
{
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ (x >> 16);
}

float Random(inout uint state)
{
    state = Hash(state + 0x9e3779b9u);
    return (state >> 8) * (1.0 / 16777216.0);
}

uint Seed(uint index)
{
    uint2 pixel = DispatchRaysIndex().xy;
    return Hash(pixel.x + Hash(pixel.y + Hash(index)));
}

// A direction around a normal, as a diffuse surface scatters.
float3 Scatter(float3 normal, inout uint state)
{
    float z = 1 - 2 * Random(state);
    float angle = 6.2831853 * Random(state);
    float r = sqrt(max(0, 1 - z * z));
    return normalize(normal * 1.001 + float3(r * cos(angle), r * sin(angle), z));
}

float3 Sky(float3 direction)
{
    return lerp(float3(0.70, 0.75, 0.82), float3(0.16, 0.34, 0.75), saturate(direction.y));
}

float3 Albedo(uint id)
{
    if (id == 0)
        return float3(0.62, 0.60, 0.56);
    uint h = Hash(id);
    return 0.25 + 0.6 * float3(h & 255, (h >> 8) & 255, (h >> 16) & 255) / 255;
}

// Position and normal of what a closest-hit or any-hit shader is about.
float3 HitPosition()
{
    return WorldRayOrigin() + RayTCurrent() * WorldRayDirection();
}

float3 HitNormal()
{
    if (InstanceID() == 0)
        return float3(0, 1, 0);
    float3 p = mul(WorldToObject3x4(), float4(HitPosition(), 1));
    float3 a = abs(p);
    float3 side = a.x > a.y && a.x > a.z ? float3(sign(p.x), 0, 0) : a.y > a.z ? float3(0, sign(p.y), 0) : float3(0, 0, sign(p.z));
    return normalize(mul((float3x3)ObjectToWorld3x4(), InstanceID() & 1 ? p : side));
}

// ---- Noise ----

float ValueNoise(float3 p)
{
    int3 cell = int3(floor(p));
    float3 f = p - floor(p);
    f = f * f * (3 - 2 * f);
    float sum = 0;
    for (uint corner = 0; corner < 8; ++corner)
    {
        int3 o = int3(corner & 1, (corner >> 1) & 1, corner >> 2);
        int3 at = cell + o;
        uint h = Hash(uint(at.x) + Hash(uint(at.y) + Hash(uint(at.z))));
        float3 w = lerp(1 - f, f, float3(o));
        sum += w.x * w.y * w.z * ((h >> 8) * (1.0 / 16777216.0));
    }
    return sum;
}

float Fbm(float3 p, uint octaves)
{
    float sum = 0, weight = 0.5;
    for (uint i = 0; i < octaves; ++i)
    {
        sum += weight * ValueNoise(p);
        p = p * 2.03 + 17.1;
        weight *= 0.5;
    }
    return sum;
}
