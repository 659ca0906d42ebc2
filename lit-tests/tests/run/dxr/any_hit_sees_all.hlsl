// Where all hits are ignored, the any-hit shader has seen each exactly once, in some order.
// rtc -T lib_6_3
// scene: Inputs/stack.toml
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// RUN: %rtc -T lib_6_3 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#include "Inputs/dxr.hlsli"

struct Payload { uint seen; uint runs; float sum; };
[shader("anyhit")] void Any(inout Payload p, in Triangle a)
{
    p.seen |= 1u << PrimitiveIndex();
    ++p.runs;
    p.sum += RayTCurrent();
    IgnoreHit();
}
[shader("closesthit")] void Closest(inout Payload p, in Triangle a) { p.seen |= 0x10000; }
[shader("miss")] void Miss(inout Payload p) { p.seen |= 0x20000; }
TriangleHitGroup Group = { "Any", "Closest" };

[shader("raygeneration")] void Main()
{
    Payload p = { 0, 0, 0 };
    TraceRay(Scene, 0, 0xff, 0, 0, 0, to(0), p);
    IS(p.seen, 0x200ff); IS(p.runs, 8); ISF(p.sum, 80 + 28);
    done(3);
}
