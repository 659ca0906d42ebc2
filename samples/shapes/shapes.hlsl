// rtc -T lib_6_3 -Gis
// Spheres and hollow boxes made by an intersection shader above a floor of triangles. An any-hit shader cuts a
// pattern out of the boxes, closest-hit shaders trace shadow and mirror rays, and each hit group gets its
// material from local root constants.

// Colour rays and shadow rays share a payload, because both run the any-hit shader.
struct Radiance
{
    float3 color;
    uint depth;
};

struct SurfaceAttributes
{
    float3 normal;
    uint part;
};

struct Material
{
    float3 albedo;
    float reflectance;
    uint kind;
};

cbuffer Frame : register(b0)
{
    float4x4 ClipToWorld;
    float3 Eye;
    float Time;
    float3 LightDirection;
    uint MaxDepth;
};

ConstantBuffer<Material> Surface : register(b1, space1);
RaytracingAccelerationStructure Scene : register(t0);
RWTexture2D<float4> Output : register(u0);

static const uint KIND_SPHERE = 0;
static const uint KIND_BOX = 1;

#ifndef NO_SUBOBJECTS
GlobalRootSignature Globals = { "SRV(t0), CBV(b0), DescriptorTable(UAV(u0))" };
LocalRootSignature MaterialArguments = { "RootConstants(num32BitConstants = 5, b1, space = 1)" };
TriangleHitGroup Floor = { "", "ShadeFloor" };
ProceduralPrimitiveHitGroup Shape = { "CutPattern", "ShadeShape", "HitShape" };
SubobjectToExportsAssociation MaterialsOfHitGroups = { "MaterialArguments", "Floor;Shape" };
RaytracingShaderConfig Sizes = { 16, 16 };
RaytracingPipelineConfig1 Depth = { 4, RAYTRACING_PIPELINE_FLAG_NONE };
#endif

static const uint MISS_RADIANCE = 0;
static const uint MISS_SHADOW = 1;

float3 SkyColor(float3 direction)
{
    float up = saturate(direction.y * 0.5 + 0.5);
    float sun = pow(saturate(dot(direction, LightDirection)), 256);
    return lerp(float3(0.85, 0.88, 0.92), float3(0.25, 0.45, 0.80), up) + sun.xxx;
}

RayDesc MakeRay(float3 origin, float3 direction)
{
    RayDesc ray = { origin, 0.001, direction, 100.0 };
    return ray;
}

float TraceShadow(float3 position)
{
    Radiance shadow = { float3(0, 0, 0), 0 };
    const uint flags = RAY_FLAG_ACCEPT_FIRST_HIT_AND_END_SEARCH | RAY_FLAG_SKIP_CLOSEST_HIT_SHADER;
    TraceRay(Scene, flags, 0xff, 0, 1, MISS_SHADOW, MakeRay(position, LightDirection), shadow);
    return shadow.color.x;
}

void Shade(inout Radiance payload, float3 normal, float3 albedo)
{
    float3 position = WorldRayOrigin() + WorldRayDirection() * RayTCurrent();
    float3 outside = position + normal * 0.002;
    float facing = saturate(dot(normal, LightDirection));
    float light = facing > 0 ? facing * TraceShadow(outside) : 0;
    float3 color = albedo * (0.25 + 0.75 * light);

    if (Surface.reflectance > 0 && payload.depth + 1 < MaxDepth)
    {
        Radiance mirrored = { float3(0, 0, 0), payload.depth + 1 };
        float3 direction = reflect(WorldRayDirection(), normal);
        TraceRay(Scene, RAY_FLAG_NONE, 0xff, 0, 1, MISS_RADIANCE, MakeRay(outside, direction), mirrored);
        float grazing = pow(1 - saturate(-dot(WorldRayDirection(), normal)), 5);
        color = lerp(color, mirrored.color, Surface.reflectance + (1 - Surface.reflectance) * grazing);
    }
    payload.color = color;
}

[shader("raygeneration")]
void Camera()
{
    uint2 pixel = DispatchRaysIndex().xy;
    float2 size = float2(DispatchRaysDimensions().xy);
    float3 color = 0;
    [unroll]
    for (uint sample = 0; sample < 4; ++sample)
    {
        float2 jitter = float2(sample & 1, sample >> 1) * 0.5 + 0.25;
        float2 clip = (float2(pixel) + jitter) / size * 2 - 1;
        float4 far = mul(ClipToWorld, float4(clip.x, -clip.y, 1, 1));
        Radiance payload = { float3(0, 0, 0), 0 };
        TraceRay(Scene, RAY_FLAG_NONE, 0xff, 0, 1, MISS_RADIANCE, MakeRay(Eye, normalize(far.xyz / far.w - Eye)), payload);
        color += payload.color;
    }
    Output[pixel] = float4(sqrt(saturate(color / 4)), 1);
}

[shader("miss")]
void MissRadiance(inout Radiance payload)
{
    payload.color = SkyColor(WorldRayDirection());
}

[shader("miss")]
void MissShadow(inout Radiance payload)
{
    payload.color = 1;
}

// Primitives are inscribed in the box from -1 to 1 of their instance.
bool SphereRange(float3 origin, float3 direction, out float2 range)
{
    float a = dot(direction, direction);
    float b = dot(origin, direction);
    float c = dot(origin, origin) - 1;
    float h = b * b - a * c;
    range = 0;
    if (h < 0)
        return false;
    float root = sqrt(h);
    range = float2(-b - root, -b + root) / a;
    return true;
}

bool BoxRange(float3 origin, float3 direction, out float2 range)
{
    float3 inverse = 1 / direction;
    float3 a = (-1 - origin) * inverse, b = (1 - origin) * inverse;
    float3 near = min(a, b), far = max(a, b);
    range = float2(max(near.x, max(near.y, near.z)), min(far.x, min(far.y, far.z)));
    return range.x <= range.y;
}

float3 BoxNormal(float3 p)
{
    float3 size = abs(p);
    if (size.x > size.y && size.x > size.z)
        return float3(sign(p.x), 0, 0);
    return size.y > size.z ? float3(0, sign(p.y), 0) : float3(0, 0, sign(p.z));
}

[shader("intersection")]
void HitShape()
{
    float3 origin = ObjectRayOrigin(), direction = ObjectRayDirection();
    float2 range;
    bool box = Surface.kind == KIND_BOX;
    bool hit = box ? BoxRange(origin, direction, range) : SphereRange(origin, direction, range);
    if (!hit)
        return;
    // The near and the far side: the any-hit shader may let the ray into the box.
    for (uint side = 0; side < 2; ++side)
    {
        float t = side == 0 ? range.x : range.y;
        if (t < RayTMin() || t > RayTCurrent())
            continue;
        float3 p = origin + t * direction;
        SurfaceAttributes attributes;
        attributes.normal = box ? BoxNormal(p) : p;
        attributes.part = side;
        if (ReportHit(t, side, attributes))
            break;
    }
}

[shader("anyhit")]
void CutPattern(inout Radiance payload, in SurfaceAttributes attributes)
{
    if (Surface.kind != KIND_BOX)
        return;
    float3 p = ObjectRayOrigin() + RayTCurrent() * ObjectRayDirection();
    float3 cell = abs(frac(p * 2.5 + 0.5) - 0.5);
    float3 across = lerp(cell, 0, abs(attributes.normal));
    if (dot(across, across) < 0.09)
        IgnoreHit();
}

[shader("closesthit")]
void ShadeShape(inout Radiance payload, in SurfaceAttributes attributes)
{
    float3 normal = normalize(mul((float3x3)ObjectToWorld3x4(), attributes.normal));
    if (dot(normal, WorldRayDirection()) > 0)
        normal = -normal;
    Shade(payload, normal, Surface.albedo);
}

[shader("closesthit")]
void ShadeFloor(inout Radiance payload, in BuiltInTriangleIntersectionAttributes attributes)
{
    float3 p = WorldRayOrigin() + WorldRayDirection() * RayTCurrent();
    // A checkerboard with soft borders.
    float2 wave = sin(p.xz * 3.14159265);
    float shade = lerp(0.55, 1.0, smoothstep(-0.1, 0.1, wave.x * wave.y));
    Shade(payload, float3(0, 1, 0), Surface.albedo * shade);
}
