// Where a stage writes one element of an array of payloads, or one that is not known, the others are kept.
// RUN: %rtc paq -T lib_6_6 -D ONE %s | FileCheck %s
// RUN: %rtc paq -T lib_6_6 -D DYNAMIC %s | FileCheck %s
// RUN: %rtc paq -T lib_6_6 -D LONG %s | FileCheck %s
// RUN: %rtc paq -T lib_6_6 -D COPIED %s | FileCheck --check-prefixes=CHECK,COPIED %s
// RUN: %rtc paq -T lib_6_6 -D ALL %s | FileCheck --check-prefix=ALL %s
struct Light { float x; };
#ifdef LONG
struct Lights { Light a[40]; };
#else
struct Lights { Light a[2]; };
#endif
RaytracingAccelerationStructure Scene : register(t0);
RWStructuredBuffer<float> Out : register(u1);
RayDesc ray() { RayDesc r = { float3(0, 0, 0), 0, float3(0, 0, 1), 9 }; return r; }
[shader("raygeneration")] void Main()
{
    Lights p = (Lights)0;
    TraceRay(Scene, 0, 255, 0, 1, 0, ray(), p);
    Out[0] = p.a[0].x + p.a[1].x;
    Light one;
    TraceRay(Scene, 0, 255, 0, 1, 1, ray(), one);
    Out[1] = one.x;
}
[shader("closesthit")] void C(inout Lights p, in BuiltInTriangleIntersectionAttributes t) { p.a[0].x = p.a[1].x = 1; }
[shader("miss")] void M(inout Lights p)
{
#ifdef ONE
    p.a[0].x = 1;
#elif defined(COPIED)
    Light last = p.a[1];
    p.a[1] = p.a[0];
    p.a[0] = last;
#elif defined(DYNAMIC)
    p.a[DispatchRaysIndex().x & 1].x = 1;
#else
    p.a[0].x = p.a[1].x = 1;
#endif
}
[shader("closesthit")] void CloseToOne(inout Light p, in BuiltInTriangleIntersectionAttributes t) { p.x = 1; }
[shader("miss")] void MissesOne(inout Light p) { p.x = 0; }
// CHECK: struct [raypayload] Light
// CHECK: float x : read(caller, {{.*}}miss) : write(caller, closesthit, miss);
// ALL: struct [raypayload] Light
// ALL: float x : read(caller) : write(caller, closesthit, miss);
// COPIED: x: write(miss): `M` writes it
