// Arrays of vectors and matrices, in variables and in payloads, of which elements and components are chosen at run time before and after a trace, a call and
// nothing at all, in hit and miss shaders: the shaders run, and each value is kept. (A driver did nothing of what such a closest-hit shader says.)
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
// In functions that run other shaders the vectors of variables are read and written as a whole, elsewhere components are.
// RUN: %rtc -spirv -T lib_6_6 -no-warnings %s -Fc %t.txt -Fo %t.spv
// RUN: FileCheck %s --input-file=%t.txt
RaytracingAccelerationStructure Scene : register(t0);
uint thread() { return 0; }
#include "../../ser/Inputs/report.hlsli"
GlobalRootSignature Globals = { "SRV(t0), UAV(u0)" };
RaytracingShaderConfig Sizes = { 256, 32 };
RaytracingPipelineConfig Pipeline = { 3 };
ProceduralPrimitiveHitGroup Group = { "", "Hit", "Box" };

struct P { uint2 a[4]; uint2x3 m; uint depth; };
struct Attributes { uint words[4]; };

[shader("intersection")] void Box()
{
    Attributes a;
    for (uint i = 0; i < 4; ++i) a.words[i] = i;
    ReportHit(1, 0, a);
}
RayDesc ray(float x)
{
    RayDesc r;
    r.Origin = float3(x, 0, -5); r.Direction = float3(0, 0, 1); r.TMin = 0; r.TMax = 100;
    return r;
}
// CHECK: %Hit = OpFunction
// CHECK-NOT: OpAccessChain{{ +}}%_ptr_Function_uint{{ +}}%{{(v|m|q_a) +}}%{{[a-z0-9_]+ +}}%{{[0-9]+}}
// CHECK: OpFunctionEnd
[shader("closesthit")] void Hit(inout P p, Attributes a)
{
    uint k = a.words[1], l = a.words[2];
    if (p.depth == 1)
    {
        p.a[l + 1][k] += 100;
        p.m[k][l] = 9;
        p.depth = 5;
        return;
    }
    uint2 v[4] = { uint2(1, 2), uint2(3, 4), uint2(5, 6), uint2(7, 8) };
    uint2x3 m = { 1, 2, 3, 4, 5, 6 };
    v[2u][k] += 10;
    v[l].x = 20;
    v[l + 1][k] = 30;
    m[k][l] += 50;
    m[0][k] = 70;
    P q = p;
    q.a[2u][q.a[2u].x % 2u] += q.a[1u].y;
    q.a[(k + 3u) % 4u].x = 77;
    q.depth = 1;
    TraceRay(Scene, RAY_FLAG_NONE, 255, 0, 0, 0, ray(0), q);
    // 16 and 20 of the variable, 9 and 5 of the trace.
    p.a[0] = uint2(v[l][k], v[2].x);
    p.a[1] = uint2(v[q.depth - 2][k], q.a[3][k]);
    p.a[2] = uint2(q.a[2].x, q.a[0].x);
    p.a[3] = uint2(m[k][l], m[0][k]);
    p.m = q.m;
    v[k][l - 2] = 90;
    P s = q;
    s.a[l][k] = 8;
    s.m[k][l - 1] = 11;
    CallShader(0, s);
    p.depth = v[1].x + v[k].y + s.a[2].y + s.m[1][1] * 1000;
}
[shader("miss")] void Sky(inout P p)
{
    uint k = p.depth;
    uint2 v[4] = { uint2(1, 2), uint2(3, 4), uint2(5, 6), uint2(7, 8) };
    v[2u][k] += 10;
    v[k + 1].x = 20;
    if (k == 0)
    {
        P q = p;
        q.depth = 1;
        q.a[k][k + 1] = 44;
        TraceRay(Scene, RAY_FLAG_NONE, 255, 0, 0, 0, ray(9), q);
        p.a[0] = q.a[0];
        p.depth = q.depth;
    }
    p.a[k + 1] = uint2(v[2][k], v[k + 1][k]);
}
[shader("callable")] void Call(inout P p)
{
    uint k = p.depth - 4;
    p.a[k + 1][k] *= 2;
    p.m[k][k] += 2;
}

[shader("raygeneration")] void Main()
{
    P p;
    for (uint i = 0; i < 4; ++i) p.a[i] = uint2(i + 1, 3 * i);
    p.m = uint2x3(1, 2, 3, 4, 5, 6);
    p.depth = 0;
    P first = p;
    TraceRay(Scene, RAY_FLAG_NONE, 255, 0, 0, 0, ray(0), p);
    IS(p.a[0].x, 16); IS(p.a[0].y, 20); IS(p.a[1].x, 30); IS(p.a[1].y, 109);
    IS(p.a[2].x, 3); IS(p.a[2].y, 77); IS(p.a[3].x, 56); IS(p.a[3].y, 70);
    IS(p.m[0].x, 1); IS(p.m[1].y, 5); IS(p.m[1].z, 9);
    IS(p.depth, 90 + 4 + 16 + 13000);
    p = first;
    TraceRay(Scene, RAY_FLAG_NONE, 255, 0, 0, 0, ray(9), p);
    IS(p.a[0].x, 1); IS(p.a[0].y, 44); IS(p.a[1].x, 15); IS(p.a[1].y, 20); IS(p.a[2].x, 3); IS(p.depth, 1);
    done(18);
}
