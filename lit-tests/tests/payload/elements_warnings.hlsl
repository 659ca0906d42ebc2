// Warnings about what is chosen at run time: it is undefined where all that it may be is undefined, and what one may be defined is none.
// RUN: %rtc -T lib_6_7 -Wno-payload-access-perf %s -Fo %t.dxil 2>&1 | FileCheck %s
// CHECK-NOT: warning
RaytracingAccelerationStructure Scene : register(t0);
RWStructuredBuffer<float> Out : register(u1);
RayDesc ray() { RayDesc r = { float3(0, 0, 0), 0, float3(0, 0, 1), 9 }; return r; }
#define I (DispatchRaysIndex().x & 1)
struct [raypayload] Part { float kept : read(caller, closesthit) : write(caller); float given : read(caller) : write(closesthit, miss); };
struct [raypayload] P { float gi : read(closesthit, miss) : write(caller); Part parts[2]; float list[3] : read(closesthit) : write(caller); };
P made() { P p; p.gi = 1; p.parts[0].kept = p.parts[1].kept = 2; p.list[0] = p.list[1] = p.list[2] = 3; return p; }
void trace(inout P p) { TraceRay(Scene, 0, 0xff, 0, 1, 0, ray(), p); }
float at(inout float list[3], uint n) { return list[n]; }

[shader("raygeneration")] void Elements()
{
    P q[2] = { made(), made() };
    trace(q[I]);
    Out[0] = q[I].parts[I].given + q[I].parts[I].kept;
    for (uint i = 0; i < 2; ++i) trace(q[i]);
    Out[1] = q[0].parts[0].kept;
    P x = q[I];
    Out[2] = x.parts[0].given;
    q[I] = x;
}
[shader("raygeneration")] void Undefined()
{
    P p = made();
    trace(p);
    P q[2] = { p, p };
    // CHECK: elements_warnings.hlsl:[[@LINE+1]]:{{.*}} warning: {{.*}}gi` is undefined when it is read{{.*}} [W0711]
    Out[0] = q[I].gi;
    P x = q[I];
    // CHECK: elements_warnings.hlsl:[[@LINE+1]]:{{.*}} warning: {{.*}}gi` is undefined when it is read{{.*}} [W0711]
    Out[1] = x.gi;
}
[shader("miss")] void Sky(inout P p)
{
    p.parts[0].given = p.parts[1].given = 0;
    // CHECK: elements_warnings.hlsl:[[@LINE+1]]:{{.*}} warning: {{.*}}list{{.*}} is undefined when it is read{{.*}} [W0710]
    p.parts[1].given = p.list[uint(p.gi) % 3];
    // CHECK: elements_warnings.hlsl:[[@LINE+1]]:{{.*}} warning: {{.*}}list{{.*}} is undefined when it is read{{.*}} [W0710]
    p.parts[1].given += at(p.list, uint(p.gi) % 3);
    // CHECK-NOT: warning
}
[shader("closesthit")] void Hit(inout P p, in BuiltInTriangleIntersectionAttributes a)
{
    for (uint i = 0; i < 2; ++i) p.parts[i].given = p.list[InstanceID() % 3];
    Part part = p.parts[InstanceID() & 1];
    p.parts[InstanceID() & 1].given = part.kept + p.parts[0].kept;
}
// Of an array of one element it is known which one it is.
struct [raypayload] One { float list[1] : read(caller) : write(closesthit, miss); };
[shader("closesthit")] void HitOne(inout One p, in BuiltInTriangleIntersectionAttributes a) { p.list[InstanceID()] = 1; }
[shader("miss")] void SkyOne(inout One p) { p.list[DispatchRaysIndex().x] = 1; }
