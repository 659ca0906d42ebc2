// A store that is read on paths alone on which it is not made is one that nothing reads: `-fix` leaves its stage in `write`. Where a shader stores on
// some paths alone it keeps what was there on the others, which its callers pass if they always have a value.
// RUN: %rtc -T lib_6_7 -Wno-payload-access-perf %S/Inputs/stores_on_paths.hlsl -Fo %t.dxil 2>&1 | FileCheck --check-prefix=LOST %s
// LOST: warning: the value written to `p.kept` is lost when `Miss` ends
// LOST-NOT: warning
// RUN: cp %s %t.hlsl
// RUN: %rtc paq -no-empty-hit-groups -T lib_6_6 -fix %t.hlsl | FileCheck %s
// RUN: %rtc -T lib_6_7 -WX %t.hlsl -Fo %t.dxil
// CHECK: float kept : read(caller, closesthit, miss) : write(caller, miss);
// CHECK: float some : read(caller, miss) : write(caller, miss);
// CHECK: kept: write(miss): `Miss` writes it ({{.*}}), and nothing reads it: without that store `write` can go
struct P { float kept; float some; float o; };
RaytracingAccelerationStructure Scene : register(t0);
RWStructuredBuffer<float> Out : register(u0);
[shader("raygeneration")] void Rays()
{
    RayDesc ray = { float3(0, 0, 0), 0, float3(0, 0, 1), 100 };
    P p = (P)0;
    p.kept = 1;
    TraceRay(Scene, RAY_FLAG_NONE, 0xff, 0, 1, 0, ray, p);
    Out[0] = p.o;
}
[shader("miss")] void Miss(inout P p)
{
    bool c = WorldRayDirection().x > 0;
    p.o = 1;
    if (c)
        p.some = 3;
    if (c)
        p.kept = 3;
    if (!c)
        p.o = p.kept;
}
[shader("closesthit")] void Hit(inout P p, BuiltInTriangleIntersectionAttributes a) { p.o = p.kept; }
