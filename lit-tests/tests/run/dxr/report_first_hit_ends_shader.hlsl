// With ACCEPT_FIRST_HIT_AND_END_SEARCH a report that is accepted does not return. For the CPU device alone: in lavapipe 25.0.7 it does.
// rtc -T lib_6_3
// scene: Inputs/boxes.toml
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
    if (p.end == 1 && HitKind() == 0)
        IgnoreHit();
}
[shader("closesthit")] void Closest(inout Payload p, in Attributes a) { p.t = RayTCurrent(); }
[shader("miss")] void Miss(inout Payload p) { p.t = -1; }
ProceduralPrimitiveHitGroup Group = { "Any", "Closest", "Intersect" };

[shader("raygeneration")] void Main()
{
    uint how = thread() & 1;
    Payload p = { how, 0 };
    TraceRay(Scene, RAY_FLAG_ACCEPT_FIRST_HIT_AND_END_SEARCH, 0xff, 0, 0, 0, to(0), p);
    // The first ends it; the first is ignored and the second ends it.
    static const float T[2] = { 30, 20 };
    static const uint AFTER_FIRST[2] = { 0, 2 }, AFTER_SECOND[2] = { 0, 0 };
    ISF(p.t, T[how]); IS(Memory.Load(thread() * 256), 1);
    IS(Memory.Load(thread() * 256 + 4), AFTER_FIRST[how]); IS(Memory.Load(thread() * 256 + 8), AFTER_SECOND[how]);
    done(4);
}
