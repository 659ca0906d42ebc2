// AcceptHitAndEndSearch after some hits were ignored: the accepted one is the closest, though others may be nearer.
// rtc -T lib_6_3
// scene: Inputs/stack.toml
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// RUN: %rtc -T lib_6_3 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#include "Inputs/dxr.hlsli"

struct Payload { uint chosen; uint primitive; uint accepted; };
[shader("anyhit")] void Any(inout Payload p, in Triangle a)
{
    if (PrimitiveIndex() != p.chosen)
        IgnoreHit();
    ++p.accepted;
    AcceptHitAndEndSearch();
}
[shader("closesthit")] void Closest(inout Payload p, in Triangle a) { p.primitive = PrimitiveIndex(); }
[shader("miss")] void Miss(inout Payload p) { p.primitive = 99; }
TriangleHitGroup Group = { "Any", "Closest" };

[shader("raygeneration")] void Main()
{
    Payload p = { thread(), 0, 0 };
    TraceRay(Scene, 0, 0xff, 0, 0, 0, to(0), p);
    IS(p.primitive, thread() < 8 ? thread() : 99); IS(p.accepted, thread() < 8);
    done(2);
}
