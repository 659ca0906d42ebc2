// TriangleObjectPositions in closest-hit shaders: the vertices in the object's space, in the order of the barycentrics.
// rtc -T lib_6_10
// scene: Inputs/yard.toml
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// RUN: %rtc -T lib_6_10 -no-warnings %s -Fo %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#define PAYLOAD_BYTES 64
#include "Inputs/dxr.hlsli"

struct [raypayload] Payload { float3 a EVERYWHERE; float3 b EVERYWHERE; float3 c EVERYWHERE; float3 at EVERYWHERE; };
[shader("closesthit")] void Closest(inout Payload p, in Triangle a)
{
    BuiltInTrianglePositions t = TriangleObjectPositions();
    p.a = t.p0; p.b = t.p1; p.c = t.p2;
    float2 w = a.barycentrics;
    p.at = t.p0 + w.x * (t.p1 - t.p0) + w.y * (t.p2 - t.p0) - (ObjectRayOrigin() + RayTCurrent() * ObjectRayDirection());
}
[shader("miss")] void Miss(inout Payload p) { p.a = p.b = p.c = p.at = 99; }
TriangleHitGroup Group = { "", "Closest" };

[shader("raygeneration")] void Main()
{
    // Those that are turned have their second and third vertex changed; the one that was mirrored when it was built is not checked.
    uint i = thread() % 11;
    bool turned = i >= 8;
    Payload p = { float3(0, 0, 0), float3(0, 0, 0), float3(0, 0, 0), float3(0, 0, 0) };
    TraceRay(Scene, RAY_FLAG_FORCE_OPAQUE, 0xff, 0, 0, 0, to(i), p);
    IS3(p.a, float3(-1, -1, 0)); IS3(p.b, turned ? float3(1, -1, 0) : float3(0, 1, 0)); IS3(p.c, turned ? float3(0, 1, 0) : float3(1, -1, 0));
    IS3(p.at, float3(0, 0, 0));
    done(12);
}
