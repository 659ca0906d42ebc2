// System values in any-hit shaders, of triangles and of boxes; RayTCurrent is the distance of the hit that is reported.
// rtc -T lib_6_5
// scene: Inputs/matrices.toml
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// RUN: %rtc -T lib_6_5 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#include "Inputs/values.hlsli"

struct Payload { Values v; HitValues h; uint kind; };
void take(inout Payload p) { p.v = values(); p.h = hitValues(); p.kind = HitKind(); }
[shader("anyhit")] void Any(inout Payload p, in Triangle a) { take(p); IgnoreHit(); }
[shader("anyhit")] void AnyBox(inout Payload p, in Triangle a) { take(p); }
[shader("intersection")] void Intersect() { Triangle a = { float2(0, 0) }; ReportHit(3.75, 33, a); }
[shader("miss")] void Miss(inout Payload p) { }
TriangleHitGroup Group1 = { "Any", "" };
ProceduralPrimitiveHitGroup Group2 = { "AnyBox", "", "Intersect" };

[shader("raygeneration")] void Main()
{
    uint place = thread() & 3, flags = RAY_FLAG_FORCE_NON_OPAQUE | RAY_FLAG_CULL_BACK_FACING_TRIANGLES;
    Payload p = (Payload)0;
    TraceRay(Scene, flags, 0xff, 0, 0, 0, toMoved(place), p);
    check(p.v, place, DISTANCE[place], flags); check(p.h, place); IS(p.kind, place == 3 ? 33 : 254);
    done(29);
}
