// A ball from outside: as many hits in as out, whatever the direction, and the nearest faces the ray.
// rtc -T lib_6_3
// scene: Inputs/grid.toml
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// RUN: %rtc -T lib_6_3 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#include "Inputs/dxr.hlsli"

struct Payload { uint front; uint back; float first; uint kind; };
[shader("anyhit")] void Any(inout Payload p, in Triangle a)
{
    if (HitKind() == HIT_KIND_TRIANGLE_FRONT_FACE) ++p.front; else ++p.back;
    IgnoreHit();
}
[shader("closesthit")] void Closest(inout Payload p, in Triangle a) { p.kind = HitKind(); p.first = RayTCurrent(); }
[shader("miss")] void Miss(inout Payload p) { p.kind = 0; }
TriangleHitGroup Group = { "Any", "Closest" };

[shader("raygeneration")] void Main()
{
    uint wrong = 0, hits = 0;
    for (uint i = 0; i < 24; ++i)
    {
        float u = i * 2.399963 + thread(), z = 1 - (i + 0.5) / 12;
        float3 d = float3(sqrt(1 - z * z) * cos(u), z, sqrt(1 - z * z) * sin(u));
        // Past the middle, so that no ray goes along an edge from pole to pole.
        float3 aim = float3(40.11, 0.07, -0.13);
        Payload p = { 0, 0, 0, 0 };
        TraceRay(Scene, 0, 0xff, 0, 0, 0, ray(aim - d * 8, d), p);
        wrong += p.front != 1 || p.back != 1;
        TraceRay(Scene, RAY_FLAG_FORCE_OPAQUE, 0xff, 0, 0, 0, ray(aim - d * 8, d), p);
        wrong += p.kind != HIT_KIND_TRIANGLE_FRONT_FACE || p.first < 4.5 || p.first > 6;
        ++hits;
    }
    IS(wrong, 0); IS(hits, 24);
    done(2);
}
