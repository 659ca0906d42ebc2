// A structure without instances: rays miss, queries find nothing.
// rtc -T lib_6_5
// scene: Inputs/empty.toml
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// RUN: %rtc -T lib_6_5 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#include "Inputs/dxr.hlsli"

RaytracingAccelerationStructure Others[1] : register(t2);
struct Payload { uint ran; };
[shader("closesthit")] void Closest(inout Payload p, in Triangle a) { p.ran = 1; }
[shader("miss")] void Miss(inout Payload p) { p.ran = 2; }
TriangleHitGroup Group = { "", "Closest" };

[shader("raygeneration")] void Main()
{
    Payload p = { 0 };
    TraceRay(Scene, 0, 0xff, 0, 0, 0, to(0), p);
    IS(p.ran, 2);
    RayQuery<RAY_FLAG_NONE> q;
    q.TraceRayInline(Scene, 0, 0xff, to(0));
    IS(q.Proceed(), 0); IS(q.CommittedStatus(), COMMITTED_NOTHING); ISF(q.CommittedRayT(), 1000);
    TraceRay(Others[number(0)], 0, 0xff, 0, 0, 0, to(0), p);
    IS(p.ran, 1);
    done(5);
}
