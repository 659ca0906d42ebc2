// A box does not clip: its intersection shader may report hits in front of it, beyond it, and where the ray begins inside of it.
// rtc -T lib_6_3
// scene: Inputs/boxes.toml
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// RUN: %rtc -T lib_6_3 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#include "Inputs/dxr.hlsli"

struct Payload { float t; };
struct Attributes { uint n; };
[shader("intersection")] void Intersect() { Attributes a = { 5 }; ReportHit(ObjectRayOrigin().y + 10, 0, a); }
[shader("closesthit")] void Closest(inout Payload p, in Attributes a) { p.t = RayTCurrent(); }
[shader("miss")] void Miss(inout Payload p) { p.t = -1; }
ProceduralPrimitiveHitGroup Group = { "", "Closest", "Intersect" };

[shader("raygeneration")] void Main()
{
    float y = (thread() & 7) / 8.0 - 0.5;
    Payload p = { 0 };
    // The box is 20 away, and the hit is reported 10 away.
    TraceRay(Scene, 0, 0xff, 0, 0, 0, ray(float3(10.25, y, -21), float3(0, 0, 1)), p);
    ISF(p.t, 10 + y);
    // From within.
    TraceRay(Scene, 0, 0xff, 0, 0, 0, ray(float3(10.25, y, 0), float3(0, 0, 1)), p);
    ISF(p.t, 10 + y);
    // Not beyond the ray's end.
    TraceRay(Scene, 0, 0xff, 0, 0, 0, ray(float3(10.25, y, 0), float3(0, 0, 1), 0, 9), p);
    ISF(p.t, -1);
    // A box before the ray's begin is not hit.
    TraceRay(Scene, 0, 0xff, 0, 0, 0, ray(float3(10.25, y, 3), float3(0, 0, 1), 0, 100), p);
    ISF(p.t, -1);
    done(4);
}
