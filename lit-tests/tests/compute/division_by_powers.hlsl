// Unsigned vectors divided by powers of two are shifted and masked, each component by its own.
// RUN: %rtc -T cs_6_0 -validator-version 1.6 %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc -T cs_6_0 %s -Fc - | FileCheck %s
RWStructuredBuffer<uint> results : register(u0);
// CHECK-NOT: udiv i32 {{.*}}, 16
// CHECK: lshr i32 {{.*}}, 4
// CHECK: udiv i32 {{.*}}, 3
// CHECK-NOT: udiv
// CHECK: and i32 {{.*}}, 31
[numthreads(1, 1, 1)]
void main(uint3 i : SV_DispatchThreadID)
{
    uint2 x = results[0] + i.xy;
    uint2 quotient = x / uint2(16, 3);
    uint2 rest = x % uint2(32, 5);
    results[1] = quotient.x + quotient.y * 1000;
    results[2] = rest.x + rest.y * 1000;
}
