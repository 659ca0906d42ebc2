// Constants placed by packoffset, and ConstantBuffer<T>.
// reference DXIL: no, it indexes beyond arrays of its own, which its validator refuses; newer ones do not
// RUN: %rtc -T lib_6_3 -HV 2021 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc -T lib_6_3 -HV 2021 -Od -validator-version 1.6 -no-warnings %s -Fo %t.od.dxil
// RUN: %dxil-val %t.od.dxil
// RUN: %rtc -T lib_6_3 -HV 2021 -spirv -no-warnings %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -T lib_6_3 -HV 2021 -spirv -Od -no-warnings %s -Fo %t.od.spv
// RUN: %spirv-val %t.od.spv
#include "Inputs/out.hlsli"

struct Pair { float2 a; float3x2 m; float b[2]; row_major float3x3 n; uint4 u; };
cbuffer C : register(b2)
{
    float2 B : packoffset(c0.z);
    float3 E : packoffset(c1.x);
    int F0 : packoffset(c1.w);
    float A : packoffset(c3.y);
    float4 D : packoffset(c5);
    float4x3 M : packoffset(c7);
};
ConstantBuffer<Pair> P : register(b3);
[shader("raygeneration")]
void Main()
{
    putF(A); putF2(B); putF4(D); putF3(E); putI(F0);
    for (uint i = 0; i < 4; ++i) putF3(M[i]);
    putF2(P.a);
    for (uint i = 0; i < 3; ++i) { putF2(P.m[i]); putF3(P.n[i]); }
    putF(P.b[0]); putF(P.b[1]); putF(P.b[inU(0) & 1]);
    putU4(P.u);
    Pair p = P;
    p.m[1] += 1;
    putF2(p.m[1]); putF2(p.m[2]); putF3(mul(p.n, E)); putF3(mul(p.m, B));
}
