// HLSL 202x: groupshared parameters are the memory itself; overloads may differ in it, and other memory is refused.
// RUN: %rtc -T cs_6_5 -HV 202x %s -validator-version 1.6 -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc -T cs_6_5 -HV 202x -Od %s -validator-version 1.6 -Fo %t.od.dxil
// RUN: %dxil-val %t.od.dxil
// RUN: %rtc -T cs_6_5 -HV 202x -spirv %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -T cs_6_5 -HV 202x %s -emit-ir | FileCheck %s
// RUN: not %rtc -T cs_6_5 -HV 202x -DWRONG %s 2>&1 | FileCheck %s --check-prefix=WRONG
groupshared uint Memory[64];
groupshared uint Other[64];
groupshared float4 One;
RWByteAddressBuffer O;

void put(groupshared uint to[64], uint at, uint value) { to[at] = value; }
void add(groupshared uint to[64], uint at) { InterlockedAdd(to[at], 2); put(to, at + 1, 3); }
uint kind(uint x[64]) { return 1; }
uint kind(groupshared uint x[64]) { return 2; }
float4 get(groupshared float4 x) { return x + 1; }

// CHECK: g0 = groupshared "Memory"
// CHECK-NEXT: g1 = groupshared "Other"
// CHECK: [[KINDS:v[0-9]+]] = const i32 21
// CHECK: store g0[
// CHECK: store g1[
// CHECK: var_atomic #add g0[
// CHECK: store g0[
[numthreads(64, 1, 1)] void main(uint i : SV_GroupIndex)
{
    put(Memory, i, i);
    put(Other, i, 2 * i);
    GroupMemoryBarrierWithGroupSync();
    add(Memory, i / 2);
    One = i;
    GroupMemoryBarrierWithGroupSync();
    uint local[64] = (uint[64])0;
    // CHECK: iadd {{.*}}, [[KINDS]]
    O.Store(4 * i, Memory[i] + Other[63 - i] + kind(local) + 10 * kind(Memory) + (uint)get(One).x);
#ifdef WRONG
    // WRONG: E0313
    put(local, 1, 2);
#endif
}
