// What a stage stores into payload fields that it may not write is ignored by the annotations of a module, whether it is of this compiler or the
// reference compiler, optimised or not. Without them all stages share one payload.
// rtc -T lib_6_6
// scene: Inputs/soft.toml
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -enable-payload-qualifiers
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -enable-payload-qualifiers -Od
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -D SHARED
// RUN: %rtc-run %s -o %T -- -no-warnings -enable-payload-qualifiers
// RUN: %rtc-run %s -o %T -- -no-warnings -D SHARED
// RUN: cp %S/Inputs/soft.toml %T/soft.toml
// RUN: %dxc -T lib_6_6 -enable-payload-qualifiers -HV 2021 -validator-version 1.6 %s -Fo %T/reference.dxil
// RUN: %rtc-run-cpu %T/soft.toml -o %T
// RUN: %dxc -T lib_6_6 -enable-payload-qualifiers -HV 2021 -validator-version 1.6 -Od %s -Fo %T/reference.dxil
// RUN: %rtc-run-cpu %T/soft.toml -o %T
// RUN: %dxc -T lib_6_6 -HV 2021 -validator-version 1.6 -D SHARED %s -Fo %T/reference.dxil
// RUN: %rtc-run-cpu %T/soft.toml -o %T
RaytracingAccelerationStructure Scene : register(t0);
uint thread() { return 0; }
#include "../../ser/Inputs/report.hlsli"
GlobalRootSignature Globals = { "SRV(t0), UAV(u0)" };
RaytracingShaderConfig Sizes = { 128, 8 };
RaytracingPipelineConfig Pipeline = { 2 };
TriangleHitGroup Group = { "Any", "Hit" };

#ifdef SHARED
#define PAYLOAD struct
#define MAY(qualifiers)
#else
#define PAYLOAD struct [raypayload]
#define MAY(qualifiers) : qualifiers
#endif
struct Part { float a; int b[2]; };
PAYLOAD P
{
    float mine MAY(read(caller) : write(caller));
    float given MAY(read(closesthit, miss) : write(caller));
    float count MAY(read(caller, anyhit) : write(caller, anyhit));
    float answer MAY(read(caller) : write(closesthit, miss));
    float2x3 m MAY(read(caller) : write(caller));
    Part parts[2] MAY(read(caller) : write(caller));
    float3 v MAY(read(caller) : write(caller));
};
void spoil(inout P p, uint by)
{
    p.mine = 100; p.given = 300; p.m[by & 1][2] = 50; p.m[1] = by;
    p.parts[by & 1].b[(by + 1) & 1] = 7; p.parts[0].a = by; p.v[by % 3] = 70;
}
[shader("anyhit")] void Any(inout P p, BuiltInTriangleIntersectionAttributes a)
{
    p.count++; p.answer = 5;
    spoil(p, 1 + PrimitiveIndex());
    if (RayTMin() > 2) { P q = (P)0; q.count = p.count; p = q; IgnoreHit(); }
    if (RayTMin() > 1) AcceptHitAndEndSearch();
}
[shader("closesthit")] void Hit(inout P p, BuiltInTriangleIntersectionAttributes a)
{
    p.answer = p.given; p.count = 77;
    spoil(p, 2);
    P q = p;
    // The payload goes into a trace of its own, which finds nothing.
    RayDesc r; r.Origin = float3(50, 0, -5); r.Direction = float3(0, 0, 1); r.TMin = 0; r.TMax = 100;
    if (RayTCurrent() > 4) TraceRay(Scene, 0, 255, 0, 0, 0, r, p);
    p.answer = q.answer + p.answer * 10;
}
[shader("miss")] void Sky(inout P p) { p.answer = p.given + 1; spoil(p, 3); p.count = 1; }

[shader("raygeneration")] void Main()
{
    [loop] for (uint i = 0; i < 4; ++i)
    {
        P p;
        p.mine = 1; p.given = 7; p.count = 5; p.answer = 0; p.m = 3; p.v = 4;
        p.parts[0].a = 2; p.parts[0].b[0] = p.parts[0].b[1] = 2; p.parts[1] = p.parts[0];
        // The any-hit shader accepts, ends the search, ignores; nothing is there.
        RayDesc r;
        r.Origin = float3(i == 3 ? 50 : 0, 0, -5); r.Direction = float3(0, 0, 1); r.TMin = i * 1.25; r.TMax = 100;
        TraceRay(Scene, 0, 255, 0, 0, 0, r, p);
#ifdef SHARED
        ISF(p.mine, 100); ISF(p.count, 1); ISF(p.v.x, 70);
#else
        float others = dot(p.m[0], 1) + dot(p.m[1], 1) + p.parts[0].a + p.parts[0].b[0] + p.parts[0].b[1] + p.parts[1].a + p.parts[1].b[0] + p.parts[1].b[1];
        ISF(p.mine, 1); ISF(p.count, i == 3 ? 5 : 6); ISF(others + dot(p.v, 1), 42);
        // What the closest-hit shader stored into `given` goes into its own trace.
        ISF(p.answer, i < 2 ? 7 + 301 * 10 : 8);
#endif
    }
#ifdef SHARED
    done(12);
#else
    done(16);
#endif
}
