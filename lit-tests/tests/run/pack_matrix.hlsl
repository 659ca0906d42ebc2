// Matrices under a pragma, and the difference of the orders in one buffer.
// reference DXIL: no, it indexes beyond an array of its own, which its validator refuses; newer ones do not
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

#pragma pack_matrix(row_major)
struct R { float3x4 a; column_major float3x4 b; float2x2 c[2]; };
#pragma pack_matrix(column_major)
struct K { float3x4 a; row_major float3x4 b; float2x2 c[2]; R inner; };
StructuredBuffer<R> Rows : register(t3);
RWStructuredBuffer<K> Both : register(u4);
cbuffer C : register(b2) { float4x3 First; row_major float4x3 Second; K Third; R Fourth[2]; };
void show(float3x4 m) { for (int i = 0; i < 3; ++i) putF4(m[i]); }
[shader("raygeneration")]
void Main()
{
    uint t = Thread(), k = inU(0) & 1;
    show(Rows[t].a); show(Rows[t].b); putF2(Rows[t].c[k][1]); putF2(Rows[t].c[1 - k][k]);
    show(transpose(First)); show(transpose(Second)); show(Third.a); show(Third.b); show(Third.inner.a); show(Fourth[k].b); putF2(Third.c[k][0]);
    K w = Third;
    w.a[1] = w.b[2];
    w.inner.c[k][1 - k].y = 3;
    Both[t] = w;
    Both[t].b[k].wz = float2(1, 2);
    Both[t].inner.a[2][k] = 44;
    show(Both[t].a); show(Both[t].b); show(Both[t].inner.a); putF2(Both[t].inner.c[k][1 - k]); putF(Both[t].inner.b._m12);
    float3x4 sum = Both[t].a + Both[t].b * 2 - Third.a;
    show(sum); putF3(mul(sum, float4(1, 2, 3, 4))); putF3(mul(First[k], (float3x3)sum));
}
