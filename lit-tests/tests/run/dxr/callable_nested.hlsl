// Callable shaders that call others: calls count for no recursion depth, which is one here.
// rtc -T lib_6_3
// scene: Inputs/yard.toml
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// RUN: %rtc -T lib_6_3 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#include "Inputs/dxr.hlsli"

struct Parameter { uint depth; uint trail; };
[shader("callable")] void Call0(inout Parameter c) { c.trail = c.trail * 10 + 1; if (c.depth != 0) { --c.depth; CallShader(1, c); } c.trail = c.trail * 10 + 2; }
[shader("callable")] void Call1(inout Parameter c) { c.trail = c.trail * 10 + 3; if (c.depth != 0) { --c.depth; CallShader(2, c); } c.trail = c.trail * 10 + 4; }
[shader("callable")] void Call2(inout Parameter c) { c.trail = c.trail * 10 + 5; }
struct Payload { uint depth; uint trail; };
void call(inout Payload p)
{
    Parameter c = { p.depth, p.trail };
    CallShader(0, c);
    p.depth = c.depth; p.trail = c.trail;
}
[shader("closesthit")] void Closest(inout Payload p, in Triangle a) { call(p); }
[shader("miss")] void Miss(inout Payload p) { call(p); }
TriangleHitGroup Group = { "", "Closest" };

[shader("raygeneration")] void Main()
{
    static const uint TRAIL[3] = { 12, 1342, 13542 };
    uint depth = thread() % 3;
    Parameter c = { depth, 0 };
    CallShader(0, c);
    IS(c.trail, TRAIL[depth]); IS(c.depth, 0);
    Payload p = { depth, 0 };
    TraceRay(Scene, 0, 0xff, 0, 0, 0, to(thread() & 1 ? 0 : 20), p);
    IS(p.trail, TRAIL[depth]); IS(p.depth, 0);
    done(4);
}
