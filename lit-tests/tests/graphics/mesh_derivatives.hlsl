// Derivatives in mesh and amplification shaders: what validators of any version take for a feature of the device.
// RUN: %rtc -T ms_6_6 -E mesh -validator-version 1.6 %s -Fo %t.ms.dxil
// RUN: %dxil-val %t.ms.dxil
// RUN: %rtc validate %t.ms.dxil
// RUN: %rtc -T ms_6_6 -E mesh -validator-version 1.7 %s -Fo %t.ms7.dxil
// RUN: %dxil-val %t.ms7.dxil
// RUN: %rtc -T ms_6_6 -E mesh -validator-version 1.6 -Od -D SAMPLED %s -Fo %t.od.dxil
// RUN: %dxil-val %t.od.dxil
// RUN: %rtc -T as_6_6 -E amplification -validator-version 1.6 %s -Fo %t.as.dxil
// RUN: %dxil-val %t.as.dxil
// RUN: %rtc dis %t.ms.dxil | FileCheck %s
// CHECK: Derivatives in mesh and amplification shaders
struct V { float4 at : SV_Position; };
Texture2D<float4> Image : register(t0);
SamplerState Linear : register(s0);
[numthreads(4, 4, 1)] [outputtopology("triangle")]
void mesh(uint3 i : SV_GroupThreadID, uint n : SV_GroupIndex, out vertices V v[16], out indices uint3 t[4])
{
    SetMeshOutputCounts(16, 4);
#ifdef SAMPLED
    v[n].at = Image.Sample(Linear, i.xy / 4.0);
#else
    v[n].at = ddx(float4(i.xyz * i.zyx, 1));
#endif
    if (n < 4) t[n] = n;
}
struct P { uint n; };
groupshared P Payload;
[numthreads(4, 4, 1)] void amplification(uint3 i : SV_GroupThreadID)
{
    Payload.n = uint(Image.CalculateLevelOfDetail(Linear, i.xy / 4.0));
    DispatchMesh(1, 1, 1, Payload);
}
