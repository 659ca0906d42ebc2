// The same ray finds the same, however often it is traced.
// rtc -T lib_6_3
// scene: Inputs/grid.toml
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// RUN: %rtc -T lib_6_3 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#include "Inputs/dxr.hlsli"

struct Payload { float t; uint primitive; float2 at; };
[shader("closesthit")] void Closest(inout Payload p, in Triangle a) { p.t = RayTCurrent(); p.primitive = PrimitiveIndex(); p.at = a.barycentrics; }
[shader("miss")] void Miss(inout Payload p) { p.t = -1; p.primitive = 0; p.at = 0; }
TriangleHitGroup Group = { "", "Closest" };

[shader("raygeneration")] void Main()
{
    uint other = 0, met = 0;
    for (uint i = 0; i < 32; ++i)
    {
        RayDesc r = ray(float3(20 + i % 5, 6, thread() * 0.31), float3(sin(i * 1.3), -2, cos(i * 0.7)));
        Payload p = (Payload)0, q = (Payload)0;
        TraceRay(Scene, 0, 0xff, 0, 0, 0, r, p);
        TraceRay(Scene, 0, 0xff, 0, 0, 0, r, q);
        other += asuint(p.t) != asuint(q.t) || p.primitive != q.primitive || any(asuint(p.at) != asuint(q.at));
        met += p.t > 0;
    }
    IS(other, 0); IS(met > 8, 1);
    done(2);
}
