// The scene as an engine uploads it: geometry records, materials, and bindless buffers and textures that both refer to.
#ifndef COMMON_SCENE_HLSLI
#define COMMON_SCENE_HLSLI

#include "core.hlsli"
#include "raycone.hlsli"

#define MATERIAL_DIFFUSE 0
#define MATERIAL_ROUGH_DIFFUSE 1
#define MATERIAL_CONDUCTOR 2
#define MATERIAL_DIELECTRIC 3
#define MATERIAL_PRINCIPLED 4
#define MATERIAL_EMITTER 5

#define GEOMETRY_SMOOTH 1u
#define GEOMETRY_HAS_UVS 2u

// One per instance, found by `InstanceID()`. Buffers are indices into the bindless table.
struct GeometryRecord
{
    uint positions;
    uint normals;
    uint uvs;
    uint indices;
    uint material;
    uint flags;
    // Index among the lights, of emitters.
    uint light;
};

struct MaterialRecord
{
    float3 baseColor;
    uint kind;
    float3 emission;
    float roughness;
    float metallic;
    float coat;
    float coatRoughness;
    float ior;
    float2 uvScale;
    uint baseColorTexture;
    float alphaCutoff;
};

RaytracingAccelerationStructure g_Scene : register(t0);
StructuredBuffer<GeometryRecord> g_Geometries : register(t1);
StructuredBuffer<MaterialRecord> g_Materials : register(t2);
BINDLESS_TABLE(Texture2D<float4>, g_Textures, SPACE_TEXTURES);
BINDLESS_TABLE(ByteAddressBuffer, g_Buffers, SPACE_BUFFERS);
SamplerState g_LinearWrap : register(s0);

namespace scene
{

struct Triangle
{
    float3 positions[3];
    uint3 indices;
};

// What interpolation over a triangle gives, in object space but for `footprint`.
struct Interpolated
{
    float3 position;
    float3 geometricNormal;
    float3 shadingNormal;
    float2 uv;
    // Area of the triangle in texture space over its area in object space.
    float uvDensity;
};

template<typename T>
T Interpolate(T a, T b, T c, float2 barycentrics)
{
    return a * (1 - barycentrics.x - barycentrics.y) + b * barycentrics.x + c * barycentrics.y;
}

template<typename T>
T FetchVertex(uint buffer, uint vertex, uint stride)
{
    return BINDLESS(g_Buffers, buffer).Load<T>(vertex * stride);
}

Triangle FetchTriangle(GeometryRecord geometry, uint primitive)
{
    Triangle t;
    t.indices = BINDLESS(g_Buffers, geometry.indices).Load3(primitive * 12);
    [unroll]
    for (uint corner = 0; corner < 3; ++corner)
        t.positions[corner] = FetchVertex<float3>(geometry.positions, t.indices[corner], 12);
    return t;
}

float2 FetchUv(GeometryRecord geometry, uint3 indices, float2 barycentrics)
{
    return Interpolate(
        FetchVertex<float2>(geometry.uvs, indices.x, 8),
        FetchVertex<float2>(geometry.uvs, indices.y, 8),
        FetchVertex<float2>(geometry.uvs, indices.z, 8), barycentrics);
}

Interpolated InterpolateTriangle(GeometryRecord geometry, uint primitive, float2 barycentrics)
{
    const Triangle t = FetchTriangle(geometry, primitive);
    const float3 edge1 = t.positions[1] - t.positions[0];
    const float3 edge2 = t.positions[2] - t.positions[0];
    const float3 area = cross(edge1, edge2);

    Interpolated result;
    result.position = Interpolate(t.positions[0], t.positions[1], t.positions[2], barycentrics);
    result.geometricNormal = SafeNormalize(area, float3(0, 1, 0));
    result.shadingNormal = result.geometricNormal;
    result.uv = barycentrics;
    result.uvDensity = 1;
    if (geometry.flags & GEOMETRY_SMOOTH)
    {
        const float3 normal = Interpolate(
            FetchVertex<float3>(geometry.normals, t.indices.x, 12),
            FetchVertex<float3>(geometry.normals, t.indices.y, 12),
            FetchVertex<float3>(geometry.normals, t.indices.z, 12), barycentrics);
        result.shadingNormal = SafeNormalize(normal, result.geometricNormal);
    }
    if (geometry.flags & GEOMETRY_HAS_UVS)
    {
        const float2 uv0 = FetchVertex<float2>(geometry.uvs, t.indices.x, 8);
        const float2 uv1 = FetchVertex<float2>(geometry.uvs, t.indices.y, 8);
        const float2 uv2 = FetchVertex<float2>(geometry.uvs, t.indices.z, 8);
        result.uv = Interpolate(uv0, uv1, uv2, barycentrics);
        const float2 d1 = uv1 - uv0, d2 = uv2 - uv0;
        result.uvDensity = SafeDivide(abs(d1.x * d2.y - d2.x * d1.y), length(area));
    }
    return result;
}

float4 SampleBaseColor(MaterialRecord material, float2 uv, float lod)
{
    const float4 factor = float4(material.baseColor, 1);
    if (material.baseColorTexture == INVALID_INDEX)
        return factor;
    return factor * BINDLESS(g_Textures, material.baseColorTexture).SampleLevel(g_LinearWrap, uv * material.uvScale, lod);
}

// The mip level at which a texel is as large as the cone's footprint.
float TextureLod(MaterialRecord material, Interpolated surface, RayCone cone, float cosine)
{
    if (material.baseColorTexture == INVALID_INDEX)
        return 0;
    uint width, height, levels;
    BINDLESS(g_Textures, material.baseColorTexture).GetDimensions(0, width, height, levels);
    const float2 texels = float2(width, height) * material.uvScale;
    const float density = surface.uvDensity * texels.x * texels.y;
    return clamp(cone.Lod(density, cosine), 0, float(levels - 1));
}

// Whether an alpha-tested surface lets a ray through.
bool IsTransparent(GeometryRecord geometry, uint primitive, float2 barycentrics)
{
    const MaterialRecord material = g_Materials[geometry.material];
    if (material.alphaCutoff <= 0 || !(geometry.flags & GEOMETRY_HAS_UVS))
        return false;
    const uint3 indices = BINDLESS(g_Buffers, geometry.indices).Load3(primitive * 12);
    return SampleBaseColor(material, FetchUv(geometry, indices, barycentrics), 0).a < material.alphaCutoff;
}

} // namespace scene

#endif
