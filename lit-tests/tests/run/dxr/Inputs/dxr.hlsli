// What the shaders of this folder share: reports, rays into the scenes of this folder, and subobjects.
// A test may define before it includes this: DEPTH, PAYLOAD_BYTES, ATTRIBUTE_BYTES, OWN_PIPELINE, COMPUTE.

RaytracingAccelerationStructure Scene : register(t0);
// 0, 1, 2, … 15: numbers that no compiler knows.
ByteAddressBuffer Words : register(t1);
uint number(uint n) { return Words.Load(n * 4); }
// Zeros at first, 64 words for each thread.
globallycoherent RWByteAddressBuffer Memory : register(u1);

#ifdef COMPUTE
static uint Thread = 0;
uint thread() { return Thread; }
#else
uint thread() { uint3 at = DispatchRaysIndex(), of = DispatchRaysDimensions(); return at.x + of.x * (at.y + of.y * at.z); }
#endif
#include "../../../ser/Inputs/report.hlsli"

// Fields of payloads from shader model 6.7 on.
#define EVERYWHERE : read(caller, anyhit, closesthit, miss) : write(caller, anyhit, closesthit, miss)
typedef BuiltInTriangleIntersectionAttributes Triangle;

RayDesc ray(float3 origin, float3 direction, float begin = 0, float end = 1000)
{
    RayDesc r;
    r.Origin = origin;
    r.TMin = begin;
    r.Direction = direction;
    r.TMax = end;
    return r;
}
// To what is at place i: places are ten apart along x.
RayDesc to(uint i, float begin = 0, float end = 1000)
{
    return ray(float3(10.0 * i + 0.25, -0.25, -10), float3(0, 0, 1), begin, end);
}

#ifndef COMPUTE
#ifndef DEPTH
#define DEPTH 1
#endif
#ifndef PAYLOAD_BYTES
#define PAYLOAD_BYTES 64
#endif
#ifndef ATTRIBUTE_BYTES
#define ATTRIBUTE_BYTES 8
#endif
GlobalRootSignature Globals = { "SRV(t0), SRV(t1), UAV(u0), UAV(u1)" };
RaytracingShaderConfig Sizes = { PAYLOAD_BYTES, ATTRIBUTE_BYTES };
#ifndef OWN_PIPELINE
RaytracingPipelineConfig Pipeline = { DEPTH };
#endif
#endif
