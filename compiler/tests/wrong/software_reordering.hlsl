// What software reordering leaves undivided, with the reason.

// CASE query_across_a_point -T lib_6_9 -spirv -fspv-ser=wavefront -disable-payload-qualifiers
RaytracingAccelerationStructure Scene;
RWByteAddressBuffer Out;
[shader("raygeneration")] void Main()
{
    RayDesc ray = { float3(0, 0, 0), 0, float3(0, 0, 1), 1 };
    RayQuery<RAY_FLAG_NONE> q;
    q.TraceRayInline(Scene, 0, 255, ray);
    q.Proceed();
    dx::MaybeReorderThread(DispatchRaysIndex().x, 4);
    Out.Store(0, q.CommittedStatus());
}

// CASE too_much_across_a_point -T lib_6_9 -spirv -fspv-ser=wavefront -disable-payload-qualifiers
RWByteAddressBuffer Out;
[shader("raygeneration")] void Main()
{
    uint list[300];
    for (uint n = 0; n < 300; ++n) list[n] = Out.Load(n * 4);
    dx::MaybeReorderThread(DispatchRaysIndex().x, 4);
    Out.Store(0, list[Out.Load(0) % 300]);
}

// CASE point_of_a_hit -T lib_6_9 -spirv -fspv-ser=wavefront -disable-payload-qualifiers
struct P { uint n; };
RaytracingAccelerationStructure Scene;
RWByteAddressBuffer Out;
[shader("closesthit")] void Hit(inout P p, BuiltInTriangleIntersectionAttributes a)
{
    RayDesc ray = { float3(0, 0, 0), 0, float3(0, 0, 1), 1 };
    dx::HitObject h = dx::HitObject::TraceRay(Scene, 0, 255, 0, 1, 0, ray, p);
    dx::MaybeReorderThread(h);
    dx::HitObject::Invoke(h, p);
}
