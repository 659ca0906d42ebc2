// Attributes of 32 bytes, the most there may be.
// rtc -T lib_6_3
// scene: Inputs/boxes.toml
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// RUN: %rtc -T lib_6_3 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#define ATTRIBUTE_BYTES 32
#include "Inputs/dxr.hlsli"

struct Payload { float4 sum; uint4 bits; uint any; };
struct Attributes { float4 a; uint3 b; int c; };
[shader("intersection")] void Intersect()
{
    Attributes a = { ObjectRayOrigin().xyzz * float4(1, 2, 3, 4), uint3(7, 8, 0xffffffff), -5 };
    ReportHit(10, 3, a);
}
[shader("anyhit")] void Any(inout Payload p, in Attributes a) { p.any = a.b.x + a.b.y; }
[shader("closesthit")] void Closest(inout Payload p, in Attributes a) { p.sum = a.a; p.bits = uint4(a.b, a.c); }
[shader("miss")] void Miss(inout Payload p) { p.any = 99; }
ProceduralPrimitiveHitGroup Group = { "Any", "Closest", "Intersect" };

[shader("raygeneration")] void Main()
{
    Payload p = (Payload)0;
    TraceRay(Scene, 0, 0xff, 0, 0, 0, to(0), p);
    IS3(p.sum.xyz, float3(0.25, -0.5, -30)); ISF(p.sum.w, -40); IS(p.any, 15);
    IS(p.bits.x, 7); IS(p.bits.y, 8); IS(p.bits.z, 0xffffffff); IS(p.bits.w, -5);
    done(9);
}
