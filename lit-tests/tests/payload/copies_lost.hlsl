// What a copy of a payload carries where the qualifiers lose it is lost as what is written to the payload itself is.
// RUN: %rtc -T lib_6_9 -Wno-payload-access-perf %s -Fo %t.dxil 2>&1 | FileCheck %s
// CHECK-NOT: warning
struct Inner { float x; float y; };
struct [raypayload] P
{
    float a : read(caller) : write(closesthit);
    float b : read(closesthit) : write(caller);
    float2 v : read(caller, closesthit) : write(caller, closesthit);
    Inner i : read(closesthit) : write(caller);
};
RaytracingAccelerationStructure Scene : register(t0);
RWStructuredBuffer<float> Out : register(u1);
static P kept;
typedef BuiltInTriangleIntersectionAttributes A;
RayDesc ray() { RayDesc r = { float3(0, 0, 0), 0, float3(0, 0, 1), 9 }; return r; }
void trace(inout P p) { TraceRay(Scene, 0, 0xff, 0, 1, 0, ray(), p); }
#define HIT [shader("closesthit")] void
#define GEN [shader("raygeneration")] void

// Read, received by a trace, or of a field that leaves.
HIT ReadInCopy(inout P p, A t) { P q = p; q.b = 3; p.a = q.b; }
HIT ReadAfterCopy(inout P p, A t) { p.b = 4; P q = p; p.a = q.b; }
HIT CopyOfWritten(inout P p, A t) { P q = p; q.a = 7; q.v = 2; p = q; }
HIT Unused(inout P p, A t) { P q = p; q.a = 7; p.a = 1; }
HIT Forwarded(inout P p, A t) { P q = p; q.b = 3; P r = q; trace(r); p.a = r.a; }
HIT ForwardedAndCopiedBack(inout P p, A t) { P q = p; q.b = 3; trace(q); p = q; }
HIT OnOnePath(inout P p, A t) { P q = p; q.b = 3; if (t.barycentrics.x > 0.5) { p.a = q.b; return; } p = q; p.a = 1; }
// What a static variable holds may be read elsewhere.
HIT Static(inout P p, A t) { kept = p; kept.b = 3; p = kept; p.a = 1; }
GEN Passed() { P p = (P)0; p.b = 1; P q = p; trace(q); Out[0] = q.a; }
GEN PassedTwice() { P p = (P)0; p.b = 1; P q = p; trace(p); Out[0] = q.b + p.a; p = q; trace(p); Out[1] = p.a; }

// CHECK: copies_lost.hlsl:[[@LINE+1]]:{{.*}} warning: the value written to `q.b` is lost when `CopiedBack` ends {{.*}} [W0712]
HIT CopiedBack(inout P p, A t) { P q = p; q.b = 3; p = q; p.a = 1; }
// CHECK: copies_lost.hlsl:[[@LINE+1]]:{{.*}} warning: the value written to `q.b` is lost when `Made` ends {{.*}} [W0712]
HIT Made(inout P p, A t) { P q = (P)0; q.a = 1; q.b = 2; q.v = 3; p = q; }
// CHECK: copies_lost.hlsl:[[@LINE+1]]:{{.*}} warning: the value written to `q.i.y` is lost when `Member` ends {{.*}} [W0712]
HIT Member(inout P p, A t) { P q = p; q.i.y = 3; p = q; p.a = 1; }
// CHECK: copies_lost.hlsl:[[@LINE+1]]:{{.*}} warning: the value written to `q.b` is lost when `Twice` ends {{.*}} [W0712]
HIT Twice(inout P p, A t) { P q = p; q.b = 3; P r = q; p = r; p.a = 1; }
// CHECK: copies_lost.hlsl:[[@LINE+1]]:{{.*}} warning: the value written to `p.a` is lost in TraceRay {{.*}} [W0713]
GEN InTrace() { P p = (P)0; p.a = 3; P q = p; trace(q); Out[0] = q.a; }
// CHECK-NOT: warning
