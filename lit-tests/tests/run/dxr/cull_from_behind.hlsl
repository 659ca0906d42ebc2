// The same from the other side: the face that is met turns with the ray.
// rtc -T lib_6_3
// scene: Inputs/yard.toml
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// RUN: %rtc -T lib_6_3 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#include "Inputs/dxr.hlsli"

struct Payload { uint kind; };
[shader("closesthit")] void Closest(inout Payload p, in Triangle a) { p.kind = HitKind(); }
[shader("miss")] void Miss(inout Payload p) { p.kind = 0; }
TriangleHitGroup Group = { "", "Closest" };

uint trace(uint flags, uint i)
{
    Payload p = { 99 };
    TraceRay(Scene, flags, 0xff, 0, 0, 0, ray(float3(10.0 * i + 0.25, -0.25, 10), float3(0, 0, -1)), p);
    return p.kind;
}
[shader("raygeneration")] void Main()
{
    uint i = thread() % 12;
    bool behind = !(0x0b50 >> i & 1), kept = 0x0060 >> i & 1;
    uint kind = behind ? HIT_KIND_TRIANGLE_BACK_FACE : HIT_KIND_TRIANGLE_FRONT_FACE;
    IS(trace(0, i), kind);
    IS(trace(RAY_FLAG_CULL_BACK_FACING_TRIANGLES, i), behind && !kept ? 0 : kind);
    IS(trace(RAY_FLAG_CULL_FRONT_FACING_TRIANGLES, i), !behind && !kept ? 0 : kind);
    done(3);
}
