// Every kind of subobject.
// RUN: %rtc -T lib_6_3 -validator-version 1.6 %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc -T lib_6_3 -Od -validator-version 1.6 %s -Fo %t.od.dxil
// RUN: %dxil-val %t.od.dxil
// RUN: %rtc -T lib_6_3 -spirv %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -T lib_6_3 -spirv -Od %s -Fo %t.od.spv
// RUN: %spirv-val %t.od.spv
StateObjectConfig Config = { STATE_OBJECT_FLAG_ALLOW_LOCAL_DEPENDENCIES_ON_EXTERNAL_DEFINITIONS };
GlobalRootSignature Global = { "SRV(t0), DescriptorTable(UAV(u0)), CBV(b0), StaticSampler(s0)" };
LocalRootSignature Local = { "RootConstants(num32BitConstants=4, b1), CBV(b2)" };
TriangleHitGroup Triangles = { "Any", "Closest" };
ProceduralPrimitiveHitGroup Boxes = { "", "ClosestBox", "Hit" };
SubobjectToExportsAssociation Attach = { "Local", "Triangles;Boxes" };
RaytracingShaderConfig Shaders = { 16, 8 };
RaytracingPipelineConfig Pipeline = { 2 };

struct P { float4 c; };
struct A { float2 n; };
struct M { float4 tint; };
RaytracingAccelerationStructure Scene : register(t0);
RWTexture2D<float4> Out : register(u0);
ConstantBuffer<M> Mine : register(b1);
ConstantBuffer<M> Pointed : register(b2);

[shader("raygeneration")] void Go()
{
    P p = { float4(0, 0, 0, 0) };
    RayDesc r = { float3(0, 0, 0), 0.0, float3(0, 0, 1), 1.0 };
    TraceRay(Scene, 0, 255, 0, 1, 0, r, p);
    Out[uint2(0, 0)] = p.c;
}
[shader("anyhit")] void Any(inout P p, in BuiltInTriangleIntersectionAttributes a) { if (Mine.tint.w < a.barycentrics.x) IgnoreHit(); }
[shader("closesthit")] void Closest(inout P p, in BuiltInTriangleIntersectionAttributes a) { p.c = Mine.tint * Pointed.tint; }
[shader("closesthit")] void ClosestBox(inout P p, in A a) { p.c = Mine.tint + float4(a.n, 0, 0); }
[shader("intersection")] void Hit() { A a = { float2(1, 2) }; ReportHit(1, 0, a); }
[shader("miss")] void Sky(inout P p) { p.c = 1; }
