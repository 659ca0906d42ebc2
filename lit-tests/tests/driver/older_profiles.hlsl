// Profiles of shader models 4 and 5 are those of 6.0 in SPIR-V, which has no shader models; DXIL begins with 6.0.
// RUN: %rtc -spirv -T cs_5_0 -E main %s | FileCheck %s
// RUN: %rtc -spirv -T cs_4_1 -E main %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: not %rtc -T cs_5_0 -E main %s 2>&1 | FileCheck %s --check-prefix=DXIL
// RUN: not %rtc -spirv -T cs_5_2 -E main %s 2>&1 | FileCheck %s --check-prefix=NONE

// CHECK: OpEntryPoint GLCompute {{.*}} "main"
// DXIL: malformed profile `cs_5_0`
// NONE: malformed profile `cs_5_2`

RWBuffer<uint> o;
[numthreads(1, 1, 1)] void main(uint i : SV_DispatchThreadID) { o[i] = i; }
