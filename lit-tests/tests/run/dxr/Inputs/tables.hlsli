// Shaders for the tables of tables.toml: each tells the number of its record, and which shader it is.
#include "dxr.hlsli"

struct Payload { uint tag; uint who; };
struct Record { uint tag; };
ConstantBuffer<Record> Rec : register(b0, space1);
struct Parameter { uint tag; uint who; };
static const uint CLOSEST_A = 1, CLOSEST_B = 2, MISS_A = 3, MISS_B = 4, CALL_A = 5, CALL_B = 6;

[shader("miss")] void MissA(inout Payload p) { p.tag = Rec.tag; p.who = MISS_A; }
[shader("miss")] void MissB(inout Payload p) { p.tag = Rec.tag; p.who = MISS_B; }
[shader("callable")] void CallA(inout Parameter c) { c.tag = Rec.tag; c.who = CALL_A; }
[shader("callable")] void CallB(inout Parameter c) { c.tag = Rec.tag; c.who = CALL_B; }
#ifndef OWN_GROUPS
[shader("closesthit")] void ClosestA(inout Payload p, in Triangle a) { p.tag = Rec.tag; p.who = CLOSEST_A; }
[shader("closesthit")] void ClosestB(inout Payload p, in Triangle a) { p.tag = Rec.tag; p.who = CLOSEST_B; }
TriangleHitGroup GroupA = { "", "ClosestA" };
TriangleHitGroup GroupB = { "", "ClosestB" };
#endif
LocalRootSignature Local = { "RootConstants(num32BitConstants = 1, b0, space = 1)" };
SubobjectToExportsAssociation OfRecords = { "Local", "GroupA;GroupB;MissA;MissB;CallA;CallB" };

// A ray to geometry g of instance i.
RayDesc to(uint i, uint g, float end = 100) { return ray(float3(12.0 * i + 4.0 * g, -0.25, -10), float3(0, 0, 1), 0, end); }
Payload trace(uint contribution, uint multiplier, uint miss, RayDesc r)
{
    Payload p = { 0, 0 };
    TraceRay(Scene, RAY_FLAG_FORCE_OPAQUE, 0xff, contribution, multiplier, miss, r, p);
    return p;
}
// Two checks: the record with this index ran.
void check(Payload p, uint index)
{
    IS(p.tag, 100 + index); IS(p.who, index & 1 ? CLOSEST_B : CLOSEST_A);
}
