// Spheres: where an instance puts the unit sphere, and where a ray meets it.
//
// All is done in the world. Object space would be simpler, but its rays went through the inverse of the transform, which devices
// round differently, and a path magnifies that from bounce to bounce.
#ifndef COMMON_SPHERE_HLSLI
#define COMMON_SPHERE_HLSLI

#include "core.hlsli"

namespace sphere
{

struct Sphere
{
    float3 center;
    float radius;

    // The unit sphere under a transform that scales all directions alike and does not turn: what these scenes have.
    static Sphere Of(float3x4 toWorld)
    {
        Sphere s;
        s.center = float3(toWorld._m03, toWorld._m13, toWorld._m23);
        s.radius = toWorld._m00;
        return s;
    }

    float3 PointAt(float3 normal)
    {
        return center + radius * normal;
    }

    float3 NormalAt(float3 position)
    {
        return normalize(position - center);
    }

    // The two distances, the nearer first; false: there are none.
    bool Intersect(float3 rayOrigin, float3 direction, out float2 distances)
    {
        distances = 0;
        const float3 origin = rayOrigin - center;
        const float a = dot(direction, direction);
        const float b = dot(origin, direction);
        // The distance from the centre, computed where it does not cancel.
        const float3 perpendicular = origin - b / a * direction;
        const float discriminant = a * (radius * radius - dot(perpendicular, perpendicular));
        if (discriminant <= 0)
            return false;
        const float root = sqrt(discriminant);
        const float c = dot(origin, origin) - radius * radius;
        const float q = b >= 0 ? -b - root : -b + root;
        float near = c / q;
        float far = q / a;
        if (near > far)
            Swap(near, far);
        distances = float2(near, far);
        return true;
    }
};

} // namespace sphere

#endif
