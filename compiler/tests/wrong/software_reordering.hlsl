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
//  ^^^^^^^^^^^ W0677 `q.Proceed` stops at the first candidate, and its result is ignored
// = note: write `while (q.Proceed())`, or trace with `RAY_FLAG_FORCE_OPAQUE` or `RAY_FLAG_CULL_NON_OPAQUE` if candidates need no decision
    dx::MaybeReorderThread(DispatchRaysIndex().x, 4);
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0925 `Main` is not divided at its reorder points, so no rays are sorted there: a ray query is live across it
    Out.Store(0, q.CommittedStatus());
}

// CASE too_much_across_a_point -T lib_6_9 -spirv -fspv-ser=wavefront -disable-payload-qualifiers
RWByteAddressBuffer Out;
[shader("raygeneration")] void Main()
{
    uint list[300];
    for (uint n = 0; n < 300; ++n) list[n] = Out.Load(n * 4);
    dx::MaybeReorderThread(DispatchRaysIndex().x, 4);
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0925 `Main` is not divided at its reorder points, so no rays are sorted there: 300 words of state would be saved for each ray, the most is 256 words
    Out.Store(0, list[Out.Load(0) % 300]);
}

// CASE too_many_points -T lib_6_9 -spirv -fspv-ser=wavefront -disable-payload-qualifiers
RWByteAddressBuffer Out;
#define POINT dx::MaybeReorderThread(Out.Load(0), 4);
#define POINTS POINT POINT POINT POINT POINT POINT POINT POINT POINT
[shader("raygeneration")] void Main()
//                             ^^^^ W0925 `Main` is not divided at its reorder points, so no rays are sorted there: it has 27 reorder points, the most is 26
{
    POINTS POINTS POINTS
}

// CASE a_form_that_does_not_compile -T lib_6_10 -spirv -fspv-ser=auto -Fo positions.rtp
struct [raypayload] P { float3 Color : read(caller) : write(caller); };
RaytracingAccelerationStructure Scene;
RWByteAddressBuffer Out;
[shader("raygeneration")] void Main()
{
    P p = { float3(0, 0, 0) };
    RayDesc ray = { float3(0, 0, 0), 0, float3(0, 0, 1), 100 };
    dx::HitObject hit = dx::HitObject::TraceRay(Scene, RAY_FLAG_NONE, 0xff, 0, 1, 0, ray, p);
    if (hit.IsHit()) Out.Store3(0, asuint(hit.TriangleObjectPositions().p0));
//                                        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0926 the package has no form `nv`: SPV_NV_shader_invocation_reorder does not give the positions of a traced hit object's triangle; -fspv-ser=ext does
}
