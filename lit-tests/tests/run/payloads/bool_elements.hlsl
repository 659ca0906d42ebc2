// Booleans of matrices, vectors and arrays that are chosen at run time, one after another and then the whole row, in payloads that are stored whole, packed to
// bits, and as declared, and in variables: each keeps its value, whatever was stored next to it.
// rtc -T lib_6_6
// scene: Inputs/chosen.toml
// RUN: %rtc -spirv -T lib_6_6 -no-warnings %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// RUN: %rtc-run %s -o %T -- -no-warnings -payload-layout=whole
// RUN: %rtc-run %s -o %T -- -no-warnings -payload-layout=whole -Od
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
RaytracingAccelerationStructure Scene : register(t0);
uint thread() { return 0; }
#include "../../ser/Inputs/report.hlsli"
GlobalRootSignature Globals = { "SRV(t0), UAV(u0)" };
RaytracingShaderConfig Sizes = { 256, 32 };
RaytracingPipelineConfig Pipeline = { 2 };
ProceduralPrimitiveHitGroup Group = { "Any", "Hit", "Box" };

struct P { bool3x3 m; bool3 rows[3]; bool flat[5]; bool2x3 n; bool4 v; uint2 words; };
struct Attributes { uint words[4]; };

[shader("intersection")] void Box()
{
    Attributes a;
    for (uint i = 0; i < 4; ++i) a.words[i] = i;
    ReportHit(1, 0, a);
}
[shader("anyhit")] void Any(inout P p, Attributes a)
{
    p.v[a.words[3]] = !p.v[a.words[2]];
}
// The element, the element again in its row, and then the row as a whole.
[shader("closesthit")] void Hit(inout P p, Attributes a)
{
    bool b = p.words.x != 0;
    uint k = a.words[0], l = a.words[1];
    p.m[k % 3u][k % 3u] = b;
    p.m[0][k % 3u] = b;
    p.m[0][k % 3u] = b;
    p.m[l % 3u] = bool3(b, !b, b);
    p.m[l % 3u][l % 3u] = b;
    p.rows[l][k] = b;
    p.rows[l][l + 1] = b;
    p.rows[l + 1] = p.rows[l];
    p.rows[l + 1][k] = !b;
    p.flat[k + 1] = b;
    p.flat[l + 3] = p.flat[k + 1] == b;
    p.n[l][l] = b;
    p.n[k] = p.n[l].zxy;
}
[shader("miss")] void Sky(inout P p) {}
[shader("callable")] void Call(inout P p) {}

uint row(bool3 r) { return (r.x ? 1 : 0) + (r.y ? 10 : 0) + (r.z ? 100 : 0); }
P traced(bool b, float x)
{
    P p;
    for (uint i = 0; i < 3; ++i) { p.m[i] = !b; p.rows[i] = !b; }
    for (uint j = 0; j < 5; ++j) p.flat[j] = !b;
    p.n = (bool2x3)!b; p.v = bool4(true, true, false, true); p.words = uint2(b ? 1 : 0, 7);
    RayDesc r;
    r.Origin = float3(x, 0, -5); r.Direction = float3(0, 0, 1); r.TMin = 0; r.TMax = 100;
    TraceRay(Scene, RAY_FLAG_NONE, 255, 0, 0, 0, r, p);
    return p;
}

[shader("raygeneration")] void Main()
{
    for (uint i = 0; i < 2; ++i)
    {
        bool b = i == 1;
        P p = traced(b, 0);
        IS(row(p.m[0]), b ? 1 : 110); IS(row(p.m[1]), b ? 111 : 0); IS(row(p.m[2]), b ? 0 : 111);
        IS(row(p.rows[0]), b ? 0 : 111); IS(row(p.rows[1]), b ? 101 : 10); IS(row(p.rows[2]), b ? 100 : 11);
        IS((p.flat[0] ? 1 : 0) + (p.flat[1] ? 2 : 0) + (p.flat[2] ? 4 : 0) + (p.flat[3] ? 8 : 0) + (p.flat[4] ? 16 : 0), b ? 18 : 29);
        IS(row(p.n[1]), b ? 10 : 101); IS(row(p.n[0]), b ? 100 : 11);
        IS(row(p.v.xyz), 11); IS(p.v.w ? 1 : 0, 1); IS(p.words.y, 7);
        // What misses keeps all of it.
        p = traced(b, 9);
        IS(row(p.m[0]) + row(p.m[1]) + row(p.m[2]), b ? 0 : 333); IS(row(p.rows[1]) + row(p.n[1]), b ? 0 : 222); IS(row(p.v.xyz), 11);
        // In a variable.
        bool3 rows[3]; rows[0] = !b; rows[1] = !b; rows[2] = !b;
        uint k = p.words.y - 7;
        rows[k][k] = b; rows[0][k + 1] = b; rows[k + 1] = rows[k]; rows[k + 1][k] = !b;
        IS(row(rows[0]), b ? 11 : 100); IS(row(rows[1]), b ? 10 : 101); IS(row(rows[2]), b ? 0 : 111);
    }
    // In structures that are copied as a whole.
    P q = traced(true, 9), r = q;
    uint n = r.words.y - 7;
    r.flat[n + 1] = true; r.rows[n][n + 2] = true; r.m[n][n] = true;
    q = r;
    r.v[n + 1] = false;
    IS(q.flat[1] ? 1 : 0, 1); IS(row(q.rows[n]), 100); IS(row(q.m[0]), 1); IS(row(q.v.xyz), 11); IS(row(r.v.xyz), 1); IS(q.words.y + n, 7);
    done(42);
}
