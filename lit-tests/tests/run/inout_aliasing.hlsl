// Out and inout arguments that overlap.
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

struct S { float a; int b[3]; float2 c; };
void two(inout int x, inout int y) { x += 1; y *= 10; x += 100; }
void swap(inout int x, inout int y) { int t = x; x = y; y = t; }
void outs(out int x, out int y) { x = 5; y = 7; }
void vec(inout float2 v) { v.x += 1; v.y *= 2; }
void vec3(out float3 v, float3 w) { v = w.zyx * 2; }
void both(inout float3 v, float3 copy) { v.x = 100; v += copy; }
void row(inout float3 r) { r = r.yzx + 1; }
void scalar(inout float s) { s = s * 3 + 1; }
void arr(inout int a[3]) { a[0] += 1; a[1] += a[0]; a[2] = a[1] * 2; }
void whole(inout S s) { s.a += 1; s.b[1] = 77; s.c = s.c.yx; }

void asint_out(inout float f) { f += 0.75; }
void asuint_in(uint u, inout int i) { i += u; }
[shader("raygeneration")]
void Main()
{
    int n = inS(0);
    int a[4] = { n, 2, 3, 4 };
    int i = inU(1) & 3, j = inU(2) & 3;
    swap(a[i], a[3 - i]);
    for (int q = 0; q < 4; ++q) putI(a[q]);
    outs(a[1], a[1]);
    putI(a[1]);
    two(a[j], a[(j + 1) & 3]);
    for (int q = 0; q < 4; ++q) putI(a[q]);
    float3 v = float3(inF(0), inF(1), inF(2));
    vec(v.zx);
    putF3(v);
    vec(v.yz);
    putF3(v);
    vec3(v, v);
    putF3(v);
    both(v, v);
    putF3(v);
    vec3(v.zxy, v);
    putF3(v);
    float3x3 M = { 1, 2, 3, 4, 5, 6, 7, 8, 9 };
    row(M[1]);
    scalar(M[2][0]);
    scalar(M._m02);
    vec(M[0].yx);
    for (int q = 0; q < 3; ++q) putF3(M[q]);
    row(M[i % 3]);
    scalar(M[j % 3][i % 3]);
    for (int q = 0; q < 3; ++q) putF3(M[q]);
    S s;
    s.a = 1; s.b[0] = 2; s.b[1] = 3; s.b[2] = 4; s.c = float2(5, 6);
    arr(s.b);
    whole(s);
    vec(s.c);
    scalar(s.a);
    putF(s.a); putI(s.b[0]); putI(s.b[1]); putI(s.b[2]); putF2(s.c);
    int k = 3;
    asint_out(v.y);
    putF3(v);
    asuint_in(4u, k);
    putI(k);
    S t = s;
    t.b[1] = 0;
    t.a = -1;
    putI(s.b[1]); putF(s.a); putI(t.b[1]); putF(t.a);
    scalar(v[i % 3]);
    putF3(v);
}
