// Payloads that are larger than they need to be, and what keeps them from being packed.

// CASE never_read_by_callers -T lib_6_7
RaytracingAccelerationStructure scene : register(t0);
RWByteAddressBuffer Out : register(u0);
TriangleHitGroup Group = { "", "Ch" };
RaytracingShaderConfig Sizes = { 32, 8 };
RaytracingPipelineConfig Depth = { 1 };
struct [raypayload] P
{
    float color : write(closesthit, miss) : read(caller);
    float depth : write(closesthit, miss) : read(caller);
//        ^^^^^ W0720 `depth` is returned to callers, none of which reads it after a trace
// = here: it is `read(caller)`
// = note: `read() : write()` is sufficient for all shaders of this library
// = note: `P` takes 8 bytes packed, 4 with qualifiers that are no wider than needed (rtc paq -fix writes them)
// = note: DXR, payload access qualifiers, guidelines: a stage that does not use a field is not in its qualifiers
};
[shader("raygeneration")] void Rg()
{
    P p;
    RayDesc r; r.Origin = 0; r.TMin = 0; r.Direction = float3(0, 0, 1); r.TMax = 1;
    TraceRay(scene, 0, 255, 0, 0, 0, r, p);
    Out.Store(0, asuint(p.color));
}
[shader("closesthit")] void Ch(inout P p, BuiltInTriangleIntersectionAttributes a) { p.color = 1; p.depth = RayTCurrent(); }
[shader("miss")] void Ms(inout P p) { p.color = 0; p.depth = 0; }

// CASE kept_for_nobody -T lib_6_7
RaytracingAccelerationStructure scene : register(t0);
RWByteAddressBuffer Out : register(u0);
TriangleHitGroup Group = { "Ah", "Ch" };
RaytracingShaderConfig Sizes = { 32, 8 };
RaytracingPipelineConfig1 Depth = { 1, 0 };
struct [raypayload] Base { float seed : write(caller) : read(anyhit, closesthit); };
//                               ^^^^ W0721 `seed` is kept alive where no shader needs it: no shader requires `read(closesthit)`
// = note: `read(anyhit) : write(caller)` is sufficient for all shaders of this library
// = note: DXR, payload access qualifiers, guidelines: a stage that does not use a field is not in its qualifiers
struct [raypayload] P : Base
{
    float color : write(closesthit, miss) : read(caller);
    float4 tint : write(caller) : read(closesthit, miss);
//         ^^^^ W0721 `tint` is kept alive where no shader needs it: no shader requires `read(closesthit)`
// = note: `read(miss) : write(caller)` is sufficient for all shaders of this library
// = note: DXR, payload access qualifiers, guidelines: a stage that does not use a field is not in its qualifiers
};
[shader("raygeneration")] void Rg()
{
    P p;
    p.seed = 1; p.tint = 2;
    RayDesc r; r.Origin = 0; r.TMin = 0; r.Direction = float3(0, 0, 1); r.TMax = 1;
    TraceRay(scene, 0, 255, 0, 0, 0, r, p);
    Out.Store(0, asuint(p.color));
}
[shader("anyhit")] void Ah(inout P p, BuiltInTriangleIntersectionAttributes a) { if (p.seed > a.barycentrics.x) IgnoreHit(); }
[shader("closesthit")] void Ch(inout P p, BuiltInTriangleIntersectionAttributes a) { p.color = 1; }
[shader("miss")] void Ms(inout P p) { p.color = p.tint.x; }

// CASE packed_without_qualifiers -T lib_6_7 -spirv -payload-layout=packed -disable-payload-qualifiers
struct Plain { float a; };
//     ^^^^^ W0722 the payload `Plain` keeps its declared layout: it has no payload access qualifiers
[shader("miss")] void M(inout Plain p) { p.a = 1; }

// CASE packed_too_large -T lib_6_7 -spirv -payload-layout=packed
struct [raypayload] Large { float first : write(miss) : read(caller); float4 list[1024] : write(caller) : read(miss); };
//                  ^^^^^ W0722 the payload `Large` keeps its declared layout: it has more than 4096 scalars
[shader("miss")] void M(inout Large p) { p.first = p.list[5].x; }
