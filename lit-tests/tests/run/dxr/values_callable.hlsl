// System values in callable shaders, called from every stage that may call: they are those of the thread.
// rtc -T lib_6_3
// scene: Inputs/yard.toml
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// RUN: %rtc -T lib_6_3 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#include "Inputs/dxr.hlsli"

struct Payload { uint3 at; uint3 of; };
struct Parameter { uint3 at; uint3 of; };
[shader("callable")] void Call(inout Parameter c) { c.at = DispatchRaysIndex(); c.of = DispatchRaysDimensions(); }
[shader("callable")] void CallAgain(inout Parameter c) { CallShader(0, c); }
void take(inout Payload p)
{
    Parameter c = (Parameter)0;
    CallShader(0, c);
    p.at = c.at;
    p.of = c.of;
}
[shader("closesthit")] void Closest(inout Payload p, in Triangle a) { take(p); }
[shader("miss")] void Miss(inout Payload p) { take(p); }
TriangleHitGroup Group = { "", "Closest" };

void check(uint3 at, uint3 of)
{
    IS(at.x, thread()); IS(at.y, 0); IS(at.z, 0); IS(of.x, 16); IS(of.y, 1); IS(of.z, 1);
}
[shader("raygeneration")] void Main()
{
    Parameter c = (Parameter)0;
    CallShader(0, c);
    check(c.at, c.of);
    c = (Parameter)0;
    CallShader(1, c);
    check(c.at, c.of);
    Payload p = (Payload)0;
    TraceRay(Scene, 0, 0xff, 0, 0, 0, to(0), p);
    check(p.at, p.of);
    p = (Payload)0;
    TraceRay(Scene, 0, 0xff, 0, 0, 0, to(20), p);
    check(p.at, p.of);
    done(24);
}
