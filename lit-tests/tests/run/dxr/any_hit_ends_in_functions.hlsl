// IgnoreHit and AcceptHitAndEndSearch in functions end the shader, and what was written before is in the payload.
// rtc -T lib_6_3
// scene: Inputs/stack.toml
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// RUN: %rtc -T lib_6_3 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#include "Inputs/dxr.hlsli"

struct Payload { uint how; uint written; uint hit; };
void leave(inout Payload p, uint depth)
{
    p.written += depth;
    if (p.how == 0)
        IgnoreHit();
    p.written += 10;
}
void middle(inout Payload p)
{
    Payload mine = p;
    mine.written += 100;
    for (uint i = 0; i < 3; ++i)
    {
        p = mine;
        if (i == p.how)
            leave(p, i + 1);
        mine.written += 1000;
    }
    if (p.how == 2)
        AcceptHitAndEndSearch();
    p.written += 5;
}
[shader("anyhit")] void Any(inout Payload p, in Triangle a) { middle(p); p.written += 7; }
[shader("closesthit")] void Closest(inout Payload p, in Triangle a) { p.hit = 1; }
[shader("miss")] void Miss(inout Payload p) { p.hit = 2; }
TriangleHitGroup Group = { "Any", "Closest" };

[shader("raygeneration")] void Main()
{
    uint how = thread() % 3;
    Payload p = { how, 0, 0 };
    TraceRay(Scene, 0, 0xff, 0, 0, 0, ray(float3(0.25, -0.25, -0.5), float3(0, 0, 1), 0, 1), p);
    // 0: ignored in the first turn. 1: goes on after the second turn, the third takes the function's own copy. 2: ends after the third.
    static const uint WRITTEN[3] = { 101, 2112, 2113 };
    IS(p.written, WRITTEN[how]); IS(p.hit, how == 0 ? 2 : 1);
    done(2);
}
