// Arrays of payload structures have the qualifiers of their elements: what a stage may write in them is given, what it may not is ignored, by constant and by dynamic index and in copies.
// rtc -T lib_6_7
// scene: Inputs/soft.toml
// RUN: %rtc -spirv -T lib_6_7 -no-warnings %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
RaytracingAccelerationStructure Scene : register(t0);
uint thread() { return 0; }
#include "../../ser/Inputs/report.hlsli"
GlobalRootSignature Globals = { "SRV(t0), UAV(u0)" };
RaytracingShaderConfig Sizes = { 128, 8 };
RaytracingPipelineConfig Pipeline = { 1 };
TriangleHitGroup Group = { "Any", "Hit" };

struct [raypayload] Part
{
    uint kept : read(caller, closesthit, anyhit) : write(caller);
    uint2 given : read(caller, anyhit) : write(caller, anyhit, closesthit, miss);
};
struct [raypayload] P
{
    Part parts[3];
    Part grid[2][2];
    uint sum : read(caller) : write(closesthit, miss);
};
[shader("anyhit")] void Any(inout P p, BuiltInTriangleIntersectionAttributes a)
{
    uint n = PrimitiveIndex();
    p.parts[n + 1].kept = 50; p.parts[n + 1].given.y = 60;
    p.grid[1][n].kept = 70; p.grid[n][1].given = 80;
    Part other = { 90, 91, 92 };
    p.parts[2] = other;
    p.sum = 1;
}
[shader("closesthit")] void Hit(inout P p, BuiltInTriangleIntersectionAttributes a)
{
    p.sum = p.parts[0].kept + p.parts[1].kept + p.parts[2].kept + p.grid[1][0].kept;
    P q = p;
    for (uint i = 0; i < 3; ++i) q.parts[i].kept = 7;
    q.parts[0].given = 8; q.parts[1].given = 9; q.parts[2].given = 10;
    for (uint k = 0; k < 4; ++k) { q.grid[k / 2][k % 2].kept = 7; q.grid[k / 2][k % 2].given = 11 + k; }
    p = q;
}
[shader("miss")] void Sky(inout P p) { p.sum = 3; }

[shader("raygeneration")] void Main()
{
    for (uint i = 0; i < 2; ++i)
    {
        P p;
        for (uint k = 0; k < 3; ++k) { p.parts[k].kept = 20 + k; p.parts[k].given = k; }
        for (uint j = 0; j < 4; ++j) { p.grid[j / 2][j % 2].kept = 30 + j; p.grid[j / 2][j % 2].given = j; }
        RayDesc r;
        r.Origin = float3(0, 0, -5); r.Direction = float3(0, 0, 1); r.TMin = 0; r.TMax = 100;
        TraceRay(Scene, i == 0 ? RAY_FLAG_NONE : RAY_FLAG_SKIP_CLOSEST_HIT_SHADER, 255, 0, 0, 0, r, p);
        IS(p.parts[0].kept * 10000 + p.parts[1].kept * 100 + p.parts[2].kept, 202122);
        IS(p.grid[0][0].kept + p.grid[0][1].kept * 100 + p.grid[1][0].kept * 10000 + p.grid[1][1].kept * 1000000, 33323130);
        // What the any-hit shader gave, over it what the closest-hit shader did.
        IS(p.parts[1].given.y, i == 0 ? 9 : 60); IS(p.parts[1].given.x, i == 0 ? 9 : 1); IS(p.parts[2].given.x, i == 0 ? 10 : 91);
        IS(p.grid[0][1].given.x, i == 0 ? 12 : 80); IS(p.grid[1][1].given.y, i == 0 ? 14 : 3);
        if (i == 0) IS(p.sum, 20 + 21 + 22 + 32);
    }
    done(15);
}
