// rtc -T lib_6_6 -HV 2021 -Gis
// Meshlets and lights that are culled before anything is shaded. A compute shader bounds each meshlet by a sphere and a cone of its
// normals; amplification shaders leave out meshlets outside of the camera's view or turned away from it, and lights out of their
// reach; mesh shaders trace rays from a meshlet's vertices to the lights that are left and pass on those that arrive anywhere, as an
// attribute of primitives. Pixel shaders shade with these lights alone. The picture: what the camera sees, and from above which
// meshlets were drawn for it, each in a colour of its own. What was culled is counted.

#include "../common/camera.hlsli"
#include "../common/random.hlsli"
#include "../common/sampling.hlsli"
#include "../common/tonemap.hlsli"

#define MESHLET_VERTICES 64
#define MESHLET_TRIANGLES 126
#define MAX_MESHLETS 64
#define GROUP_MESHLETS 32

#ifndef SHADOW_RAYS
#define SHADOW_RAYS 6
#endif

struct FrameConstants
{
    float4x4 worldToClip;
    float3 eye;
    float exposure;
    // Of the view from above.
    float4x4 aboveToClip;
    float lightSize;
};

// Buffers of a mesh in the bindless table.
struct MeshRecord
{
    uint positions;
    uint normals;
    uint meshlets;
    uint vertices;
    uint triangles;
};

struct InstanceRecord
{
    float3 color;
    uint mesh;
};

struct InstanceTransform
{
    row_major float3x4 objectToWorld;
};

struct LightRecord
{
    float3 position;
    // Farther away it has no effect.
    float reach;
    float3 color;
};

// First entries and numbers of a meshlet's vertices and triangles.
struct Meshlet
{
    uint firstVertex;
    uint vertexCount;
    uint firstTriangle;
    uint triangleCount;
};

// No triangle can be seen from where `axis` points within an angle whose sine is `cutoff`, see `IsTurnedAway`.
struct MeshletBounds
{
    float3 center;
    float radius;
    float3 axis;
    float cutoff;
};

struct Counts
{
    uint meshlets;
    uint outside;
    uint turnedAway;
    uint drawn;
    // Pairs of drawn meshlets and lights: all, those in reach, and those where a ray arrives.
    uint lightsOfAll;
    uint lightsInReach;
    uint lightsThatArrive;
    uint triangles;
    uint trianglesTurnedAway;
};

ConstantBuffer<FrameConstants> g_Frame : register(b0);
RaytracingAccelerationStructure g_Scene : register(t0);
StructuredBuffer<MeshRecord> g_Meshes : register(t1);
StructuredBuffer<InstanceRecord> g_Instances : register(t2);
StructuredBuffer<InstanceTransform> g_Transforms : register(t3);
StructuredBuffer<LightRecord> g_Lights : register(t4);
BINDLESS_TABLE(ByteAddressBuffer, g_Buffers, SPACE_BUFFERS);
RWStructuredBuffer<MeshletBounds> g_Bounds : register(u0);
RWStructuredBuffer<Counts> g_Counts : register(u1);

// ---- Meshlets ----

uint MeshletCount(MeshRecord mesh)
{
    uint bytes;
    BINDLESS(g_Buffers, mesh.meshlets).GetDimensions(bytes);
    return bytes / sizeof(Meshlet);
}

Meshlet LoadMeshlet(MeshRecord mesh, uint index)
{
    return BINDLESS(g_Buffers, mesh.meshlets).Load<Meshlet>(index * sizeof(Meshlet));
}

uint LoadVertexIndex(MeshRecord mesh, Meshlet meshlet, uint vertex)
{
    return BINDLESS(g_Buffers, mesh.vertices).Load((meshlet.firstVertex + vertex) * 4);
}

uint3 LoadTriangle(MeshRecord mesh, Meshlet meshlet, uint index)
{
    const uint packed = BINDLESS(g_Buffers, mesh.triangles).Load((meshlet.firstTriangle + index) * 4);
    return uint3(packed, packed >> 10, packed >> 20) & 1023;
}

float3 LoadPosition(MeshRecord mesh, uint vertex)
{
    return BINDLESS(g_Buffers, mesh.positions).Load<float3>(vertex * 12);
}

float3 LoadNormal(MeshRecord mesh, uint vertex)
{
    return BINDLESS(g_Buffers, mesh.normals).Load<float3>(vertex * 12);
}

// ---- Bounds ----

groupshared float3 s_Positions[MESHLET_VERTICES];
groupshared float3 s_Low[MESHLET_VERTICES];
groupshared float3 s_High[MESHLET_VERTICES];
groupshared float3 s_Normals[MESHLET_VERTICES];
groupshared float2 s_Extremes[MESHLET_VERTICES];

float3 TriangleNormal(uint3 corners)
{
    const float3 a = s_Positions[corners.x];
    return SafeNormalize(cross(s_Positions[corners.y] - a, s_Positions[corners.z] - a), 0);
}

[shader("compute")]
[numthreads(MESHLET_VERTICES, 1, 1)]
void BoundMeshlets(uint thread : SV_GroupIndex, uint3 group : SV_GroupID)
{
    const MeshRecord mesh = g_Meshes[group.y];
    if (group.x >= min(MeshletCount(mesh), MAX_MESHLETS))
        return;
    const Meshlet meshlet = LoadMeshlet(mesh, group.x);
    // Threads without a vertex repeat the last one.
    s_Positions[thread] = LoadPosition(mesh, LoadVertexIndex(mesh, meshlet, min(thread, meshlet.vertexCount - 1)));
    s_Low[thread] = s_High[thread] = s_Positions[thread];
    GroupMemoryBarrierWithGroupSync();

    float3 sum = 0;
    for (uint i = thread; i < meshlet.triangleCount; i += MESHLET_VERTICES)
        sum += TriangleNormal(LoadTriangle(mesh, meshlet, i));
    s_Normals[thread] = sum;
    GroupMemoryBarrierWithGroupSync();
    for (uint half = MESHLET_VERTICES / 2; half > 0; half /= 2)
    {
        if (thread < half)
        {
            s_Low[thread] = min(s_Low[thread], s_Low[thread + half]);
            s_High[thread] = max(s_High[thread], s_High[thread + half]);
            s_Normals[thread] += s_Normals[thread + half];
        }
        GroupMemoryBarrierWithGroupSync();
    }

    // The sphere around the middle of the box, and the widest angle between a normal and their mean.
    const float3 center = (s_Low[0] + s_High[0]) / 2;
    const float3 axis = SafeNormalize(s_Normals[0], float3(0, 1, 0));
    float2 extremes = float2(length(s_Positions[thread] - center), 1);
    for (uint i = thread; i < meshlet.triangleCount; i += MESHLET_VERTICES)
        extremes.y = min(extremes.y, dot(axis, TriangleNormal(LoadTriangle(mesh, meshlet, i))));
    s_Extremes[thread] = extremes;
    GroupMemoryBarrierWithGroupSync();
    for (uint half = MESHLET_VERTICES / 2; half > 0; half /= 2)
    {
        if (thread < half)
        {
            const float2 other = s_Extremes[thread + half];
            s_Extremes[thread] = float2(max(s_Extremes[thread].x, other.x), min(s_Extremes[thread].y, other.y));
        }
        GroupMemoryBarrierWithGroupSync();
    }
    if (thread == 0)
    {
        MeshletBounds bounds;
        bounds.center = center;
        bounds.radius = s_Extremes[0].x;
        bounds.axis = axis;
        // A cone of a half-space or more never culls.
        bounds.cutoff = s_Extremes[0].y <= 0.05 ? 2 : SafeSqrt(1 - Square(s_Extremes[0].y));
        g_Bounds[group.y * MAX_MESHLETS + group.x] = bounds;
    }
}

// ---- Culling of meshlets ----

// Instances are scaled alike in all directions.
MeshletBounds WorldBounds(MeshletBounds bounds, float3x4 objectToWorld)
{
    const float scale = length(objectToWorld._m00_m10_m20);
    MeshletBounds world;
    world.center = mul(objectToWorld, float4(bounds.center, 1));
    world.radius = bounds.radius * scale;
    world.axis = mul((float3x3)objectToWorld, bounds.axis) / scale;
    world.cutoff = bounds.cutoff;
    return world;
}

bool IsOutside(MeshletBounds bounds, float4x4 worldToClip)
{
    const float4 planes[6] =
    {
        worldToClip[3] + worldToClip[0], worldToClip[3] - worldToClip[0], worldToClip[3] + worldToClip[1],
        worldToClip[3] - worldToClip[1], worldToClip[2], worldToClip[3] - worldToClip[2],
    };
    bool outside = false;
    [unroll]
    for (uint i = 0; i < 6; ++i)
        outside = outside || dot(planes[i], float4(bounds.center, 1)) < -bounds.radius * length(planes[i].xyz);
    return outside;
}

// Whether every triangle shows its back to a point.
bool IsTurnedAway(MeshletBounds bounds, float3 from)
{
    const float3 d = bounds.center - from;
    return dot(d, bounds.axis) >= bounds.cutoff * length(d) + bounds.radius;
}

uint LightsInReach(MeshletBounds bounds)
{
    uint count, stride;
    g_Lights.GetDimensions(count, stride);
    uint mask = 0;
    for (uint i = 0; i < min(count, 32); ++i)
    {
        const LightRecord light = g_Lights[i];
        const float3 d = light.position - bounds.center;
        if (dot(d, d) < Square(light.reach + bounds.radius) && !IsTurnedAway(bounds, light.position))
            mask |= 1u << i;
    }
    return mask;
}

struct Payload
{
    uint instance;
    uint meshlets[GROUP_MESHLETS];
    uint lights[GROUP_MESHLETS];
};

groupshared Payload s_Payload;
groupshared uint s_Drawn;

// A thread for each meshlet of an instance. The payload holds those that are drawn, in any order.
void CullGroup(uint thread, uint3 group, bool counts)
{
    if (thread == 0)
    {
        s_Drawn = 0;
        s_Payload.instance = group.y;
    }
    GroupMemoryBarrierWithGroupSync();
    const uint index = group.x * GROUP_MESHLETS + thread;
    const uint mesh = g_Instances[group.y].mesh;
    if (index < min(MeshletCount(g_Meshes[mesh]), MAX_MESHLETS))
    {
        const MeshletBounds bounds = WorldBounds(g_Bounds[mesh * MAX_MESHLETS + index], g_Transforms[group.y].objectToWorld);
        const bool outside = IsOutside(bounds, g_Frame.worldToClip);
        const bool turnedAway = !outside && IsTurnedAway(bounds, g_Frame.eye);
        const uint lights = LightsInReach(bounds);
        uint before;
        if (!outside && !turnedAway)
        {
            uint slot;
            InterlockedAdd(s_Drawn, 1, slot);
            s_Payload.meshlets[slot] = index;
            s_Payload.lights[slot] = lights;
        }
        if (counts)
        {
            uint count, stride;
            g_Lights.GetDimensions(count, stride);
            InterlockedAdd(g_Counts[0].meshlets, 1, before);
            if (outside)
                InterlockedAdd(g_Counts[0].outside, 1, before);
            else if (turnedAway)
                InterlockedAdd(g_Counts[0].turnedAway, 1, before);
            else
            {
                InterlockedAdd(g_Counts[0].drawn, 1, before);
                InterlockedAdd(g_Counts[0].lightsOfAll, count, before);
                InterlockedAdd(g_Counts[0].lightsInReach, countbits(lights), before);
            }
        }
    }
    GroupMemoryBarrierWithGroupSync();
    DispatchMesh(s_Drawn, 1, 1, s_Payload);
}

[shader("amplification")]
[numthreads(GROUP_MESHLETS, 1, 1)]
void CullMeshlets(uint thread : SV_GroupIndex, uint3 group : SV_GroupID)
{
    CullGroup(thread, group, true);
}

[shader("amplification")]
[numthreads(GROUP_MESHLETS, 1, 1)]
void CullMeshletsAgain(uint thread : SV_GroupIndex, uint3 group : SV_GroupID)
{
    CullGroup(thread, group, false);
}

// ---- Meshlets that are drawn ----

struct Vertex
{
    float4 clip : SV_Position;
    float3 position : POSITION;
    float3 normal : NORMAL;
};

struct Primitive
{
    nointerpolation uint lights : LIGHTS;
    nointerpolation float3 color : COLOR;
    bool culled : SV_CullPrimitive;
};

// What pixel shaders get of both; in SPIR-V they say themselves which inputs are of primitives.
struct PixelInput
{
    float4 clip : SV_Position;
    float3 position : POSITION;
    float3 normal : NORMAL;
    [[vk::ext_decorate(5271)]] nointerpolation uint lights : LIGHTS;
    [[vk::ext_decorate(5271)]] nointerpolation float3 color : COLOR;
};

bool Arrives(float3 from, float3 to)
{
    RayDesc ray;
    ray.Origin = from;
    ray.TMin = 0;
    ray.Direction = to - from;
    ray.TMax = 1;
    RayQuery<RAY_FLAG_ACCEPT_FIRST_HIT_AND_END_SEARCH | RAY_FLAG_SKIP_PROCEDURAL_PRIMITIVES | RAY_FLAG_FORCE_OPAQUE> query;
    query.TraceRayInline(g_Scene, RAY_FLAG_NONE, 0xff, ray);
    query.Proceed();
    return query.CommittedStatus() == COMMITTED_NOTHING;
}

groupshared uint s_Lights;
groupshared float3 s_Clips[MESHLET_VERTICES];

Vertex TransformVertex(MeshRecord mesh, uint vertex, float3x4 objectToWorld, float4x4 worldToClip)
{
    Vertex result;
    result.position = mul(objectToWorld, float4(LoadPosition(mesh, vertex), 1));
    result.normal = SafeNormalize(mul((float3x3)objectToWorld, LoadNormal(mesh, vertex)), float3(0, 1, 0));
    result.clip = mul(worldToClip, float4(result.position, 1));
    return result;
}

float3 FalseColor(uint value)
{
    const uint h = rng::Pcg(value + 7);
    return float3(h & 0xff, h >> 8 & 0xff, h >> 16 & 0xff) / 255.0;
}

// Of the lights in `candidates` those that a ray from the vertex reaches.
uint LightsThatArrive(Vertex vertex, uint candidates)
{
    const float3 from = OffsetRay(vertex.position, vertex.normal) + vertex.normal * 1e-3;
    uint mask = 0;
    while (candidates != 0)
    {
        const uint i = firstbitlow(candidates);
        candidates &= candidates - 1;
        const LightRecord light = g_Lights[i];
        const float3 d = light.position - vertex.position;
        if (dot(d, vertex.normal) > 0 && dot(d, d) < Square(light.reach) && Arrives(from, light.position))
            mask |= 1u << i;
    }
    return mask;
}

[shader("mesh")]
[numthreads(MESHLET_VERTICES, 1, 1)]
[outputtopology("triangle")]
void DrawMeshlet(
    uint thread : SV_GroupIndex, uint3 group : SV_GroupID, in payload Payload payload, out indices uint3 triangles[MESHLET_TRIANGLES],
    out vertices Vertex vertices[MESHLET_VERTICES], out primitives Primitive primitives[MESHLET_TRIANGLES])
{
    const InstanceRecord instance = g_Instances[payload.instance];
    const MeshRecord mesh = g_Meshes[instance.mesh];
    const Meshlet meshlet = LoadMeshlet(mesh, payload.meshlets[group.x]);
    if (thread == 0)
        s_Lights = 0;
    GroupMemoryBarrierWithGroupSync();
    SetMeshOutputCounts(meshlet.vertexCount, meshlet.triangleCount);
    if (thread < meshlet.vertexCount)
    {
        const uint index = LoadVertexIndex(mesh, meshlet, thread);
        const Vertex vertex = TransformVertex(mesh, index, g_Transforms[payload.instance].objectToWorld, g_Frame.worldToClip);
        vertices[thread] = vertex;
        s_Clips[thread] = vertex.clip.xyw;
        uint before;
        InterlockedOr(s_Lights, LightsThatArrive(vertex, payload.lights[group.x]), before);
    }
    GroupMemoryBarrierWithGroupSync();

    uint away = 0, before;
    for (uint i = thread; i < meshlet.triangleCount; i += MESHLET_VERTICES)
    {
        const uint3 corners = LoadTriangle(mesh, meshlet, i);
        // The sign of the area on the screen, which is clockwise from the front.
        const float area = determinant(float3x3(s_Clips[corners.x], s_Clips[corners.y], s_Clips[corners.z]));
        triangles[i] = corners;
        primitives[i].lights = s_Lights;
        primitives[i].color = instance.color;
        primitives[i].culled = area >= 0;
        away += area >= 0 ? 1 : 0;
    }
    InterlockedAdd(g_Counts[0].trianglesTurnedAway, away, before);
    if (thread == 0)
    {
        InterlockedAdd(g_Counts[0].triangles, meshlet.triangleCount, before);
        InterlockedAdd(g_Counts[0].lightsThatArrive, countbits(s_Lights), before);
    }
}

[shader("mesh")]
[numthreads(MESHLET_VERTICES, 1, 1)]
[outputtopology("triangle")]
void DrawMeshletFromAbove(
    uint thread : SV_GroupIndex, uint3 group : SV_GroupID, in payload Payload payload, out indices uint3 triangles[MESHLET_TRIANGLES],
    out vertices Vertex vertices[MESHLET_VERTICES], out primitives Primitive primitives[MESHLET_TRIANGLES])
{
    const MeshRecord mesh = g_Meshes[g_Instances[payload.instance].mesh];
    const uint index = payload.meshlets[group.x];
    const Meshlet meshlet = LoadMeshlet(mesh, index);
    SetMeshOutputCounts(meshlet.vertexCount, meshlet.triangleCount);
    if (thread < meshlet.vertexCount)
    {
        const uint vertex = LoadVertexIndex(mesh, meshlet, thread);
        vertices[thread] = TransformVertex(mesh, vertex, g_Transforms[payload.instance].objectToWorld, g_Frame.aboveToClip);
    }
    for (uint i = thread; i < meshlet.triangleCount; i += MESHLET_VERTICES)
    {
        triangles[i] = LoadTriangle(mesh, meshlet, i);
        primitives[i].lights = payload.lights[group.x];
        primitives[i].color = 0.2 + 0.8 * FalseColor(payload.instance * MAX_MESHLETS + index);
        primitives[i].culled = false;
    }
}

// ---- Pixels ----

// The share of a light, a small ball, that is seen.
float LightVisibility(float3 from, LightRecord light, uint3 seed)
{
    const uint3 hash = rng::Pcg3d(seed);
    const float2 rotation = float2(rng::ToFloat(hash.x), rng::ToFloat(hash.y));
    uint seen = 0;
    for (uint i = 0; i < SHADOW_RAYS; ++i)
        seen += Arrives(from, light.position + g_Frame.lightSize * sampling::UniformSphere(frac(rng::R2(i) + rotation))) ? 1 : 0;
    return float(seen) / SHADOW_RAYS;
}

[[vk::ext_capability(5283)]]
[[vk::ext_extension("SPV_EXT_mesh_shader")]]
[shader("pixel")]
float4 ShadeLights(PixelInput input) : SV_Target
{
    const float3 normal = normalize(input.normal);
    const float3 toEye = normalize(g_Frame.eye - input.position);
    const float3 from = OffsetRay(input.position, normal) + normal * 1e-3;
    float3 color = input.color * float3(0.035, 0.045, 0.07) * (1 + 0.5 * normal.y);
    for (uint lights = input.lights; lights != 0; lights &= lights - 1)
    {
        const uint i = firstbitlow(lights);
        const LightRecord light = g_Lights[i];
        const float3 d = light.position - input.position;
        const float squared = dot(d, d);
        const float facing = dot(normal, d);
        if (facing <= 0 || squared >= Square(light.reach))
            continue;
        const float3 direction = d * rsqrt(squared);
        const float window = Square(1 - Square(squared / Square(light.reach)));
        const float shine = pow(saturate(dot(normal, normalize(direction + toEye))), 60);
        const float seen = LightVisibility(from, light, uint3(uint2(input.clip.xy), i));
        color += light.color * (seen * window / (squared + 0.2)) * (input.color * facing * rsqrt(squared) + 0.4 * shine);
    }
    return float4(tonemap::Display(color, g_Frame.exposure), 1);
}

[[vk::ext_capability(5283)]]
[[vk::ext_extension("SPV_EXT_mesh_shader")]]
[shader("pixel")]
float4 ShowMeshlets(PixelInput input) : SV_Target
{
    // Darker where fewer lights are in reach.
    const float lit = 0.4 + 0.6 * saturate(countbits(input.lights) / 6.0);
    const float3 normal = normalize(input.normal);
    return float4(tonemap::LinearToSrgb(input.color * lit * (0.55 + 0.45 * dot(normal, float3(-0.48, 0.8, -0.36)))), 1);
}
