// A hit with everything that shading needs, and the one place where a material's kind chooses a scattering function.
#ifndef COMMON_SURFACE_HLSLI
#define COMMON_SURFACE_HLSLI

#include "bsdf.hlsli"
#include "packing.hlsli"
#include "scene.hlsli"

struct Surface
{
    float3 position;
    float3 geometricNormal;
    float3 shadingNormal;
    float3 baseColor;
    uint material;
    bool backSide;

    bool IsEmitter()
    {
        return g_Materials[material].kind == MATERIAL_EMITTER;
    }

    // Seen from its front side only.
    float3 Emission()
    {
        return backSide ? 0 : g_Materials[material].emission;
    }
};

// Calls a method of the scattering function that the material asks for. `CALL` is a macro that gets a lobe.
#define BSDF_LIST(CALL) \
    case MATERIAL_DIFFUSE: \
    { \
        bsdf::Lambert lobe = bsdf::Lambert::Create(surface.baseColor); \
        CALL(lobe); \
        break; \
    } \
    case MATERIAL_ROUGH_DIFFUSE: \
    { \
        bsdf::OrenNayar lobe = bsdf::OrenNayar::Create(surface.baseColor, material.roughness); \
        CALL(lobe); \
        break; \
    } \
    case MATERIAL_CONDUCTOR: \
    { \
        bsdf::Conductor lobe = bsdf::MakeConductor(surface.baseColor, material.roughness); \
        CALL(lobe); \
        break; \
    } \
    case MATERIAL_DIELECTRIC: \
    { \
        bsdf::SmoothDielectric lobe; \
        lobe.tint = surface.baseColor; \
        lobe.ior = material.ior; \
        CALL(lobe); \
        break; \
    } \
    case MATERIAL_PRINCIPLED: \
    { \
        bsdf::Principled lobe = bsdf::MakePrincipled( \
            surface.baseColor, material.metallic, material.roughness, material.ior, material.coat, material.coatRoughness); \
        CALL(lobe); \
        break; \
    }

namespace shading
{

// Function times cosine, and the density with which sampling finds `wi`.
float3 Evaluate(Surface surface, float3 wo, float3 wi, out float pdf)
{
    const MaterialRecord material = g_Materials[surface.material];
    float3 value = 0;
    pdf = 0;
#define EVALUATE_LOBE(lobe) \
    value = lobe.Evaluate(wo, wi); \
    pdf = lobe.Pdf(wo, wi)
    switch (material.kind)
    {
        BSDF_LIST(EVALUATE_LOBE)
        default:
            break;
    }
#undef EVALUATE_LOBE
    return value;
}

bool Sample(Surface surface, float3 wo, float3 u, out bsdf::ScatterSample s)
{
    const MaterialRecord material = g_Materials[surface.material];
    bool valid = false;
    s = bsdf::ScatterSample::None();
#define SAMPLE_LOBE(lobe) valid = lobe.Sample(wo, u, s)
    switch (material.kind)
    {
        BSDF_LIST(SAMPLE_LOBE)
        default:
            break;
    }
#undef SAMPLE_LOBE
    return valid;
}

// Smooth surfaces cannot be lit by sampling lights.
bool IsSpecular(Surface surface)
{
    return g_Materials[surface.material].kind == MATERIAL_DIELECTRIC;
}

} // namespace shading

#endif
