// Where AcceptHitAndEndSearch ends the search, ReportHit does not return; where the hit is ignored or accepted, it does.
// rtc -T lib_6_3
// scene: Inputs/boxes.toml
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// RUN: %rtc -T lib_6_3 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#include "Inputs/dxr.hlsli"

struct Payload { uint end; float t; };
struct Attributes { float t; };
[shader("intersection")] void Intersect()
{
    Attributes a = { 0 };
    Memory.Store(thread() * 256, 1);
    bool taken = ReportHit(30, 0, a);
    Memory.Store(thread() * 256 + 4, taken ? 1 : 2);
    ReportHit(20, 1, a);
    Memory.Store(thread() * 256 + 8, 1);
}
[shader("anyhit")] void Any(inout Payload p, in Attributes a)
{
    if (p.end == 1)
        AcceptHitAndEndSearch();
    if (p.end == 2)
        IgnoreHit();
}
[shader("closesthit")] void Closest(inout Payload p, in Attributes a) { p.t = RayTCurrent(); }
[shader("miss")] void Miss(inout Payload p) { p.t = -1; }
ProceduralPrimitiveHitGroup Group = { "Any", "Closest", "Intersect" };

[shader("raygeneration")] void Main()
{
    uint how = thread() % 3;
    Payload p = { how, 0 };
    TraceRay(Scene, 0, 0xff, 0, 0, 0, to(0), p);
    // Both are taken; the first ends it; none is taken.
    static const float T[3] = { 20, 30, -1 };
    static const uint AFTER_FIRST[3] = { 1, 0, 2 }, AFTER_SECOND[3] = { 1, 0, 1 };
    ISF(p.t, T[how]); IS(Memory.Load(thread() * 256), 1);
    IS(Memory.Load(thread() * 256 + 4), AFTER_FIRST[how]); IS(Memory.Load(thread() * 256 + 8), AFTER_SECOND[how]);
    done(4);
}
