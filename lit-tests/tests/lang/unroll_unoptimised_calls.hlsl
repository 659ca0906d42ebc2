// Loops that are unrolled in functions which a loop that is unrolled calls, unoptimised, among traces: no access is in a copy that is never executed.
// RUN: %rtc -T lib_6_6 -Od -validator-version 1.6 %s -Fo %t.dxil -Fc - | FileCheck %s
// RUN: %dxil-val %t.dxil
// RUN: %rtc -T lib_6_6 -Od -spirv %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// CHECK-COUNT-8: call %dx.types.ResRet.i32 @dx.op.textureLoad.i32(
// CHECK-NOT: call %dx.types.ResRet.i32 @dx.op.textureLoad.i32(
Texture1D<uint> Texture : register(t0, space1);
cbuffer C : register(b1) { uint c; };
RaytracingAccelerationStructure Scene : register(t8);
RWStructuredBuffer<uint> Out : register(u2);
struct P { float f; };
uint stores()
{
    [unroll] for (int i = 0; i < 2; ++i)
    {
        if (c >= 3) Out[1] = Texture[5];
    }
    return c;
}
[shader("miss")] void Miss(inout P p)
{
    [unroll] for (uint i = 1; i <= 4; i += 1) p.f = p.f + stores();
}
[shader("raygeneration")] void Main()
{
    RayDesc r;
    r.Origin = 0;
    r.TMin = 0;
    r.Direction = float3(0, 0, 1);
    r.TMax = 100;
    P p;
    p.f = 0;
    TraceRay(Scene, 0, 255, 0, 0, 0, r, p);
    Out[0] = p.f;
}
