// Quads where four lanes are a square of threads, without derivatives: in SPIR-V the module says so all the same.
// options: -T cs_6_7 -E Main -D COMPUTE
// reference: no, which lanes are a quad of a square group is up to the device in SPIR-V for it
// RUN: %rtc -T cs_6_7 -E Main -D COMPUTE -HV 2021 -no-warnings %s -Fo %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc -T cs_6_7 -E Main -D COMPUTE -HV 2021 -spirv -no-warnings %s -Fo %t.spv -Fc %t.txt
// RUN: %spirv-val %t.spv
// RUN: FileCheck %s --check-prefix=SQUARE --input-file=%t.txt
// RUN: %rtc -T cs_6_7 -E Main -D COMPUTE -HV 2021 -Od -no-warnings %s -Fo %t.od.dxil
// RUN: %llvm-verify %t.od.dxil
// RUN: %rtc -T cs_6_7 -E Main -D COMPUTE -HV 2021 -spirv -Od -no-warnings %s -Fo %t.od.spv -Fc %t.od.txt
// RUN: %spirv-val %t.od.spv
// RUN: FileCheck %s --check-prefix=SQUARE --input-file=%t.od.txt
// Four lanes in a row are a quad without a mode.
// RUN: %rtc -T cs_6_7 -E Main -D COMPUTE -D ROW -HV 2021 -spirv -no-warnings %s -Fo %t.row.spv -Fc %t.row.txt
// RUN: %spirv-val %t.row.spv
// RUN: FileCheck %s --check-prefix=ROW --input-file=%t.row.txt
// SQUARE: OpExecutionMode %Main DerivativeGroupQuadsKHR
// ROW-NOT: DerivativeGroup
#define THREADS 32
#include "Inputs/out.hlsli"
#ifdef ROW
#define SHAPE THREADS, 1, 1
#else
#define SHAPE 8, 4, 1
#endif
[numthreads(SHAPE)]
void Main(uint index : SV_GroupIndex, uint3 at : SV_GroupThreadID)
{
    ThreadNumber = index;
    uint n = at.x * 10 + at.y;
    expect(QuadReadAcrossX(n), (at.x ^ 1) * 10 + at.y);
    expect(QuadReadAcrossY(n), at.x * 10 + (at.y ^ 1));
    expect(QuadReadAcrossDiagonal(n), (at.x ^ 1) * 10 + (at.y ^ 1));
    expect(QuadReadLaneAt(n, 3), (at.x | 1) * 10 + (at.y | 1));
    uint chosen = inU(0) & 0;
    expect(QuadReadLaneAt(n, chosen + 2), (at.x & ~1) * 10 + (at.y | 1));
    expect(QuadAny(index == 9), at.x < 2 && at.y < 2);
    expect(QuadAll(at.x + at.y > 1), at.x > 1 || at.y > 1);
}
