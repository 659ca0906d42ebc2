// Maps from the unit square to directions and surfaces, each with its density.
#ifndef COMMON_SAMPLING_HLSLI
#define COMMON_SAMPLING_HLSLI

#include "core.hlsli"

namespace sampling
{

float2 ConcentricDisk(float2 u)
{
    const float2 p = u * 2 - 1;
    if (p.x == 0 && p.y == 0)
        return 0;
    float radius, angle;
    if (abs(p.x) > abs(p.y))
    {
        radius = p.x;
        angle = PI / 4 * (p.y / p.x);
    }
    else
    {
        radius = p.y;
        angle = PI / 2 - PI / 4 * (p.x / p.y);
    }
    float s, c;
    sincos(angle, s, c);
    return radius * float2(c, s);
}

float3 CosineHemisphere(float2 u)
{
    const float2 p = ConcentricDisk(u);
    return float3(p, SafeSqrt(1 - dot(p, p)));
}

float CosineHemispherePdf(float cosTheta)
{
    return max(cosTheta, 0) * INV_PI;
}

float3 UniformSphere(float2 u)
{
    const float z = 1 - 2 * u.x;
    const float r = SafeSqrt(1 - z * z);
    float s, c;
    sincos(TWO_PI * u.y, s, c);
    return float3(r * c, r * s, z);
}

float3 UniformCone(float2 u, float cosMax)
{
    const float z = 1 - u.x * (1 - cosMax);
    const float r = SafeSqrt(1 - z * z);
    float s, c;
    sincos(TWO_PI * u.y, s, c);
    return float3(r * c, r * s, z);
}

float UniformConePdf(float cosMax)
{
    return INV_TWO_PI / max(1 - cosMax, 1e-7);
}

// Evenly spread over a sphere: what probes trace along.
float3 SphericalFibonacci(float index, float count)
{
    const float golden = 0.61803398874989;
    const float phi = TWO_PI * frac(index * golden);
    const float z = 1 - (2 * index + 1) / count;
    const float r = SafeSqrt(1 - z * z);
    float s, c;
    sincos(phi, s, c);
    return float3(c * r, s * r, z);
}

// Both barycentrics of a point that is uniform on a triangle.
float2 UniformTriangle(float2 u)
{
    const float root = sqrt(u.x);
    return float2(1 - root, u.y * root);
}

// A lobe exp(kappa (cos - 1)): a soft sun.
struct VonMisesFisher
{
    float3 axis;
    float kappa;

    float Normalization()
    {
        return kappa * INV_TWO_PI / (1 - exp(-2 * kappa));
    }

    float Pdf(float3 direction)
    {
        return Normalization() * exp(kappa * (dot(direction, axis) - 1));
    }

    float3 Sample(float2 u)
    {
        const float z = 1 + log(u.x + (1 - u.x) * exp(-2 * kappa)) / kappa;
        const float r = SafeSqrt(1 - z * z);
        float s, c;
        sincos(TWO_PI * u.y, s, c);
        Frame frame = Frame::FromNormal(axis);
        return frame.ToWorld(float3(r * c, r * s, z));
    }
};

float BalanceHeuristic(float pdf, float other)
{
    return SafeDivide(pdf, pdf + other);
}

float PowerHeuristic(float pdf, float other)
{
    const float a = pdf * pdf;
    return SafeDivide(a, a + other * other);
}

} // namespace sampling

#endif
