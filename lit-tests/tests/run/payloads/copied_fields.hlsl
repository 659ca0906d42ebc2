// Arrays that are copied as a whole from one field of a payload to another, on some paths: the shader writes the one and reads the other, whichever comes first
// in the structure; a variable that has one of two fields reads both; and a payload of the shader's own may get a field of the one that it received.
// rtc -T lib_6_6
// scene: Inputs/copied.toml
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -payload-layout=whole
// RUN: %rtc-run %s -o %T -- -no-warnings -payload-layout=whole -Od
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
// RUN: %rtc paq -T lib_6_6 %s | FileCheck %s
// CHECK-LABEL: struct [raypayload] P
// CHECK: uint[2] a : read(caller, miss) : write(caller, miss);
// CHECK: N n       : read(caller, closesthit, miss) : write(caller, closesthit);
// CHECK: uint[2] b : read(caller, closesthit) : write(caller, closesthit);
// CHECK: uint mode : read(closesthit, miss) : write(caller);
// CHECK: uint sum  : read(caller) : write(caller, closesthit);
// CHECK-LABEL: struct [raypayload] Q
// CHECK: uint[2] c : read(caller, miss) : write(caller, miss);
// CHECK: uint[2] d : read(miss) : write(caller);
RaytracingAccelerationStructure Scene : register(t0);
uint thread() { return 0; }
#include "../../ser/Inputs/report.hlsli"
GlobalRootSignature Globals = { "SRV(t0), UAV(u0)" };
RaytracingShaderConfig Sizes = { 64, 8 };
RaytracingPipelineConfig Pipeline = { 2 };
TriangleHitGroup Group = { "", "Hit" };

struct N { uint k; uint f[2]; };
struct P { uint a[2]; N n; uint b[2]; uint mode; uint sum; };
struct Q { uint c[2]; uint d[2]; };

RayDesc ray(float x)
{
    RayDesc r;
    r.Origin = float3(x, 0, -5); r.Direction = float3(0, 0, 1); r.TMin = 0; r.TMax = 100;
    return r;
}
// From a later field to an earlier one.
[shader("miss")] void Sky(inout P p)
{
    if (p.mode == 1) p.a = p.n.f;
}
[shader("miss")] void Other(inout Q q)
{
    if (q.d[1] > 100) q.c = q.d;
}
[shader("closesthit")] void Hit(inout P p, BuiltInTriangleIntersectionAttributes a)
{
    // From an earlier one to a later one.
    if (p.mode == 2) p.b = p.n.f;
    // One of two.
    uint l[2];
    if (p.mode == 3) l = p.n.f; else l = p.b;
    // A payload of its own, with a field of the one that came in.
    Q q;
    q.c[0] = 1; q.c[1] = 2; q.d[0] = 3; q.d[1] = 4;
    if (p.mode == 4) q.d = p.b;
    TraceRay(Scene, RAY_FLAG_NONE, 0, 0, 0, 1, ray(9), q);
    p.sum = l[0] * 100 + l[1] * 10 + q.c[0] + q.c[1];
    if (p.mode == 5) p.n.f = p.b;
}

P traced(uint mode, float x)
{
    P p;
    p.a[0] = 11; p.a[1] = 12; p.n.k = 13; p.n.f[0] = 14; p.n.f[1] = 115; p.b[0] = 16; p.b[1] = 117; p.mode = mode; p.sum = 0;
    TraceRay(Scene, RAY_FLAG_NONE, 255, 0, 0, 0, ray(x), p);
    return p;
}

[shader("raygeneration")] void Main()
{
    P p = traced(0, 9);
    IS(p.a[0] * 1000 + p.a[1], 11012); IS(p.n.f[0] * 1000 + p.n.f[1], 14115); IS(p.sum, 0);
    p = traced(1, 9);
    IS(p.a[0] * 1000 + p.a[1], 14115); IS(p.n.f[0] * 1000 + p.n.f[1], 14115); IS(p.n.k, 13);
    p = traced(0, 0);
    IS(p.b[0] * 1000 + p.b[1], 16117); IS(p.sum, 1600 + 1170 + 3); IS(p.a[1], 12);
    p = traced(2, 0);
    IS(p.b[0] * 1000 + p.b[1], 14115); IS(p.sum, 1400 + 1150 + 3);
    p = traced(3, 0);
    IS(p.b[0] * 1000 + p.b[1], 16117); IS(p.sum, 1400 + 1150 + 3);
    p = traced(4, 0);
    IS(p.sum, 1600 + 1170 + 16 + 117); IS(p.n.f[1], 115);
    p = traced(5, 0);
    IS(p.n.f[0] * 1000 + p.n.f[1], 16117); IS(p.n.k, 13);
    done(17);
}
