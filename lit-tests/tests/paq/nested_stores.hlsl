// Two payload types share a nested one. What one of them stores in it and nothing reads stays permitted in both; where that is taken out it is lost
// in one of them alone.
// RUN: cp %s %t.hlsl
// RUN: %rtc paq -no-empty-hit-groups -T lib_6_6 -fix %t.hlsl | FileCheck %s
// RUN: %rtc -T lib_6_7 -WX %t.hlsl -Fo %t.dxil
// RUN: %rtc paq -no-empty-hit-groups -T lib_6_7 -fix %t.hlsl 2>&1 | FileCheck --check-prefix=AGAIN %s
// RUN: cp %s %t.tight.hlsl
// RUN: %rtc paq -no-empty-hit-groups -T lib_6_6 -fix -tightest %t.tight.hlsl | FileCheck --check-prefix=TIGHT %s
// RUN: %rtc -T lib_6_7 %t.tight.hlsl -Fo %t.dxil 2>&1 | FileCheck --check-prefix=LOST %s
// CHECK: float i.a : read(caller, closesthit) : write(caller, closesthit);
// CHECK: i.a: write(closesthit): `HitQ` writes it ({{.*}}), and nothing reads it: without that store `write` can go
// AGAIN-NOT: written into
// TIGHT: float i.a : read(closesthit) : write(caller);
// LOST-NOT: warning
// LOST: warning: the value written to `q.i.a` is lost when `HitQ` ends
// LOST-NOT: warning
struct P { float a; float b; };
struct Q { P i; float z; };
RaytracingAccelerationStructure Scene : register(t0);
RWStructuredBuffer<float> Out : register(u0);
RayDesc ray() { RayDesc r = { float3(0, 0, 0), 0, float3(0, 0, 1), 9 }; return r; }
typedef BuiltInTriangleIntersectionAttributes A;
[shader("raygeneration")] void Main()
{
    P p = (P)0;
    p.a = 1;
    TraceRay(Scene, 0, 0xff, 0, 1, 0, ray(), p);
    Out[0] = p.b;
    Q q = (Q)0;
    TraceRay(Scene, 0, 0xff, 1, 1, 1, ray(), q);
    Out[1] = q.z + q.i.b;
}
[shader("closesthit")] void HitP(inout P p, A t) { p.b = p.a; }
[shader("miss")] void SkyP(inout P p) { p.b = 1; }
[shader("closesthit")] void HitQ(inout Q q, A t) { q.z = 1; q.i.a = 7; q.i.b = 2; }
[shader("miss")] void SkyQ(inout Q q) { q.z = 2; q.i.b = 3; }
