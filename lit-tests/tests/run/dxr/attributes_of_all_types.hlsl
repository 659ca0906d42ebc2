// Attributes of any shape: structures in structures, arrays, matrices, booleans.
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

struct Inner { bool yes; int n[2]; };
struct Attributes { Inner inner; float2x2 m; uint last; };
struct Payload { float4 m; int4 n; };
[shader("intersection")] void Intersect()
{
    Attributes a;
    a.inner.yes = ObjectRayOrigin().z < 0;
    a.inner.n[number(0)] = -3;
    a.inner.n[number(1)] = 4;
    a.m = float2x2(1, 2, 3, 4) * RayTCurrent();
    a.last = 0x80000001;
    ReportHit(10, 3, a);
}
[shader("closesthit")] void Closest(inout Payload p, in Attributes a)
{
    p.m = float4(a.m[0], a.m[1]);
    p.n = int4(a.inner.yes, a.inner.n[number(0)], a.inner.n[number(1)], a.last);
}
[shader("miss")] void Miss(inout Payload p) { }
ProceduralPrimitiveHitGroup Group = { "", "Closest", "Intersect" };

[shader("raygeneration")] void Main()
{
    Payload p = (Payload)0;
    TraceRay(Scene, 0, 0xff, 0, 0, 0, to(1, 0, 50), p);
    IS3(p.m.xyz, float3(50, 100, 150)); ISF(p.m.w, 200); IS(p.n.x, 1); IS(p.n.y, -3); IS(p.n.z, 4); IS(p.n.w, 0x80000001);
    done(8);
}
