// Two payload types in one pipeline, each with its own hit group and miss shader.
// rtc -T lib_6_3
// scene: Inputs/yard.toml
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// RUN: %rtc -T lib_6_3 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#define DEPTH 2
#include "Inputs/dxr.hlsli"

struct Shade { float3 colour; uint depth; };
struct Shadow { uint open; };
[shader("closesthit")] void Closest(inout Shade p, in Triangle a)
{
    Shadow s = { 0 };
    TraceRay(Scene, RAY_FLAG_SKIP_CLOSEST_HIT_SHADER, 0xff, 1, 0, 1, ray(float3(10.0 * p.depth + 0.25, -0.25, 5), float3(0, 0, -1)), s);
    p.colour = float3(s.open, 2, 3);
}
[shader("miss")] void Miss(inout Shade p) { p.colour = 7; }
[shader("closesthit")] void ClosestShadow(inout Shadow p, in Triangle a) { p.open = 50; }
[shader("miss")] void MissShadow(inout Shadow p) { p.open = 1; }
TriangleHitGroup Group1 = { "", "Closest" };
TriangleHitGroup Group2 = { "", "ClosestShadow" };

[shader("raygeneration")] void Main()
{
    // Is there something at a place farther on?
    uint place = thread() & 1 ? 3 : 30;
    Shade p = { float3(0, 0, 0), place };
    TraceRay(Scene, 0, 0xff, 0, 0, 0, to(0), p);
    IS3(p.colour, float3(thread() & 1 ? 0 : 1, 2, 3));
    Shadow s = { 9 };
    TraceRay(Scene, 0, 0xff, 1, 0, 1, to(place), s);
    IS(s.open, thread() & 1 ? 50 : 1);
    done(4);
}
