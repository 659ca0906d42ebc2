// System values in closest-hit shaders, of triangles and of boxes.
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
[shader("closesthit")] void Closest(inout Payload p, in Triangle a) { take(p); }
[shader("closesthit")] void ClosestBox(inout Payload p, in Triangle a) { take(p); }
[shader("intersection")] void Intersect() { Triangle a = { float2(0, 0) }; ReportHit(3.75, 33, a); }
TriangleHitGroup Group1 = { "", "Closest" };
ProceduralPrimitiveHitGroup Group2 = { "", "ClosestBox", "Intersect" };

[shader("raygeneration")] void Main()
{
    uint place = thread() & 3;
    Payload p = (Payload)0;
    TraceRay(Scene, RAY_FLAG_FORCE_OPAQUE, 0xff, 0, 0, 0, toMoved(place), p);
    check(p.v, place, DISTANCE[place], RAY_FLAG_FORCE_OPAQUE); check(p.h, place); IS(p.kind, place == 3 ? 33 : 254);
    done(29);
}
