// Scattering functions. Every one is a struct with the same three methods, in a frame whose z is the normal:
//
//   float3 Evaluate(float3 wo, float3 wi)            the function times |cos wi|
//   float Pdf(float3 wo, float3 wi)                  the density of Sample, per solid angle
//   bool Sample(float3 wo, float3 u, out Sample s)   false: absorbed
//
// Templates combine them: `Layered` puts a coat over a base, `Blend` mixes two. The path tracer only sees the
// interface and the X-macro BSDF_LIST.
#ifndef COMMON_BSDF_HLSLI
#define COMMON_BSDF_HLSLI

#include "core.hlsli"
#include "sampling.hlsli"

namespace bsdf
{

static const uint SPECULAR = 1;
static const uint TRANSMISSION = 2;

struct ScatterSample
{
    float3 wi;
    // Function times cosine over density.
    float3 weight;
    float pdf;
    uint flags;

    static ScatterSample None()
    {
        ScatterSample s;
        s.wi = float3(0, 0, 1);
        s.weight = 0;
        s.pdf = 0;
        s.flags = 0;
        return s;
    }
};

float CosTheta(float3 w)
{
    return w.z;
}

bool SameHemisphere(float3 a, float3 b)
{
    return a.z * b.z > 0;
}

// ---- Fresnel ----

template<typename T>
T FresnelSchlick(T f0, float cosine)
{
    return f0 + (1 - f0) * Pow5(saturate(1 - cosine));
}

// Unpolarised light on a dielectric; `eta` is the ratio of the inside's index to the outside's.
float FresnelDielectric(float cosine, float eta)
{
    const float sin2 = (1 - cosine * cosine) / (eta * eta);
    if (sin2 >= 1)
        return 1;
    const float cosT = sqrt(1 - sin2);
    const float c = abs(cosine);
    const float parallel = (eta * c - cosT) / (eta * c + cosT);
    const float perpendicular = (c - eta * cosT) / (c + eta * cosT);
    return 0.5 * (parallel * parallel + perpendicular * perpendicular);
}

float F0FromIor(float ior)
{
    return Square((ior - 1) / (ior + 1));
}

// ---- Diffuse ----

struct Lambert
{
    float3 albedo;

    static Lambert Create(float3 albedo)
    {
        Lambert lobe;
        lobe.albedo = albedo;
        return lobe;
    }

    float3 Evaluate(float3 wo, float3 wi)
    {
        return SameHemisphere(wo, wi) && wi.z > 0 ? albedo * INV_PI * wi.z : 0;
    }

    float Pdf(float3 wo, float3 wi)
    {
        return SameHemisphere(wo, wi) && wi.z > 0 ? sampling::CosineHemispherePdf(wi.z) : 0;
    }

    bool Sample(float3 wo, float3 u, out ScatterSample s)
    {
        s = ScatterSample::None();
        s.wi = sampling::CosineHemisphere(u.xy);
        s.pdf = sampling::CosineHemispherePdf(s.wi.z);
        s.weight = albedo;
        return wo.z > 0 && s.pdf > 0;
    }
};

// Oren and Nayar's rough diffuse surface in Fujii's reparametrisation, whose albedo is nearly preserved.
struct OrenNayar
{
    float3 albedo;
    float sigma;

    static OrenNayar Create(float3 albedo, float sigma)
    {
        OrenNayar lobe;
        lobe.albedo = albedo;
        lobe.sigma = sigma;
        return lobe;
    }

    float3 Evaluate(float3 wo, float3 wi)
    {
        if (wo.z <= 0 || wi.z <= 0)
            return 0;
        const float a = 1 / (1 + (0.5 - 2 / (3 * PI)) * sigma);
        const float b = a * sigma;
        const float s = dot(wo, wi) - wo.z * wi.z;
        const float t = s > 0 ? max(wo.z, wi.z) : 1;
        return albedo * (INV_PI * wi.z * (a + b * s / t));
    }

    float Pdf(float3 wo, float3 wi)
    {
        return wo.z > 0 && wi.z > 0 ? sampling::CosineHemispherePdf(wi.z) : 0;
    }

    bool Sample(float3 wo, float3 u, out ScatterSample s)
    {
        s = ScatterSample::None();
        s.wi = sampling::CosineHemisphere(u.xy);
        s.pdf = Pdf(wo, s.wi);
        if (s.pdf <= 0)
            return false;
        s.weight = Evaluate(wo, s.wi) / s.pdf;
        return true;
    }
};

// ---- Microfacets ----

// The GGX distribution with Smith's masking, isotropic.
struct Ggx
{
    float alpha;

    static Ggx FromRoughness(float roughness)
    {
        Ggx d;
        d.alpha = max(roughness * roughness, 1e-3);
        return d;
    }

    float D(float3 h)
    {
        if (h.z <= 0)
            return 0;
        const float a2 = alpha * alpha;
        const float d = h.z * h.z * (a2 - 1) + 1;
        return a2 * INV_PI / (d * d);
    }

    float Lambda(float3 w)
    {
        const float cos2 = w.z * w.z;
        const float tan2 = max(1 - cos2, 0) / max(cos2, 1e-8);
        return 0.5 * (sqrt(1 + alpha * alpha * tan2) - 1);
    }

    float G1(float3 w)
    {
        return 1 / (1 + Lambda(w));
    }

    float G2(float3 wo, float3 wi)
    {
        return 1 / (1 + Lambda(wo) + Lambda(wi));
    }

    // Density of the half vector that `SampleVisible` returns.
    float VisiblePdf(float3 wo, float3 h)
    {
        return G1(wo) * max(dot(wo, h), 0) * D(h) / max(abs(wo.z), 1e-6);
    }

    // Dupuy and Benyoub, "Sampling Visible GGX Normals with Spherical Caps".
    float3 SampleVisible(float3 wo, float2 u)
    {
        const float3 stretched = normalize(float3(alpha * wo.xy, wo.z));
        const float z = (1 - u.y) * (1 + stretched.z) - stretched.z;
        const float r = SafeSqrt(1 - z * z);
        const float3 h = float3(r * sampling::UnitCircle(u.x), z) + stretched;
        return normalize(float3(alpha * h.xy, max(h.z, 0)));
    }
};

// Fresnel terms of a microfacet reflection, as types for the template below.
struct SchlickFresnel
{
    float3 f0;

    float3 Reflectance(float cosine)
    {
        return FresnelSchlick(f0, cosine);
    }
};

struct DielectricFresnel
{
    float eta;

    float3 Reflectance(float cosine)
    {
        return FresnelDielectric(cosine, eta);
    }
};

template<typename Fresnel>
struct MicrofacetReflection
{
    Ggx distribution;
    Fresnel fresnel;

    float3 Evaluate(float3 wo, float3 wi)
    {
        if (wo.z <= 0 || wi.z <= 0)
            return 0;
        const float3 h = normalize(wo + wi);
        return fresnel.Reflectance(dot(wo, h)) * (distribution.D(h) * distribution.G2(wo, wi) / (4 * wo.z));
    }

    float Pdf(float3 wo, float3 wi)
    {
        if (wo.z <= 0 || wi.z <= 0)
            return 0;
        const float3 h = normalize(wo + wi);
        return distribution.VisiblePdf(wo, h) / (4 * max(dot(wo, h), 1e-6));
    }

    bool Sample(float3 wo, float3 u, out ScatterSample s)
    {
        s = ScatterSample::None();
        if (wo.z <= 0)
            return false;
        const float3 h = distribution.SampleVisible(wo, u.xy);
        s.wi = reflect(-wo, h);
        if (s.wi.z <= 0)
            return false;
        s.pdf = Pdf(wo, s.wi);
        // D and most of G cancel against the density.
        s.weight = fresnel.Reflectance(dot(wo, h)) * (distribution.G2(wo, s.wi) / distribution.G1(wo));
        return s.pdf > 0;
    }
};

typedef MicrofacetReflection<SchlickFresnel> Conductor;
typedef MicrofacetReflection<DielectricFresnel> GlossyCoat;

Conductor MakeConductor(float3 f0, float roughness)
{
    Conductor lobe;
    lobe.distribution = Ggx::FromRoughness(roughness);
    lobe.fresnel.f0 = f0;
    return lobe;
}

GlossyCoat MakeCoat(float ior, float roughness)
{
    GlossyCoat lobe;
    lobe.distribution = Ggx::FromRoughness(roughness);
    lobe.fresnel.eta = ior;
    return lobe;
}

// Smooth glass: reflects or refracts, chosen by Fresnel's reflectance.
struct SmoothDielectric
{
    float3 tint;
    float ior;

    float3 Evaluate(float3 wo, float3 wi)
    {
        return 0;
    }

    float Pdf(float3 wo, float3 wi)
    {
        return 0;
    }

    bool Sample(float3 wo, float3 u, out ScatterSample s)
    {
        s = ScatterSample::None();
        const bool entering = wo.z > 0;
        const float eta = entering ? ior : 1 / ior;
        const float reflectance = FresnelDielectric(abs(wo.z), eta);
        s.pdf = 1;
        s.flags = SPECULAR;
        if (u.z < reflectance)
        {
            s.wi = float3(-wo.xy, wo.z);
            s.weight = 1;
            return true;
        }
        const float3 normal = float3(0, 0, entering ? 1 : -1);
        s.wi = refract(-wo, normal, 1 / eta);
        s.weight = tint;
        s.flags |= TRANSMISSION;
        return any(s.wi != 0);
    }
};

// ---- Combinations ----

// Two lobes side by side; `amount` is the share of the second.
template<typename First, typename Second>
struct Blend
{
    First first;
    Second second;
    float amount;

    float3 Evaluate(float3 wo, float3 wi)
    {
        return first.Evaluate(wo, wi) * (1 - amount) + second.Evaluate(wo, wi) * amount;
    }

    float Pdf(float3 wo, float3 wi)
    {
        return first.Pdf(wo, wi) * (1 - amount) + second.Pdf(wo, wi) * amount;
    }

    bool Sample(float3 wo, float3 u, out ScatterSample s)
    {
        bool valid;
        if (u.z < amount)
            valid = second.Sample(wo, float3(u.xy, u.z / amount), s);
        else
            valid = first.Sample(wo, float3(u.xy, (u.z - amount) / (1 - amount)), s);
        if (!valid)
            return false;
        s.pdf = Pdf(wo, s.wi);
        if (s.pdf <= 0)
            return false;
        s.weight = Evaluate(wo, s.wi) / s.pdf;
        return true;
    }
};

// A reflecting layer over a base: what the layer does not reflect reaches the base, on the way in and out.
template<typename Base, typename Coat>
struct Layered
{
    Base base;
    Coat coat;
    float amount;

    float3 Transmittance(float3 wo, float3 wi)
    {
        return (1 - amount * coat.fresnel.Reflectance(abs(wo.z))) * (1 - amount * coat.fresnel.Reflectance(abs(wi.z)));
    }

    float CoatProbability(float3 wo)
    {
        const float reflected = amount * MaxComponent(coat.fresnel.Reflectance(abs(wo.z)));
        return clamp(reflected / (reflected + 0.5), 0.1 * amount, 0.9);
    }

    float3 Evaluate(float3 wo, float3 wi)
    {
        return coat.Evaluate(wo, wi) * amount + base.Evaluate(wo, wi) * Transmittance(wo, wi);
    }

    float Pdf(float3 wo, float3 wi)
    {
        return Mix(base.Pdf(wo, wi), coat.Pdf(wo, wi), CoatProbability(wo));
    }

    bool Sample(float3 wo, float3 u, out ScatterSample s)
    {
        s = ScatterSample::None();
        const float probability = CoatProbability(wo);
        bool valid;
        if (u.z < probability)
        {
            u.z /= probability;
            valid = coat.Sample(wo, u, s);
        }
        else
        {
            u.z = (u.z - probability) / (1 - probability);
            valid = base.Sample(wo, u, s);
        }
        s.pdf = Pdf(wo, s.wi);
        if (!valid || s.pdf <= 0)
            return false;
        s.weight = Evaluate(wo, s.wi) / s.pdf;
        return true;
    }
};

// What artists know as the principled material: a plastic that turns into a metal, under a clear coat.
typedef Layered<Lambert, GlossyCoat> Plastic;
typedef Blend<Plastic, Conductor> PlasticOrMetal;
typedef Layered<PlasticOrMetal, GlossyCoat> Principled;

Plastic MakePlastic(float3 albedo, float ior, float roughness)
{
    Plastic lobe;
    lobe.base = Lambert::Create(albedo);
    lobe.coat = MakeCoat(ior, roughness);
    lobe.amount = 1;
    return lobe;
}

Principled MakePrincipled(float3 baseColor, float metallic, float roughness, float ior, float coat, float coatRoughness)
{
    Principled lobe;
    lobe.base.first = MakePlastic(baseColor, ior, roughness);
    lobe.base.second = MakeConductor(baseColor, roughness);
    lobe.base.amount = metallic;
    lobe.coat = MakeCoat(1.5, coatRoughness);
    lobe.amount = coat;
    return lobe;
}

} // namespace bsdf

#endif
