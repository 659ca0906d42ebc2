// The number of a wave in its group, since shader model 6.10, and quad votes, an operation of their own since 6.7.
// RUN: %rtc -T cs_6_10 %s -Fo %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc dis %t.dxil | FileCheck %s
// RUN: %rtc -T cs_6_10 -spirv %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: not %rtc -T cs_6_9 %s -Fo %t.dxil -fdiagnostics-format=rich 2>&1 | FileCheck %s --check-prefix=OLD
RWStructuredBuffer<uint> U : register(u0);
[numthreads(64, 1, 1)]
void main(uint i : SV_GroupIndex)
{
    // CHECK: call i32 @dx.op.getGroupWaveIndex(i32 -2147483647)
    // CHECK: call i32 @dx.op.getGroupWaveCount(i32 -2147483646)
    // CHECK: call i1 @dx.op.quadVote.i1(i32 222, i1 %{{.*}}, i8 0)
    // CHECK: call i1 @dx.op.quadVote.i1(i32 222, i1 %{{.*}}, i8 1)
    // OLD: error[E0604]: `GetGroupWaveIndex` requires shader model 6.10, but the target is 6.9
    U[i] = GetGroupWaveIndex() * 100 + GetGroupWaveCount() + QuadAny(i > 3) + QuadAll(i < 9);
}
