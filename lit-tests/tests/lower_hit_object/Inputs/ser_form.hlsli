// Turns a library that traces rays into one that traces into hit objects and invokes them.

template<typename P>
void TraceAndInvoke(RaytracingAccelerationStructure scene, uint flags, uint mask, uint contribution, uint multiplier, uint miss, RayDesc ray, inout P payload)
{
    dx::HitObject hit = dx::HitObject::TraceRay(scene, flags, mask, contribution, multiplier, miss, ray, payload);
    if (hit.IsMiss() || !(flags & RAY_FLAG_SKIP_CLOSEST_HIT_SHADER))
        dx::HitObject::Invoke(hit, payload);
}
#define TraceRay TraceAndInvoke
