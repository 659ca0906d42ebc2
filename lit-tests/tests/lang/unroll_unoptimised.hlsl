// Unoptimised code has the loops under `[unroll]` unrolled, also nested ones, and no others; what the copies decide is decided. What they compute is in `run/unrolled.hlsl`.
// RUN: %rtc -T cs_6_0 -E main -Od -validator-version 1.6 %s -Fo %t.dxil -Fc - | FileCheck %s --check-prefix DXIL
// RUN: %dxil-val %t.dxil
// RUN: %rtc -T cs_6_0 -E main -Od -spirv %s -Fo %t.spv -Fc - | FileCheck %s --check-prefix SPIRV
// RUN: %spirv-val %t.spv
// RUN: %rtc -T cs_6_0 -E main -Od -Zi -spirv %s -Fo %t.debug.spv
// RUN: %spirv-val %t.debug.spv
// DXIL-NOT: br i1 {{true|false}}
// DXIL-COUNT-6: fmul fast float
// DXIL-NOT: br i1 {{true|false}}
// DXIL: = phi i32
// DXIL: fadd fast float
// DXIL-NOT: fmul fast float
// SPIRV-COUNT-6: OpFMul %float
// SPIRV: OpLoopMerge
// SPIRV: OpFAdd %float
// SPIRV-NOT: OpFMul %float
RWStructuredBuffer<float> o : register(u0);
[numthreads(1, 1, 1)] void main(uint3 t : SV_DispatchThreadID)
{
    float s = o[t.x];
    [unroll] for (int i = 0; i < 3; ++i)
        [unroll] for (int j = i + 1; j < 4; ++j) s = s * o[j];
    for (uint n = 0; n < 5; ++n) s = s + o[n];
    o[t.x] = s;
}
