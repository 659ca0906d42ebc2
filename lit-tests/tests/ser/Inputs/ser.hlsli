// What the shaders of this folder share: reports, rays into the scene of scene.toml, and shaders for every record.
// A test that has its own version of a shader defines OWN_ and the shader's name before it includes this.

RaytracingAccelerationStructure Scene : register(t0);
ByteAddressBuffer Words : register(t1);

uint thread() { return DispatchRaysIndex().x; }
#include "report.hlsli"

// ---- Rays ----

static const uint TRIANGLE = 0, TURNED = 1, VEIL = 2, BOXES = 3, LAYERS = 4, COUNTERCLOCKWISE = 5, SOFT_BOXES = 6, SOFT_ALONE = 7, NOTHING = 8;

// A ray to an instance.
RayDesc to(uint instance)
{
    RayDesc ray;
    ray.Origin = float3(10.0 * instance + 0.25, instance == TURNED ? 0.75 : -0.25, -10);
    ray.TMin = 0.5;
    ray.Direction = float3(0, 0, 1);
    ray.TMax = 100;
    return ray;
}

// What a ray finds there, where geometries have records of their own; the last is a miss.
static const uint ID[9] = { 7, 70, 700, 7000, 0xabcdef, 5, 6, 8, 0 };
static const uint PRIMITIVE[9] = { 0, 0, 0, 0, 1, 0, 0, 0, 0 };
static const uint GEOMETRY[9] = { 0, 0, 0, 0, 1, 0, 0, 0, 0 };
static const uint KIND[9] = { 254, 254, 254, 10, 254, 255, 10, 254, 0 };
static const float DISTANCE[9] = { 10, 13, 10, 9, 10, 10, 9, 10, 100 };
static const uint INDEX[9] = { 0, 1, 2, 4, 7, 9, 8, 11, 0 };
static const uint TAG[9] = { 100, 101, 102, 104, 107, 109, 108, 111, 200 };
// Which shader Invoke runs, and the tag that it finds: instance 7 has no closest-hit shader.
static const uint WHO[9] = { 1, 2, 1, 3, 2, 1, 3, 0, 11 };
static const uint TOLD[9] = { 100, 101, 102, 104, 107, 109, 108, 0, 200 };

// ---- Shaders ----

#define EVERYWHERE : read(caller, anyhit, closesthit, miss) : write(caller, anyhit, closesthit, miss)

static const uint CLOSEST_A = 1, CLOSEST_B = 2, CLOSEST_BOX = 3, MISS_A = 11, MISS_B = 12;
// What any-hit shaders do: nothing, ignore the first primitive, ignore all, end the search.
static const uint KEEP = 0, IGNORE_FIRST = 1, IGNORE_ALL = 2, END_SEARCH = 3;

#ifndef OWN_PAYLOAD
// One payload for all of them: each reads what it is about.
#pragma dxc diagnostic push
#pragma dxc diagnostic ignored "-Wpayload-access-perf"
struct [raypayload] Payload
{
    uint who EVERYWHERE;    // which shader ran last
    uint tag EVERYWHERE;    // its record
    uint count EVERYWHERE;  // how many closest-hit and miss shaders ran
    uint mode EVERYWHERE;   // what any-hit shaders do
    uint any EVERYWHERE;    // any-hit shaders that ran: bit n for primitive n
    float t EVERYWHERE;
    uint3 ids EVERYWHERE;
    float3 attributes EVERYWHERE;
};
#pragma dxc diagnostic pop
Payload fresh(uint mode = KEEP)
{
    Payload p = (Payload)0;
    p.mode = mode;
    return p;
}
#endif

struct Record
{
    uint tag;
    uint value;
    uint2 extra;
};
ConstantBuffer<Record> Rec : register(b0, space1);

struct BoxAttributes
{
    float2 where;
    uint marker;
};

#define TELL(name) p.who = name; p.tag = Rec.tag; ++p.count; p.t = RayTCurrent()

#ifndef OWN_CLOSEST_A
[shader("closesthit")] void ClosestA(inout Payload p, in BuiltInTriangleIntersectionAttributes a)
{
    TELL(CLOSEST_A);
    p.ids = uint3(InstanceID(), PrimitiveIndex(), GeometryIndex());
    p.attributes = float3(a.barycentrics, HitKind());
}
#endif
#ifndef OWN_CLOSEST_B
[shader("closesthit")] void ClosestB(inout Payload p, in BuiltInTriangleIntersectionAttributes a)
{
    TELL(CLOSEST_B);
    p.ids = uint3(InstanceID(), PrimitiveIndex(), GeometryIndex());
    p.attributes = float3(a.barycentrics, HitKind());
}
#endif
#ifndef OWN_CLOSEST_BOX
[shader("closesthit")] void ClosestBox(inout Payload p, in BoxAttributes a)
{
    TELL(CLOSEST_BOX);
    p.ids = uint3(InstanceID(), PrimitiveIndex(), GeometryIndex());
    p.attributes = float3(a.where.x, a.marker, HitKind());
}
#endif
#ifndef OWN_INTERSECT_BOX
// Where the box begins, as the scene says; kinds 10, 11, and 15 for the second geometry.
void box()
{
    BoxAttributes a;
    float begin = GeometryIndex() == 1 ? 8 : PrimitiveIndex() == 0 ? -1 : 4;
    a.where = float2(PrimitiveIndex() + 0.5, GeometryIndex() + 0.25);
    a.marker = 0x70 + PrimitiveIndex();
    // Only what can be a hit is reported: not every driver keeps a nearer hit's attributes when a report is refused.
    float t = (begin - ObjectRayOrigin().z) / ObjectRayDirection().z;
    if (t >= RayTMin() && t <= RayTCurrent())
        ReportHit(t, 10 + PrimitiveIndex() + 5 * GeometryIndex(), a);
}
// Two, as Mesa's software driver (25.0) takes the any-hit shader of the first hit group with an intersection shader for all that
// share it.
[shader("intersection")] void IntersectBox() { box(); }
[shader("intersection")] void IntersectSoftBox() { box(); }
#endif
#ifndef OWN_ANY_HIT
[shader("anyhit")] void AnyHit(inout Payload p, in BuiltInTriangleIntersectionAttributes a)
{
    p.any |= 1u << PrimitiveIndex();
    if (p.mode == IGNORE_ALL || (p.mode == IGNORE_FIRST && PrimitiveIndex() == 0))
        IgnoreHit();
    if (p.mode == END_SEARCH)
        AcceptHitAndEndSearch();
}
#endif
#ifndef OWN_ANY_BOX_HIT
[shader("anyhit")] void AnyBoxHit(inout Payload p, in BoxAttributes a)
{
    p.any |= 0x100u << (a.marker - 0x70);
    if (p.mode == IGNORE_ALL || (p.mode == IGNORE_FIRST && PrimitiveIndex() == 0))
        IgnoreHit();
    if (p.mode == END_SEARCH)
        AcceptHitAndEndSearch();
}
#endif
#ifndef OWN_MISS_A
[shader("miss")] void MissA(inout Payload p)
{
    TELL(MISS_A);
}
#endif
#ifndef OWN_MISS_B
[shader("miss")] void MissB(inout Payload p)
{
    TELL(MISS_B);
}
#endif

#ifndef OWN_PAYLOAD
dx::HitObject trace(RayDesc ray, inout Payload p, uint flags = RAY_FLAG_NONE)
{
    return dx::HitObject::TraceRay(Scene, flags, 0xff, 0, 1, 0, ray, p);
}
#endif

// ---- Subobjects ----

#ifndef DEPTH
#define DEPTH 1
#endif
GlobalRootSignature Globals = { "SRV(t0), SRV(t1), UAV(u0), UAV(u1)" };
LocalRootSignature Local = { "RootConstants(num32BitConstants = 4, b0, space = 1)" };
SubobjectToExportsAssociation OfRecords = { "Local", "GroupA;GroupB;AnyA;AnyB;AnyAlone;Box;AnyBox;MissA;MissB" };
TriangleHitGroup GroupA = { "", "ClosestA" };
TriangleHitGroup GroupB = { "", "ClosestB" };
TriangleHitGroup AnyA = { "AnyHit", "ClosestA" };
TriangleHitGroup AnyB = { "AnyHit", "ClosestB" };
TriangleHitGroup AnyAlone = { "AnyHit", "" };
ProceduralPrimitiveHitGroup Box = { "", "ClosestBox", "IntersectBox" };
ProceduralPrimitiveHitGroup AnyBox = { "AnyBoxHit", "ClosestBox", "IntersectSoftBox" };
#ifndef OWN_SIZES
RaytracingShaderConfig Sizes = { 64, 16 };
#endif
#ifndef OWN_PIPELINE
RaytracingPipelineConfig Pipeline = { DEPTH };
#endif
