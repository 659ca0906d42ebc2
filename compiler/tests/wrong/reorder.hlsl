// What programs do around reorder points that cannot be meant.

// CASE wave_results_across_a_trace -T lib_6_6 -Weverything
RaytracingAccelerationStructure scene;
RWStructuredBuffer<uint> buffer;
struct P { uint n; };
void Go()
{
    RayDesc ray = { float3(0, 0, 0), 0, float3(0, 0, 1), 1 };
    P p = { 1 };
    TraceRay(scene, 0, 255, 0, 1, 0, ray, p);
    buffer[p.n] = 1;
}
[shader("raygeneration")]
void Main()
{
    uint lanes = WaveActiveBallot(true).x & 255;
//               ^^^^^^^^^^^^^^^^^^^^^^ W0850 the state of the wave that this operation returns is used after a reorder point, where the thread may be in another wave
// = here: of the wave that the thread is in here
// = 8:5: note: the thread may go to another wave here
// = 20:17: note: used here
// = note: results of wave operations hold up to the next reorder point (DXR 1.31, wave intrinsics)
    uint sum = WaveActiveSum(buffer[0]);
//             ^^^^^^^^^^^^^^^^^^^^^^^^ W0851 the result of this wave operation is used after a reorder point, where the thread may be in another wave
// = here: of the wave that the thread is in here
// = 8:5: note: the thread may go to another wave here
// = 20:17: note: used here
// = note: results of wave operations hold up to the next reorder point (DXR 1.31, wave intrinsics)
    uint fine = WaveGetLaneIndex();
    buffer[1] = fine;
    uint mixed = WaveGetLaneIndex() + buffer[1];
    Go();
    buffer[2] = lanes + sum + mixed + WaveActiveCountBits(true);
}

// CASE memory_without_coherence -T lib_6_6
RaytracingAccelerationStructure scene;
RWStructuredBuffer<uint> buffer, other;
globallycoherent RWStructuredBuffer<uint> good, late, lacking;
struct P { uint n; };
[shader("raygeneration")]
void Main()
{
    RayDesc ray = { float3(0, 0, 0), 0, float3(0, 0, 1), 1 };
    P p = { 1 };
    uint at = DispatchRaysIndex().x;
    buffer[at] = 1;
    other[at] = 2;
    good[at] = 3;
    late[at] = 4;
    DeviceMemoryBarrier();
    late[at] = 5;
    lacking[at] = 5;
    TraceRay(scene, 0, 255, 0, 1, 0, ray, p);
    p.n += lacking[at];
//         ^^^^^^^^^^^ W0853 `lacking` is written before a reorder point and read after it, without a barrier in between
// = here: read here
// = 17:5: note: written here
// = 18:5: note: the thread may go on elsewhere here
// = note: the barrier belongs between the write and the reorder point
// = note: a read across a reorder point requires a `reordercoherent` (or `globallycoherent`) UAV, and a barrier between the write and the point (DXR 1.31, reorder points: memory coherence and visibility)
    DeviceMemoryBarrier();
    p.n += late[at] + good[at];
//         ^^^^^^^^ W0855 the barrier for `late` is after the reorder point
// = here: read here
// = 16:5: note: written here
// = 18:5: note: the thread may go on elsewhere here
// = note: the barrier belongs between the write and the reorder point
// = note: a read across a reorder point requires a `reordercoherent` (or `globallycoherent`) UAV, and a barrier between the write and the point (DXR 1.31, reorder points: memory coherence and visibility)
    // Elsewhere, or overwritten: there is no diagnostic across the point.
    p.n += buffer[at + 1];
    buffer[at] = p.n;
    p.n += buffer[at];
    // An atomic operation reads what is there.
    InterlockedAdd(other[at], 1, p.n);
    buffer[0] = p.n;
}

// CASE memory_across_rounds_of_a_loop -T lib_6_6
RaytracingAccelerationStructure scene;
RWTexture2D<float4> image;
RWStructuredBuffer<uint> steps;
struct P { float4 color; };
[shader("raygeneration")]
void Main()
{
    for (uint i = 0; i < 4; i++)
    {
        RayDesc ray = { float3(i, 0, 0), 0, float3(0, 0, 1), 1 };
        P p = { float4(0, 0, 0, 0) };
        TraceRay(scene, 0, 255, 0, 1, 0, ray, p);
        // Another address in each iteration: no diagnostic.
        steps[i] = steps[i] + 1;
        image[DispatchRaysIndex().xy] += p.color;
//      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0852 `image` is written before a reorder point and read after it, and is not coherent across it
// = here: read here
// = 15:9: note: written here
// = 12:9: note: the thread may go on elsewhere here
// = note: declare it `globallycoherent`, and write `DeviceMemoryBarrier()` between the write and the reorder point
// = note: a read across a reorder point requires a `reordercoherent` (or `globallycoherent`) UAV, and a barrier between the write and the point (DXR 1.31, reorder points: memory coherence and visibility)
    }
}

// CASE memory_between_shaders -T lib_6_6
RaytracingAccelerationStructure scene;
RWTexture2D<float4> image, mask;
RWStructuredBuffer<uint> counter;
struct P { float4 color; };
[shader("raygeneration")]
void Main()
{
    RayDesc ray = { float3(0, 0, 0), 0, float3(0, 0, 1), 1 };
    P p = { float4(0, 0, 0, 0) };
    mask[DispatchRaysIndex().xy] = 1;
    TraceRay(scene, 0, 255, 0, 1, 0, ray, p);
    float4 found = image[DispatchRaysIndex().xy];
//                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0852 `image` is written by one shader and read by another one of the same thread, and is not coherent across the call
// = here: read here
// = 18:5: note: written here
// = 11:5: note: one runs during this call of the other
// = note: declare it `globallycoherent`, and write `DeviceMemoryBarrier()` between the write and the reorder point
// = note: a read across a reorder point requires a `reordercoherent` (or `globallycoherent`) UAV, and a barrier between the write and the point (DXR 1.31, reorder points: memory coherence and visibility)
    counter[0] = found.x;
}
[shader("closesthit")]
void Hit(inout P p, in BuiltInTriangleIntersectionAttributes a)
{
    image[DispatchRaysIndex().xy] = 1;
    counter[PrimitiveIndex()] = 1;
}
[shader("miss")]
void Miss(inout P p)
{
    p.color = mask[DispatchRaysIndex().xy];
//            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0852 `mask` is written by one shader and read by another one of the same thread, and is not coherent across the call
// = here: read here
// = 10:5: note: written here
// = 11:5: note: one runs during this call of the other
// = note: declare it `globallycoherent`, and write `DeviceMemoryBarrier()` between the write and the reorder point
// = note: a read across a reorder point requires a `reordercoherent` (or `globallycoherent`) UAV, and a barrier between the write and the point (DXR 1.31, reorder points: memory coherence and visibility)
}

// CASE reorder_coherence_by_halves -T lib_6_9
reordercoherent RWStructuredBuffer<uint> buffer;
//                                       ^^^^^^ W0853 `buffer` is `reordercoherent`, but no barrier makes what is written to it visible
// = note: declare it `reordercoherent`, and write `Barrier(UAV_MEMORY, REORDER_SCOPE)` between the write and the reorder point
// = note: a read across a reorder point requires a `reordercoherent` (or `globallycoherent`) UAV, and a barrier between the write and the point (DXR 1.31, reorder points: memory coherence and visibility)
[shader("raygeneration")]
void Main()
{
    buffer[0] = 1;
    buffer[1] = buffer[2];
}

// CASE reorder_barrier_for_nothing -T lib_6_9
RWStructuredBuffer<uint> buffer;
[shader("raygeneration")]
void Main()
{
    buffer[0] = 1;
    Barrier(UAV_MEMORY, REORDER_SCOPE);
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0854 a barrier with REORDER_SCOPE, where no UAV that is used is `reordercoherent`
// = note: the barrier makes writes to UAVs visible across a reorder point that are declared `reordercoherent` or `globallycoherent`
// = note: a read across a reorder point requires a `reordercoherent` (or `globallycoherent`) UAV, and a barrier between the write and the point (DXR 1.31, reorder points: memory coherence and visibility)
}

// CASE reorder_barrier_on_the_wrong_side -T lib_6_9
RaytracingAccelerationStructure scene;
reordercoherent RWStructuredBuffer<uint> buffer;
struct [raypayload] P { uint n : read(caller) : write(caller, closesthit, miss); };
[shader("raygeneration")]
void Main()
{
    RayDesc ray = { float3(0, 0, 0), 0, float3(0, 0, 1), 1 };
    P p = { 1 };
    buffer[0] = 1;
    TraceRay(scene, 0, 255, 0, 1, 0, ray, p);
    Barrier(UAV_MEMORY, REORDER_SCOPE);
    buffer[1] = buffer[0] + p.n;
//              ^^^^^^^^^ W0855 the barrier for `buffer` is after the reorder point
// = here: read here
// = 9:5: note: written here
// = 10:5: note: the thread may go on elsewhere here
// = note: the barrier belongs between the write and the reorder point
// = note: a read across a reorder point requires a `reordercoherent` (or `globallycoherent`) UAV, and a barrier between the write and the point (DXR 1.31, reorder points: memory coherence and visibility)
}

// CASE the_seeds_divergence_example -T lib_6_9
RWStructuredBuffer<int> buffer;
int MyFunc(int coherenceCoord)
{
    int A = WaveActiveBallot(true).x;
//          ^^^^^^^^^^^^^^^^^^^^^^ W0850 the state of the wave that this operation returns is used after a reorder point, where the thread may be in another wave
// = here: of the wave that the thread is in here
// = 6:9: note: the thread may go to another wave here
// = 8:12: note: used here
// = note: results of wave operations hold up to the next reorder point (DXR 1.31, wave intrinsics)
    if (WaveIsFirstLane())
        dx::MaybeReorderThread(coherenceCoord, 32);
//      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0857 only one thread of each wave comes to this reorder
// = 5:5: note: all others go past it
// = note: only threads that arrive at a reorder point can be reordered (DXR 1.31, MaybeReorderThread divergence behavior)
    int B = WaveActiveBallot(true).x;
    return A - B;
}
[shader("raygeneration")]
void Main()
{
    buffer[DispatchRaysIndex().x] = MyFunc(buffer[DispatchRaysIndex().y]);
}

// CASE reorder_in_a_divergent_branch -T lib_6_9 -Wreorder-divergence
RWStructuredBuffer<uint> buffer;
cbuffer C { uint mode; };
[shader("raygeneration")]
void Main()
{
    uint x = buffer[DispatchRaysIndex().x];
    if (mode == 3)
        dx::MaybeReorderThread(x, 32);
    if (x > 2)
        dx::MaybeReorderThread(x, 32);
//      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0856 some threads of a wave may come to this reorder and others not
// = 9:5: note: the branch that parts them
// = note: only threads that arrive are reordered; those that do not keep the rest of their wave (DXR 1.31, MaybeReorderThread divergence behavior)
    buffer[x] = 1;
}

// CASE hints_and_bits -T lib_6_9
RWStructuredBuffer<uint> buffer;
cbuffer C { uint bits; };
[shader("raygeneration")]
void Main()
{
    uint x = buffer[DispatchRaysIndex().x];
    dx::MaybeReorderThread(x & 7, 3);
    dx::MaybeReorderThread(x & 7, 4);
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0858 the hint has at most 3 bits, and 4 are to count
// = here: values are at most 7
// = note: the number of bits should be the lowest that represents all hints at this call, and the same for all threads (DXR 1.31, MaybeReorderThread)
    dx::MaybeReorderThread(x > 4 ? 1 : 0, 8);
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0858 the hint has at most 1 bit, and 8 are to count
// = here: values are at most 1
// = note: the number of bits should be the lowest that represents all hints at this call, and the same for all threads (DXR 1.31, MaybeReorderThread)
    dx::MaybeReorderThread(x, 33);
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0858 a hint has 32 bits, not 33
// = note: the number of bits should be the lowest that represents all hints at this call, and the same for all threads (DXR 1.31, MaybeReorderThread)
    dx::MaybeReorderThread(x, 0);
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0858 none of the hint's bits counts: the hint does nothing
// = note: the number of bits should be the lowest that represents all hints at this call, and the same for all threads (DXR 1.31, MaybeReorderThread)
    dx::MaybeReorderThread(x, bits);
    dx::MaybeReorderThread(x, x);
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0858 the number of bits of the hint may differ between threads
// = note: the number of bits should be the lowest that represents all hints at this call, and the same for all threads (DXR 1.31, MaybeReorderThread)
    if (x < 16)
        dx::MaybeReorderThread(x, 16);
//      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0858 the hint has at most 4 bits, and 16 are to count
// = here: values are at most 15
// = note: the number of bits should be the lowest that represents all hints at this call, and the same for all threads (DXR 1.31, MaybeReorderThread)
    buffer[x] = 1;
}

// CASE hit_objects_that_do_nothing -T lib_6_9
RaytracingAccelerationStructure scene;
RWStructuredBuffer<uint> buffer;
struct [raypayload] P { uint n : read(caller) : write(caller, closesthit, miss); };
[shader("raygeneration")]
void Main()
{
    RayDesc ray = { float3(0, 0, 0), 0, float3(0, 0, 1), 1 };
    P p = { 1 };
    dx::HitObject useless = dx::HitObject::TraceRay(scene, 0, 255, 0, 1, 0, ray, p);
    dx::MaybeReorderThread(useless);
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0859 threads are reordered by a hit object that nothing else uses
// = 9:29: note: the hit object
// = note: reordering pays where what follows depends on the hit: invoke it, or read what it hit
    dx::HitObject nop = dx::HitObject::MakeNop();
    nop.SetShaderTableIndex(3);
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^ W0860 a hit object that is a nop has no record to choose: this does nothing
// = 11:25: note: the nop
// = note: operations on a nop do nothing and give zeros (DXR 1.31, HitObject)
    buffer[1] = nop.GetInstanceID();
//              ^^^^^^^^^^^^^^^^^^^ W0860 a hit object that is a nop has neither a ray nor a hit: this gives a fixed value
// = 11:25: note: the nop
// = note: operations on a nop do nothing and give zeros (DXR 1.31, HitObject)
    if (nop.IsNop())
        dx::HitObject::Invoke(nop, p);
//      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0860 a hit object that is a nop has no shader to invoke: this does nothing
// = 11:25: note: the nop
// = note: operations on a nop do nothing and give zeros (DXR 1.31, HitObject)
    dx::MaybeReorderThread(nop, buffer[3], 32);
    dx::MaybeReorderThread(nop);
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0858 there is nothing to reorder by: no hit, and no bits of a hint
// = note: the number of bits should be the lowest that represents all hints at this call, and the same for all threads (DXR 1.31, MaybeReorderThread)
    buffer[2] = p.n;
}

// CASE invoke_without_a_record -T lib_6_9
RaytracingAccelerationStructure scene;
RWStructuredBuffer<uint> buffer;
struct [raypayload] P { uint n : read(caller) : write(caller, closesthit, miss); };
[shader("raygeneration")]
void Main()
{
    RayDesc ray = { float3(0, 0, 0), 0, float3(0, 0, 1), 1 };
    P p = { 1 };
    RayQuery<RAY_FLAG_NONE> q;
    q.TraceRayInline(scene, 0, 255, ray);
    while (q.Proceed()) {}
    dx::HitObject hit = dx::HitObject::FromRayQuery(q);
    dx::HitObject::Invoke(hit, p);
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0861 a hit object made of a ray query names no shader record: this does nothing
// = 12:25: note: made here
// = note: give it one with `SetShaderTableIndex` (DXR 1.31, HitObject::FromRayQuery)
    dx::HitObject better = hit;
    better.SetShaderTableIndex(3);
    dx::HitObject::Invoke(better, p);
    buffer[2] = p.n;
}

// CASE clocks_of_two_subgroups -T lib_6_6 -spirv
RaytracingAccelerationStructure scene;
RWStructuredBuffer<uint> buffer;
struct P { uint n; };
[shader("raygeneration")]
void Main()
{
    RayDesc ray = { float3(0, 0, 0), 0, float3(0, 0, 1), 1 };
    P p = { 1 };
    uint64_t device = vk::ReadClock(vk::DeviceScope);
    uint64_t start = vk::ReadClock(vk::SubgroupScope);
//                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0850 this time of the subgroup's clock is used after a reorder point, where the thread may be in another subgroup
// = 11:5: note: the thread may go to another subgroup here
// = 12:24: note: used here
// = note: clocks of different subgroups cannot be compared (Vulkan, ray tracing, repacking); the device's clock can
    TraceRay(scene, 0, 255, 0, 1, 0, ray, p);
    buffer[0] = (uint)(vk::ReadClock(vk::SubgroupScope) - start);
    buffer[1] = (uint)(vk::ReadClock(vk::DeviceScope) - device);
}

// CASE all_groups_at_once -T lib_6_6 -Wreorder-points -Wno-reorder-coherence
RaytracingAccelerationStructure scene;
RWStructuredBuffer<uint> buffer;
struct P { uint n; };
[shader("raygeneration")]
void Main()
{
    RayDesc ray = { float3(0, 0, 0), 0, float3(0, 0, 1), 1 };
    P p = { 1 };
    buffer[0] = 1;
    uint sum = WaveActiveSum(buffer[1]);
//             ^^^^^^^^^^^^^^^^^^^^^^^^ W0851 the result of this wave operation is used after a reorder point, where the thread may be in another wave
// = here: of the wave that the thread is in here
// = 11:5: note: the thread may go to another wave here
// = 12:17: note: used here
// = note: results of wave operations hold up to the next reorder point (DXR 1.31, wave intrinsics)
    TraceRay(scene, 0, 255, 0, 1, 0, ray, p);
    buffer[2] = buffer[0] + sum;
}

// CASE helpers_that_serve_many -T lib_6_9
//- What does nothing for one caller does something for another one: only what no caller needs is reported.
RaytracingAccelerationStructure scene;
RWStructuredBuffer<uint> buffer;
struct [raypayload] P { uint n : read(caller) : write(caller, closesthit, miss); };
uint Go(bool invoke, uint hint)
{
    RayDesc ray = { float3(0, 0, 0), 0, float3(0, 0, 1), 1 };
    P p = { 1 };
    dx::HitObject hit = dx::HitObject::TraceRay(scene, 0, 255, 0, 1, 0, ray, p);
    dx::MaybeReorderThread(hit, hint, 8);
    if (invoke)
        dx::HitObject::Invoke(hit, p);
    dx::HitObject other = dx::HitObject::TraceRay(scene, 0, 255, 0, 1, 0, ray, p);
    dx::MaybeReorderThread(other);
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0859 threads are reordered by a hit object that nothing else uses
// = 12:27: note: the hit object
// = note: reordering pays where what follows depends on the hit: invoke it, or read what it hit
    return p.n;
}
[shader("raygeneration")]
void Main()
{
    uint n = buffer[DispatchRaysIndex().x];
    buffer[0] = Go(true, n) + Go(false, n & 3);
}

// CASE wave_results_in_variables -T lib_6_9
RaytracingAccelerationStructure scene;
RWStructuredBuffer<uint> buffer;
struct S { uint kept[4]; uint other[4]; };
[shader("raygeneration")]
void Main()
{
    uint lanes[4];
    S s;
    for (uint i = 0; i < 4; ++i)
    {
        lanes[i] = WaveGetLaneIndex() + i;
//                 ^^^^^^^^^^^^^^^^^^ W0850 the state of the wave that this operation returns is used after a reorder point, where the thread may be in another wave
// = here: of the wave that the thread is in here
// = 15:5: note: the thread may go to another wave here
// = 16:17: note: used here
// = note: results of wave operations hold up to the next reorder point (DXR 1.31, wave intrinsics)
        s.kept[i] = WavePrefixCountBits(true);
//                  ^^^^^^^^^^^^^^^^^^^^^^^^^ W0850 the state of the wave that this operation returns is used after a reorder point, where the thread may be in another wave
// = here: of the wave that the thread is in here
// = 15:5: note: the thread may go to another wave here
// = 17:17: note: used here
// = note: results of wave operations hold up to the next reorder point (DXR 1.31, wave intrinsics)
        s.other[i] = i;
    }
    dx::MaybeReorderThread(1, 2);
    buffer[0] = lanes[buffer[3] & 3];
    buffer[1] = s.kept[buffer[4] & 3] + s.other[buffer[5] & 3];
}

// CASE wave_results_in_payloads -T lib_6_9
struct [raypayload] P { uint lane : read(caller) : write(caller); uint answer : read(caller) : write(closesthit, miss, caller); };
RaytracingAccelerationStructure scene;
RWStructuredBuffer<uint> buffer;
[shader("raygeneration")]
void Main()
{
    RayDesc ray = { float3(0, 0, 0), 0, float3(0, 0, 1), 1 };
    P p;
    p.lane = WaveGetLaneIndex();
//           ^^^^^^^^^^^^^^^^^^ W0850 the state of the wave that this operation returns is used after a reorder point, where the thread may be in another wave
// = here: of the wave that the thread is in here
// = 12:5: note: the thread may go to another wave here
// = 12:5: note: used here
// = note: results of wave operations hold up to the next reorder point (DXR 1.31, wave intrinsics)
    // What another shader writes is not this lane any more.
    p.answer = WaveGetLaneIndex();
    TraceRay(scene, 0, 255, 0, 1, 0, ray, p);
    buffer[0] = p.lane;
    buffer[1] = p.answer;
}
[shader("miss")] void Sky(inout P p) { p.answer = 1; }
[shader("closesthit")] void Hit(inout P p, in BuiltInTriangleIntersectionAttributes a) { p.answer = 2; }

// CASE wave_value_in_a_component_that_is_chosen -T lib_6_9
RWStructuredBuffer<uint> B;
[shader("raygeneration")] void Main()
{
    uint4 lanes = 0;
    lanes[B[1] & 3] = WaveGetLaneIndex();
//                    ^^^^^^^^^^^^^^^^^^ W0850 the state of the wave that this operation returns is used after a reorder point, where the thread may be in another wave
// = here: of the wave that the thread is in here
// = 6:5: note: the thread may go to another wave here
// = 7:12: note: used here
// = note: results of wave operations hold up to the next reorder point (DXR 1.31, wave intrinsics)
    dx::MaybeReorderThread(1, 2);
    B[0] = lanes.y;
}
// CASE reorder_in_one_lane -T lib_6_9
cbuffer C { uint Chosen; }
RWStructuredBuffer<uint> B;
[shader("raygeneration")] void Main()
{
    uint x = B[DispatchRaysIndex().x];
    if (WaveGetLaneIndex() == 0)
        dx::MaybeReorderThread(x, 32);
//      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0857 only one thread of each wave comes to this reorder
// = 6:5: note: all others go past it
// = note: only threads that arrive at a reorder point can be reordered (DXR 1.31, MaybeReorderThread divergence behavior)
    if (Chosen != WaveGetLaneIndex())
        B[1] = x;
    else
        dx::MaybeReorderThread(x, 31);
//      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0857 only one thread of each wave comes to this reorder
// = 8:5: note: all others go past it
// = note: only threads that arrive at a reorder point can be reordered (DXR 1.31, MaybeReorderThread divergence behavior)
    if (WaveGetLaneIndex() != 0)
        dx::MaybeReorderThread(x, 30);
    if (WaveGetLaneIndex() == B[x])
        dx::MaybeReorderThread(x, 29);
    B[0] = x;
}

// CASE reorder_in_one_lane_of_several_conditions -T lib_6_9
RWStructuredBuffer<uint> B;
bool first() { return WaveIsFirstLane(); }
[shader("raygeneration")] void Main()
{
    uint x = B[DispatchRaysIndex().x], y = B[DispatchRaysIndex().y];
    if (y > 3 && WaveIsFirstLane()) dx::MaybeReorderThread(x, 32);
//                                  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0857 only one thread of each wave comes to this reorder
// = 6:5: note: all others go past it
// = note: only threads that arrive at a reorder point can be reordered (DXR 1.31, MaybeReorderThread divergence behavior)
    if (y > 3 || WaveGetLaneIndex() != 0) B[4] = x; else dx::MaybeReorderThread(x, 32);
//                                                       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0857 only one thread of each wave comes to this reorder
// = 7:5: note: all others go past it
// = note: only threads that arrive at a reorder point can be reordered (DXR 1.31, MaybeReorderThread divergence behavior)
    bool one = y > 3 && WaveGetLaneIndex() == 5 && y < 9;
    if (one) dx::MaybeReorderThread(x, 32);
//           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0857 only one thread of each wave comes to this reorder
// = 9:5: note: all others go past it
// = note: only threads that arrive at a reorder point can be reordered (DXR 1.31, MaybeReorderThread divergence behavior)
    if (y > 3 ? WaveGetLaneIndex() == 2 : false) dx::MaybeReorderThread(x, 32);
//                                               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0857 only one thread of each wave comes to this reorder
// = 10:5: note: all others go past it
// = note: only threads that arrive at a reorder point can be reordered (DXR 1.31, MaybeReorderThread divergence behavior)
    if (first()) { if (y > 1) dx::MaybeReorderThread(x, 32); }
//                            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0857 only one thread of each wave comes to this reorder
// = 11:5: note: all others go past it
// = note: only threads that arrive at a reorder point can be reordered (DXR 1.31, MaybeReorderThread divergence behavior)
    if (WaveGetLaneIndex() <= 0) dx::MaybeReorderThread(x, 32);
//                               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0857 only one thread of each wave comes to this reorder
// = 12:5: note: all others go past it
// = note: only threads that arrive at a reorder point can be reordered (DXR 1.31, MaybeReorderThread divergence behavior)
    if (1 > WaveGetLaneIndex()) dx::MaybeReorderThread(x, 32);
//                              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0857 only one thread of each wave comes to this reorder
// = 13:5: note: all others go past it
// = note: only threads that arrive at a reorder point can be reordered (DXR 1.31, MaybeReorderThread divergence behavior)
    if (WaveGetLaneIndex() > 0) B[5] = x; else dx::MaybeReorderThread(x, 32);
//                                             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0857 only one thread of each wave comes to this reorder
// = 14:5: note: all others go past it
// = note: only threads that arrive at a reorder point can be reordered (DXR 1.31, MaybeReorderThread divergence behavior)
    if (WaveGetLaneIndex() + 1 == WaveGetLaneCount()) dx::MaybeReorderThread(x, 32);
//                                                    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0857 only one thread of each wave comes to this reorder
// = 15:5: note: all others go past it
// = note: only threads that arrive at a reorder point can be reordered (DXR 1.31, MaybeReorderThread divergence behavior)
    switch (WaveGetLaneIndex()) { case 3: dx::MaybeReorderThread(x, 32); break; default: B[6] = x; }
//                                        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0857 only one thread of each wave comes to this reorder
// = 16:90: note: all others go past it
// = note: only threads that arrive at a reorder point can be reordered (DXR 1.31, MaybeReorderThread divergence behavior)
    B[0] = x;
}

// CASE reorder_in_more_lanes -T lib_6_9
RWStructuredBuffer<uint> B;
[shader("raygeneration")] void Main()
{
    uint x = B[DispatchRaysIndex().x], y = B[DispatchRaysIndex().y];
    if (WaveGetLaneIndex() == 0 || y > 3) dx::MaybeReorderThread(x, 32);
    if (y > 4 || WaveIsFirstLane()) dx::MaybeReorderThread(x, 32);
    if (WaveGetLaneIndex() == 0 || WaveGetLaneIndex() == 1) dx::MaybeReorderThread(x, 32);
    if (WaveGetLaneIndex() != 0 && y > 3) B[4] = x; else dx::MaybeReorderThread(x, 32);
    if (!(WaveIsFirstLane() && y > 3)) dx::MaybeReorderThread(x, 32);
    if (y > 3 ? WaveGetLaneIndex() == 2 : WaveGetLaneIndex() == 3) dx::MaybeReorderThread(x, 32);
    if (WaveGetLaneIndex() <= 1) dx::MaybeReorderThread(x, 32);
    if (WaveGetLaneIndex() >= 1) dx::MaybeReorderThread(x, 32);
    if ((WaveGetLaneIndex() & 3) == 0) dx::MaybeReorderThread(x, 32);
    if (WaveGetLaneIndex() == B[y]) dx::MaybeReorderThread(x, 32);
    switch (WaveGetLaneIndex()) { case 0: case 1: dx::MaybeReorderThread(x, 32); break; default: B[6] = x; }
    switch (WaveGetLaneIndex()) { case 0: B[6] = x; break; default: dx::MaybeReorderThread(x, 32); }
    if (WaveGetLaneIndex() == 7) dx::MaybeReorderThread(x, 32);
//                               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0857 only one thread of each wave comes to this reorder
// = 17:5: note: all others go past it
// = note: only threads that arrive at a reorder point can be reordered (DXR 1.31, MaybeReorderThread divergence behavior)
    B[0] = x;
}
