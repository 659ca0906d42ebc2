// With SKIP_CLOSEST_HIT_SHADER any-hit and miss shaders run as ever, the closest-hit shader does not.
// rtc -T lib_6_3
// scene: Inputs/yard.toml
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// RUN: %rtc -T lib_6_3 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#include "Inputs/dxr.hlsli"

struct Payload { uint ran; };
[shader("anyhit")] void Any(inout Payload p, in Triangle a) { p.ran |= 1; }
[shader("closesthit")] void Closest(inout Payload p, in Triangle a) { p.ran |= 2; }
[shader("miss")] void Miss(inout Payload p) { p.ran |= 4; }
TriangleHitGroup Group = { "Any", "Closest" };

uint trace(uint place, uint flags)
{
    Payload p = { 0x100 };
    TraceRay(Scene, flags, 0xff, 0, 0, 0, to(place), p);
    return p.ran & 0xff;
}
[shader("raygeneration")] void Main()
{
    uint skip = RAY_FLAG_SKIP_CLOSEST_HIT_SHADER;
    IS(trace(0, skip), 0); IS(trace(1, skip), 1); IS(trace(20, skip), 4);
    IS(trace(1, skip | RAY_FLAG_FORCE_OPAQUE), 0); IS(trace(0, skip | RAY_FLAG_FORCE_NON_OPAQUE), 1);
    IS(trace(0, skip | RAY_FLAG_ACCEPT_FIRST_HIT_AND_END_SEARCH), 0); IS(trace(20, skip | RAY_FLAG_ACCEPT_FIRST_HIT_AND_END_SEARCH), 4);
    IS(trace(0, 0), 2); IS(trace(1, 0), 3);
    done(9);
}
