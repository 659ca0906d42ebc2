// rtc -T lib_6_9 -HV 2021 -Gis
// A yard of boxes of twenty materials, each a closest-hit shader of its own: some return a color, some march or add up octaves of noise,
// which costs a hundred times as much. Paths have up to eight bounces, so neighbouring rays soon meet different materials: the sample that
// threads are reordered for. It has two forms, hit objects or plain TraceRay with -DTRACE_RAY, which make the same picture.
//
// All surfaces are flat, so that paths do not magnify what devices round otherwise.

#include "../common/bsdf.hlsli"
#include "../common/camera.hlsli"
#include "../common/random.hlsli"
#include "../common/tonemap.hlsli"

#ifndef NO_SUBOBJECTS
GlobalRootSignature Globals = { "CBV(b0), SRV(t0), SRV(t1), UAV(u1), DescriptorTable(SRV(t2, numDescriptors = 2), UAV(u0))" };
TriangleHitGroup Ground = { "", "ShadeGround" };
TriangleHitGroup Chalk = { "", "ShadeChalk" };
TriangleHitGroup Brick = { "", "ShadeBrick" };
TriangleHitGroup Mirror = { "", "ShadeMirror" };
TriangleHitGroup Glass = { "", "ShadeGlass" };
TriangleHitGroup Metal = { "", "ShadeMetal" };
TriangleHitGroup Lacquer = { "", "ShadeLacquer" };
TriangleHitGroup Marble = { "", "ShadeMarble" };
TriangleHitGroup Wood = { "", "ShadeWood" };
TriangleHitGroup Rust = { "", "ShadeRust" };
TriangleHitGroup Lava = { "", "ShadeLava" };
TriangleHitGroup Frost = { "", "ShadeFrost" };
TriangleHitGroup Weave = { "", "ShadeWeave" };
TriangleHitGroup Pearl = { "", "ShadePearl" };
TriangleHitGroup Mosaic = { "", "ShadeMosaic" };
TriangleHitGroup Pebbles = { "", "ShadePebbles" };
TriangleHitGroup Moss = { "", "ShadeMoss" };
TriangleHitGroup Granite = { "", "ShadeGranite" };
TriangleHitGroup Gem = { "", "ShadeGem" };
TriangleHitGroup Lamp = { "", "ShadeLamp" };
RaytracingShaderConfig Sizes = { 64, 8 };
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

// By InstanceID(). The ray generation shader peeks at `cost` before it decides how to reorder.
struct Material
{
    float3 color;
    float roughness;
    float3 second;
    // What the shader takes: 0 little, 3 most.
    uint cost;
};

static const uint COST_BITS = 2;

ConstantBuffer<FrameConstants> g_Frame : register(b0);
RaytracingAccelerationStructure g_Scene : register(t0);
StructuredBuffer<Material> g_Materials : register(t1);
Texture2D<float4> g_Tiles : register(t2);
Texture2D<float4> g_Bricks : register(t3);
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

struct [raypayload] Visibility
{
#ifdef TRACE_RAY
    bool visible : read(caller) : write(caller, miss);
#else
    bool visible : read() : write();
#endif
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
    TraceRay(g_Scene, flags, 0xff, 0, 0, MISS_SHADOW, ray, shadow);
    return shadow.visible;
#else
    const uint flags = RAY_FLAG_ACCEPT_FIRST_HIT_AND_END_SEARCH;
    return dx::HitObject::TraceRay(g_Scene, flags, 0xff, 0, 0, MISS_SHADOW, ray, shadow).IsMiss();
#endif
}

// Finds what a ray meets and lets its material scatter.
void TraceAndShade(RayDesc ray, bool last, inout Scattering vertex)
{
#ifdef TRACE_RAY
    TraceRay(g_Scene, RAY_FLAG_NONE, 0xff, 0, 0, MISS_SKY, ray, vertex);
#else
    dx::HitObject hit = dx::HitObject::TraceRay(g_Scene, RAY_FLAG_NONE, 0xff, 0, 0, MISS_SKY, ray, vertex);
    const uint cost = hit.IsHit() ? g_Materials[hit.GetInstanceID()].cost : 0;
    // Paths that end here whatever they meet, apart from those that go on.
    dx::MaybeReorderThread(hit, (last ? 1u << COST_BITS : 0) | cost, COST_BITS + 1);
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
            if (IsSunVisible(vertex.origin))
                arriving += vertex.sunlight * g_Frame.sunRadiance;
        }
        const float3 light = throughput * arriving;
        const float limit = bounce == 0 ? 1e6 : g_Frame.fireflyClamp;
        radiance += light * min(1, limit / max(MaxComponent(light), 1e-6));

        throughput *= vertex.weight;
        if (MaxComponent(throughput) < 0.02)
            break;
        if (bounce > 2)
        {
            rng::Stream random;
            random.state = vertex.random;
            // By length alone: a throughput that went through noise is as exact as a device's arithmetic.
            const bool ends = random.Next1D() >= 0.85;
            vertex.random = random.state;
            if (ends)
                break;
            throughput /= 0.85;
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
        sum += TracePath(camera::PrimaryRay(g_Frame.camera, position, size), random.state, rays);
    }
    g_Output[pixel] = float4(tonemap::Display(sum / g_Frame.samples, g_Frame.exposure), 1);
    g_Rays.InterlockedAdd(0, rays);
}

// ---- Nothing was hit ----

[shader("miss")]
void Sky(inout Scattering vertex)
{
    const float up = WorldRayDirection().y;
    vertex.emitted = lerp(g_Frame.horizon, g_Frame.zenith, sqrt(saturate(up)));
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

// ---- Surfaces ----

// Where a material is, in a frame whose z is the normal. A box has its faces at one from its middle in each direction, two geometries for each.
//
// The ray is cut with the plane of the face once more, from the instance's own transform: what is computed here is the same everywhere, and
// devices round distances and inverse transforms as they like.
struct Vertex
{
    float3 position;
    float3 normal;
    // Along the ray.
    float t;
    // On the box, for patterns: boxes of one material differ by what is added.
    float3 pattern;
    // On the face.
    float2 uv;
    Frame frame;
    float3 wo;
    bool inside;

    static Vertex Create()
    {
        const float3x4 m = ObjectToWorld3x4();
        const float3 middle = float3(m[0].w, m[1].w, m[2].w);
        const float3 x = float3(m[0].x, m[1].x, m[2].x);
        const float3 y = float3(m[0].y, m[1].y, m[2].y);
        const float3 z = float3(m[0].z, m[1].z, m[2].z);
        const uint axis = GeometryIndex() >> 1;
        const float side = GeometryIndex() & 1 ? -1 : 1;
        const float3 outwards = (axis == 0 ? x : axis == 1 ? y : z) * side;

        Vertex v;
        v.normal = normalize(outwards);
        v.t = dot(middle + outwards - WorldRayOrigin(), v.normal) / dot(WorldRayDirection(), v.normal);
        v.position = WorldRayOrigin() + v.t * WorldRayDirection();
        const float3 from = v.position - middle;
        const float3 p = float3(dot(from, x) / dot(x, x), dot(from, y) / dot(y, y), dot(from, z) / dot(z, z));
        v.uv = axis == 0 ? p.zy : axis == 1 ? p.xz : p.xy;
        v.inside = dot(v.normal, WorldRayDirection()) > 0;
        v.pattern = p * 2 + float(InstanceIndex() & 31) * 7;
        v.Face(v.normal);
        return v;
    }

    // On the plane y = 0.
    static Vertex OnGround()
    {
        Vertex v;
        v.normal = float3(0, 1, 0);
        v.t = -WorldRayOrigin().y / WorldRayDirection().y;
        v.position = WorldRayOrigin() + v.t * WorldRayDirection();
        v.position.y = 0;
        v.pattern = v.position;
        v.uv = v.position.xz;
        v.inside = false;
        v.Face(v.normal);
        return v;
    }

    void Face(float3 shading)
    {
        frame = Frame::FromNormal(shading);
        wo = frame.ToLocal(-WorldRayDirection());
    }

    // Tilts the normal, but not so far that the ray would come from the other side.
    void Bump(float3 slope)
    {
        const float3 tilted = normalize(normal - slope + normal * dot(slope, normal));
        if (dot(tilted, WorldRayDirection()) * dot(normal, WorldRayDirection()) > 0)
            Face(tilted);
    }
};

void Leave(inout Scattering vertex, Vertex v, float3 direction)
{
    vertex.origin = OffsetRay(v.position, dot(v.normal, direction) >= 0 ? v.normal : -v.normal);
    vertex.direction = direction;
}

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
    vertex.sunlight = sun.z > 0 && dot(v.normal, g_Frame.sunDirection) > 0 ? lobe.Evaluate(v.wo, sun) : 0;

    bsdf::ScatterSample s;
    const bool valid = lobe.Sample(v.wo, float3(u, choice), s);
    const float3 direction = v.frame.ToWorld(valid ? s.wi : float3(0, 0, 1));
    // A tilted normal may scatter into the surface.
    const bool through = (s.flags & bsdf::TRANSMISSION) != 0;
    const bool leaves = through || dot(direction, v.normal) * dot(WorldRayDirection(), v.normal) < 0;
    vertex.weight = valid && leaves ? s.weight : 0;
    Leave(vertex, v, direction);
}

void Diffuse(inout Scattering vertex, Vertex v, float3 color)
{
    Scatter(vertex, v, bsdf::Lambert::Create(color));
}

Material Own()
{
    return g_Materials[InstanceID()];
}

// ---- Noise ----

uint Hash(int3 cell)
{
    return rng::Pcg3d(uint3(cell)).x;
}

float Noise(float3 p)
{
    const int3 cell = int3(floor(p));
    float3 f = p - floor(p);
    f = f * f * (3 - 2 * f);
    float sum = 0;
    for (uint corner = 0; corner < 8; ++corner)
    {
        const int3 o = int3(corner & 1, (corner >> 1) & 1, corner >> 2);
        const float3 w = lerp(1 - f, f, float3(o));
        sum += w.x * w.y * w.z * rng::ToFloat(Hash(cell + o));
    }
    return sum;
}

float Fbm(float3 p, uint octaves)
{
    float sum = 0;
    float weight = 0.5;
    for (uint i = 0; i < octaves; ++i)
    {
        sum += weight * Noise(p);
        p = p * 2.03125 + 17.125;
        weight *= 0.5;
    }
    return sum;
}

float3 FbmSlope(float3 p, uint octaves)
{
    const float here = Fbm(p, octaves);
    const float2 e = float2(0.0625, 0);
    return (float3(Fbm(p + e.xyy, octaves), Fbm(p + e.yxy, octaves), Fbm(p + e.yyx, octaves)) - here) / e.x;
}

// The distances to the nearest and the second nearest of points, one in each cell.
float2 Cells(float3 p)
{
    const int3 cell = int3(floor(p));
    float2 nearest = 9;
    for (int z = -1; z <= 1; ++z)
        for (int y = -1; y <= 1; ++y)
            for (int x = -1; x <= 1; ++x)
            {
                const int3 at = cell + int3(x, y, z);
                const uint3 h = rng::Pcg3d(uint3(at));
                const float3 to = float3(at) + float3(rng::ToFloat(h.x), rng::ToFloat(h.y), rng::ToFloat(h.z)) - p;
                const float d = dot(to, to);
                nearest = d < nearest.x ? float2(d, nearest.x) : float2(nearest.x, min(nearest.y, d));
            }
    return sqrt(nearest);
}

// ---- Materials that cost little ----

float3 Texel(Texture2D<float4> map, float2 uv)
{
    uint width, height;
    map.GetDimensions(width, height);
    const int2 at = int2(floor(uv * float2(width, height)));
    return tonemap::SrgbToLinear(map.Load(int3(uint2(at) % uint2(width, height), 0)).rgb);
}

[shader("closesthit")]
void ShadeGround(inout Scattering vertex, in BuiltInTriangleIntersectionAttributes attributes)
{
    Vertex v = Vertex::OnGround();
    Diffuse(vertex, v, Texel(g_Tiles, v.uv * 0.5 + 64) * Own().color);
}

[shader("closesthit")]
void ShadeChalk(inout Scattering vertex, in BuiltInTriangleIntersectionAttributes attributes)
{
    Scatter(vertex, Vertex::Create(), bsdf::OrenNayar::Create(Own().color, Own().roughness));
}

[shader("closesthit")]
void ShadeBrick(inout Scattering vertex, in BuiltInTriangleIntersectionAttributes attributes)
{
    Vertex v = Vertex::Create();
    Diffuse(vertex, v, Texel(g_Bricks, v.uv + 2) * Own().color);
}

[shader("closesthit")]
void ShadeMirror(inout Scattering vertex, in BuiltInTriangleIntersectionAttributes attributes)
{
    Vertex v = Vertex::Create();
    vertex.emitted = 0;
    vertex.sunlight = 0;
    vertex.weight = bsdf::FresnelSchlick(Own().color, abs(v.wo.z));
    Leave(vertex, v, reflect(WorldRayDirection(), v.normal));
}

[shader("closesthit")]
void ShadeGlass(inout Scattering vertex, in BuiltInTriangleIntersectionAttributes attributes)
{
    bsdf::SmoothDielectric lobe;
    lobe.tint = Own().color;
    lobe.ior = 1.5;
    Scatter(vertex, Vertex::Create(), lobe);
}

[shader("closesthit")]
void ShadeMetal(inout Scattering vertex, in BuiltInTriangleIntersectionAttributes attributes)
{
    Scatter(vertex, Vertex::Create(), bsdf::MakeConductor(Own().color, Own().roughness));
}

[shader("closesthit")]
void ShadeLacquer(inout Scattering vertex, in BuiltInTriangleIntersectionAttributes attributes)
{
    Scatter(vertex, Vertex::Create(), bsdf::MakePrincipled(Own().color, 0.25, Own().roughness, 1.5, 1, 0.12));
}

[shader("closesthit")]
void ShadeLamp(inout Scattering vertex, in BuiltInTriangleIntersectionAttributes attributes)
{
    vertex.emitted = Own().color;
    vertex.weight = 0;
    vertex.sunlight = 0;
    // Qualifiers name this shader as a writer of these fields, so it writes them.
    vertex.origin = 0;
    vertex.direction = 0;
}

// ---- Materials that cost much ----

// Bands that noise of noise bends.
[shader("closesthit")]
void ShadeMarble(inout Scattering vertex, in BuiltInTriangleIntersectionAttributes attributes)
{
    Vertex v = Vertex::Create();
    const float3 p = v.pattern;
    const float3 warp = float3(Fbm(p, 5), Fbm(p + 5.25, 5), Fbm(p + 9.5, 5));
    const float band = frac(p.x * 0.75 + 2.5 * Fbm(p + 2 * warp, 7));
    Scatter(vertex, v, bsdf::MakePrincipled(lerp(Own().second, Own().color, abs(2 * band - 1)), 0, 0.6, 1.5, 1, 0.2));
}

// Rings around an axis, with fibres along it.
[shader("closesthit")]
void ShadeWood(inout Scattering vertex, in BuiltInTriangleIntersectionAttributes attributes)
{
    Vertex v = Vertex::Create();
    const float3 p = v.pattern;
    const float2 from = p.xz - 100 + 0.35 * float2(Fbm(p, 4), Fbm(p + 3.5, 4));
    const float ring = frac(length(from) * 5);
    const float fibre = Fbm(p * float3(24, 1, 24), 4);
    Scatter(vertex, v, bsdf::OrenNayar::Create(lerp(Own().color, Own().second, saturate(ring * ring + 0.5 * fibre - 0.25)), 0.4));
}

// Metal where it is not eaten, by noise of eight octaves.
[shader("closesthit")]
void ShadeRust(inout Scattering vertex, in BuiltInTriangleIntersectionAttributes attributes)
{
    Vertex v = Vertex::Create();
    const float eaten = saturate(8 * Fbm(v.pattern * 1.5, 8) - 3.5);
    const float3 spots = lerp(Own().second, Own().second * 0.4, Fbm(v.pattern * 6, 8));
    v.Bump(0.25 * eaten * FbmSlope(v.pattern * 3, 4));
    Scatter(vertex, v, bsdf::MakePrincipled(lerp(Own().color, spots, eaten), 1 - eaten, lerp(0.4, 0.9, eaten), 1.5, 0, 0.2));
}

// Glows in its cracks.
[shader("closesthit")]
void ShadeLava(inout Scattering vertex, in BuiltInTriangleIntersectionAttributes attributes)
{
    Vertex v = Vertex::Create();
    const float crack = abs(2 * Fbm(v.pattern * 1.25 + Fbm(v.pattern * 2, 6), 10) - 1);
    Diffuse(vertex, v, Own().second);
    vertex.emitted = Own().color * Pow5(saturate(1 - 3 * crack));
}

// Glass whose surface is uneven.
[shader("closesthit")]
void ShadeFrost(inout Scattering vertex, in BuiltInTriangleIntersectionAttributes attributes)
{
    Vertex v = Vertex::Create();
    v.Bump(0.125 * FbmSlope(v.pattern * 3, 6));
    bsdf::SmoothDielectric lobe;
    lobe.tint = Own().color;
    lobe.ior = 1.33;
    Scatter(vertex, v, lobe);
}

// Threads over and under each other, in layers.
[shader("closesthit")]
void ShadeWeave(inout Scattering vertex, in BuiltInTriangleIntersectionAttributes attributes)
{
    Vertex v = Vertex::Create();
    float3 color = 0;
    float left = 1;
    float2 at = (v.uv + 1) * 6;
    for (uint layer = 0; layer < 10; ++layer)
    {
        const int2 cell = int2(floor(at));
        const float2 f = at - floor(at) - 0.5;
        const bool over = ((cell.x + cell.y + int(layer)) & 1) != 0;
        const float across = over ? f.x : f.y;
        const float height = saturate(1 - 5 * across * across) * (0.75 + 0.25 * Noise(float3(at * 4, layer)));
        const float here = left * height * 0.5;
        color += here * lerp(Own().color, Own().second, over ? 1.0 : 0.0) * (0.5 + 0.5 * height);
        left -= here;
        at = at * 1.25 + 3.375;
    }
    Diffuse(vertex, v, color);
}

// A film over a bright base: light of 48 wavelengths, each with its own phase.
[shader("closesthit")]
void ShadePearl(inout Scattering vertex, in BuiltInTriangleIntersectionAttributes attributes)
{
    Vertex v = Vertex::Create();
    const float thickness = 240 + 320 * Fbm(v.pattern, 4);
    const float cosine = sqrt(1 - (1 - v.wo.z * v.wo.z) / Square(1.45));
    float3 color = 0;
    float3 all = 0;
    for (uint n = 0; n < 48; ++n)
    {
        const float wave = 390 + 7 * float(n);
        const float3 sees = saturate(1 - abs(wave - float3(600, 545, 450)) / 75);
        color += sees * (0.5 + 0.5 * cos(TWO_PI * 2.9 * thickness * cosine / wave));
        all += sees;
    }
    Scatter(vertex, v, bsdf::MakePrincipled(Own().color * (0.35 + 0.65 * color / all), 0.4, Own().roughness, 1.5, 1, 0.1));
}

// Stones, each colored by how long a point of the plane stays near under iteration.
[shader("closesthit")]
void ShadeMosaic(inout Scattering vertex, in BuiltInTriangleIntersectionAttributes attributes)
{
    Vertex v = Vertex::Create();
    const float2 stone = floor((v.uv + 1) * 24) / 24 - 1;
    float2 z = stone * 1.375;
    uint n = 0;
    for (; n < 160 && dot(z, z) < 16; ++n)
        z = float2(z.x * z.x - z.y * z.y - 0.75, 2 * z.x * z.y + 0.125);
    const float3 color = n == 160 ? Own().second : Own().color * (0.25 + 0.75 * frac(n * 0.1875));
    Scatter(vertex, v, bsdf::MakePlastic(color, 1.5, 0.3));
}

// Stones in cement, three sizes of them.
[shader("closesthit")]
void ShadePebbles(inout Scattering vertex, in BuiltInTriangleIntersectionAttributes attributes)
{
    Vertex v = Vertex::Create();
    float3 color = Own().second;
    float scale = 2;
    for (uint size = 0; size < 3; ++size)
    {
        const float2 d = Cells(v.pattern * scale);
        const float stone = saturate(8 * (d.y - d.x) - 0.75);
        color = lerp(color, Own().color * (0.4 + 0.6 * saturate(1 - d.x)), stone * (1 - 0.25 * size));
        scale *= 2;
    }
    Diffuse(vertex, v, color);
}

// A march through tufts below the surface.
[shader("closesthit")]
void ShadeMoss(inout Scattering vertex, in BuiltInTriangleIntersectionAttributes attributes)
{
    Vertex v = Vertex::Create();
    float3 p = v.pattern * 4;
    const float3 step = WorldRayDirection() * 0.0625;
    float left = 1;
    float3 color = 0;
    for (uint i = 0; i < 40 && left > 0.03; ++i)
    {
        const float here = left * saturate(3 * Fbm(p, 4) - 0.75);
        color += here * lerp(Own().color, Own().second, float(i) / 40);
        left -= here;
        p += step;
    }
    Diffuse(vertex, v, color);
}

// Grains of three kinds.
[shader("closesthit")]
void ShadeGranite(inout Scattering vertex, in BuiltInTriangleIntersectionAttributes attributes)
{
    Vertex v = Vertex::Create();
    const float3 p = v.pattern * 3;
    const float3 grains = float3(Fbm(p, 8), Fbm(p * 2 + 3.5, 8), Fbm(p * 4 + 7.25, 8));
    const float3 share = saturate(4 * grains - 1.25);
    float3 color = lerp(Own().color, Own().second, share.x);
    color = lerp(color, 0.06, share.y * 0.8);
    color = lerp(color, 0.85, share.z * 0.4 * Cells(p * 3).x);
    Scatter(vertex, v, bsdf::MakePlastic(color, 1.5, 0.25));
}

// Glass that absorbs along the way through it, by what grows inside.
[shader("closesthit")]
void ShadeGem(inout Scattering vertex, in BuiltInTriangleIntersectionAttributes attributes)
{
    Vertex v = Vertex::Create();
    bsdf::SmoothDielectric lobe;
    lobe.tint = 1;
    lobe.ior = 1.75;
    if (v.inside)
    {
        float dust = 0;
        for (uint i = 0; i < 16; ++i)
            dust += Fbm(v.pattern - WorldRayDirection() * (v.t * (i + 0.5) / 16), 5);
        lobe.tint = exp(-(1 - Own().color) * v.t * (0.5 + dust / 8));
    }
    Scatter(vertex, v, lobe);
}
