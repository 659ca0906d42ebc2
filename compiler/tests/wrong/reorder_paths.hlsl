// Reorder points, where paths, loops and addresses decide: which barrier is for which memory, what may have happened since a write, and what variables
// hold on some path.

// CASE barriers_and_what_they_are_for -T lib_6_9
RaytracingAccelerationStructure scene;
globallycoherent RWStructuredBuffer<uint> a, b, c, d, e, f;
struct [raypayload] P { uint n : read(caller) : write(caller, closesthit, miss); };
[shader("raygeneration")]
void Main()
{
    RayDesc ray = { float3(0, 0, 0), 0, float3(0, 0, 1), 1 };
    P p = { 1 };
    uint at = DispatchRaysIndex().x;
    a[at] = 1; b[at] = 2; c[at] = 3;
    Barrier(a, DEVICE_SCOPE);
    Barrier(b, 0);
    TraceRay(scene, 0, 255, 0, 1, 0, ray, p);
    p.n += a[at];
    p.n += b[at];
//         ^^^^^ W0853 `b` is written before a reorder point and read after it, without a barrier in between
// = here: read here
// = 10:16: note: written here
// = 13:5: note: the thread may go on elsewhere here
// = note: the barrier belongs between the write and the reorder point
// = note: a read across a reorder point requires a `reordercoherent` (or `globallycoherent`) UAV, and a barrier between the write and the point (DXR 1.31, reorder points: memory coherence and visibility)
    p.n += c[at];
//         ^^^^^ W0853 `c` is written before a reorder point and read after it, without a barrier in between
// = here: read here
// = 10:27: note: written here
// = 13:5: note: the thread may go on elsewhere here
// = note: the barrier belongs between the write and the reorder point
// = note: a read across a reorder point requires a `reordercoherent` (or `globallycoherent`) UAV, and a barrier between the write and the point (DXR 1.31, reorder points: memory coherence and visibility)
    d[at] = 1; e[at] = 2; f[at] = 3;
    Barrier(UAV_MEMORY, 0);
    Barrier(d, REORDER_SCOPE);
    TraceRay(scene, 0, 255, 0, 1, 0, ray, p);
    p.n += d[at] + e[at];
//                 ^^^^^ W0853 `e` is written before a reorder point and read after it, without a barrier in between
// = here: read here
// = 17:16: note: written here
// = 20:5: note: the thread may go on elsewhere here
// = note: the barrier belongs between the write and the reorder point
// = note: a read across a reorder point requires a `reordercoherent` (or `globallycoherent`) UAV, and a barrier between the write and the point (DXR 1.31, reorder points: memory coherence and visibility)
    Barrier(ALL_MEMORY, DEVICE_SCOPE);
    p.n += f[at];
//         ^^^^^ W0855 the barrier for `f` is after the reorder point
// = here: read here
// = 17:27: note: written here
// = 20:5: note: the thread may go on elsewhere here
// = note: the barrier belongs between the write and the reorder point
// = note: a read across a reorder point requires a `reordercoherent` (or `globallycoherent`) UAV, and a barrier between the write and the point (DXR 1.31, reorder points: memory coherence and visibility)
    f[1] = p.n;
}
// CASE accesses_of_all_sorts_of_memory -T lib_6_6
RaytracingAccelerationStructure scene;
RWBuffer<uint> typed; RWByteAddressBuffer raw; RWTexture1D<float> line1; RWTexture3D<float> volume; RWStructuredBuffer<uint2> pairs; RWBuffer<uint> list[4];
struct P { uint n; };
[shader("raygeneration")]
void Main()
{
    RayDesc ray = { float3(0, 0, 0), 0, float3(0, 0, 1), 1 };
    P p = { 1 };
    uint3 at = DispatchRaysIndex();
    typed[at.x] = 1;
    raw.Store2(at.x * 8, at.xy);
    line1[at.x] = 3;
    volume[at] = 4;
    pairs[at.x].y = 5;
    list[1][at.x] = 6;
    uint old;
    InterlockedAdd(typed[at.y], 1, old);
    raw.InterlockedOr(at.z, 1);
    TraceRay(scene, 0, 255, 0, 1, 0, ray, p);
    p.n += typed[at.x];
//         ^^^^^^^^^^^ W0852 `typed` is written before a reorder point and read after it, and is not coherent across it
// = here: read here
// = 10:5: note: written here
// = 19:5: note: the thread may go on elsewhere here
// = note: declare it `globallycoherent`, and write `DeviceMemoryBarrier()` between the write and the reorder point
// = note: a read across a reorder point requires a `reordercoherent` (or `globallycoherent`) UAV, and a barrier between the write and the point (DXR 1.31, reorder points: memory coherence and visibility)
    p.n += raw.Load2(at.x * 8).y;
//         ^^^^^^^^^^^^^^^^^^^ W0852 `raw` is written before a reorder point and read after it, and is not coherent across it
// = here: read here
// = 11:5: note: written here
// = 19:5: note: the thread may go on elsewhere here
// = note: declare it `globallycoherent`, and write `DeviceMemoryBarrier()` between the write and the reorder point
// = note: a read across a reorder point requires a `reordercoherent` (or `globallycoherent`) UAV, and a barrier between the write and the point (DXR 1.31, reorder points: memory coherence and visibility)
    p.n += line1[at.x];
//         ^^^^^^^^^^^ W0852 `line1` is written before a reorder point and read after it, and is not coherent across it
// = here: read here
// = 12:5: note: written here
// = 19:5: note: the thread may go on elsewhere here
// = note: declare it `globallycoherent`, and write `DeviceMemoryBarrier()` between the write and the reorder point
// = note: a read across a reorder point requires a `reordercoherent` (or `globallycoherent`) UAV, and a barrier between the write and the point (DXR 1.31, reorder points: memory coherence and visibility)
    p.n += volume[at];
//         ^^^^^^^^^^ W0852 `volume` is written before a reorder point and read after it, and is not coherent across it
// = here: read here
// = 13:5: note: written here
// = 19:5: note: the thread may go on elsewhere here
// = note: declare it `globallycoherent`, and write `DeviceMemoryBarrier()` between the write and the reorder point
// = note: a read across a reorder point requires a `reordercoherent` (or `globallycoherent`) UAV, and a barrier between the write and the point (DXR 1.31, reorder points: memory coherence and visibility)
    p.n += pairs[at.x].y;
//         ^^^^^^^^^^^^^ W0852 `pairs` is written before a reorder point and read after it, and is not coherent across it
// = here: read here
// = 14:5: note: written here
// = 19:5: note: the thread may go on elsewhere here
// = note: declare it `globallycoherent`, and write `DeviceMemoryBarrier()` between the write and the reorder point
// = note: a read across a reorder point requires a `reordercoherent` (or `globallycoherent`) UAV, and a barrier between the write and the point (DXR 1.31, reorder points: memory coherence and visibility)
    p.n += list[1][at.x];
//         ^^^^^^^^^^^^^ W0852 `list` is written before a reorder point and read after it, and is not coherent across it
// = here: read here
// = 15:5: note: written here
// = 19:5: note: the thread may go on elsewhere here
// = note: declare it `globallycoherent`, and write `DeviceMemoryBarrier()` between the write and the reorder point
// = note: a read across a reorder point requires a `reordercoherent` (or `globallycoherent`) UAV, and a barrier between the write and the point (DXR 1.31, reorder points: memory coherence and visibility)
    p.n += typed[at.y];
//         ^^^^^^^^^^^ W0852 `typed` is written before a reorder point and read after it, and is not coherent across it
// = here: read here
// = 17:5: note: written here
// = 19:5: note: the thread may go on elsewhere here
// = note: declare it `globallycoherent`, and write `DeviceMemoryBarrier()` between the write and the reorder point
// = note: a read across a reorder point requires a `reordercoherent` (or `globallycoherent`) UAV, and a barrier between the write and the point (DXR 1.31, reorder points: memory coherence and visibility)
    p.n += raw.Load(at.z);
//         ^^^^^^^^^^^^^^ W0852 `raw` is written before a reorder point and read after it, and is not coherent across it
// = here: read here
// = 18:5: note: written here
// = 19:5: note: the thread may go on elsewhere here
// = note: declare it `globallycoherent`, and write `DeviceMemoryBarrier()` between the write and the reorder point
// = note: a read across a reorder point requires a `reordercoherent` (or `globallycoherent`) UAV, and a barrier between the write and the point (DXR 1.31, reorder points: memory coherence and visibility)
    // Other addresses and other memory.
    p.n += typed[at.x + 1] + raw.Load2(at.x * 4).x + line1[at.y] + volume[at.zyx] + pairs[at.x].x + list[2][at.x];
    typed[0] = p.n;
}
// CASE writes_on_one_path -T lib_6_6
RaytracingAccelerationStructure scene;
globallycoherent RWStructuredBuffer<uint> a, b, c, d;
struct P { uint n; };
[shader("raygeneration")]
void Main()
{
    RayDesc ray = { float3(0, 0, 0), 0, float3(0, 0, 1), 1 };
    P p = { 1 };
    uint at = DispatchRaysIndex().x;
    if (at > 3) { a[at] = 1; if (at > 4) DeviceMemoryBarrier(); }
    else { b[at] = 1; DeviceMemoryBarrier(); }
    switch (at & 3)
    {
        case 0: c[at] = 1; break;
        case 1: d[at] = 2;
        default: d[at] = 3; TraceRay(scene, 0, 255, 0, 1, 0, ray, p); break;
    }
    p.n += c[at] + d[at];
//                 ^^^^^ W0853 `d` is written before a reorder point and read after it, without a barrier in between
// = here: read here
// = 16:18: note: written here
// = 16:29: note: the thread may go on elsewhere here
// = note: the barrier belongs between the write and the reorder point
// = note: a read across a reorder point requires a `reordercoherent` (or `globallycoherent`) UAV, and a barrier between the write and the point (DXR 1.31, reorder points: memory coherence and visibility)
    if (at > 7) TraceRay(scene, 0, 255, 0, 1, 0, ray, p);
    p.n += a[at];
//         ^^^^^ W0853 `a` is written before a reorder point and read after it, without a barrier in between
// = here: read here
// = 10:19: note: written here
// = 19:17: note: the thread may go on elsewhere here
// = note: the barrier belongs between the write and the reorder point
// = note: a read across a reorder point requires a `reordercoherent` (or `globallycoherent`) UAV, and a barrier between the write and the point (DXR 1.31, reorder points: memory coherence and visibility)
    p.n += b[at];
    a[0] = p.n;
}
// CASE writes_in_loops -T lib_6_6
RaytracingAccelerationStructure scene;
globallycoherent RWStructuredBuffer<uint> a, b, c, d;
struct P { uint n; };
[shader("raygeneration")]
void Main()
{
    RayDesc ray = { float3(0, 0, 0), 0, float3(0, 0, 1), 1 };
    P p = { 1 };
    uint at = DispatchRaysIndex().x;
    d[at] = 1;
    for (uint i = 0; i < at; i++)
    {
        p.n += a[at];
        if (b[i] == 3) continue;
        TraceRay(scene, 0, 255, 0, 1, 0, ray, p);
        if (c[i] == 3) break;
        a[at] = i;
        b[i] = 2;
        DeviceMemoryBarrier();
    }
    p.n += d[at];
//         ^^^^^ W0853 `d` is written before a reorder point and read after it, without a barrier in between
// = here: read here
// = 10:5: note: written here
// = 15:9: note: the thread may go on elsewhere here
// = note: the barrier belongs between the write and the reorder point
// = note: a read across a reorder point requires a `reordercoherent` (or `globallycoherent`) UAV, and a barrier between the write and the point (DXR 1.31, reorder points: memory coherence and visibility)
    a[0] = p.n;
}
// CASE memory_of_shaders_of_one_thread -T lib_6_6
RaytracingAccelerationStructure scene;
globallycoherent RWStructuredBuffer<uint> sent, kept, back, safe;
struct P { uint n; };
[shader("raygeneration")]
void Main()
{
    RayDesc ray = { float3(0, 0, 0), 0, float3(0, 0, 1), 1 };
    P p = { 1 };
    uint at = DispatchRaysIndex().x;
    kept[at] = 1;
    DeviceMemoryBarrier();
    sent[at] = 1;
    TraceRay(scene, 0, 255, 0, 1, 0, ray, p);
    p.n += back[at] + safe[at];
//         ^^^^^^^^ W0853 `back` is written by one shader and read by another one of the same thread, without a barrier after the write
// = here: read here
// = 22:20: note: written here
// = 13:5: note: one runs during this call of the other
// = note: the shader that writes has to issue the barrier, after the write and before it ends or calls
// = note: a read across a reorder point requires a `reordercoherent` (or `globallycoherent`) UAV, and a barrier between the write and the point (DXR 1.31, reorder points: memory coherence and visibility)
    sent[0] = p.n;
}
[shader("miss")]
void Miss(inout P p)
{
    uint at = DispatchRaysIndex().x;
    p.n = sent[at] + kept[at];
//        ^^^^^^^^ W0853 `sent` is written by one shader and read by another one of the same thread, without a barrier after the write
// = here: read here
// = 12:5: note: written here
// = 13:5: note: one runs during this call of the other
// = note: the shader that writes has to issue the barrier, after the write and before it ends or calls
// = note: a read across a reorder point requires a `reordercoherent` (or `globallycoherent`) UAV, and a barrier between the write and the point (DXR 1.31, reorder points: memory coherence and visibility)
    if (p.n > 3) { back[at] = 1; return; }
    safe[at] = 2;
    DeviceMemoryBarrier();
}
// CASE memory_that_a_callable_shader_reads -T lib_6_6
RWStructuredBuffer<uint> sent;
struct P { uint n; };
[shader("raygeneration")]
void Main()
{
    P p = { 1 };
    sent[DispatchRaysIndex().y] = 1;
    CallShader(0, p);
    sent[0] = p.n;
}
[shader("callable")]
void Called(inout P p) { p.n = sent[DispatchRaysIndex().y] + sent[p.n]; }
//                             ^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0852 `sent` is written by one shader and read by another one of the same thread, and is not coherent across the call
// = here: read here
// = 7:5: note: written here
// = 8:5: note: one runs during this call of the other
// = note: declare it `globallycoherent`, and write `DeviceMemoryBarrier()` between the write and the reorder point
// = note: a read across a reorder point requires a `reordercoherent` (or `globallycoherent`) UAV, and a barrier between the write and the point (DXR 1.31, reorder points: memory coherence and visibility)
// CASE waves_in_variables_of_paths_and_loops -T lib_6_6 -Weverything -Wno-payload-access-perf
RaytracingAccelerationStructure scene;
RWStructuredBuffer<uint> buffer;
struct P { uint n; uint2 m; };
[shader("raygeneration")]
void Main()
{
    RayDesc ray = { float3(0, 0, 0), 0, float3(0, 0, 1), 1 };
    P p = { 1, uint2(2, 3) };
    uint list[4] = { 0, 1, 2, 3 };
    uint at = DispatchRaysIndex().x;
    list[1] = WaveGetLaneIndex();
//            ^^^^^^^^^^^^^^^^^^ W0850 the state of the wave that this operation returns is used after a reorder point, where the thread may be in another wave
// = here: of the wave that the thread is in here
// = 15:9: note: the thread may go to another wave here
// = 19:17: note: used here
// = note: results of wave operations hold up to the next reorder point (DXR 1.31, wave intrinsics)
    for (uint i = 0; i < at; i++)
    {
        if (buffer[i] > 3) { list[2] = WaveActiveCountBits(true); continue; }
//                                     ^^^^^^^^^^^^^^^^^^^^^^^^^ W0850 the state of the wave that this operation returns is used after a reorder point, where the thread may be in another wave
// = here: of the wave that the thread is in here
// = 15:9: note: the thread may go to another wave here
// = 20:17: note: used here
// = note: results of wave operations hold up to the next reorder point (DXR 1.31, wave intrinsics)
        TraceRay(scene, 0, 255, 0, 1, 0, ray, p);
//      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0862 some threads of a wave may come to this trace and others not, which splits the wave on some devices
// = 12:22: note: this may differ between threads, and parts them (`loop`)
// = note: about 233 instructions follow, which each part of a split wave executes by itself
// = note: trace in all threads: those without work have an instance mask of 0, and a miss shader that does nothing
// = note: for SPIR-V, `-fspv-converge-traces` makes all threads execute it
        if (buffer[i] > 2) { list[3] = WavePrefixCountBits(true); break; }
        list[i & 1] = 4;
    }
    buffer[0] = list[1];
    buffer[1] = list[2];
    buffer[2] = list[3];
    buffer[3] = list[0];
    list[at & 3] = 5;
    buffer[4] = list[at & 1];
    list[1] = 6;
    buffer[5] = list[1];
}
// CASE reorders_on_paths -T lib_6_9 -Wreorder-divergence
RWStructuredBuffer<uint> buffer;
RaytracingAccelerationStructure scene;
cbuffer C { uint mode, bits; };
struct [raypayload] P { uint n : read(caller) : write(caller, closesthit, miss); };
[shader("raygeneration")]
void Main()
{
    RayDesc ray = { float3(0, 0, 0), 0, float3(0, 0, 1), 1 };
    P p = { 1 };
    uint x = buffer[DispatchRaysIndex().x];
    switch (mode)
    {
        case 1: dx::MaybeReorderThread(x, 32); break;
        case 2: if (WaveIsFirstLane()) buffer[1] = 2; else dx::MaybeReorderThread(x, 32);
//                                                         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0856 some threads of a wave may come to this reorder and others not
// = 14:17: note: the branch that parts them
// = note: only threads that arrive are reordered; those that do not keep the rest of their wave (DXR 1.31, MaybeReorderThread divergence behavior)
    }
    switch (x) { case 1: dx::MaybeReorderThread(bits, 32); break; case 2: buffer[2] = 1; }
//                       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0856 some threads of a wave may come to this reorder and others not
// = 16:75: note: the branch that parts them
// = note: only threads that arrive are reordered; those that do not keep the rest of their wave (DXR 1.31, MaybeReorderThread divergence behavior)
    for (uint i = 0; i < mode; i++) dx::MaybeReorderThread(i & 3, 2);
    dx::HitObject used = dx::HitObject::TraceRay(scene, 0, 255, 0, 1, 0, ray, p);
    dx::MaybeReorderThread(used);
    if (used.IsHit()) buffer[3] = 1;
    dx::HitObject unused = dx::HitObject::MakeMiss(0, 0, ray);
    unused.SetShaderTableIndex(1);
    dx::MaybeReorderThread(unused, 1, 1);
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0859 threads are reordered by a hit object that nothing else uses
// = 22:5: note: the hit object
// = note: reordering pays where what follows depends on the hit: invoke it, or read what it hit
    dx::HitObject nop = dx::HitObject::MakeNop();
    dx::MaybeReorderThread(nop, 0, 0);
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0858 there is nothing to reorder by: no hit, and no bits of a hint
// = note: the number of bits should be the lowest that represents all hints at this call, and the same for all threads (DXR 1.31, MaybeReorderThread)
    dx::MaybeReorderThread(nop, x & 1, 1);
    buffer[4] = nop.IsNop() ? p.n : nop.GetInstanceID() + nop.GetShaderTableIndex();
//                                  ^^^^^^^^^^^^^^^^^^^ W0860 a hit object that is a nop has neither a ray nor a hit: this gives a fixed value
// = 24:25: note: the nop
// = note: operations on a nop do nothing and give zeros (DXR 1.31, HitObject)
//                                                        ^^^^^^^^^^^^^^^^^^^^^^^^^ W0860 a hit object that is a nop has neither a ray nor a hit: this gives a fixed value
// = 24:25: note: the nop
// = note: operations on a nop do nothing and give zeros (DXR 1.31, HitObject)
}
