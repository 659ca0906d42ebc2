// Face culling: the winding is that of the object's space, whatever the instance's transform; instances turn it round or switch it off.
// rtc -T lib_6_3
// scene: Inputs/yard.toml
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// RUN: %rtc -T lib_6_3 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#include "Inputs/dxr.hlsli"

struct Payload { uint kind; };
[shader("closesthit")] void Closest(inout Payload p, in Triangle a) { p.kind = HitKind(); }
[shader("closesthit")] void ClosestBox(inout Payload p, in Triangle a) { p.kind = HitKind(); }
[shader("intersection")] void Intersect() { Triangle a = { float2(0.5, 0.25) }; ReportHit(9, 1, a); }
[shader("miss")] void Miss(inout Payload p) { p.kind = 0; }
TriangleHitGroup Group1 = { "", "Closest" };
ProceduralPrimitiveHitGroup Group2 = { "", "ClosestBox", "Intersect" };

uint trace(uint flags)
{
    Payload p = { 99 };
    TraceRay(Scene, flags, 0xff, 0, 0, 0, to(thread()), p);
    return p.kind;
}
[shader("raygeneration")] void Main()
{
    uint i = thread();
    // 4, 6, 8, 9: seen from the back, as is 11, whose positions were mirrored when it was built; 5 and 6 are not culled; boxes have no faces.
    bool behind = 0x0b50 >> i & 1, kept = 0x0060 >> i & 1;
    uint kind = i >= 12 ? 1 : behind ? HIT_KIND_TRIANGLE_BACK_FACE : HIT_KIND_TRIANGLE_FRONT_FACE;
    IS(trace(0), kind);
    IS(trace(RAY_FLAG_CULL_BACK_FACING_TRIANGLES), i < 12 && behind && !kept ? 0 : kind);
    IS(trace(RAY_FLAG_CULL_FRONT_FACING_TRIANGLES), i < 12 && !behind && !kept ? 0 : kind);
    done(3);
}
