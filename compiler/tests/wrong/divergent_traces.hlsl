// Traces, calls of shaders and reorder points that not all lanes of a wave come to together: off by default.

// CASE a_branch_a_loop_and_a_return -T lib_6_6 -Wdivergent-trace
RaytracingAccelerationStructure scene;
RWStructuredBuffer<uint> buffer;
cbuffer C { uint uniform_count; };
struct P { uint n; };
void Shadow(uint x, inout P p)
{
    RayDesc ray = { float3(x, 0, 0), 0, float3(0, 0, 1), 1 };
    if (x > 2)
        TraceRay(scene, 0, 255, 0, 1, 0, ray, p);
//      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0862 some threads of a wave may come to this trace and others not, which splits the wave on some devices
// = 8:9: note: this may differ between threads, and parts them (`if`)
// = note: about 89 instructions follow, which each part of a split wave executes by itself
// = note: trace in all threads: those without work have an instance mask of 0, and a miss shader that does nothing
// = note: for SPIR-V, `-fspv-converge-traces` makes all threads execute it
}
[shader("raygeneration")]
void Main()
{
    RayDesc ray = { float3(0, 0, 0), 0, float3(0, 0, 1), 1 };
    P p = { 1 };
    for (uint k = 0; k < uniform_count; ++k)
        TraceRay(scene, 0, 255, 0, 1, 0, ray, p);
    uint x = buffer[DispatchRaysIndex().x];
    Shadow(x, p);
    [loop] for (uint i = 0; i < x; ++i)
        TraceRay(scene, 0, 255, 0, 1, 0, ray, p);
//      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0862 some threads of a wave may come to this trace and others not, which splits the wave on some devices
// = 20:29: note: this may differ between threads, and parts them (`loop`)
// = note: about 89 instructions follow, which each part of a split wave executes by itself
// = note: trace in all threads: those without work have an instance mask of 0, and a miss shader that does nothing
// = note: for SPIR-V, `-fspv-converge-traces` makes all threads execute it
    if (p.n == 7)
        return;
    TraceRay(scene, 0, 255, 0, 1, 0, ray, p);
    buffer[1] = p.n;
}

// CASE hit_objects_and_reorders -T lib_6_9 -Wdivergent-trace
RaytracingAccelerationStructure scene;
RWStructuredBuffer<uint> buffer;
struct [raypayload] P { uint n : read(caller) : write(caller, closesthit, miss); };
[shader("raygeneration")]
void Main()
{
    RayDesc ray = { float3(0, 0, 0), 0, float3(0, 0, 1), 1 };
    P p = { 1 };
    uint x = buffer[DispatchRaysIndex().x];
    switch (x)
    {
    case 1:
    {
        dx::HitObject hit = dx::HitObject::TraceRay(scene, 0, 255, 0, 1, 0, ray, p);
//                          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0862 some threads of a wave may come to this trace and others not, which splits the wave on some devices
// = 9:14: note: this may differ between threads, and parts them (`switch`)
// = note: about 2 instructions follow, which each part of a split wave executes by itself
// = note: trace in all threads: those without work have an instance mask of 0, and a miss shader that does nothing
// = note: `-fspv-converge-traces` leaves it as it is: threads are reordered by its hit object, which parts them anyway
        dx::MaybeReorderThread(hit);
//      ^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0862 some threads of a wave may come to this reorder and others not, which splits the wave on some devices
// = 9:14: note: this may differ between threads, and parts them (`switch`)
// = note: about 2 instructions follow, which each part of a split wave executes by itself
// = note: reorder in all threads, whether they have work or not
// = note: `-fspv-converge-traces` leaves it as it is: a thread that does not come to a reorder point stays where it is
        dx::HitObject::Invoke(hit, p);
//      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0862 some threads of a wave may come to this call and others not, which splits the wave on some devices
// = 9:14: note: this may differ between threads, and parts them (`switch`)
// = note: about 2 instructions follow, which each part of a split wave executes by itself
// = note: invoke in all threads: the hit object of those without work is a nop
// = note: `-fspv-converge-traces` leaves it as it is: threads are reordered by its hit object, which parts them anyway
        break;
    }
    default:
        buffer[2] = x;
    }
    buffer[1] = p.n;
}

// CASE a_callable_and_a_closest_hit_shader -T lib_6_6
#pragma dxc diagnostic warning "-Wdivergent-trace"
RaytracingAccelerationStructure scene;
RWStructuredBuffer<uint> buffer;
struct P { uint n; };
[shader("closesthit")]
void Hit(inout P p, BuiltInTriangleIntersectionAttributes a)
{
    RayDesc ray = { float3(0, 0, 0), 0, float3(0, 0, 1), 1 };
    P q = { 1 };
    if (p.n > 2)
        TraceRay(scene, 0, 255, 0, 1, 0, ray, q);
//      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0862 some threads of a wave may come to this trace and others not, which splits the wave on some devices
// = 10:9: note: this may differ between threads, and parts them (`if`)
// = note: about 8 instructions follow, which each part of a split wave executes by itself
// = note: trace in all threads: those without work have an instance mask of 0, and a miss shader that does nothing
// = note: `-fspv-converge-traces` leaves it as it is: a lane without work may be at the largest depth of recursion, where it may not trace; a trace before it by all lanes would say that it is not
    if (p.n > 3)
        CallShader(p.n, q);
//      ^^^^^^^^^^^^^^^^^^ W0862 some threads of a wave may come to this call and others not, which splits the wave on some devices
// = 12:9: note: this may differ between threads, and parts them (`if`)
// = note: about 2 instructions follow, which each part of a split wave executes by itself
// = note: call in all threads: those without work name a record whose shader does nothing
// = note: `-fspv-converge-traces` leaves it as it is: a record without a shader is defined for miss shaders, and not for callable shaders
    p.n = q.n;
}
#pragma dxc diagnostic ignored "-Wdivergent-trace"
[shader("miss")]
void Missed(inout P p)
{
    P q = { 1 };
    if (p.n > 3)
        CallShader(p.n, q);
    p.n = q.n;
}
