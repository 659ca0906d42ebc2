// TriangleObjectPositions in any-hit shaders.
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

struct [raypayload] Payload { float3 a EVERYWHERE; float3 b EVERYWHERE; float3 c EVERYWHERE; };
[shader("anyhit")] void Any(inout Payload p, in Triangle a)
{
    BuiltInTrianglePositions t = TriangleObjectPositions();
    p.a = t.p0; p.b = t.p1; p.c = t.p2;
    IgnoreHit();
}
[shader("closesthit")] void Closest(inout Payload p, in Triangle a) { p.a = 88; }
[shader("miss")] void Miss(inout Payload p) { p.c += 1; }
TriangleHitGroup Group = { "Any", "Closest" };

[shader("raygeneration")] void Main()
{
    uint i = thread() % 11;
    bool turned = i >= 8;
    Payload p = { float3(0, 0, 0), float3(0, 0, 0), float3(0, 0, 0) };
    TraceRay(Scene, RAY_FLAG_FORCE_NON_OPAQUE, 0xff, 0, 0, 0, to(i), p);
    IS3(p.a, float3(-1, -1, 0)); IS3(p.b, turned ? float3(1, -1, 0) : float3(0, 1, 0)); IS3(p.c, turned ? float3(1, 2, 1) : float3(2, 0, 1));
    done(9);
}
