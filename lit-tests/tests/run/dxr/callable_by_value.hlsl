// The parameter of a callable shader goes in and comes out by value, from ray generation, closest-hit, miss and callable shaders.
// rtc -T lib_6_3
// scene: Inputs/yard.toml
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// RUN: %rtc -T lib_6_3 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#include "Inputs/dxr.hlsli"

struct Parameter { uint n; float3 v; bool yes; };
struct Payload { uint n; float3 v; bool yes; uint other; };
[shader("callable")] void Call(inout Parameter c) { c.n = c.n * 3 + 1; c.v = c.v.zxy * 2; c.yes = !c.yes; }
[shader("callable")] void CallTwice(inout Parameter c)
{
    Parameter mine = c;
    CallShader(0, mine);
    CallShader(0, mine);
    c.n += mine.n;
    c.v = mine.v;
}
void call(inout Payload p)
{
    Parameter c = { p.n, p.v, p.yes }, d = c;
    CallShader(0, c);
    p.n = c.n; p.v = c.v; p.yes = c.yes; p.other = d.n;
}
[shader("closesthit")] void Closest(inout Payload p, in Triangle a) { call(p); }
[shader("miss")] void Miss(inout Payload p) { call(p); }
TriangleHitGroup Group = { "", "Closest" };

[shader("raygeneration")] void Main()
{
    uint n = thread() + 1;
    Parameter c = { n, float3(1, 2, 3), false }, d = c;
    CallShader(0, c);
    IS(c.n, n * 3 + 1); IS3(c.v, float3(6, 2, 4)); IS(c.yes, 1); IS(d.n, n);
    CallShader(1, d);
    IS(d.n, n + n * 9 + 4); IS3(d.v, float3(8, 12, 4)); IS(d.yes, 0);
    Payload p = { n, float3(1, 2, 3), true, 0 };
    TraceRay(Scene, 0, 0xff, 0, 0, 0, to(thread() & 1 ? 0 : 20), p);
    IS(p.n, n * 3 + 1); IS3(p.v, float3(6, 2, 4)); IS(p.yes, 0); IS(p.other, n);
    done(17);
}
