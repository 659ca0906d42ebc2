// What the matrices are for: the world's ray is the object's ray moved, and the hit is the same point in both.
// rtc -T lib_6_5
// scene: Inputs/matrices.toml
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// RUN: %rtc -T lib_6_5 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#include "Inputs/values.hlsli"

struct Payload { float3 error; float3 at; };
[shader("closesthit")] void Closest(inout Payload p, in Triangle a)
{
    float3 object = ObjectRayOrigin() + RayTCurrent() * ObjectRayDirection(), world = WorldRayOrigin() + RayTCurrent() * WorldRayDirection();
    p.error = abs(mul(ObjectToWorld3x4(), float4(object, 1)) - world) + abs(mul(float4(world, 1), WorldToObject4x3()) - object)
        + abs(mul(WorldToObject3x4(), float4(WorldRayDirection(), 0)) - ObjectRayDirection()) + abs(mul(float4(object, 1), ObjectToWorld4x3()) - world);
    // Where the weights of the vertices say the hit is.
    p.at = float3(-1, -1, 0) + a.barycentrics.x * float3(1, 2, 0) + a.barycentrics.y * float3(2, 0, 0);
}
TriangleHitGroup Group1 = { "", "Closest" };

[shader("raygeneration")] void Main()
{
    Payload p = (Payload)0;
    TraceRay(Scene, 0, 0xff, 0, 0, 0, toMoved(thread() % 3), p);
    IS3(p.error, float3(0, 0, 0)); IS3(p.at, float3(0.25, -0.25, 0));
    done(6);
}
