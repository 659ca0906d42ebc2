// Stages that exported functions may run in, as validators count them: 1.4 knew neither mesh shaders nor which stages have groups.
// Counters and 64-bit atomics are those of one resource, not of all of its type. A compute shader with derivatives needs 6.6.
// RUN: %rtc -T lib_6_3 -validator-version 1.4 %s -Fo %t.4.dxil
// RUN: %rtc -T lib_6_6 -DWIDE -validator-version 1.6 %s -Fo %t.6.dxil
// RUN: %dxil-val %t.6.dxil
// RUN: %rtc -T lib_6_6 -DWIDE -DDERIVE -validator-version 1.8 %s -Fo %t.dxil
// RUN: %rtc reflect %t.dxil | FileCheck %s
// RUN: %rtc -T lib_6_6 -DWIDE -validator-version 1.8 %s -Fc - | FileCheck --check-prefix=CODE %s
RWBuffer<uint> O : register(u0);
groupshared uint G;
export void Plain() { O[0] = 1; }
export void Wave() { O[1] = WaveActiveSum(O[0]); }
export void Quad() { O[2] = QuadReadAcrossX(O[0]); }
export void Waits() { GroupMemoryBarrierWithGroupSync(); O[3] = 1; }
export void Shared() { O[4] = G; }
export void Memory() { DeviceMemoryBarrier(); O[5] = 1; }

#ifdef WIDE
// CODE-DAG: !"Counted", {{.*}}i1 false, i1 true, i1 false
// CODE-DAG: !"Uncounted", {{.*}}i1 false, i1 false, i1 false
// CODE-DAG: !"Narrow", {{.*}}i1 false, null}
// CODE-DAG: !"Wide", {{.*}}i1 false, ![[W:[0-9]+]]}
// CODE-DAG: ![[W]] = !{i32 3, i32 1}
RWStructuredBuffer<uint> Counted : register(u1), Uncounted : register(u2);
RWByteAddressBuffer Wide : register(u3), Narrow : register(u4);
export void Counts() { Counted.IncrementCounter(); Uncounted[0] = 1; }
export void Atomics() { Wide.InterlockedAdd64(8, 3ull); Narrow.InterlockedAdd(8, 3); }
// CODE-DAG: ResourceProperties { i32 36876, i32 8 }
// CODE-DAG: ResourceProperties { i32 4108, i32 8 }
export void Heap()
{
    RWStructuredBuffer<int2> a = ResourceDescriptorHeap[3], b = ResourceDescriptorHeap[4];
    a.IncrementCounter();
    b[0] = 1;
}
#endif

#ifdef DERIVE
// CHECK: "features": "0x10000000000"
// CHECK-NEXT: "minimumShaderModel": "6.6"
// CHECK-NEXT: "name": "Derives"
[shader("compute")]
[numthreads(8, 8, 1)]
void Derives(uint2 i : SV_DispatchThreadID) { O[i.x] = ddx(float(i.y)); }
#endif
