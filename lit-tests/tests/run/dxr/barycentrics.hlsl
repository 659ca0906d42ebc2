// The built-in attributes: x is the weight of the second vertex, y that of the third.
// rtc -T lib_6_3
// scene: Inputs/yard.toml
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// RUN: %rtc -T lib_6_3 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#include "Inputs/dxr.hlsli"

struct Payload { float2 any; float2 closest; };
[shader("anyhit")] void Any(inout Payload p, in Triangle a) { p.any = a.barycentrics; }
[shader("closesthit")] void Closest(inout Payload p, in Triangle a) { p.closest = a.barycentrics; }
[shader("miss")] void Miss(inout Payload p) { p.closest = -1; }
TriangleHitGroup Group = { "Any", "Closest" };

[shader("raygeneration")] void Main()
{
    // Sixteen points strictly inside; vertices are (-1, -1), (0, 1), (1, -1).
    float x = (thread() % 4 + 1) / 8.0, y = (thread() / 4 + 1) / 16.0;
    float2 at = float2(-1, -1) + x * float2(1, 2) + y * float2(2, 0);
    Payload p = { float2(0, 0), float2(0, 0) };
    TraceRay(Scene, RAY_FLAG_FORCE_NON_OPAQUE, 0xff, 0, 0, 0, ray(float3(at, -4), float3(0, 0, 1)), p);
    ISF(p.closest.x, x); ISF(p.closest.y, y); ISF(p.any.x, x); ISF(p.any.y, y);
    done(4);
}
