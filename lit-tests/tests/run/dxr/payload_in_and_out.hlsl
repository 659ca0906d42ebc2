// A payload goes in and comes out by value: the caller's other variables and the fields that no shader writes stay.
// rtc -T lib_6_3
// scene: Inputs/yard.toml
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// RUN: %rtc -T lib_6_3 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#include "Inputs/dxr.hlsli"

struct Payload { uint a; float3 b; int2 c; bool d; uint e; };
[shader("closesthit")] void Closest(inout Payload p, in Triangle a) { p.a += 5; p.b = p.b.yzx; p.d = !p.d; }
[shader("miss")] void Miss(inout Payload p) { p.a *= 2; p.c = -p.c; }
TriangleHitGroup Group = { "", "Closest" };

[shader("raygeneration")] void Main()
{
    uint n = thread();
    Payload p = { n, float3(1, 2, 3) + n, int2(n, -7), true, 0xabcd }, q = p;
    TraceRay(Scene, 0, 0xff, 0, 0, 0, to(0), p);
    IS(p.a, n + 5); IS3(p.b, float3(2, 3, 1) + n); IS(p.c.x, n); IS(p.c.y, -7); IS(p.d, 0); IS(p.e, 0xabcd);
    IS(q.a, n); IS3(q.b, float3(1, 2, 3) + n); IS(q.d, 1);
    TraceRay(Scene, 0, 0xff, 0, 0, 0, to(20), p);
    IS(p.a, (n + 5) * 2); IS(p.c.x, -int(n)); IS(p.c.y, 7); IS(p.d, 0); IS(p.e, 0xabcd);
    done(18);
}
