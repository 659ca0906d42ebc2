// What an any-hit shader writes to the payload is kept, whether it ignores the hit, accepts it, or ends the search.
// rtc -T lib_6_3
// scene: Inputs/stack.toml
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// RUN: %rtc -T lib_6_3 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#include "Inputs/dxr.hlsli"

struct Payload { uint how; uint written; uint at_end; };
[shader("anyhit")] void Any(inout Payload p, in Triangle a)
{
    p.written += 1;
    if (p.how == 1)
        IgnoreHit();
    p.written += 0x100;
    if (p.how == 2)
        AcceptHitAndEndSearch();
    p.written += 0x10000;
}
[shader("closesthit")] void Closest(inout Payload p, in Triangle a) { p.at_end = p.written; }
[shader("miss")] void Miss(inout Payload p) { p.at_end = p.written | 0x80000000; }
TriangleHitGroup Group = { "Any", "Closest" };

[shader("raygeneration")] void Main()
{
    uint how = thread() % 3;
    Payload p = { how, 0x1000000, 0 };
    // One layer is all that the ray meets.
    TraceRay(Scene, 0, 0xff, 0, 0, 0, ray(float3(0.25, -0.25, -0.5), float3(0, 0, 1), 0, 1), p);
    uint must = how == 0 ? 0x1010101 : how == 1 ? 0x1000001 : 0x1000101;
    IS(p.written, must); IS(p.at_end, how == 1 ? must | 0x80000000 : must);
    done(2);
}
