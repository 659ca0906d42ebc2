// Matrices in memory that libraries share have one orientation: libraries of which one is compiled with -Zpr are refused where they differ.
// RUN: %rtc -T lib_6_3 -default-linkage external -DA %s -Fo %t.a.dxil
// RUN: %rtc -T lib_6_3 -default-linkage external -DB %s -Fo %t.b.dxil
// RUN: %rtc -T lib_6_3 -default-linkage external -DA -Zpr %s -Fo %t.ar.dxil
// RUN: %rtc -T lib_6_3 -default-linkage external -DB -Zpr -Qstrip_reflect %s -Fo %t.br.dxil
// RUN: %rtc link -T ps_6_3 -E main %t.a.dxil %t.b.dxil -Fo %t.dxil
// RUN: %rtc link -T ps_6_3 -E main %t.ar.dxil %t.br.dxil -Fo %t.dxil
// RUN: not %rtc link -T ps_6_3 -E main %t.a.dxil %t.br.dxil -Fo %t.dxil 2>&1 | FileCheck %s
// CHECK-DAG: calls `in_structure` of `{{.*}}` with `m` of `S` column-major, which is row-major there: compile both with -Zpr or both without
// CHECK-DAG: calls `nested` of `{{.*}}` with `m` of `S` column-major, which is row-major there
// CHECK-DAG: calls `by_reference` of `{{.*}}` with the matrix in parameter 1 column-major, which is row-major there
// CHECK-DAG: calls `in_array` of `{{.*}}` with the matrix in parameter 2 column-major, which is row-major there
// CHECK-NOT: `by_value`
// CHECK-NOT: `said`
// CHECK-NOT: `row`
// RUN: %rtc -T lib_6_3 -default-linkage external -DA -DBUFFERS %s -Fo %t.a.dxil
// RUN: %rtc -T lib_6_3 -default-linkage external -DB -DBUFFERS -Zpr %s -Fo %t.br.dxil
// RUN: not %rtc link -T ps_6_3 -E main %t.a.dxil %t.br.dxil -Fo %t.dxil 2>&1 | FileCheck %s --check-prefix=BUFFERS
// BUFFERS-DAG: resource `Constants` has `m` of `Constants` column-major in `{{.*}}` and row-major in `{{.*}}`: compile both with -Zpr
// BUFFERS-DAG: resource `Structured` has `m` of `S` column-major in
struct S { float a; float2x3 m; };
struct Outer { S s[2]; };
struct Said { row_major float2x3 r; column_major float3x2 c; float1x3 row; };
float in_structure(S s);
float nested(inout Outer o);
float by_reference(inout float2x3 m);
float in_array(float x, float2x3 m[2]);
float by_value(float2x3 m);
float said(inout Said s);
float row(inout float1x3 m);
float buffers();
#ifdef BUFFERS
cbuffer Constants : register(b0) { float4x4 m; };
StructuredBuffer<S> Structured : register(t0);
#endif
#ifdef A
[shader("pixel")] float4 main(float2 p : P) : SV_Target
{
#ifdef BUFFERS
    return m[1].x + Structured[0].m[1].x + buffers();
#else
    S s; s.a = p.x; s.m = (float2x3)p.y;
    Outer o; o.s[0] = s; o.s[1] = s;
    float2x3 two[2] = { s.m, s.m };
    Said x; x.r = s.m; x.c = (float3x2)1; x.row = (float1x3)2;
    return in_structure(s) + nested(o) + by_reference(s.m) + in_array(1, two) + by_value(s.m) + said(x) + row(x.row);
#endif
}
#endif
#ifdef B
#ifdef BUFFERS
float buffers() { return m[0].y + Structured[1].m[0].y; }
#else
float in_structure(S s) { return s.m[1].x; }
float nested(inout Outer o) { o.s[1].a = 2; return o.s[1].m[0].y; }
float by_reference(inout float2x3 m) { m[0] = 1; return m[1].y; }
float in_array(float x, float2x3 m[2]) { return m[1][0].z * x; }
float by_value(float2x3 m) { return m[0].y; }
float said(inout Said s) { s.row = 1; return s.r[1].x + s.c[2].y; }
float row(inout float1x3 m) { return m._m02; }
#endif
#endif
