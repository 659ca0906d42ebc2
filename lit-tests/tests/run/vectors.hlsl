// Swizzles, dynamic indices, constructors and vector conditions.
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
    float4 v = float4(inF(0), inF(1), inF(2), inF(3));
    int4 n = int4(inS(0), inS(1), inS(2), inS(3));
    uint k = inU(4) & 3, l = inU(5) & 3;
    putF4(v.wzyx); putF3(v.xxy); putF2(v.ba); putF(v[k]); putI(n[l]);
    v[k] = 5; v[l] += 2; n[k] <<= 1; n[l]++;
    putF4(v); putI4(n);
    v.zx = v.xz; v.yw += v.wy * 2;
    putF4(v);
    v.rgb = v.bgr;
    putF4(v);
    v.xyz.yx = float2(8, 9);
    putF4(v);
    n.xw = 3; n.zy *= int2(2, 3);
    putI4(n);
    float s = v.y;
    putF3(s.xxx); putF2((1.5).xx); putI4(n.x.xxxx);
    float4 a = float4(v.xy, 1, n.x), b = float4(1, v.yzw), c = float4(v.x, v.yz, 2);
    putF4(a); putF4(b); putF4(c);
    putB4(a < b); putB4(a == c); putB4(n >= n.wzyx);
    putF4(float4(a.x < b.x ? a.x : c.x, (a.y < b.y ? b : c).yzw));
    putB(any(a < b)); putB(all(a <= b)); putB(any(n)); putB(all(n)); putB(any(v.x)); putB(all(k));
    float2 trunc = (float2)v; float3 t3 = (float3)n;
    putF2(trunc); putF3(t3);
    float3 splat = 2; int2 is = 7.9;
    putF3(splat); putI2(is);
    putF4(v * 2 + n); putI4(n / 3 - n % 3); putF4(-v); putI4(~n); putB4(!n);
    putI4(n << int4(1, 2, 3, 4)); putU4((uint4)n >> 28);
    float1 one = 3; putF(one); putF(one.x); putF(one[0]);
    bool4 m = a > 0;
    putI4(m + m); putB4(m & (b > 0)); putB4(m ^ (b > 0)); putB4(!m);
    v.x = v.y = 4; putF4(v);
    uint4 pick = uint4(k, l, k, l); putF(v[pick[l]]);
    float arr[2][3] = { 1, 2, 3, 4, 5, 6 }; arr[k & 1][l % 3] = v[l];
    for (int i = 0; i < 2; ++i) for (int j = 0; j < 3; ++j) putF(arr[i][j]);
}
