// Callable shaders: each quad of a wall asks one of three patterns for its colour, and one pattern calls another.

struct Pattern
{
    float2 uv;
    uint seed;
    float3 color;
};

struct Payload
{
    float3 color;
};

RaytracingAccelerationStructure Scene : register(t0);
RWTexture2D<float4> Output : register(u0);

#ifndef NO_SUBOBJECTS
GlobalRootSignature Globals = { "SRV(t0), DescriptorTable(UAV(u0))" };
TriangleHitGroup Wall = { "", "PaintWall" };
RaytracingShaderConfig Sizes = { 24, 8 };
RaytracingPipelineConfig Depth = { 1 };
#endif

static const uint STRIPES = 0;
static const uint RINGS = 1;
static const uint MOSAIC = 2;

[shader("raygeneration")]
void Camera()
{
    uint3 pixel = DispatchRaysIndex();
    uint3 size = DispatchRaysDimensions();
    RayDesc ray;
    ray.Origin = float3((pixel.xy + 0.5) / (float2)size.xy, -1);
    ray.Direction = float3(0, 0, 1);
    ray.TMin = 0;
    ray.TMax = 2;
    Payload payload;
    payload.color = float3(1, 0, 1);
    TraceRay(Scene, RAY_FLAG_FORCE_OPAQUE, ~0, 0, 0, 0, ray, payload);
    Output[pixel.xy] = float4(payload.color, 1);
}

[shader("miss")]
void Nothing(inout Payload payload)
{
    payload.color = float3(0.05, 0.05, 0.06);
}

[shader("closesthit")]
void PaintWall(inout Payload payload, in BuiltInTriangleIntersectionAttributes attributes)
{
    float3 p = WorldRayOrigin() + WorldRayDirection() * RayTCurrent();
    Pattern pattern;
    pattern.uv = p.xy * 3;
    pattern.seed = PrimitiveIndex() / 2;
    pattern.color = 0;
    CallShader(InstanceID(), pattern);
    payload.color = pattern.color;
}

[shader("callable")]
void Stripes(inout Pattern pattern)
{
    float wave = 0.5 + 0.5 * sin(24 * (pattern.uv.x + pattern.uv.y));
    pattern.color = lerp(float3(0.90, 0.35, 0.15), float3(0.98, 0.85, 0.55), smoothstep(0.4, 0.6, wave));
}

[shader("callable")]
void Rings(inout Pattern pattern)
{
    float2 center = frac(pattern.uv) - 0.5;
    float ring = frac(length(center) * 8);
    pattern.color = ring < 0.5 ? float3(0.10, 0.35, 0.55) : float3(0.70, 0.85, 0.90);
}

uint Hash(uint2 v)
{
    uint h = v.x * 0x9E3779B1u ^ v.y * 0x85EBCA77u;
    h ^= h >> 15;
    h *= 0xC2B2AE3Du;
    return h ^ h >> 13;
}

// Tiles of the other two patterns, chosen by a hash of the tile.
[shader("callable")]
void Mosaic(inout Pattern pattern)
{
    float2 scaled = pattern.uv * 4;
    uint2 tile = uint2(floor(scaled));
    uint pick = Hash(tile + pattern.seed);
    Pattern inner;
    inner.uv = frac(scaled);
    inner.seed = pick;
    inner.color = 0;
    CallShader(pick & 1 ? RINGS : STRIPES, inner);
    float2 edge = abs(frac(scaled) - 0.5);
    pattern.color = max(edge.x, edge.y) > 0.46 ? float3(0.15, 0.12, 0.10) : inner.color;
}
