// Rays to the places of yard.toml; they say 16 for each any-hit shader, 1 for a hit, 9 for a miss.
#include "dxr.hlsli"

struct Payload { uint any; uint closest; };
[shader("anyhit")] void Any(inout Payload p, in Triangle a) { ++p.any; }
[shader("anyhit")] void AnyBox(inout Payload p, in Triangle a) { ++p.any; }
[shader("closesthit")] void Closest(inout Payload p, in Triangle a) { ++p.closest; }
[shader("closesthit")] void ClosestBox(inout Payload p, in Triangle a) { ++p.closest; }
[shader("intersection")] void Intersect() { Triangle a = { float2(0.5, 0.25) }; ReportHit(9, 1, a); }
[shader("miss")] void Miss(inout Payload p) { p.closest = 9; }
TriangleHitGroup Group1 = { "Any", "Closest" };
ProceduralPrimitiveHitGroup Group2 = { "AnyBox", "ClosestBox", "Intersect" };

uint trace(uint flags)
{
    Payload p = { 0, 0 };
    TraceRay(Scene, flags, 0xff, 0, 0, 0, to(thread()), p);
    return p.any * 16 + p.closest;
}
