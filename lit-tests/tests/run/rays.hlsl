// A payload through closest hit, any hit and miss; attributes and system values.
// RUN: %rtc -T lib_6_3 -HV 2021 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc -T lib_6_3 -HV 2021 -Od -validator-version 1.6 -no-warnings %s -Fo %t.od.dxil
// RUN: %dxil-val %t.od.dxil
// RUN: %rtc -T lib_6_3 -HV 2021 -spirv -no-warnings %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -T lib_6_3 -HV 2021 -spirv -Od -no-warnings %s -Fo %t.od.spv
// RUN: %spirv-val %t.od.spv
#include "Inputs/out.hlsli"

RaytracingAccelerationStructure Scene : register(t10);
struct P { float4 colour; int3 hits; bool miss; };
void mark(inout P p, int by) { p.hits.x += by; p.hits.zy += int2(1, by); }
[shader("miss")]
void Mi(inout P p) { p.miss = true; p.colour.xyz = WorldRayDirection() * 2; p.colour.w = RayTMin(); mark(p, 100); }
[shader("closesthit")]
void Ch(inout P p, BuiltInTriangleIntersectionAttributes a)
{
    p.colour = float4(a.barycentrics, RayTCurrent(), InstanceID());
    mark(p, 1 + PrimitiveIndex() * 10 + InstanceIndex());
    float3 w = mul(ObjectToWorld3x4(), float4(1, 2, 3, 1)), o = mul(float4(1, 2, 3, 1), WorldToObject4x3());
    p.colour.x += dot(w, float3(1, 10, 100)) + dot(o, float3(3, 30, 300));
    p.colour.y += ObjectRayOrigin().x + 10 * ObjectRayDirection().z + WorldRayOrigin().y + dot(ObjectToWorld4x3()[3], 7.0) + WorldToObject3x4()[1][3];
    if (HitKind() == HIT_KIND_TRIANGLE_FRONT_FACE) p.hits.y += 1000;
}
[shader("anyhit")]
void Ah(inout P p, BuiltInTriangleIntersectionAttributes a)
{
    p.hits.y += 5;
    if (a.barycentrics.x > 0.6) { p.colour.z = -9; IgnoreHit(); }
    p.hits.y += 7;
    if (a.barycentrics.y > 0.6) AcceptHitAndEndSearch();
    p.hits.y += 11;
}
[shader("raygeneration")]
void Main()
{
    for (uint i = 0; i < 6; ++i)
    {
        RayDesc ray;
        ray.Origin = float3(inF(i) * 0.2 + 0.013, inF(i + 8) * 0.2 - 0.017, -3);
        ray.Direction = float3(inF(i + 16) * 0.02, 0.05, 1); ray.TMin = 0.25; ray.TMax = 100;
        P p; p.colour = 1; p.hits = int3(i, 2, 3); p.miss = false;
        // Any-hit shaders run in any order, and for hits beyond others or not: what is hit first is alone in reach of them.
        P q = p;
        TraceRay(Scene, RAY_FLAG_FORCE_OPAQUE, 0xff, 0, 1, 0, ray, q);
        if (!q.miss && !(i & 1)) { ray.TMin = q.colour.z - 0.0625; ray.TMax = q.colour.z + 0.0625; }
        TraceRay(Scene, i & 1 ? RAY_FLAG_FORCE_OPAQUE : RAY_FLAG_NONE, 0xff, 0, 1, 0, ray, p);
        putF4(p.colour); putI3(p.hits); putB(p.miss);
    }
}
