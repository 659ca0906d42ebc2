// Initialiser lists of mixed shapes, casts to structs and arrays.
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

struct A { float x; int2 y; };
struct B { A a[2]; float3 v; bool b; };
[shader("raygeneration")]
void Main()
{
    float2 p = float2(inF(0), inF(1));
    int3 n = int3(inS(0), inS(1), inS(2));
    float4 v = { p, n.xy };
    putF4(v);
    A a = { p.x, n.yz };
    putF(a.x); putI2(a.y);
    B b = { a, p, 9, p, n.z, true };
    for (int i = 0; i < 2; ++i) { putF(b.a[i].x); putI2(b.a[i].y); }
    putF3(b.v); putB(b.b);
    B z = (B)0;
    putF(z.a[1].x); putF3(z.v); putB(z.b);
    A arr[3] = { a, a, p, 4 };
    putF(arr[2].x); putI2(arr[2].y);
    float grid[2][2] = { { 1, 2 }, { p } };
    putF(grid[1][0]); putF(grid[1][1]); putF(grid[0][1]);
    float2x2 m = { p, 3, n.x };
    putF2(m[0]); putF2(m[1]);
    int flat[4] = { n, 5 };
    putI(flat[2]); putI(flat[3]);
    float3 cast = (float3)n; int2 back = (int2)v; bool3 bits = (bool3)n;
    putF3(cast); putI2(back); putB(bits.y);
    int list[] = { 4, 5, 6, 7, 8 };
    putI(list[inU(3) % 5]);
    A s = (A)2;
    putF(s.x); putI2(s.y);
    float3x3 big = { 1, p, n, p, 8 };
    for (int i = 0; i < 3; ++i) putF3(big[i]);
    const int k[2][3] = { 1, 2, 3, 4, 5, 6 };
    putI(k[inU(0) & 1][inU(1) % 3]);
    float4x4 id = { { 1, 0, 0, 0 }, { 0, 1, 0, 0 }, { 0, 0, 1, 0 }, { 5, 6, 7, 1 } };
    putF4(mul(float4(cast, 1), id));
}
