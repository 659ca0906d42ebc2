// All six stages, their system values, and payloads of several shapes.
// RUN: %rtc -T lib_6_3 -validator-version 1.6 %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc -T lib_6_3 -Od -validator-version 1.6 %s -Fo %t.od.dxil
// RUN: %dxil-val %t.od.dxil
// RUN: %rtc -T lib_6_3 -spirv %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -T lib_6_3 -spirv -Od %s -Fo %t.od.spv
// RUN: %spirv-val %t.od.spv
struct Deep { float4 a; int2 b[2]; bool flag; float3x3 m; };
struct Payload { float3 color; uint depth; Deep deep; };
struct Attributes { float3 normal; uint id; };
struct Parameter { float2 uv; float4 result; };

RaytracingAccelerationStructure Scene : register(t0);
RWTexture2D<float4> Out : register(u0);

[shader("raygeneration")]
void Generate()
{
    Payload p = (Payload)0;
    p.depth = DispatchRaysIndex().x;
    p.deep.flag = p.depth > 3;
    p.deep.m[1] = float3(1, 2, 3);
    RayDesc r;
    r.Origin = float3(DispatchRaysIndex());
    r.TMin = 0;
    r.Direction = float3(0, 0, 1);
    r.TMax = 1e38;
    TraceRay(Scene, RAY_FLAG_FORCE_OPAQUE | RAY_FLAG_CULL_BACK_FACING_TRIANGLES, 0xff, 0, 1, 0, r, p);
    Out[DispatchRaysIndex().xy] = float4(p.color, p.deep.flag ? p.deep.m._m11 : p.deep.b[1].x);
}

[shader("miss")]
void Missed(inout Payload p)
{
    p.color = WorldRayDirection() * RayTMin() + WorldRayOrigin() * RayTCurrent();
    p.deep.b[p.depth & 1] = int2(RayFlags(), 1);
    if (p.depth < 2)
    {
        Payload q = p;
        q.depth++;
        RayDesc r = { WorldRayOrigin(), RayTMin(), -WorldRayDirection(), RayTCurrent() };
        TraceRay(Scene, 0, 1, 1, 2, 1, r, q);
        p.color += q.color;
    }
}

[shader("closesthit")]
void Closest(inout Payload p, in BuiltInTriangleIntersectionAttributes a)
{
    float3 o = mul(ObjectToWorld3x4(), float4(ObjectRayOrigin(), 1));
    float3 d = mul((float3x3)WorldToObject3x4(), ObjectRayDirection());
    float3 e = mul(float4(o, 1), ObjectToWorld4x3()) + mul(float4(d, 0), WorldToObject4x3());
    p.color = o + d + e + float3(a.barycentrics, PrimitiveIndex());
    p.color.x += InstanceIndex() + InstanceID() + HitKind();
    Parameter c = { a.barycentrics, 0.xxxx };
    CallShader(InstanceID(), c);
    p.color += c.result.xyz;
}

[shader("closesthit")]
void ClosestProcedural(inout Payload p, in Attributes a)
{
    p.color = a.normal;
    p.depth = a.id;
}

[shader("anyhit")]
void Any(inout Payload p, in BuiltInTriangleIntersectionAttributes a)
{
    p.color.x += 1;
    if (a.barycentrics.x > 0.5)
        IgnoreHit();
    p.color.y += HitKind() == HIT_KIND_TRIANGLE_FRONT_FACE ? 1 : 0;
    if (a.barycentrics.y > 0.5)
        AcceptHitAndEndSearch();
    p.color.z += 1;
}

[shader("intersection")]
void Intersect()
{
    Attributes a;
    a.normal = ObjectRayDirection();
    a.id = PrimitiveIndex();
    float t = RayTMin() + 1;
    if (t < RayTCurrent() && ReportHit(t, 5, a))
        ReportHit(t * 0.5, 6, a);
}

[shader("callable")]
void Call(inout Parameter c)
{
    c.result = float4(c.uv, DispatchRaysIndex().x, DispatchRaysDimensions().y);
    if (c.uv.x > 1)
    {
        Parameter d = c;
        d.uv *= 0.5;
        CallShader(3, d);
        c.result += d.result;
    }
}
