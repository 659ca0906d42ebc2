// The nearest of many hits is the closest, in whichever order they are found.
// rtc -T lib_6_3
// scene: Inputs/stack.toml
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// RUN: %rtc -T lib_6_3 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#include "Inputs/dxr.hlsli"

struct Payload { uint primitive; float t; uint count; };
[shader("closesthit")] void Closest(inout Payload p, in Triangle a) { p.primitive = PrimitiveIndex(); p.t = RayTCurrent(); ++p.count; }
[shader("miss")] void Miss(inout Payload p) { p.primitive = 99; }
TriangleHitGroup Group = { "", "Closest" };

[shader("raygeneration")] void Main()
{
    static const uint AT[8] = { 0, 3, 6, 1, 4, 7, 2, 5 };
    // From the front and from the back, beginning between two layers.
    uint layer = thread() & 7;
    bool back = thread() >= 8;
    Payload p = { 0, 0, 0 };
    TraceRay(Scene, 0, 0xff, 0, 0, 0, ray(float3(10.25, -0.25, back ? layer + 0.5 : layer - 0.5), float3(0, 0, back ? -1 : 1)), p);
    IS(AT[p.primitive], layer); ISF(p.t, 0.5); IS(p.count, 1);
    done(3);
}
