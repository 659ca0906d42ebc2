// Lights: rectangles, spheres and a sky with a soft sun. Each kind has Sample and Pdf with one signature.
#ifndef COMMON_LIGHTS_HLSLI
#define COMMON_LIGHTS_HLSLI

#include "core.hlsli"
#include "sampling.hlsli"

#define LIGHT_RECTANGLE 0
#define LIGHT_SPHERE 1

struct LightRecord
{
    // Of a rectangle: a corner and its edges. Of a sphere: the centre, and the radius in edge1.x.
    float3 origin;
    uint kind;
    float3 edge1;
    float3 edge2;
    float3 radiance;
};

struct EnvironmentConstants
{
    float3 zenith;
    float sunSharpness;
    float3 horizon;
    float sunShare;
    float3 sunDirection;
    uint lightCount;
    float3 sunRadiance;
    float padding;
};

namespace lights
{

struct LightSample
{
    float3 direction;
    float distance;
    float3 radiance;
    // Per solid angle; 0: no sample.
    float pdf;

    static LightSample None()
    {
        LightSample s;
        s.direction = float3(0, 1, 0);
        s.distance = 0;
        s.radiance = 0;
        s.pdf = 0;
        return s;
    }
};

struct RectangleLight
{
    LightRecord record;

    LightSample Sample(float3 position, float2 u)
    {
        LightSample s = LightSample::None();
        const float3 target = record.origin + u.x * record.edge1 + u.y * record.edge2;
        const float3 scaledNormal = cross(record.edge1, record.edge2);
        const float3 d = target - position;
        const float squared = dot(d, d);
        s.distance = sqrt(squared);
        s.direction = d / s.distance;
        // Twice the projected area: the normal is as long as the rectangle is large.
        const float projected = -dot(scaledNormal, s.direction);
        if (projected > 1e-6)
        {
            s.pdf = squared / projected;
            s.radiance = record.radiance;
        }
        return s;
    }

    float Pdf(float3 position, float3 direction)
    {
        const float3 scaledNormal = cross(record.edge1, record.edge2);
        const float projected = -dot(scaledNormal, direction);
        if (projected <= 1e-6)
            return 0;
        const float t = dot(record.origin - position, scaledNormal) / -projected;
        if (t <= 0)
            return 0;
        const float3 offset = position + t * direction - record.origin;
        const float u = dot(offset, record.edge1) / dot(record.edge1, record.edge1);
        const float v = dot(offset, record.edge2) / dot(record.edge2, record.edge2);
        const bool inside = min(u, v) >= 0 && max(u, v) <= 1;
        return inside ? t * t / projected : 0;
    }
};

struct SphereLight
{
    LightRecord record;

    float CosMax(float3 position)
    {
        const float3 d = record.origin - position;
        const float sin2 = Square(record.edge1.x) / max(dot(d, d), 1e-6);
        return SafeSqrt(1 - min(sin2, 1));
    }

    LightSample Sample(float3 position, float2 u)
    {
        LightSample s = LightSample::None();
        const float3 toCenter = record.origin - position;
        const float cosMax = CosMax(position);
        if (cosMax <= 0)
            return s;
        Frame frame = Frame::FromNormal(normalize(toCenter));
        s.direction = frame.ToWorld(sampling::UniformCone(u, cosMax));
        const float along = dot(toCenter, s.direction);
        const float missed = dot(toCenter, toCenter) - along * along;
        s.distance = along - SafeSqrt(Square(record.edge1.x) - missed);
        s.pdf = sampling::UniformConePdf(cosMax);
        s.radiance = record.radiance;
        return s;
    }

    float Pdf(float3 position, float3 direction)
    {
        const float cosMax = CosMax(position);
        const bool inside = dot(normalize(record.origin - position), direction) >= cosMax;
        return inside && cosMax > 0 ? sampling::UniformConePdf(cosMax) : 0;
    }
};

// A gradient with a lobe for the sun, sampled as a mixture of the lobe and the cosine-free upper hemisphere.
struct Sky
{
    EnvironmentConstants constants;

    sampling::VonMisesFisher Sun()
    {
        sampling::VonMisesFisher lobe;
        lobe.axis = constants.sunDirection;
        lobe.kappa = constants.sunSharpness;
        return lobe;
    }

    float3 Gradient(float3 direction)
    {
        const float up = saturate(direction.y);
        const float3 sky = lerp(constants.horizon, constants.zenith, pow(up, 0.6));
        const float3 ground = constants.horizon * 0.35;
        return lerp(ground, sky, smoothstep(-0.08, 0.02, direction.y));
    }

    float3 Radiance(float3 direction)
    {
        const float sun = exp(constants.sunSharpness * (dot(direction, constants.sunDirection) - 1));
        return Gradient(direction) + constants.sunRadiance * sun;
    }

    float Pdf(float3 direction)
    {
        sampling::VonMisesFisher sun = Sun();
        return Mix(direction.y > 0 ? INV_TWO_PI : 0, sun.Pdf(direction), constants.sunShare);
    }

    LightSample Sample(float2 u)
    {
        LightSample s = LightSample::None();
        sampling::VonMisesFisher sun = Sun();
        if (u.x < constants.sunShare)
        {
            u.x /= constants.sunShare;
            s.direction = sun.Sample(u);
        }
        else
        {
            u.x = (u.x - constants.sunShare) / (1 - constants.sunShare);
            const float3 up = sampling::UniformCone(u, 0);
            s.direction = up.xzy;
        }
        s.distance = RAY_FAR;
        s.pdf = Pdf(s.direction);
        s.radiance = Radiance(s.direction);
        return s;
    }
};

LightSample SampleLight(LightRecord record, float3 position, float2 u)
{
    switch (record.kind)
    {
        case LIGHT_RECTANGLE:
        {
            RectangleLight light;
            light.record = record;
            return light.Sample(position, u);
        }
        case LIGHT_SPHERE:
        {
            SphereLight light;
            light.record = record;
            return light.Sample(position, u);
        }
        default:
            return LightSample::None();
    }
}

float LightPdf(LightRecord record, float3 position, float3 direction)
{
    float pdf = 0;
    [branch]
    if (record.kind == LIGHT_RECTANGLE)
    {
        RectangleLight light;
        light.record = record;
        pdf = light.Pdf(position, direction);
    }
    else if (record.kind == LIGHT_SPHERE)
    {
        SphereLight light;
        light.record = record;
        pdf = light.Pdf(position, direction);
    }
    return pdf;
}

} // namespace lights

#endif
