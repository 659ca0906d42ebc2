// Where a ray meets the unit sphere.
#ifndef COMMON_SPHERE_HLSLI
#define COMMON_SPHERE_HLSLI

#include "core.hlsli"

namespace sphere
{

// The two distances, the nearer first; false: there are none.
bool Intersect(float3 origin, float3 direction, out float2 distances)
{
    distances = 0;
    const float a = dot(direction, direction);
    const float b = dot(origin, direction);
    // The distance from the centre, computed where it does not cancel.
    const float3 perpendicular = origin - b / a * direction;
    const float discriminant = a * (1 - dot(perpendicular, perpendicular));
    if (discriminant <= 0)
        return false;
    const float root = sqrt(discriminant);
    const float c = dot(origin, origin) - 1;
    const float q = b >= 0 ? -b - root : -b + root;
    float near = c / q;
    float far = q / a;
    if (near > far)
        Swap(near, far);
    distances = float2(near, far);
    return true;
}

} // namespace sphere

#endif
