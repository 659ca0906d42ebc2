// What closest-hit, miss and callable shaders ask for after they traced or called: the values are those of their own ray, not of the inner one.
// rtc -T lib_6_3
// scene: Inputs/stack.toml
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// RUN: %rtc -T lib_6_3 -no-warnings -spirv -fspv-target-env=vulkan1.2 %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -T lib_6_3 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#define DEPTH 3
#define PAYLOAD_BYTES 176
#include "Inputs/dxr.hlsli"

struct Payload { uint depth; uint primitive, instance, id, kind, flags, at; float t, begin; float3 origin, direction, object; float4x3 matrix_; float2 place; uint inLoop; };
struct Call { uint depth; uint3 at; };

void inner(uint depth)
{
    Payload q = (Payload)0;
    q.depth = depth + 1;
    TraceRay(Scene, 0, 0xff, 0, 0, 0, to(1, 11.5, 70), q);
}
void values(inout Payload p)
{
    p.flags = RayFlags(); p.t = RayTCurrent(); p.begin = RayTMin(); p.origin = WorldRayOrigin(); p.direction = WorldRayDirection();
    p.at = DispatchRaysIndex().x;
}
[shader("closesthit")] void Closest(inout Payload p, in Triangle a)
{
    if (p.depth > 0)
        return;
    // In a loop the values that come first are read after the trace of the turn before.
    for (uint i = 0; i < number(2); ++i)
    {
        p.inLoop += InstanceID() + 10 * PrimitiveIndex();
        inner(p.depth);
    }
    values(p);
    p.primitive = PrimitiveIndex(); p.instance = InstanceIndex(); p.id = InstanceID(); p.kind = HitKind();
    p.object = ObjectRayOrigin(); p.matrix_ = ObjectToWorld4x3(); p.place = a.barycentrics;
}
[shader("miss")] void Miss(inout Payload p)
{
    if (p.depth == 0)
        inner(p.depth);
    values(p);
}
TriangleHitGroup Group = { "", "Closest" };

[shader("callable")] void Again(inout Call c)
{
    if (c.depth < 2) { Call d = { c.depth + 1, uint3(9, 9, 9) }; CallShader(0, d); }
    c.at = DispatchRaysIndex();
}

[shader("raygeneration")] void Main()
{
    uint n = thread();
    Payload p = (Payload)0;
    TraceRay(Scene, RAY_FLAG_FORCE_OPAQUE, 0xff, 0, 0, 0, ray(float3(0.25, -0.25, -10), float3(0, 0, 1), 10.5, 60), p);
    IS(p.primitive, 3); IS(p.instance, 0); IS(p.id, 0); IS(p.kind, HIT_KIND_TRIANGLE_FRONT_FACE); IS(p.flags, RAY_FLAG_FORCE_OPAQUE);
    ISF(p.t, 11); ISF(p.begin, 10.5); IS3(p.origin, float3(0.25, -0.25, -10)); IS3(p.object, float3(0.25, -0.25, -10)); IS(p.at, n);
    IS3(p.matrix_[3], float3(0, 0, 0)); IS(p.inLoop, 60); ISF(p.place.x, 0.375); ISF(p.place.y, 0.4375);
    Payload q = (Payload)0;
    TraceRay(Scene, RAY_FLAG_FORCE_OPAQUE, 0xff, 0, 0, 0, ray(float3(5, 5, -10), float3(0, 1, 0), 0.5, 60), q);
    IS(q.flags, RAY_FLAG_FORCE_OPAQUE); ISF(q.t, 60); ISF(q.begin, 0.5); IS3(q.origin, float3(5, 5, -10)); IS3(q.direction, float3(0, 1, 0)); IS(q.at, n);
    Call c = { 0, uint3(9, 9, 9) };
    CallShader(0, c);
    IS(c.at.x, n); IS(c.at.y, 0);
    done(32);
}
