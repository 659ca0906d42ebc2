// Matrix elements, swizzles, casts and products.
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

[shader("raygeneration")]
void Main()
{
    float4x4 a;
    float3x3 b;
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) a[i][j] = inF(i * 4 + j);
    b = (float3x3)a;
    float4 v = float4(inF(20), inF(21), inF(22), inF(23));
    float3 w = v.xyz;
    for (int i = 0; i < 3; ++i) putF3(b[i]);
    putF4(mul(a, v));
    putF4(mul(v, a));
    putF3(mul(b, w));
    putF3(mul(w, b));
    float2x3 c = (float2x3)a;
    float3x2 d = (float3x2)a;
    putF2(mul(c, w));
    putF3(mul(v.xy, c));
    putF3(mul(d, v.xy));
    putF2(mul(w, d));
    float2x2 e = mul(c, d);
    putF2(e[0]); putF2(e[1]);
    float3x3 g = mul(d, c);
    for (int i = 0; i < 3; ++i) putF3(g[i]);
    putF(mul(v, v));
    putF4(mul(2.0, v));
    putF4(mul(v, 3.0));
    float2x3 h = mul(2.0, c);
    putF3(h[1]);
    h = mul(c, 0.5);
    putF3(h[0]);
    float3x2 t = transpose(c);
    putF2(t[0]); putF2(t[1]); putF2(t[2]);
    putF(determinant(e)); putF(determinant(b) / 64); putF(determinant(a) / 1024);
    putF(a._m03); putF(a._14); putF4(a._m00_m11_m22_m33); putF2(a._21_12); putF(a[1].z); putF(a[2][3]);
    a._m01_m10 = a._m10_m01;
    a._m22 = 5;
    a[3] = v;
    a[0].xw = v.yz;
    a[1] *= 2;
    for (int i = 0; i < 4; ++i) putF4(a[i]);
    float3x3 s = b * b + b / 2 - 1;
    for (int i = 0; i < 3; ++i) putF3(s[i]);
    s = -s;
    s += b;
    s *= 2;
    for (int i = 0; i < 3; ++i) putF3(s[i]);
    int2x3 n = { 1, -2, 3, inI(0), inI(1), inI(2) };
    int2x3 n2 = n * 2 + n;
    putI3(n2[0]); putI3(n2[1]);
    putI2(mul(n, int3(1, 2, 3)));
    putI3(mul(int2(3, 4), n));
    float2x2 m22 = { v };
    putF2(m22[0]); putF2(m22[1]);
    float2x2 rows = float2x2(v.xy, v.zw);
    putF2(rows[0]); putF2(rows[1]);
    float4 flat = (float4)rows;
    putF4(flat);
    float2x2 back = (float2x2)flat;
    putF2(back[1]);
    float3x4 big = float3x4(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12);
    putF3(mul(big, v)); putF4(mul(w, big)); putF3(big._m03_m13_m23);
    float4x3 tall = transpose(big);
    putF3(tall[3]);
    int k = inU(5) & 3, l = inU(6) & 3;
    putF(a[k][l]);
    a[k][l] = 17;
    a[l][k] += 3;
    for (int i = 0; i < 4; ++i) putF4(a[i]);
    float3x3 id = float3x3(1, 0, 0, 0, 1, 0, 0, 0, 1);
    putF3(mul(id, w)); putF(id[k % 3][l % 3]);
    float1x3 r1 = { 1, 2, 3 };
    float3x1 c1 = { 4, 5, 6 };
    putF((float)mul(r1, c1));
    float3x3 sc = 2;
    putF3(sc[2]);
    float2x2 ab = abs((float2x2)a), mx = max((float2x2)a, (float2x2)b);
    putF2(ab[0]); putF2(ab[1]); putF2(mx[0]); putF2(mx[1]);
}
