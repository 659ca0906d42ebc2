// Methods by derivatives in compute shaders, levels of detail, residency, level clamps.
// RUN: %rtc -T cs_6_6 -E main -validator-version 1.6 %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc -T cs_6_6 -E main -Od -validator-version 1.6 %s -Fo %t.od.dxil
// RUN: %dxil-val %t.od.dxil
// RUN: %rtc -T cs_6_6 -E main -spirv %s -Fo %t.spv -Fc %t.txt
// RUN: %spirv-val %t.spv
// RUN: FileCheck %s --input-file %t.txt
// CHECK-DAG: OpCapability ComputeDerivativeGroupQuads
// CHECK-DAG: OpCapability SparseResidency
// CHECK-DAG: OpCapability MinLod
// CHECK-DAG: OpExecutionMode %{{[0-9A-Za-z_]+}} DerivativeGroupQuads
// CHECK-DAG: OpImageSparseSampleImplicitLod
// CHECK-DAG: OpImageSparseSampleDrefImplicitLod
// CHECK-DAG: OpImageQueryLod
Texture2D<float4> T : register(t0); Texture2DArray<float4> TA : register(t1); TextureCube<float4> TC: register(t2); TextureCubeArray<float4> TCA : register(t3);
Texture1D<float> T1 : register(t4); Texture1DArray<float2> T1A : register(t5); Texture3D<float3> T3 : register(t6);
SamplerState S : register(s0); SamplerComparisonState C : register(s1);
RWStructuredBuffer<float4> Out : register(u0);
[numthreads(8,8,1)] void main(uint3 id:SV_DispatchThreadID) {
  float4 r = 0; uint st; float3 uv = float3(id)/8;
  r += T.Sample(S, uv.xy); r += T.Sample(S, uv.xy, int2(1,2)); r += T.Sample(S, uv.xy, int2(1,2), 0.5); r+= T.Sample(S, uv.xy, int2(1,2), 0.5, st); r.x += CheckAccessFullyMapped(st);
  r += TC.Sample(S, uv, 0.5, st); r.x += CheckAccessFullyMapped(st);
  r += TCA.SampleBias(S, uv.xyzz, 0.5); r.x += T1.SampleBias(S, uv.x, 0.5, 2); r.xy += T1A.Sample(S, uv.xy); r.xyz += T3.SampleBias(S, uv, 0.2, int3(1,2,3), 0.1);
  r.x += T.SampleCmp(C, uv.xy, 0.5); r.x += TA.SampleCmp(C, uv, 0.5, int2(1,1), 0, st); r.x += CheckAccessFullyMapped(st);
  r.x += TC.SampleCmp(C, uv, 0.3, 0.2); 
  r.x += T.CalculateLevelOfDetail(S, uv.xy); r.x += TA.CalculateLevelOfDetailUnclamped(S, uv.xy); r.x += TC.CalculateLevelOfDetail(S, uv); r.x += TCA.CalculateLevelOfDetail(S, uv); r.x += T1A.CalculateLevelOfDetail(S, uv.x); r.x += T3.CalculateLevelOfDetail(S, uv);
  Out[id.x] = r;
}
