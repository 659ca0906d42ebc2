// Maps from the unit square to directions and surfaces, each with its density.
#ifndef COMMON_SAMPLING_HLSLI
#define COMMON_SAMPLING_HLSLI

#include "core.hlsli"

namespace sampling
{

// Cosine and sine of an angle between -PI / 4 and PI / 4 by their series. `sincos` may be off by as much as a device likes, which
// every bounce of a path magnifies; sums and products of strict arithmetic (-Gis) are the same everywhere.
float2 OctantDirection(float angle)
{
    const float x2 = angle * angle;
    const float c = 1 - x2 * (1.0 / 2 - x2 * (1.0 / 24 - x2 * (1.0 / 720 - x2 * (1.0 / 40320))));
    const float s = angle * (1 - x2 * (1.0 / 6 - x2 * (1.0 / 120 - x2 * (1.0 / 5040 - x2 * (1.0 / 362880)))));
    return float2(c, s);
}

// The point of the unit circle after `turns` of the way around it.
float2 UnitCircle(float turns)
{
    const float quarter = floor(turns * 4 + 0.5);
    const float2 d = OctantDirection((turns * 4 - quarter) * (PI / 2));
    const uint which = uint(quarter) & 3;
    const float2 turned = which & 1 ? float2(-d.y, d.x) : d;
    return which & 2 ? -turned : turned;
}

float2 ConcentricDisk(float2 u)
{
    const float2 p = u * 2 - 1;
    if (p.x == 0 && p.y == 0)
        return 0;
    if (abs(p.x) > abs(p.y))
        return p.x * OctantDirection(PI / 4 * (p.y / p.x));
    return p.y * OctantDirection(PI / 4 * (p.x / p.y)).yx;
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
    return float3(r * UnitCircle(u.y), z);
}

float3 UniformCone(float2 u, float cosMax)
{
    const float z = 1 - u.x * (1 - cosMax);
    const float r = SafeSqrt(1 - z * z);
    return float3(r * UnitCircle(u.y), z);
}

float UniformConePdf(float cosMax)
{
    return INV_TWO_PI / max(1 - cosMax, 1e-7);
}

// Evenly spread over a sphere: what probes trace along.
float3 SphericalFibonacci(float index, float count)
{
    const float golden = 0.61803398874989;
    const float z = 1 - (2 * index + 1) / count;
    const float r = SafeSqrt(1 - z * z);
    return float3(r * UnitCircle(frac(index * golden)), z);
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
        Frame frame = Frame::FromNormal(axis);
        return frame.ToWorld(float3(r * UnitCircle(u.y), z));
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
