// Every hit kind from 0 to 127, in the any-hit and in the closest-hit shader.
// rtc -T lib_6_3
// scene: Inputs/boxes.toml
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// RUN: %rtc -T lib_6_3 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#include "Inputs/dxr.hlsli"

struct Payload { uint wanted; uint any; uint closest; };
struct Attributes { uint unused; };
[shader("intersection")] void Intersect()
{
    Attributes a = { 0 };
    ReportHit(10, uint(ObjectRayOrigin().y * -256), a);
}
[shader("anyhit")] void Any(inout Payload p, in Attributes a) { p.any = HitKind(); }
[shader("closesthit")] void Closest(inout Payload p, in Attributes a) { p.closest = HitKind(); }
[shader("miss")] void Miss(inout Payload p) { p.closest = 999; }
ProceduralPrimitiveHitGroup Group = { "Any", "Closest", "Intersect" };

[shader("raygeneration")] void Main()
{
    for (uint i = 0; i < 8; ++i)
    {
        uint kind = thread() * 8 + i;
        Payload p = { kind, 0, 0 };
        TraceRay(Scene, 0, 0xff, 0, 0, 0, ray(float3(0.25, kind / -256.0, -10), float3(0, 0, 1)), p);
        IS(p.any, kind); IS(p.closest, kind);
    }
    done(16);
}
