// Everything that a function takes and returns crosses libraries: vectors with constant components, matrices of both orders, arrays and
// structures of them, booleans, early returns, components by index; for shader models from 6.0 on, and out of libraries for linking only.
// RUN: %rtc -T lib_6_3 -default-linkage external -DA -validator-version 1.6 %s -Fo %t.a.dxil
// RUN: %rtc -T lib_6_3 -default-linkage external -DB -validator-version 1.6 %s -Fo %t.b.dxil
// RUN: %rtc link -T ps_6_0 -E main -validator-version 1.6 %t.a.dxil %t.b.dxil -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc validate %t.dxil
// RUN: %rtc dis %t.dxil | FileCheck %s
// RUN: %rtc link -T ps_6_6 -E main -validator-version 1.6 %t.a.dxil %t.b.dxil -Fo %t.66.dxil
// RUN: %dxil-val %t.66.dxil
// RUN: %rtc -T lib_6_3 -default-linkage external -DA -Od -Zi -Qembed_debug -validator-version 1.6 %s -Fo %t.a.od.dxil
// RUN: %rtc -T lib_6_3 -default-linkage external -DB -Od -Zi -Qembed_debug -validator-version 1.6 %s -Fo %t.b.od.dxil
// RUN: %rtc link -T ps_6_2 -E main -validator-version 1.6 %t.a.od.dxil %t.b.od.dxil -Fo %t.od.dxil
// RUN: %dxil-val %t.od.dxil
// RUN: %rtc -T lib_6_9 -default-linkage external -DA %s -Fo %t.a.69.dxil
// RUN: %rtc -T lib_6_9 -default-linkage external -DB %s -Fo %t.b.69.dxil
// RUN: %rtc link -T ps_6_9 -E main %t.a.69.dxil %t.b.69.dxil -Fo %t.69.dxil
// RUN: %rtc validate %t.69.dxil
// RUN: %rtc -T lib_6_x -DA %s -Fo %t.a.x.dxil
// RUN: %rtc -T lib_6_x -DB %s -Fo %t.b.x.dxil
// RUN: %rtc link -T ps_6_0 -E main -validator-version 1.6 %t.a.x.dxil %t.b.x.dxil -Fo %t.x.dxil
// RUN: %dxil-val %t.x.dxil
// CHECK: define void @main
// CHECK-NOT: {{<[0-9]+ x (float|i32|i1)>}}
// CHECK-NOT: class.matrix
struct Inner { float4 v[2]; row_major float3x2 m; bool b; };
struct S { float4 a[2]; float3x3 m; int n; Inner inner[2]; };
float4 turned(float4 p);
float4 project(float4x4 m, float3 p);
float3 skin(float4x3 m[2], float4 p);
void change(inout float4 p[3], uint i);
S make(float4 x, bool2x2 m, out float3 o);
float4 early(float4 v, uint k);
#ifdef A
cbuffer C : register(b0) { float4x4 toClip; float4x3 bones[2]; uint k; bool2x2 flags; };
[shader("pixel")] float4 main(float4 x : X) : SV_Target
{
    float4 p[3] = { x, x.yyyy, float4(1, 2, 3, 4) };
    change(p, k);
    float3 o;
    S s = make(p[1], flags, o);
    float4 r = p[2] + s.a[1] + mul(s.m, o).xyzz + s.inner[1].v[1] + s.n + s.inner[0].m[2].xyxy + early(x, k);
    return r + turned(float4(x.xy, 0, 1)) + project(toClip, x.xyz) + skin(bones, x).xyzx;
}
#endif
#ifdef B
float4 turned(float4 p) { return p.wzyx; }
float4 project(float4x4 m, float3 p) { return mul(m, p.xyzz); }
float3 skin(float4x3 m[2], float4 p) { return mul(p, m[1]); }
void change(inout float4 p[3], uint i) { p[i] = p[i].wzyx; p[1][i] = 3; }
S make(float4 x, bool2x2 m, out float3 o)
{
    S s = (S)0;
    s.a[1] = x; s.m[1] = x.xyz; s.n = m[0][1] ? 4 : 5;
    s.inner[1].v[1] = x * 2; s.inner[0].m[2] = x.zw; s.inner[1].b = m._22;
    o = 4; o[(uint)x.x] = 2; o[1] = 5; o.z = 1;
    return s;
}
float4 early(float4 v, uint k)
{
    if (k == 1) return v;
    if (k == 2) return float4(v.xy, 0, 1);
    return float4(1, 2, 3, 4);
}
#endif
