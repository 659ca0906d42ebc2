// What containers for older validators say otherwise: no type of `bool` elements before 1.5, derivatives of mesh shaders as a feature.
// RUN: %rtc -T ps_6_0 -E flag -validator-version 1.4 %s -Fo %t.flag.dxil
// RUN: %dxil-val %t.flag.dxil
// RUN: %rtc -T ps_6_0 -E flag -validator-version 1.6 %s -Fo %t.flag.dxil
// RUN: %dxil-val %t.flag.dxil
// RUN: %rtc -T ms_6_6 -E samples -validator-version 1.6 %s -Fo %t.mesh.dxil
// RUN: %dxil-val %t.mesh.dxil
// RUN: %rtc dis %t.mesh.dxil | FileCheck %s
// CHECK: Derivatives in mesh and amplification shaders
struct V { float4 at : SV_Position; };
Texture2D<float4> t;
SamplerState s;

float4 flag(bool b : B, float4 c : C) : SV_Target { return b ? c : 1; }

[numthreads(4, 1, 1)] [outputtopology("triangle")]
void samples(uint i : SV_GroupIndex, out vertices V v[4], out indices uint3 p[1])
{
    SetMeshOutputCounts(4, 1);
    v[i].at = t.Sample(s, i);
    p[0] = uint3(0, 1, 2);
}
