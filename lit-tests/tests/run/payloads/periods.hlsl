// Loops of a number of iterations that no compiler knows choose elements of payloads, callable parameters and hit attributes in turn: each period is unrolled, so that each access
// names its element. Each against the same on local arrays. The last period may be left anywhere, by the test, by `break`, and after `continue`.
// rtc -T lib_6_6
// scene: Inputs/chosen.toml
// RUN: %rtc -spirv -T lib_6_6 -no-warnings %s -Fo %t.spv -Fc %t.asm
// RUN: %spirv-val %t.spv
// RUN: FileCheck %s --input-file=%t.asm
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -O1
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// RUN: %rtc-run %s -o %T -- -no-warnings -payload-layout=packed
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
// Neither the payload nor a copy of it has an index that is no constant.
// CHECK: OpEntryPoint IntersectionKHR
// CHECK-NOT: OpAccessChain {{ *}}%_ptr_{{(IncomingRayPayloadKHR|HitAttributeKHR|IncomingCallableDataKHR)_.*}}%{{[0-9]}}
// CHECK: %Hit = OpFunction
// CHECK-NOT: %_ptr_Function__arr
// CHECK: OpFunctionEnd
RaytracingAccelerationStructure Scene : register(t0);
uint thread() { return 0; }
#include "../../ser/Inputs/report.hlsli"
GlobalRootSignature Globals = { "SRV(t0), UAV(u0)" };
RaytracingShaderConfig Sizes = { 256, 32 };
RaytracingPipelineConfig Pipeline = { 2 };
ProceduralPrimitiveHitGroup Group = { "Any", "Hit", "Box" };

struct P { uint n; uint stop; uint six[6]; uint eight[8]; float3 v; float copied[7]; };
struct Attributes { uint words[4]; };
struct C { uint numbers[5]; uint n; };

// What the shaders do, for a payload and for what is local.
#define SIX(a, p) for (uint i = 0; i < p.n; ++i) a[i % 6] = a[(i + 1) % 6] * 3 + i
#define EIGHT(a, p) for (uint i = 2; i < p.n; i += 3) a[(i + 7) & 7] ^= i * 77 + a[i & 7]
#define DIRECT(a, p) for (uint i = 0; i < min(p.n, 8u); ++i) { if (i == p.stop) break; if (i & 1) continue; a[i] = a[i] * 5 + 1; }
#define BEFORE(a, p) for (int i = 0; i < (int)min(p.n, 9u); ++i) { if (i > 0) a[i - 1] += i; }
#define COMPONENT(v, p) for (uint i = 0; i < p.n; ++i) v[i % 3] += 1
#define SUM(s, w, p) for (uint i = 0; i < p.n; ++i) s += w[i & 3]
#define COPIED(p) { float a[7] = p.copied; for (uint i = 0; i < p.n; ++i) a[i * i % 7] = a[(i * 5 + 3) % 7] * 0.5 + i; p.copied = a; }
#define FIVE(a, p) { uint i = 1; do { a[i % 5] += a[(i + 2) % 5] + i; ++i; } while (i < p.n); }

[shader("intersection")] void Box()
{
    Attributes a;
    for (uint i = 0; i < 4; ++i) a.words[i] = 10 * i + 1;
    ReportHit(1, 0, a);
}
[shader("anyhit")] void Any(inout P p, Attributes a) { { BEFORE(p.eight, p); } EIGHT(p.eight, p); uint s = 0; SUM(s, a.words, p); p.v.x += s; }
[shader("closesthit")] void Hit(inout P p, Attributes a) { SIX(p.six, p); COMPONENT(p.v, p); }
[shader("miss")] void Sky(inout P p) { DIRECT(p.eight, p); COPIED(p) }
[shader("callable")] void Call(inout C c) { FIVE(c.numbers, c); }

P made(uint n, uint stop)
{
    P p; p.n = n; p.stop = stop; p.v = float3(1, 2, 3);
    for (uint i = 0; i < 6; ++i) p.six[i] = i * 7 + 1;
    for (uint k = 0; k < 8; ++k) p.eight[k] = k * 13 + 5;
    for (uint c = 0; c < 7; ++c) p.copied[c] = c + 1;
    return p;
}
void same(P p, P q)
{
    uint s = 0, t = 0;
    for (uint i = 0; i < 6; ++i) { s = s * 31 + p.six[i]; t = t * 31 + q.six[i]; }
    for (uint k = 0; k < 8; ++k) { s = s * 31 + p.eight[k]; t = t * 31 + q.eight[k]; }
    for (uint c = 0; c < 7; ++c) { s = s * 31 + asuint(p.copied[c]); t = t * 31 + asuint(q.copied[c]); }
    IS(s, t); ISF(p.v.x, q.v.x); ISF(p.v.y, q.v.y); ISF(p.v.z, q.v.z);
}
P traced(P p, float x)
{
    RayDesc r;
    r.Origin = float3(x, 0, -5); r.Direction = float3(0, 0, 1); r.TMin = 0; r.TMax = 100;
    TraceRay(Scene, RAY_FLAG_NONE, 255, 0, 0, 0, r, p);
    return p;
}

[shader("raygeneration")] void Main()
{
    static const uint trips[8] = { 0, 1, 4, 6, 7, 13, 24, 61 };
    for (uint t = 0; t < 8; ++t)
    {
        uint n = trips[t] + Report.Load(2044);
        P q = made(n, n / 2 + 1), p = traced(q, 0);
        { BEFORE(q.eight, q); }
        { uint words[4] = { 1, 11, 21, 31 }, s = 0; EIGHT(q.eight, q); SUM(s, words, q); q.v.x += s; }
        { SIX(q.six, q); }
        { COMPONENT(q.v, q); }
        same(p, q);
        q = made(n, n / 2 + 1); p = traced(q, 9);
        { DIRECT(q.eight, q); }
        COPIED(q)
        same(p, q);
        C c, d; c.n = n;
        for (uint k = 0; k < 5; ++k) c.numbers[k] = k * 3 + 2;
        d = c; CallShader(0, c);
        FIVE(d.numbers, d)
        for (uint j = 0; j < 5; ++j) IS(c.numbers[j], d.numbers[j]);
    }
    done(8 * 13);
}
