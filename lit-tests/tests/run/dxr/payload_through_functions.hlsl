// A payload that functions pass on as in, out and inout behaves like any structure.
// rtc -T lib_6_3
// scene: Inputs/yard.toml
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// RUN: %rtc -T lib_6_3 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#include "Inputs/dxr.hlsli"

struct Payload { uint n; uint2 more; };
uint read(in Payload p) { p.n += 1000; return p.n; }
void make(out Payload p) { p.n = 3; p.more = uint2(4, 5); }
void change(inout Payload p, uint by) { p.n += by; p.more.y = p.more.x; }
[shader("closesthit")] void Closest(inout Payload p, in Triangle a)
{
    uint seen = read(p);
    Payload other;
    make(other);
    change(p, other.n);
    p.more.x = seen;
    if (p.n & 1)
        p = other;
}
[shader("miss")] void Miss(inout Payload p) { change(p, 50); }
TriangleHitGroup Group = { "", "Closest" };
void trace(inout Payload p, uint place) { TraceRay(Scene, 0, 0xff, 0, 0, 0, to(place), p); }

[shader("raygeneration")] void Main()
{
    uint n = thread();
    Payload p;
    make(p);
    p.n = n;
    trace(p, 0);
    bool odd = n + 3 & 1;
    IS(p.n, odd ? 3 : n + 3); IS(p.more.x, odd ? 4 : n + 1000); IS(p.more.y, odd ? 5 : 4);
    trace(p, 20);
    IS(p.n, (odd ? 3 : n + 3) + 50); IS(p.more.y, odd ? 4 : n + 1000);
    done(5);
}
