// Memory across reorder points: barriers and points in any number and order, indices that other shaders do not have, results of wave operations in
// fields that other shaders write.

// CASE barriers_and_points_in_a_row -T lib_6_9
struct [raypayload] P { float a : read(caller) : write(caller, miss); };
RaytracingAccelerationStructure s : register(t0);
RWStructuredBuffer<float> o : register(u0);
reordercoherent RWStructuredBuffer<float> c : register(u1);
void go(inout P p) { RayDesc r; r.Origin = 0; r.Direction = 1; r.TMin = 0; r.TMax = 9; TraceRay(s, 0, 255, 0, 1, 0, r, p); }
void wait() { Barrier(UAV_MEMORY, REORDER_SCOPE); }
[shader("raygeneration")] void Main()
{
    P p; p.a = 0;
    o[0] = 1; wait(); wait(); go(p); p.a += o[0];
//                                          ^^^^ W0852 `o` is written before a reorder point and read after it, and is not coherent across it
// = here: read here
// = 10:5: note: written here
// = 5:88: note: the thread may go on elsewhere here
// = note: declare it `reordercoherent`, and write `Barrier(UAV_MEMORY, REORDER_SCOPE)` between the write and the reorder point
// = note: a read across a reorder point requires a `reordercoherent` (or `globallycoherent`) UAV, and a barrier between the write and the point (DXR 1.31, reorder points: memory coherence and visibility)
    c[0] = 1; wait(); wait(); go(p); p.a += c[0];
    c[1] = 1; go(p); wait(); wait(); p.a += c[1];
//                                          ^^^^ W0855 the barrier for `c` is after the reorder point
// = here: read here
// = 12:5: note: written here
// = 5:88: note: the thread may go on elsewhere here
// = note: the barrier belongs between the write and the reorder point
// = note: a read across a reorder point requires a `reordercoherent` (or `globallycoherent`) UAV, and a barrier between the write and the point (DXR 1.31, reorder points: memory coherence and visibility)
    o[2] = 1; wait(); go(p); wait(); p.a += o[2];
//                                          ^^^^ W0852 `o` is written before a reorder point and read after it, and is not coherent across it
// = here: read here
// = 13:5: note: written here
// = 5:88: note: the thread may go on elsewhere here
// = note: declare it `reordercoherent`, and write `Barrier(UAV_MEMORY, REORDER_SCOPE)` between the write and the reorder point
// = note: a read across a reorder point requires a `reordercoherent` (or `globallycoherent`) UAV, and a barrier between the write and the point (DXR 1.31, reorder points: memory coherence and visibility)
    c[2] = 1; wait(); go(p); wait(); p.a += c[2];
    c[3] = 1; go(p); go(p); p.a += c[3];
//                                 ^^^^ W0853 `c` is written before a reorder point and read after it, without a barrier in between
// = here: read here
// = 15:5: note: written here
// = 5:88: note: the thread may go on elsewhere here
// = note: the barrier belongs between the write and the reorder point
// = note: a read across a reorder point requires a `reordercoherent` (or `globallycoherent`) UAV, and a barrier between the write and the point (DXR 1.31, reorder points: memory coherence and visibility)
    o[4] = 1; wait(); go(p); go(p); p.a += o[4];
//                                         ^^^^ W0852 `o` is written before a reorder point and read after it, and is not coherent across it
// = here: read here
// = 16:5: note: written here
// = 5:88: note: the thread may go on elsewhere here
// = note: declare it `reordercoherent`, and write `Barrier(UAV_MEMORY, REORDER_SCOPE)` between the write and the reorder point
// = note: a read across a reorder point requires a `reordercoherent` (or `globallycoherent`) UAV, and a barrier between the write and the point (DXR 1.31, reorder points: memory coherence and visibility)
    c[4] = 1; wait(); go(p); go(p); p.a += c[4];
    c[5] = 1; go(p); wait(); go(p); p.a += c[5];
//                                         ^^^^ W0855 the barrier for `c` is after the reorder point
// = here: read here
// = 18:5: note: written here
// = 5:88: note: the thread may go on elsewhere here
// = note: the barrier belongs between the write and the reorder point
// = note: a read across a reorder point requires a `reordercoherent` (or `globallycoherent`) UAV, and a barrier between the write and the point (DXR 1.31, reorder points: memory coherence and visibility)
    c[6] = 1; wait(); p.a += c[6];
    o[7] = 1; go(p); o[7] = 2; p.a += o[7];
    go(p); p.a += o[8];
    o[9] = p.a;
}
// CASE paths_with_and_without_barriers -T lib_6_9
struct [raypayload] P { float a : read(caller) : write(caller, miss); };
RaytracingAccelerationStructure s : register(t0);
RWStructuredBuffer<float> o : register(u0);
reordercoherent RWStructuredBuffer<float> c : register(u1);
void go(inout P p) { RayDesc r; r.Origin = 0; r.Direction = 1; r.TMin = 0; r.TMax = 9; TraceRay(s, 0, 255, 0, 1, 0, r, p); }
void wait() { Barrier(UAV_MEMORY, REORDER_SCOPE); }
[shader("raygeneration")] void Main()
{
    P p; p.a = 0;
    c[0] = 1; if (o[9] > 1) wait(); go(p); p.a += c[0];
//                                                ^^^^ W0853 `c` is written before a reorder point and read after it, without a barrier in between
// = here: read here
// = 10:5: note: written here
// = 5:88: note: the thread may go on elsewhere here
// = note: the barrier belongs between the write and the reorder point
// = note: a read across a reorder point requires a `reordercoherent` (or `globallycoherent`) UAV, and a barrier between the write and the point (DXR 1.31, reorder points: memory coherence and visibility)
    c[1] = 1; if (o[9] > 2) { wait(); go(p); } else { wait(); } p.a += c[1];
    if (o[9] > 3) c[2] = 1; wait(); go(p); p.a += c[2];
    if (o[9] > 4) o[3] = 1; go(p); p.a += o[3];
//                                        ^^^^ W0852 `o` is written before a reorder point and read after it, and is not coherent across it
// = here: read here
// = 13:19: note: written here
// = 5:88: note: the thread may go on elsewhere here
// = note: declare it `reordercoherent`, and write `Barrier(UAV_MEMORY, REORDER_SCOPE)` between the write and the reorder point
// = note: a read across a reorder point requires a `reordercoherent` (or `globallycoherent`) UAV, and a barrier between the write and the point (DXR 1.31, reorder points: memory coherence and visibility)
    [loop] for (int i = 0; i < 4; i++) { p.a += c[4]; go(p); c[4] = 1; }
    [loop] for (int j = 0; j < 4; j++) { p.a += c[5]; go(p); c[5] = 1; wait(); }
    [loop] for (int k = 0; k < 4; k++) { p.a += c[k]; go(p); c[k] = 1; }
    o[9] = p.a;
}
// CASE indices_of_other_shaders -T lib_6_9
struct [raypayload] P { float a : read(caller) : write(caller, miss); };
RaytracingAccelerationStructure s : register(t0);
RWStructuredBuffer<float> o : register(u0);
RWStructuredBuffer<float> q : register(u1);
Buffer<uint> b : register(t1);
[shader("raygeneration")] void Main()
{
    RayDesc r; r.Origin = 0; r.Direction = 1; r.TMin = 0; r.TMax = 9;
    P p; p.a = 0;
    q[DispatchRaysIndex().x] = 2;
    TraceRay(s, 0, 255, 0, 1, 0, r, p);
    p.a += o[3];
//         ^^^^ W0852 `o` is written by one shader and read by another one of the same thread, and is not coherent across the call
// = here: read here
// = 23:5: note: written here
// = 11:5: note: one runs during this call of the other
// = note: declare it `reordercoherent`, and write `Barrier(UAV_MEMORY, REORDER_SCOPE)` between the write and the reorder point
// = note: a read across a reorder point requires a `reordercoherent` (or `globallycoherent`) UAV, and a barrier between the write and the point (DXR 1.31, reorder points: memory coherence and visibility)
    p.a += o[DispatchRaysIndex().x];
//         ^^^^^^^^^^^^^^^^^^^^^^^^ W0852 `o` is written by one shader and read by another one of the same thread, and is not coherent across the call
// = here: read here
// = 20:5: note: written here
// = 11:5: note: one runs during this call of the other
// = note: declare it `reordercoherent`, and write `Barrier(UAV_MEMORY, REORDER_SCOPE)` between the write and the reorder point
// = note: a read across a reorder point requires a `reordercoherent` (or `globallycoherent`) UAV, and a barrier between the write and the point (DXR 1.31, reorder points: memory coherence and visibility)
    p.a += o[b[0]];
    p.a += o[DispatchRaysIndex().x + b[0]];
    o[0] = p.a;
}
[shader("miss")] void Miss(inout P p)
{
    o[DispatchRaysIndex().x] = 1;
    o[b[0]] = 1;
    o[DispatchRaysIndex().x + b[0]] = 1;
    o[3] = 1;
    p.a = q[DispatchRaysIndex().x];
//        ^^^^^^^^^^^^^^^^^^^^^^^^ W0852 `q` is written by one shader and read by another one of the same thread, and is not coherent across the call
// = here: read here
// = 10:5: note: written here
// = 11:5: note: one runs during this call of the other
// = note: declare it `reordercoherent`, and write `Barrier(UAV_MEMORY, REORDER_SCOPE)` between the write and the reorder point
// = note: a read across a reorder point requires a `reordercoherent` (or `globallycoherent`) UAV, and a barrier between the write and the point (DXR 1.31, reorder points: memory coherence and visibility)
}
// CASE wave_results_in_fields_of_others -T lib_6_9
struct [raypayload] P { uint a : read(caller) : write(caller); uint b : read(caller) : write(caller, miss); uint d : read(caller, miss) : write(caller); };
RaytracingAccelerationStructure s : register(t0);
RWStructuredBuffer<uint> o : register(u0);
[shader("raygeneration")] void Main()
{
    RayDesc r; r.Origin = 0; r.Direction = 1; r.TMin = 0; r.TMax = 9;
    P p; p.a = WaveActiveCountBits(o[1] > 1); p.b = WaveActiveCountBits(o[2] > 1); p.d = WaveActiveCountBits(o[3] > 1);
//             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0850 the state of the wave that this operation returns is used after a reorder point, where the thread may be in another wave
// = here: of the wave that the thread is in here
// = 9:5: note: the thread may go to another wave here
// = 9:5: note: used here
// = note: results of wave operations hold up to the next reorder point (DXR 1.31, wave intrinsics)
//                                                                                       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0850 the state of the wave that this operation returns is used after a reorder point, where the thread may be in another wave
// = here: of the wave that the thread is in here
// = 9:5: note: the thread may go to another wave here
// = 9:5: note: used here
// = note: results of wave operations hold up to the next reorder point (DXR 1.31, wave intrinsics)
    P q; q.a = q.b = 0; q.d = WaveGetLaneCount() + 1;
    TraceRay(s, 0, 255, 0, 1, 0, r, p);
    o[4] = p.a;
    o[5] = p.b;
    o[6] = p.d;
    o[7] = q.d + q.a;
}
