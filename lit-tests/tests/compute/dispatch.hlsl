// Two compute shaders and a ray generation shader of one library, dispatched one after the other by a scene.
// RUN: %rtc-run %S/Inputs/dispatch.toml -o %T
// RUN: FileCheck %s --input-file=%T/out.json
// RUN: %rtc -T lib_6_3 -validator-version 1.6 %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc -T lib_6_3 -spirv %s -Fo %t.spv
// RUN: %spirv-val %t.spv

RWStructuredBuffer<uint> Out : register(u0);

struct Groups { uint2 group : SV_GroupID; };
struct Ids : Groups
{
    uint3 thread : SV_DispatchThreadID;
    struct { int2 in_group : SV_GroupThreadID; } inner;
};

// Threads are (0..4, 0..4): groups of 2 x 2. Thread (3, 2) is in group (1, 1) at (1, 0), number 1 of it.
[shader("compute")]
[numthreads(2, 2, 1)]
void Fill(Ids ids, uint index : SV_GroupIndex)
{
    ids.thread.z = 1000;
    Out[ids.thread.y * 4 + ids.thread.x] =
        ids.thread.z + ids.group.x * 1 + ids.group.y * 10 + ids.inner.in_group.x * 100 + ids.inner.in_group.y * 200 + index * 1000;
}

[shader("raygeneration")]
void Rays() { Out[DispatchRaysIndex().x] += 100000; }

groupshared uint Sum;
[shader("compute")]
[numthreads(8, 2, 1)]
void Twice(uint index : SV_GroupIndex)
{
    if (index == 0)
        Sum = 0;
    GroupMemoryBarrierWithGroupSync();
    InterlockedAdd(Sum, index);
    GroupMemoryBarrierWithGroupSync();
    if (index == 3)
        Out[16] += Sum;
}
// CHECK: [
// CHECK-NEXT: 101000,
// CHECK-NEXT: 102100,
// CHECK-NEXT: 101001,
// CHECK-NEXT: 2101,
// CHECK-NEXT: 3200,
// CHECK-NEXT: 4300,
// CHECK-NEXT: 3201,
// CHECK-NEXT: 4301,
// CHECK-NEXT: 1010,
// CHECK-NEXT: 2110,
// CHECK-NEXT: 1011,
// CHECK-NEXT: 2111,
// CHECK-NEXT: 3210,
// CHECK-NEXT: 4310,
// CHECK-NEXT: 3211,
// CHECK-NEXT: 4311,
// CHECK-NEXT: 360
