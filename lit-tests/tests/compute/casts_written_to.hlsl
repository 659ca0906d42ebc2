// rtc -T cs_6_6 -E main -HV 2021
// Casts between types with the same scalars, or the first of them, are l-values.
// RUN: %rtc-run %s --scene %S/Inputs/expect.toml -o %T
// RUN: FileCheck %s --input-file=%T/out.json
// RUN: %rtc-run %s --scene %S/Inputs/expect.toml -o %T -- -Od
// RUN: FileCheck %s --input-file=%T/out.json
// RUN: %rtc-run-cpu %s --scene %S/Inputs/expect.toml -o %T
// RUN: FileCheck %s --input-file=%T/out.json
// RUN: %rtc-run-cpu %s --scene %S/Inputs/expect.toml -o %T -- -Od
// RUN: FileCheck %s --input-file=%T/out.json
// RUN: %rtc -T cs_6_6 -E main -HV 2021 -spirv %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -T cs_6_6 -E main -HV 2021 -spirv -Od %s -Fo %t.od.spv
// RUN: %spirv-val %t.od.spv
// CHECK: {{^}}[
// CHECK-NEXT: {{^}}45,
// CHECK-NEXT: {{^}}0,
#include "Inputs/expect.hlsli"

struct A { float x, y; };
struct B { float u, v; void set(float k) { u = k; v = k + 1; } };
struct Three { float x, y, z; };
struct Mixed { float z[2]; float2 k; uint n; };
struct Other { float2 p; float w[2]; uint m; };
struct Pairs { float2 a, b, c; };
struct Row { float4 r; float2 s; };
struct Square { float2x2 m; float2 s; };
struct Derived : A { float z; };
groupshared Pairs Shared;

void bump(inout B b) { b.u += 1; b.v *= 2; }
void fill(out B b) { b.u = 7; b.v = 8; }
void grow(inout float2 v) { v.y += 10; }
void all(inout Other o) { o.p.y += o.w[1]; o.m = 5; }

[numthreads(1, 1, 1)] void main()
{
    A a; a.x = f(1); a.y = f(2);
    bump((B)a); IS(a.x, 2.0f); IS(a.y, 4.0f);
    ((B)a).u = f(5); IS(a.x, 5.0f); ((B)a).v += 2; IS(a.y, 6.0f);
    B b; b.u = f(3); b.v = 9; (B)a = b; IS(a.x, 3.0f); IS(a.y, 9.0f);
    fill(((B)(A)a)); IS(a.x + a.y, 15.0f);
    ((B)a).set(f(4)); IS(a.x, 4.0f); IS(a.y, 5.0f);
    Three t; t.x = 1; t.y = 2; t.z = 3; fill((B)t); IS(t.x + t.y + t.z, 18.0f);
    Derived d; d.x = 1; d.y = 2; d.z = 3; bump((B)d); IS(d.x + d.y + d.z, 9.0f);

    float4 v = float4(f(1), f(2), f(3), f(4));
    ((float2)v) = float2(f(5), 6); IS(v.x + v.y * 10 + v.z * 100, 365.0f);
    ((float3)v).z = f(7); ((float2)v)[i(1)] = 8; ((float)v) = f(9); IS(v.x + v.y * 10 + v.z * 100, 789.0f); IS(v.w, 4.0f);
    ((float2)v.wz) *= 2; IS(v.w, 8.0f); IS(v.z, 14.0f); grow((float2)v); IS(v.y, 18.0f);
    float4 s = 0, c = 0; sincos(float2(0, 0), (float2)s, (float2)c); IS(c.x + c.y, 2.0f);

    float4x4 m = 0; ((float3x3)m)[1] = float3(f(1), 2, 3); ((float2x2)m)[i(0)][1] = 4; ((float3x3)m)._m22 = 5;
    IS(m[1].x + m[1].y * 10 + m[1].z * 100 + m[1].w, 321.0f); IS(m[0].y, 4.0f); IS(m[2].z, 5.0f);
    ((float2x2)m) = float2x2(6, 7, 8, f(9)); IS(m[0].x + m[0].y * 10 + m[1].x * 100 + m[1].y * 1000, 9876.0f); IS(m[1].z, 3.0f);

    Mixed x; x.z[0] = 1; x.z[1] = 2; x.k = float2(3, f(4)); x.n = 9;
    ((Other)x).p = float2(f(5), 6); IS(x.z[1], 6.0f); ((Other)x).w[i(1)] += 3; IS(x.k.y, 7.0f); IS(((Other)x).w[i(1)], 7.0f);
    all((Other)x); IS(x.z[1], 13.0f); IS(x.n, 5u); IS(x.k.x, 3.0f);
    ((float2[1])x.z)[0] = 0; IS(x.z[0], 0.0f);
    float list[3] = { f(1), f(2), f(3) }; ((float3)list).zx = float2(5, f(6)); IS(list[0] + list[1] * 10 + list[2] * 100, 526.0f);
    ((A)list).y = f(8); IS(list[1], 8.0f); float2 pair = 1; ((float[2])pair)[i(1)] = f(3); IS(pair.y, 3.0f);

    // A computed part that lies across parts of the variable.
    Pairs p; p.a = float2(1, 2); p.b = float2(3, 4); p.c = float2(5, 6);
    ((Row)p).r[i(2)] = f(9); IS(p.b.x, 9.0f); IS(((Row)p).r[i(3)], 4.0f); ((Row)p).s.x = 8; IS(p.c.x, 8.0f);
    ((Square)p).m[i(1)] = float2(f(3), 2); IS(p.b.x + p.b.y, 5.0f); ((Square)p).m[i(1)][i(0)] += 4; IS(p.b.x, 7.0f);
    ((float[6])p)[i(5)]++; IS(p.c.y, 7.0f); ((Three[2])p)[i(1)].y = f(6); IS(p.c.x, 6.0f); IS(p.c.y, 7.0f);
    Three ts[2] = (Three[2])p; IS(ts[1].x, 2.0f);
    Shared = p; ((Three[2])Shared)[i(1)].z = f(2); IS(Shared.c.y, 2.0f); ((Row)Shared).r = float4(1, 2, 3, f(4)); IS(Shared.b.y, 4.0f); IS(Shared.c.x, 6.0f);
    done();
}
