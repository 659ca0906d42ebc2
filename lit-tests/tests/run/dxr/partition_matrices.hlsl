// The translation of a partition is part of the matrices and of the object's ray.
// rtc -T lib_6_7
// scene: Inputs/partitions_everywhere.toml
// RUN: %rtc -T lib_6_7 -no-warnings %s -Fo %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#include "Inputs/dxr.hlsli"

struct [raypayload] Payload { float4 row EVERYWHERE; float4 back EVERYWHERE; float3 origin EVERYWHERE; };
[shader("closesthit")] void Closest(inout Payload p, in Triangle a)
{
    p.row = ObjectToWorld3x4()[2];
    p.back = WorldToObject3x4()[2];
    p.origin = ObjectRayOrigin();
}
[shader("miss")] void Miss(inout Payload p) { p.row = 99; p.back = 99; p.origin = 99; }
TriangleHitGroup Group = { "", "Closest" };
TriangleHitGroup Other = { "", "Closest" };

[shader("raygeneration")] void Main()
{
    static const float Z[4] = { 2, 2, -1, -1 };
    uint i = thread() & 3;
    float scale = i == 1 ? 2 : 1;
    Payload p = (Payload)0;
    TraceRay(Scene, 0, 0xff, 0, 0, 0, to(i), p);
    IS3(p.row.xyz, float3(0, 0, scale)); ISF(p.row.w, Z[i]); IS3(p.back.xyz, float3(0, 0, 1 / scale)); ISF(p.back.w, -Z[i] / scale);
    IS3(p.origin, float3(0.25, -0.25, -10 - Z[i]) / scale);
    done(11);
}
