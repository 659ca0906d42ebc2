// rtc -T lib_6_9 -HV 2021 -Gis
// A path tracer whose every material is a closest-hit shader of its own, with its parameters in the shader record: what shader
// execution reordering is for. One source has two forms: hit objects, or plain TraceRay with -DTRACE_RAY. Both make the same
// picture.

#include "../common/bsdf.hlsli"
#include "../common/camera.hlsli"
#include "../common/random.hlsli"
#include "../common/sphere.hlsli"
#include "../common/tonemap.hlsli"

#ifndef NO_SUBOBJECTS
GlobalRootSignature Globals = { "CBV(b0), SRV(t0), UAV(u1), DescriptorTable(UAV(u0))" };
LocalRootSignature OfMaterials = { "RootConstants(num32BitConstants = 9, b0, space = 1)" };
SubobjectToExportsAssociation Materials = { "OfMaterials", "Floor;Matte;Clay;Mirror;Glass;Metal;Lacquer;Wax;Film;Lamp" };
TriangleHitGroup Floor = { "", "ShadeChecker" };
ProceduralPrimitiveHitGroup Matte = { "", "ShadeMatte", "IntersectSphere" };
ProceduralPrimitiveHitGroup Clay = { "", "ShadeClay", "IntersectSphere" };
ProceduralPrimitiveHitGroup Mirror = { "", "ShadeMirror", "IntersectSphere" };
ProceduralPrimitiveHitGroup Glass = { "", "ShadeGlass", "IntersectSphere" };
ProceduralPrimitiveHitGroup Metal = { "", "ShadeMetal", "IntersectSphere" };
ProceduralPrimitiveHitGroup Lacquer = { "", "ShadeLacquer", "IntersectSphere" };
ProceduralPrimitiveHitGroup Wax = { "", "ShadeWax", "IntersectSphere" };
ProceduralPrimitiveHitGroup Film = { "", "ShadeFilm", "IntersectSphere" };
ProceduralPrimitiveHitGroup Lamp = { "", "ShadeLamp", "IntersectSphere" };
RaytracingShaderConfig Sizes = { 72, 12 };
RaytracingPipelineConfig Depth = { 1 };
#endif

struct FrameConstants
{
    CameraConstants camera;
    float3 sunDirection;
    uint samples;
    float3 sunRadiance;
    uint maxBounces;
    float3 zenith;
    float exposure;
    float3 horizon;
    float fireflyClamp;
};

// In the shader record of each hit group. Closest-hit shaders read it as a constant buffer; the ray generation shader peeks at
// `family` before it decides how to reorder.
struct MaterialRecord
{
    float3 color;
    float roughness;
    float3 detail;
    float ior;
    // How the material behaves: paths that meet the same family go on alike.
    uint family;
};

static const uint FAMILY_OFFSET = 32;
static const uint FAMILY_BITS = 2;

ConstantBuffer<FrameConstants> g_Frame : register(b0);
ConstantBuffer<MaterialRecord> g_Material : register(b0, space1);
RaytracingAccelerationStructure g_Scene : register(t0);
RWTexture2D<float4> g_Output : register(u0);
// How many rays were traced: what the benchmark divides by.
RWByteAddressBuffer g_Rays : register(u1);

static const uint MISS_SKY = 0;
static const uint MISS_SHADOW = 1;

// What a material has to say about one vertex of a path.
struct [raypayload] Scattering
{
    uint random : read(caller, closesthit) : write(caller, closesthit);
    // A zero weight ends the path.
    float3 weight : read(caller) : write(closesthit, miss);
    float3 emitted : read(caller) : write(closesthit, miss);
    float3 origin : read(caller) : write(closesthit);
    float3 direction : read(caller) : write(closesthit);
    // What arrives from the sun if nothing is between.
    float3 sunlight : read(caller) : write(closesthit, miss);
};

// A ray needs a payload, even where its hit object says all there is to know.
struct [raypayload] Visibility
{
#ifdef TRACE_RAY
    bool visible : read(caller) : write(caller, miss);
#else
    bool visible : read() : write();
#endif
};

struct SphereAttributes
{
    float3 normal;
};

// ---- Tracing, in both forms ----

bool IsSunVisible(float3 origin)
{
    RayDesc ray;
    ray.Origin = origin;
    ray.TMin = 0;
    ray.Direction = g_Frame.sunDirection;
    ray.TMax = RAY_FAR;
    Visibility shadow;
#ifdef TRACE_RAY
    shadow.visible = false;
    const uint flags = RAY_FLAG_ACCEPT_FIRST_HIT_AND_END_SEARCH | RAY_FLAG_SKIP_CLOSEST_HIT_SHADER;
    TraceRay(g_Scene, flags, 0xff, 0, 1, MISS_SHADOW, ray, shadow);
    return shadow.visible;
#else
    // Nothing needs to run to know that nothing was hit.
    const uint flags = RAY_FLAG_ACCEPT_FIRST_HIT_AND_END_SEARCH;
    return dx::HitObject::TraceRay(g_Scene, flags, 0xff, 0, 1, MISS_SHADOW, ray, shadow).IsMiss();
#endif
}

// Finds what a ray meets and lets its material scatter.
void TraceAndShade(RayDesc ray, bool last, inout Scattering vertex)
{
#ifdef TRACE_RAY
    TraceRay(g_Scene, RAY_FLAG_NONE, 0xff, 0, 1, MISS_SKY, ray, vertex);
#else
    dx::HitObject hit = dx::HitObject::TraceRay(g_Scene, RAY_FLAG_NONE, 0xff, 0, 1, MISS_SKY, ray, vertex);
    const uint family = hit.IsHit() ? hit.LoadLocalRootTableConstant(FAMILY_OFFSET) : 0;
    // Paths that end here whatever they meet, apart from those that go on.
    dx::MaybeReorderThread(hit, (last ? 1u << FAMILY_BITS : 0) | family, FAMILY_BITS + 1);
    dx::HitObject::Invoke(hit, vertex);
#endif
}

// ---- Paths ----

float3 TracePath(RayDesc ray, uint seed, inout uint rays)
{
    float3 throughput = 1;
    float3 radiance = 0;
    Scattering vertex;
    vertex.random = seed;
    for (uint bounce = 0; bounce <= g_Frame.maxBounces; ++bounce)
    {
        TraceAndShade(ray, bounce == g_Frame.maxBounces, vertex);
        ++rays;

        float3 arriving = vertex.emitted;
        if (any(vertex.sunlight > 0))
        {
            ++rays;
            // Sunlight comes from the side that the surface was seen from.
            if (IsSunVisible(vertex.origin))
                arriving += vertex.sunlight * g_Frame.sunRadiance;
        }
        const float3 light = throughput * arriving;
        const float limit = bounce == 0 ? 1e6 : g_Frame.fireflyClamp;
        radiance += light * min(1, limit / max(MaxComponent(light), 1e-6));

        throughput *= vertex.weight;
        if (MaxComponent(throughput) < 1e-3)
            break;
        if (bounce > 2)
        {
            rng::Stream random;
            random.state = vertex.random;
            const float survival = min(MaxComponent(throughput), 0.95);
            const bool ends = random.Next1D() >= survival;
            vertex.random = random.state;
            if (ends)
                break;
            throughput /= survival;
        }
        ray.Origin = vertex.origin;
        ray.Direction = vertex.direction;
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
        const float3 radiance = TracePath(camera::PrimaryRay(g_Frame.camera, position, size), random.state, rays);
        sum += any(isnan(radiance)) || any(isinf(radiance)) ? 0 : radiance;
    }
    g_Output[pixel] = float4(tonemap::Display(sum / g_Frame.samples, g_Frame.exposure), 1);
    g_Rays.InterlockedAdd(0, rays);
}

// ---- Nothing was hit ----

[shader("miss")]
void Sky(inout Scattering vertex)
{
    const float up = WorldRayDirection().y;
    const float3 above = lerp(g_Frame.horizon, g_Frame.zenith, pow(saturate(up), 0.6));
    vertex.emitted = lerp(g_Frame.horizon * 0.3, above, smoothstep(-0.05, 0.02, up));
    vertex.weight = 0;
    vertex.sunlight = 0;
}

[shader("miss")]
void Unshadowed(inout Visibility shadow)
{
    // Without TRACE_RAY it is in the shader table and never runs.
#ifdef TRACE_RAY
    shadow.visible = true;
#endif
}

// ---- Geometry ----

bool ReportSphere(sphere::Sphere ball, float t)
{
    if (t < RayTMin() || t > RayTCurrent())
        return false;
    SphereAttributes attributes;
    attributes.normal = ball.NormalAt(WorldRayOrigin() + t * WorldRayDirection());
    return ReportHit(t, 0, attributes);
}

[shader("intersection")]
void IntersectSphere()
{
    sphere::Sphere ball = sphere::Sphere::Of(ObjectToWorld3x4());
    float2 distances;
    if (!ball.Intersect(WorldRayOrigin(), WorldRayDirection(), distances))
        return;
    if (!ReportSphere(ball, distances.x))
        ReportSphere(ball, distances.y);
}

// Where a material is, in a frame whose z is the normal.
struct Vertex
{
    float3 position;
    // Outwards, or towards the ray where the material has no inside.
    float3 normal;
    Frame frame;
    float3 wo;

    static Vertex Create(float3 position, float3 normal)
    {
        Vertex v;
        v.position = position;
        v.normal = normal;
        v.frame = Frame::FromNormal(normal);
        v.wo = v.frame.ToLocal(-WorldRayDirection());
        return v;
    }

    static Vertex OnSphere(SphereAttributes attributes)
    {
        sphere::Sphere ball = sphere::Sphere::Of(ObjectToWorld3x4());
        return Create(ball.PointAt(attributes.normal), attributes.normal);
    }
};

void Leave(inout Scattering vertex, float3 position, float3 normal, float3 direction)
{
    vertex.origin = OffsetRay(position, dot(normal, direction) >= 0 ? normal : -normal);
    vertex.direction = direction;
}

// Lets a lobe of bsdf.hlsli scatter, and evaluates it for the sun.
template<typename Lobe>
void Scatter(inout Scattering vertex, Vertex v, Lobe lobe)
{
    rng::Stream random;
    random.state = vertex.random;
    const float2 u = random.Next2D();
    const float choice = random.Next1D();
    vertex.random = random.state;

    vertex.emitted = 0;
    const float3 sun = v.frame.ToLocal(g_Frame.sunDirection);
    vertex.sunlight = sun.z > 0 ? lobe.Evaluate(v.wo, sun) : 0;

    bsdf::ScatterSample s;
    const bool valid = lobe.Sample(v.wo, float3(u, choice), s);
    vertex.weight = valid ? s.weight : 0;
    Leave(vertex, v.position, v.normal, v.frame.ToWorld(valid ? s.wi : float3(0, 0, 1)));
}

// ---- Materials ----

[shader("closesthit")]
void ShadeChecker(inout Scattering vertex, in BuiltInTriangleIntersectionAttributes attributes)
{
    // The floor is where y is zero, which is more exact than RayTCurrent().
    const float t = -WorldRayOrigin().y / WorldRayDirection().y;
    const float3 position = WorldRayOrigin() + t * WorldRayDirection();
    const int2 tile = int2(floor(position.xz * g_Material.detail.x));
    // Far away a pixel sees many tiles.
    const float shade = (tile.x + tile.y) & 1 ? 1 : g_Material.detail.y;
    const float3 color = g_Material.color * lerp(0.5 + 0.5 * g_Material.detail.y, shade, exp(-0.004 * t * t));
    Scatter(vertex, Vertex::Create(float3(position.x, 0, position.z), float3(0, 1, 0)), bsdf::Lambert::Create(color));
}

[shader("closesthit")]
void ShadeMatte(inout Scattering vertex, in SphereAttributes attributes)
{
    Scatter(vertex, Vertex::OnSphere(attributes), bsdf::Lambert::Create(g_Material.color));
}

[shader("closesthit")]
void ShadeClay(inout Scattering vertex, in SphereAttributes attributes)
{
    Scatter(vertex, Vertex::OnSphere(attributes), bsdf::OrenNayar::Create(g_Material.color, g_Material.roughness));
}

[shader("closesthit")]
void ShadeMirror(inout Scattering vertex, in SphereAttributes attributes)
{
    Vertex v = Vertex::OnSphere(attributes);
    vertex.emitted = 0;
    vertex.sunlight = 0;
    vertex.weight = bsdf::FresnelSchlick(g_Material.color, v.wo.z);
    Leave(vertex, v.position, v.normal, reflect(WorldRayDirection(), v.normal));
}

[shader("closesthit")]
void ShadeGlass(inout Scattering vertex, in SphereAttributes attributes)
{
    bsdf::SmoothDielectric lobe;
    lobe.tint = g_Material.color;
    lobe.ior = g_Material.ior;
    Scatter(vertex, Vertex::OnSphere(attributes), lobe);
}

[shader("closesthit")]
void ShadeMetal(inout Scattering vertex, in SphereAttributes attributes)
{
    Scatter(vertex, Vertex::OnSphere(attributes), bsdf::MakeConductor(g_Material.color, g_Material.roughness));
}

// A clear coat over a rough base that is part metal.
[shader("closesthit")]
void ShadeLacquer(inout Scattering vertex, in SphereAttributes attributes)
{
    Scatter(vertex, Vertex::OnSphere(attributes), bsdf::MakePrincipled(
        g_Material.color, g_Material.detail.x, g_Material.roughness, g_Material.ior, g_Material.detail.y, g_Material.detail.z));
}

// Part of the light goes through the sphere and leaves it elsewhere: one chord, absorbed along it, then diffuse.
[shader("closesthit")]
void ShadeWax(inout Scattering vertex, in SphereAttributes attributes)
{
    rng::Stream random;
    random.state = vertex.random;
    const float choice = random.Next1D();
    vertex.random = random.state;
    Vertex v = Vertex::OnSphere(attributes);
    if (choice >= g_Material.roughness)
    {
        Scatter(vertex, v, bsdf::Lambert::Create(g_Material.color));
        return;
    }
    const float2 u = random.Next2D();
    const float3 inwards = sampling::CosineHemisphere(u);
    vertex.random = random.state;
    // The chord of a unit sphere at an angle has twice its cosine as length.
    Frame frame = Frame::FromNormal(-attributes.normal);
    const float chord = 2 * inwards.z;
    SphereAttributes exit;
    exit.normal = normalize(attributes.normal + chord * frame.ToWorld(inwards));
    Vertex behind = Vertex::OnSphere(exit);
    // Seen from straight above: light that left here does not know where it came from.
    behind.wo = float3(0, 0, 1);
    Scatter(vertex, behind, bsdf::Lambert::Create(exp(-chord * g_Material.detail)));
}

// A metal under a film whose thickness makes colours by angle.
[shader("closesthit")]
void ShadeFilm(inout Scattering vertex, in SphereAttributes attributes)
{
    Vertex v = Vertex::OnSphere(attributes);
    const float cosine = sqrt(1 - (1 - v.wo.z * v.wo.z) / Square(g_Material.ior));
    const float3 phase = TWO_PI * g_Material.detail * cosine;
    Scatter(vertex, v, bsdf::MakeConductor(g_Material.color * (0.55 + 0.45 * cos(phase)), g_Material.roughness));
}

[shader("closesthit")]
void ShadeLamp(inout Scattering vertex, in SphereAttributes attributes)
{
    vertex.emitted = g_Material.color;
    vertex.weight = 0;
    vertex.sunlight = 0;
    // Qualifiers name this shader as a writer of these fields, so it writes them.
    vertex.origin = 0;
    vertex.direction = 0;
}
