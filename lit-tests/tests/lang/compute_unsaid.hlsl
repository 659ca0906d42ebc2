// In a library a function that says how many threads it has is a compute shader.
// RUN: %rtc -T lib_6_3 -validator-version 1.6 %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc -T lib_6_3 -spirv %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -T lib_6_3 %s -Fc - | FileCheck %s
// RUN: not %rtc -T lib_6_3 -DTWICE %s 2>&1 | FileCheck --check-prefix=TWICE %s
// CHECK: define void @Fill
// CHECK: define void @Said
RWBuffer<uint> o;
[numthreads(8, 8, 1)]
void Fill(uint2 i : SV_DispatchThreadID) { o[i.x] = i.y; }
[shader("compute")]
[numthreads(4, 1, 1)]
void Said(uint i : SV_GroupIndex) { o[i] = 1; }
#ifdef TWICE
// TWICE: E0605
[numthreads(4, 1, 1)]
void Fill(uint i : SV_GroupIndex) { o[i] = 1; }
#endif
