// A payload with members of an anonymous structure, which can have no qualifiers: said, and the other payload is inferred.
// RUN: not %rtc paq -T lib_6_6 -no-empty-hit-groups %s 2>&1 | FileCheck %s
RaytracingAccelerationStructure Scene : register(t0);
RWStructuredBuffer<float> Out : register(u1);
struct P { struct { float a; float c; }; float z; };
struct Q { float c; };
[shader("raygeneration")] void Main()
{
    RayDesc r = { float3(0, 0, 0), 0, float3(0, 0, 1), 9 };
    P p = (P)0; p.a = 1;
    TraceRay(Scene, 0, 0xff, 0, 1, 0, r, p);
    Q q;
    TraceRay(Scene, 0, 0xff, 0, 1, 1, r, q);
    Out[0] = p.c + q.c;
}
[shader("miss")] void M(inout P p) { p.c = p.a; }
[shader("miss")] void N(inout Q q) { q.c = 0; }
// CHECK: the qualifiers of `P` cannot be inferred: {{.*}} [E0713]
