// System values of the stages in matrices.toml: what they are and what they must be.
#define PAYLOAD_BYTES 256
#include "dxr.hlsli"

// What every stage that belongs to a ray has, and what those of a hit have.
struct Values
{
    float3 origin, direction;
    float begin, t;
    uint flags;
    uint3 at, of;
};
struct HitValues
{
    float3 origin, direction;
    uint index, id, geometry, primitive;
};
Values values()
{
    Values v;
    v.origin = WorldRayOrigin(); v.direction = WorldRayDirection(); v.begin = RayTMin(); v.t = RayTCurrent(); v.flags = RayFlags();
    v.at = DispatchRaysIndex(); v.of = DispatchRaysDimensions();
    return v;
}
HitValues hitValues()
{
    HitValues v;
    v.origin = ObjectRayOrigin(); v.direction = ObjectRayDirection();
    v.index = InstanceIndex(); v.id = InstanceID(); v.geometry = GeometryIndex(); v.primitive = PrimitiveIndex();
    return v;
}

// A ray to place i: it begins at z = -5 and goes twice as fast as one.
static const float3 BEGIN[4] = { float3(0.5, 0, -5), float3(10.5, 2, -5), float3(20.125, -1.5, -5), float3(30.5, 2, -5) };
static const float DISTANCE[4] = { 4, 4, 3.5, 3.75 };
static const float3 OBJECT_BEGIN[4] = { float3(0.25, -0.25, -16), float3(0.25, -0.25, -16), float3(0.25, -0.25, -1.75), float3(0.25, -0.25, -16) };
static const float OBJECT_SPEED[4] = { 4, 4, 0.5, 4 };
static const uint ID[4] = { 7, 0xffffff, 0, 77 };
RayDesc toMoved(uint i, float end = 50) { return ray(BEGIN[i], float3(0, 0, 2), 0.125, end); }

// Eighteen checks.
void check(Values v, uint place, float t, uint flags)
{
    IS3(v.origin, BEGIN[place]); IS3(v.direction, float3(0, 0, 2)); ISF(v.begin, 0.125); ISF(v.t, t); IS(v.flags, flags);
    uint3 at = DispatchRaysIndex(), of = DispatchRaysDimensions();
    IS(v.at.x, at.x); IS(v.at.y, at.y); IS(v.at.z, at.z); IS(v.of.x, of.x); IS(v.of.y, of.y); IS(v.of.z, of.z);
    IS(v.at.x, thread()); IS(v.of.x, 16); IS(v.of.y * v.of.z, 1);
}
// Ten checks.
void check(HitValues v, uint place)
{
    IS3(v.origin, OBJECT_BEGIN[place]); IS3(v.direction, float3(0, 0, OBJECT_SPEED[place]));
    IS(v.index, place); IS(v.id, ID[place]); IS(v.geometry, 1); IS(v.primitive, 2);
}

// Forty-eight checks.
struct Matrices { float3x4 toWorld; float4x3 toWorldT; float3x4 toObject; float4x3 toObjectT; };
Matrices matrices()
{
    Matrices m;
    m.toWorld = ObjectToWorld3x4(); m.toWorldT = ObjectToWorld4x3(); m.toObject = WorldToObject3x4(); m.toObjectT = WorldToObject4x3();
    return m;
}
void check(Matrices m, uint place)
{
    float4 w[3] = { float4(2, 0, 0, 0), float4(0, 4, 0, 1), float4(0, 0, 0.5, 3) };
    float4 o[3] = { float4(0.5, 0, 0, 0), float4(0, 0.25, 0, -0.25), float4(0, 0, 2, -6) };
    if (place == 1 || place == 3)
    {
        w[0] = float4(0, -2, 0, place * 10); w[1] = float4(4, 0, 0, 1);
        o[0] = float4(0, 0.25, 0, -0.25); o[1] = float4(-0.5, 0, 0, place * 5);
    }
    if (place == 2)
    {
        w[0] = float4(1, 0.5, 0, 20); w[1] = float4(0, 2, 0, -1); w[2] = float4(0, 0, 4, 2);
        o[0] = float4(1, -0.25, 0, -20.25); o[1] = float4(0, 0.5, 0, 0.5); o[2] = float4(0, 0, 0.25, -0.5);
    }
    IS34(m.toWorld, w[0], w[1], w[2]); IS43(m.toWorldT, w[0], w[1], w[2]); IS34(m.toObject, o[0], o[1], o[2]); IS43(m.toObjectT, o[0], o[1], o[2]);
}
