// Elements that are chosen at run time, of arrays, vectors, rows and structures in payloads, hit attributes and callable parameters: in SPIR-V a shader works on copies
// of those arrays, and what it changed is there wherever it ends: at its end, early, in a function that ends it, and for the traces and calls that it makes.
// rtc -T lib_6_6 -enable-16bit-types
// scene: Inputs/chosen.toml
// RUN: %rtc -spirv -T lib_6_6 -enable-16bit-types -no-warnings %s -Fo %t.spv -Fc %t.asm
// RUN: %spirv-val %t.spv
// RUN: FileCheck %s --input-file=%t.asm
// RUN: %rtc -spirv -T lib_6_6 -enable-16bit-types -no-warnings -Od -Zi %s -Fo %t.od.spv
// RUN: %spirv-val %t.od.spv
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// RUN: %rtc-run %s -o %T -- -no-warnings -payload-layout=whole
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
// No access of an interface variable has an index that is no constant.
// CHECK: OpEntryPoint IntersectionKHR
// CHECK-NOT: OpAccessChain {{ *}}%_ptr_{{(IncomingRayPayloadKHR|HitAttributeKHR|IncomingCallableDataKHR)_.*}}%{{[0-9]}}
RaytracingAccelerationStructure Scene : register(t0);
uint thread() { return 0; }
#include "../../ser/Inputs/report.hlsli"
GlobalRootSignature Globals = { "SRV(t0), UAV(u0)" };
RaytracingShaderConfig Sizes = { 256, 32 };
RaytracingPipelineConfig Pipeline = { 3 };
ProceduralPrimitiveHitGroup Group = { "Any", "Hit", "Box" };

struct Part { uint a; uint2 b[2]; };
struct P
{
    uint list[6];
    uint mode;
    float4 v;
    float3x2 m;
    Part parts[3];
    bool flags[3];
    uint16_t halves[4];
    uint untouched[4];
};
struct Attributes { uint words[4]; float2 at; };
struct C { uint numbers[5]; uint n; };

static const uint PLAIN = 0, IGNORE = 1, ACCEPT = 2, AGAIN = 3, EARLY = 4;

[shader("intersection")] void Box()
{
    Attributes a;
    for (uint i = 0; i < 4; ++i) a.words[i] = 10 * i + 1;
    a.at = 2;
    ReportHit(1, 0, a);
}
void leave(uint mode)
{
    if (mode == IGNORE) IgnoreHit();
    if (mode == ACCEPT) AcceptHitAndEndSearch();
}
[shader("anyhit")] void Any(inout P p, Attributes a)
{
    uint n = PrimitiveIndex();
    p.list[n + 1] += 100; p.v[n + 2] = 50; p.m[n + 2][n] = 60; p.parts[n + 1].b[n + 1][n] = 70; p.flags[n + 2] = true; p.halves[n + 3] += (uint16_t)80;
    leave(p.mode);
    p.list[n + 2] += a.words[n + 3];
}
[shader("closesthit")] void Hit(inout P p, Attributes a)
{
    uint n = PrimitiveIndex() + a.words[PrimitiveIndex()];
    for (uint i = 0; i < n + 3; ++i) p.list[i] = p.list[i] * 2 + i;
    if (p.mode == EARLY) return;
    if (p.mode == AGAIN)
    {
        RayDesc r;
        r.Origin = float3(9, 0, -5); r.Direction = float3(0, 0, 1); r.TMin = 0; r.TMax = 100;
        p.mode = PLAIN;
        TraceRay(Scene, RAY_FLAG_NONE, 255, 0, 0, 0, r, p);
        p.list[n] += 1000;
        C c;
        for (uint k = 0; k < 5; ++k) c.numbers[k] = p.list[k];
        c.n = n;
        CallShader(0, c);
        p.list[5] = c.numbers[n] + c.numbers[n + 1];
    }
    p.parts[n].a = p.parts[n - 1].a + 5;
}
[shader("miss")] void Sky(inout P p)
{
    for (uint i = 0; i < 6; ++i) if (p.list[i] & 1) p.list[i] += 7;
    p.v[p.mode + 1] = 8;
}
[shader("callable")] void Call(inout C c)
{
    for (uint i = 0; i < 5; ++i) c.numbers[(i + c.n) % 5] += i;
}

P traced(uint mode, float x)
{
    P p;
    for (uint i = 0; i < 6; ++i) p.list[i] = i;
    for (uint k = 0; k < 3; ++k) { p.parts[k].a = 20 + k; p.parts[k].b[0] = k; p.parts[k].b[1] = 30 + k; p.flags[k] = false; }
    for (uint j = 0; j < 4; ++j) { p.halves[j] = (uint16_t)j; p.untouched[j] = 90 + j; }
    p.v = float4(1, 2, 3, 4); p.m = float3x2(1, 2, 3, 4, 5, 6); p.mode = mode;
    RayDesc r;
    r.Origin = float3(x, 0, -5); r.Direction = float3(0, 0, 1); r.TMin = 0; r.TMax = 100;
    TraceRay(Scene, RAY_FLAG_NONE, 255, 0, 0, 0, r, p);
    return p;
}
uint low(P p) { return p.list[0] * 1000000 + p.list[1] * 1000 + p.list[2]; }
uint high(P p) { return p.list[3] * 1000000 + p.list[4] * 1000 + p.list[5]; }

[shader("raygeneration")] void Main()
{
    // The any-hit shader: 0 101 2 3 4 5, then 2 + 31; the closest-hit shader doubles the first four.
    P p = traced(PLAIN, 0);
    IS(low(p), 0 * 1000000 + 203 * 1000 + 68); IS(high(p), 9 * 1000000 + 4 * 1000 + 5);
    ISF(p.v.z, 50); ISF(p.v.w, 4); ISF(p.m[2][0], 60); ISF(p.m[2][1], 6); IS(p.parts[1].b[1].x, 70); IS(p.parts[1].b[1].y, 31); IS(p.parts[2].b[1].x, 32);
    IS(p.flags[2], 1); IS(p.flags[0], 0); IS(p.halves[3], 83); IS(p.halves[2], 2); IS(p.parts[1].a, 25); IS(p.parts[0].a, 20); IS(p.untouched[2], 92);
    // Ignored: what the any-hit shader stored stays, and the miss shader runs.
    p = traced(IGNORE, 0);
    IS(low(p), 0 * 1000000 + 108 * 1000 + 2); IS(high(p), 10 * 1000000 + 4 * 1000 + 12); ISF(p.v.z, 8); IS(p.parts[1].b[1].x, 70); IS(p.halves[3], 83);
    p = traced(ACCEPT, 0);
    IS(low(p), 0 * 1000000 + 203 * 1000 + 6); IS(high(p), 9 * 1000000 + 4 * 1000 + 5); IS(p.parts[1].a, 25);
    p = traced(EARLY, 0);
    IS(low(p), 0 * 1000000 + 203 * 1000 + 68); IS(p.parts[1].a, 21); ISF(p.v.z, 50);
    // Missed: odd numbers are 7 more.
    p = traced(PLAIN, 9);
    IS(low(p), 0 * 1000000 + 8 * 1000 + 2); IS(high(p), 10 * 1000000 + 4 * 1000 + 12); ISF(p.v.y, 8);
    // Traced again from the same payload, which misses: 0 203 68 9 4 5 become 0 210 68 16 4 12, the call adds 0 to element 1, 1 to element 2.
    p = traced(AGAIN, 0);
    IS(p.list[0], 0); IS(p.list[1], 1210); IS(p.list[2], 68); IS(p.list[3], 16); IS(p.list[4], 4); IS(p.list[5], 1210 + 69); ISF(p.v.y, 8); IS(p.parts[1].a, 25);
    done(38);
}
