// What atomic operations may not work on, and what they need.
// RUN: not %rtc -T cs_6_5 %s -Fo %t.dxil -fdiagnostics-format=rich 2>&1 | FileCheck %s
struct S { uint a; };
StructuredBuffer<uint> Read : register(t0);
RWStructuredBuffer<uint> Write : register(u0);
groupshared uint64_t Wide;
groupshared half2 Small;

[numthreads(8, 1, 1)]
void main(uint i : SV_GroupIndex)
{
    uint local = 0, o;
    InterlockedAdd(Write[i], 1, o);
// CHECK: error[
// CHECK: [[#@LINE+1]]:
    InterlockedAdd(Read[i], 1);
// CHECK: error[
// CHECK: [[#@LINE+1]]:
    InterlockedAdd(Small.x, 1);
// What the call graph decides comes last.
// CHECK: error[E0317]
// CHECK: [[#@LINE+1]]:20
    InterlockedAdd(local, 1);
// CHECK: error[E0604]: `InterlockedAdd` requires shader model 6.6
// CHECK: [[#@LINE+1]]:
    InterlockedAdd(Wide, 1);
}
