// A loop whose test is two comparisons, one of them with a constant, is counted by that one. What such loops compute is in `run/unrolled.hlsl`.
// RUN: %rtc -T cs_6_0 -E main -WX -validator-version 1.6 %s -Fo %t.dxil -Fc - | FileCheck %s
// RUN: %dxil-val %t.dxil
// RUN: %rtc -T cs_6_0 -E main -WX -HV 2018 -Od -validator-version 1.6 %s -Fo %t.od.dxil -Fc - | FileCheck %s
// RUN: %dxil-val %t.od.dxil
// RUN: %rtc -T cs_6_0 -E main -WX -spirv %s -Fo %t.spv -Fc - | FileCheck %s --check-prefix SPIRV
// RUN: %spirv-val %t.spv
// CHECK-COUNT-4: fmul fast float
// CHECK-NOT: fmul fast float
// SPIRV-NOT: OpLoopMerge
// SPIRV-COUNT-4: OpFMul %float
// SPIRV-NOT: OpFMul %float
cbuffer C : register(b0) { uint most; float x; };
RWStructuredBuffer<float> o : register(u1);
[numthreads(1, 1, 1)] void main(uint3 t : SV_DispatchThreadID)
{
    float s = o[t.x];
    [unroll] for (uint j = 0; j < most && j < 4; j++) s = (s + 1) * x;
    o[t.x] = s;
}
