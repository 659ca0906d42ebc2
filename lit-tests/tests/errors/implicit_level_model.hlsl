Texture2D<float4> T : register(t0); SamplerState S : register(s0); RWBuffer<float4> O : register(u0);
[numthreads(8, 8, 1)] void main(uint3 i : SV_DispatchThreadID) { O[i.x] = T.Sample(S, i.xy); }
// RUN: not %rtc -T cs_6_5 -E main -fdiagnostics-format=short %s -Fo %t.dxil 2>&1 | FileCheck %s
// CHECK: implicit_level_model.hlsl:2:75: error: `Sample` requires shader model 6.6, but the target is 6.5 [E0604]
// CHECK: note: before, use `SampleLevel` or `SampleGrad`
