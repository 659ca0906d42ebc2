// A glTF file as `rtc run` gives it to shaders ([gltf.x] of a scene): geometries, materials, vertices, textures with their samplers.
#ifndef COMMON_GLTF_HLSLI
#define COMMON_GLTF_HLSLI

#include "core.hlsli"

#define GLTF_HAS_NORMALS 1u
#define GLTF_HAS_UVS 2u
#define GLTF_HAS_TANGENTS 4u

#define GLTF_ALPHA_MASK 1u
#define GLTF_ALPHA_BLEND 2u
#define GLTF_DOUBLE_SIDED 4u

struct GltfGeometry
{
    uint firstIndex;
    uint firstVertex;
    uint triangles;
    uint vertices;
    uint material;
    uint flags;
};

struct GltfMaterial
{
    float4 baseColor;
    float3 emissive;
    float metallic;
    float roughness;
    float normalScale;
    float alphaCutoff;
    uint flags;
    uint baseColorTexture;
    uint metallicRoughnessTexture;
    uint normalTexture;
    uint emissiveTexture;
};

StructuredBuffer<GltfGeometry> g_GltfGeometries : register(t1);
StructuredBuffer<GltfMaterial> g_GltfMaterials : register(t2);
ByteAddressBuffer g_GltfPositions : register(t3);
ByteAddressBuffer g_GltfNormals : register(t4);
ByteAddressBuffer g_GltfTangents : register(t5);
ByteAddressBuffer g_GltfUvs : register(t6);
ByteAddressBuffer g_GltfIndices : register(t7);
Texture2D<float4> g_GltfTextures[] : register(t0, space1);
SamplerState g_GltfSamplers[] : register(s0, space1);

namespace gltf
{

float4 Sample(uint texture, float2 uv, float4 otherwise)
{
    if (texture == INVALID_INDEX)
        return otherwise;
    return BINDLESS(g_GltfTextures, texture).SampleLevel(BINDLESS(g_GltfSamplers, texture), uv, 0);
}

// The numbers of a triangle's vertices in the buffers.
uint3 Corners(GltfGeometry geometry, uint primitive)
{
    return g_GltfIndices.Load3((geometry.firstIndex + primitive * 3) * 4) + geometry.firstVertex;
}

template<typename T>
T Fetch(ByteAddressBuffer buffer, uint3 corners, uint stride, float2 barycentrics)
{
    const T a = buffer.Load<T>(corners.x * stride);
    const T b = buffer.Load<T>(corners.y * stride);
    const T c = buffer.Load<T>(corners.z * stride);
    return a * (1 - barycentrics.x - barycentrics.y) + b * barycentrics.x + c * barycentrics.y;
}

// A surface in object space.
struct Surface
{
    float3 geometricNormal;
    float3 normal;
    float4 baseColor;
    float3 emissive;
    float metallic;
    float roughness;
};

float2 Uv(GltfGeometry geometry, uint3 corners, float2 barycentrics)
{
    if (!(geometry.flags & GLTF_HAS_UVS))
        return 0;
    return Fetch<float2>(g_GltfUvs, corners, 8, barycentrics);
}

Surface Interpolate(uint geometryIndex, uint primitive, float2 barycentrics)
{
    const GltfGeometry geometry = g_GltfGeometries[geometryIndex];
    const GltfMaterial material = g_GltfMaterials[geometry.material];
    const uint3 corners = Corners(geometry, primitive);
    const float2 uv = Uv(geometry, corners, barycentrics);

    const float3 p0 = g_GltfPositions.Load<float3>(corners.x * 12);
    const float3 p1 = g_GltfPositions.Load<float3>(corners.y * 12);
    const float3 p2 = g_GltfPositions.Load<float3>(corners.z * 12);

    Surface surface;
    surface.geometricNormal = SafeNormalize(cross(p1 - p0, p2 - p0), float3(0, 1, 0));
    surface.normal = surface.geometricNormal;
    if (geometry.flags & GLTF_HAS_NORMALS)
        surface.normal = SafeNormalize(Fetch<float3>(g_GltfNormals, corners, 12, barycentrics), surface.normal);
    if (material.normalTexture != INVALID_INDEX && (geometry.flags & GLTF_HAS_TANGENTS))
    {
        const float4 tangent = Fetch<float4>(g_GltfTangents, corners, 16, barycentrics);
        const float3 t = SafeNormalize(tangent.xyz, float3(1, 0, 0));
        const float3 bitangent = cross(surface.normal, t) * tangent.w;
        const float3 texel = Sample(material.normalTexture, uv, 0).xyz * 2 - 1;
        const float3 bent = texel.x * material.normalScale * t + texel.y * material.normalScale * bitangent + texel.z * surface.normal;
        surface.normal = SafeNormalize(bent, surface.normal);
    }
    surface.baseColor = material.baseColor * Sample(material.baseColorTexture, uv, 1);
    surface.emissive = material.emissive * Sample(material.emissiveTexture, uv, 1).xyz;
    const float4 mr = Sample(material.metallicRoughnessTexture, uv, 1);
    surface.roughness = material.roughness * mr.y;
    surface.metallic = material.metallic * mr.z;
    return surface;
}

// Whether an alpha mask lets a ray through.
bool IsTransparent(uint geometryIndex, uint primitive, float2 barycentrics)
{
    const GltfGeometry geometry = g_GltfGeometries[geometryIndex];
    const GltfMaterial material = g_GltfMaterials[geometry.material];
    if (!(material.flags & GLTF_ALPHA_MASK))
        return false;
    const float2 uv = Uv(geometry, Corners(geometry, primitive), barycentrics);
    return material.baseColor.a * Sample(material.baseColorTexture, uv, 1).a < material.alphaCutoff;
}

} // namespace gltf

#endif
