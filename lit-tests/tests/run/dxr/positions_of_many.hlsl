// TriangleObjectPositions where a geometry has several triangles, in any-hit and closest-hit shaders. For the CPU device alone: lavapipe
// 25.0.7 may give those of another triangle of the geometry.
// rtc -T lib_6_10
// scene: Inputs/stack.toml
// RUN: %rtc -T lib_6_10 -no-warnings %s -Fo %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#include "Inputs/dxr.hlsli"

struct [raypayload] Payload { float z EVERYWHERE; uint wrong EVERYWHERE; };
[shader("anyhit")] void Any(inout Payload p, in Triangle a)
{
    BuiltInTrianglePositions t = TriangleObjectPositions();
    float z = PrimitiveIndex() * 3 % 8;
    p.wrong += any(t.p0 != float3(-1, -1, z)) || any(t.p1 != float3(0, 1, z)) || any(t.p2 != float3(1, -1, z));
    if (z < 4)
        IgnoreHit();
}
[shader("closesthit")] void Closest(inout Payload p, in Triangle a) { p.z = TriangleObjectPositions().p2.z; }
[shader("miss")] void Miss(inout Payload p) { p.z = 99; }
TriangleHitGroup Group = { "Any", "Closest" };

[shader("raygeneration")] void Main()
{
    Payload p = { 0, 0 };
    TraceRay(Scene, 0, 0xff, 0, 0, 0, to(0), p);
    ISF(p.z, 4); IS(p.wrong, 0);
    TraceRay(Scene, 0, 0xff, 0, 0, 0, ray(float3(10.25, -0.25, (thread() & 7) - 0.5), float3(0, 0, 1)), p);
    ISF(p.z, thread() & 7);
    done(3);
}
