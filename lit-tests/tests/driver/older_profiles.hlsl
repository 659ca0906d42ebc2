// Profiles of shader models 4 and 5 are those of 6.0, with a warning.
// RUN: %rtc -spirv -T cs_5_0 -E main %s 2>&1 | FileCheck %s --check-prefixes=WARNING,SPIRV
// RUN: %rtc -spirv -T cs_4_1 -E main %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -T cs_5_0 -E main %s 2>&1 | FileCheck %s --check-prefixes=WARNING,DXIL
// RUN: %rtc -T cs_5_1 -E main -DLATER %s 2>&1 | FileCheck %s --check-prefix=LATER
// RUN: not %rtc -spirv -T cs_5_2 -E main %s 2>&1 | FileCheck %s --check-prefix=NONE

// WARNING: warning: profile `cs_5_0` is taken as that of shader model 6.0
// SPIRV: OpEntryPoint GLCompute {{.*}} "main"
// DXIL: !"cs", i32 6, i32 0}
// LATER: warning: profile `cs_5_1` is taken as that of shader model 6.0
// NONE: malformed profile `cs_5_2`

RWBuffer<uint> unused : register(u0);
RWBuffer<uint> o;
// Before 5.1 a register is that of its resource even if nothing uses that.
// DXIL: !{i32 0, %"class.RWBuffer<unsigned int>"* undef, !"", i32 0, i32 1, i32 1,
// LATER: !{i32 0, %"class.RWBuffer<unsigned int>"* undef, !"", i32 0, i32 0, i32 1,
[numthreads(1, 1, 1)] void main(uint i : SV_DispatchThreadID) { o[i] = i; }
