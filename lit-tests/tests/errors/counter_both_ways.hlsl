RWStructuredBuffer<uint> R : register(u0); [numthreads(1, 1, 1)] void main() { R[R.IncrementCounter()] = R.DecrementCounter(); }
// RUN: not %rtc -T cs_6_5 -E main -fdiagnostics-format=short %s -Fo %t.dxil 2>&1 | FileCheck %s
// RUN: not test -e %t.dxil
// RUN: %rtc -T cs_6_6 -E main -validator-version 1.6 %s -Fo %t.66.dxil
// RUN: %dxil-val %t.66.dxil
// RUN: %rtc -T cs_6_5 -E main -spirv %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// CHECK: counter_both_ways.hlsl:1:82: error: the hidden counter of `R` goes up and down
