// AcceptHitAndEndSearch: no other any-hit shader runs, and the closest-hit shader gets that hit, whichever it was.
// rtc -T lib_6_3
// scene: Inputs/stack.toml
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// RUN: %rtc -T lib_6_3 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#include "Inputs/dxr.hlsli"

struct Payload { uint primitive; float t; uint runs; bool same; };
[shader("anyhit")] void Any(inout Payload p, in Triangle a)
{
    p.primitive = PrimitiveIndex();
    p.t = RayTCurrent();
    ++p.runs;
    AcceptHitAndEndSearch();
    p.runs += 100;
}
[shader("closesthit")] void Closest(inout Payload p, in Triangle a) { p.same = p.primitive == PrimitiveIndex() && p.t == RayTCurrent(); }
[shader("miss")] void Miss(inout Payload p) { p.runs = 99; }
TriangleHitGroup Group = { "Any", "Closest" };

[shader("raygeneration")] void Main()
{
    Payload p = { 99, 0, 0, false };
    TraceRay(Scene, 0, 0xff, 0, 0, 0, to(0), p);
    IS(p.runs, 1); IS(p.same, 1); ISF(p.t, 10 + p.primitive * 3 % 8);
    done(3);
}
