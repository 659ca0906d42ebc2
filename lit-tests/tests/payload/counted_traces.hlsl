// Traces in loops that end after a known number of iterations, and in such that do not: what one iteration loses is undefined in the next one, if there is one.
// RUN: %rtc -T lib_6_7 -Wno-payload-access-perf %s -Fo %t.dxil 2>&1 | FileCheck %s
// CHECK-NOT: warning
struct [raypayload] P
{
    float c : read(caller) : write(closesthit, miss);
    float given : read(closesthit) : write(caller);
    uint sum : read(caller, closesthit) : write(caller, closesthit);
};
RaytracingAccelerationStructure Scene : register(t0);
RWStructuredBuffer<float> Out : register(u1);
cbuffer C { int n; }
RayDesc ray() { RayDesc r = { float3(0, 0, 0), 0, float3(0, 0, 1), 9 }; return r; }
#define TRACE(p) TraceRay(Scene, 0, 0xff, 0, 1, 0, ray(), p)
#define GEN [shader("raygeneration")] void
GEN EachTime() { P p; p.sum = 0; for (int i = 0; i < n; ++i) { p.given = i; TRACE(p); Out[i] = p.c; } }
GEN Once() { P p; p.sum = 0; p.given = 1; for (int i = 0; i < 1; ++i) { TRACE(p); Out[i] = p.c; } }
GEN AtFirst() { P p; p.given = 1; for (int i = 0; i < 3; ++i) { if (i == 0) p.sum = 4; else p.given = i; TRACE(p); Out[i] = p.c + p.sum; } }
GEN LastLoses() { P p; p.sum = 0; p.given = 1; for (int i = 0; i < 3; ++i) { TRACE(p); Out[i] = p.c; if (i < 2) p.given = p.c; } }
GEN Inner() { for (int i = 0; i < n; ++i) { P p; p.given = i; p.sum = i; for (int j = 0; j < 2; ++j) { TRACE(p); p.given = p.c; } Out[i] = p.c + p.sum; } }
GEN Breaks() { P p; p.sum = 0; p.given = 1; for (int i = 0; i < n; ++i) { TRACE(p); if (p.c > 1) break; p.given = p.c; } }
// CHECK: counted_traces.hlsl:[[@LINE+1]]:{{.*}} warning: `given` is undefined when it is passed to this trace in the next iteration {{.*}} [W0714]
GEN Twice() { P p; p.sum = 0; p.given = 1; for (int i = 0; i < 2; ++i) { TRACE(p); Out[i] = p.c; } }
// CHECK: counted_traces.hlsl:[[@LINE+1]]:{{.*}} warning: `given` is undefined when it is passed to this trace in the next iteration {{.*}} [W0714]
GEN OnlyAtFirst() { P p; p.sum = 0; for (int i = 0; i < 3; ++i) { if (i == 0) p.given = 1; TRACE(p); Out[i] = p.c; } }
// CHECK: counted_traces.hlsl:[[@LINE+1]]:{{.*}} warning: `given` is undefined when it is passed to this trace in the next iteration {{.*}} [W0714]
GEN Continues() { P p; p.sum = 0; p.given = 1; for (int i = 0; i < n; ++i) { TRACE(p); if (p.c > 1) continue; p.given = p.c; } }
// CHECK: counted_traces.hlsl:[[@LINE+1]]:{{.*}} warning: `sum` is passed to this trace uninitialised {{.*}} [W0715]
GEN TooLate() { P p; for (int i = 0; i < 3; ++i) { if (i == 1) p.sum = 0; p.given = 1; TRACE(p); Out[i] = p.c + p.sum; } }
// CHECK-NOT: warning
[shader("closesthit")] void Hit(inout P p, in BuiltInTriangleIntersectionAttributes a) { p.c = p.given; p.sum++; }
[shader("miss")] void Sky(inout P p) { p.c = 0; }
