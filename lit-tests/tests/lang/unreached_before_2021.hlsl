// Before HLSL 2021, too, a constant chooses what `?:` evaluates, and an operand of `&&` that it decides makes no mistake.
// RUN: %rtc -T cs_6_0 -E main -HV 2018 -validator-version 1.6 %s -Fo %t.dxil -Fc - | FileCheck %s
// RUN: %dxil-val %t.dxil
// RUN: %rtc -T cs_6_0 -E main -HV 2018 -Od -validator-version 1.6 %s -Fo %t.dxil -Fc - | FileCheck %s
// RUN: %dxil-val %t.dxil
// RUN: %rtc -T cs_6_0 -E main -HV 2018 -spirv %s -Fo %t.spv
// RUN: %spirv-val %t.spv
#define COUNT 0
RWByteAddressBuffer o : register(u0);
static const uint None = 0;
static const uint Share = None ? 64 / None : 8;
uint side(inout uint x) { x += 1; return x; }
[numthreads(1, 1, 1)] void main()
{
    // CHECK: bufferStore.i32({{.*}} i32 0, i32 undef, i32 3,
    o.Store(0, COUNT ? 64 / COUNT : 3);
    // CHECK: bufferStore.i32({{.*}} i32 4, i32 undef, i32 0,
    o.Store(4, COUNT && 64 / COUNT);
    // CHECK: bufferStore.i32({{.*}} i32 8, i32 undef, i32 8,
    o.Store(8, Share);
    // CHECK: bufferStore.i32({{.*}} i32 12, i32 undef, i32 4,
    uint q = 4, r = true ? 1 : side(q);
    o.Store(12, q);
    // CHECK: bufferStore.i32({{.*}} i32 16, i32 undef, i32 5, i32 6,
    uint2 v = COUNT ? uint2(64 / COUNT, 1) : uint2(5, 6);
    o.Store2(16, v);
}
