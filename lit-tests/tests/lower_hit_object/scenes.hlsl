// Acceleration structures out of arrays, of the descriptor heap and of shader records: invoking names one of them. Groups that
// the host declares, and null records.
// rtc -T lib_6_9
// scene: Inputs/scenes.toml
// RUN: %rtc-run %s -o %T -- -no-warnings -fspv-ser=lower
// RUN: %rtc-run %s -o %T -- -no-warnings -fspv-ser=lower -Od
// RUN: %rtc -spirv -fspv-ser=lower -T lib_6_9 -no-warnings %s -Fo %t.spv
// RUN: %spirv-val %t.spv

RaytracingAccelerationStructure Scenes[2] : register(t0);
RWByteAddressBuffer Report : register(u0);
RWByteAddressBuffer Report2 : register(u1);

struct [raypayload] Payload
{
    uint who : read(caller, closesthit, miss) : write(caller, closesthit, miss);
    float t : read(caller, closesthit, miss) : write(caller, closesthit, miss);
    uint depth : read(caller, closesthit, miss) : write(caller, closesthit, miss);
};
struct Record { uint tag; };
ConstantBuffer<Record> Own : register(b0, space1);
RaytracingAccelerationStructure OwnScene : register(t0, space1);

GlobalRootSignature Globals = { "DescriptorTable(SRV(t0, numDescriptors = 2)), UAV(u0), UAV(u1)" };
LocalRootSignature Local = { "RootConstants(num32BitConstants = 1, b0, space = 1), SRV(t0, space = 1)" };
SubobjectToExportsAssociation OfGroups = { "Local", "Group;Late;Closest" };
TriangleHitGroup Group = { "", "Closest" };
RaytracingShaderConfig Sizes = { 12, 8 };
RaytracingPipelineConfig Pipeline = { 3 };

static uint Checks = 0;
void check(RWByteAddressBuffer to, uint row, uint found, uint must, uint kind)
{
    ++Checks;
    to.Store3(DispatchRaysIndex().x * 1024 + Checks * 16, uint3(row << 1 | kind, found, must));
}
#define IS(found, must) check(to, __LINE__, found, must, 0)
#define ISF(found, must) check(to, __LINE__, asuint(float(found)), asuint(float(must)), 1)

RayDesc ray(uint instance)
{
    RayDesc r;
    r.Origin = float3(10.0 * instance + 0.1, -0.2, -10); r.TMin = 0; r.Direction = float3(0, 0, 1); r.TMax = 100;
    return r;
}

[shader("miss")] void Miss(inout Payload p) { p.who = 7; p.t = RayTCurrent(); }

// Its own traces are in the scene of its record, twice as deep as they may go.
[shader("closesthit")] void Closest(inout Payload p, in BuiltInTriangleIntersectionAttributes a)
{
    p.t = RayTCurrent();
    p.who = Own.tag;
    if (p.depth < 1)
    {
        Payload q = { 0, 0, p.depth + 1 };
        dx::HitObject h = dx::HitObject::TraceRay(OwnScene, 0, 0xff, 0, 1, 0, ray(0), q);
        dx::HitObject::Invoke(h, q);
        p.who += 100 * q.who;
        p.t += 1000 * h.GetRayTCurrent();
    }
}

void all(RWByteAddressBuffer to, RaytracingAccelerationStructure scene)
{
    uint n = DispatchRaysIndex().x, behind = n & 1 ? 5 : 0, instance = (n >> 1) & 3;
    Payload p = { 3, 0, 0 };
    dx::HitObject h = dx::HitObject::TraceRay(scene, 0, 0xff, 0, 1, 0, ray(instance), p);
    IS(h.IsMiss(), instance == 3); IS(h.GetShaderTableIndex(), instance == 3 ? 0 : instance);
    dx::HitObject::Invoke(h, p);
    // Without a shader the payload is as it was.
    IS(p.who, instance == 0 ? 1010 : instance == 1 ? 3 : instance == 2 ? 1012 : 7);
    ISF(p.t, instance == 0 ? 10010 + behind : instance == 1 ? 0 : instance == 2 ? 15010 + behind : 100);
    IS(h.LoadLocalRootArgumentsConstant(0), instance == 0 ? 10 : instance == 2 ? 12 : h.LoadLocalRootArgumentsConstant(0));
    h.SetShaderTableIndex(h.IsHit() ? 2 : 1);
    p.who = 3; p.t = 0;
    dx::HitObject::Invoke(h, p);
    IS(p.who, h.IsHit() ? 1012 : 3); IS(h.GetShaderTableIndex(), h.IsHit() ? 2 : 1);
    IS(h.IsHit() ? h.LoadLocalRootArgumentsConstant(0) : 12, 12);
    // In addition a plain trace.
    Payload q = { 4, 0, 1 };
    TraceRay(scene, 0, 0xff, 0, 1, 0, ray(instance), q);
    IS(q.who, instance == 0 ? 10 : instance == 1 ? 4 : instance == 2 ? 12 : 7);
    q.who = 4;
    TraceRay(scene, RAY_FLAG_SKIP_CLOSEST_HIT_SHADER, 0xff, 0, 1, 0, ray(instance), q);
    IS(q.who, instance == 3 ? 7 : 4);
    to.Store2(n * 1024, uint2(Checks, 0x40000000 | 10));
}

[shader("raygeneration")] void FromArray() { all(Report, Scenes[NonUniformResourceIndex(DispatchRaysIndex().x & 1)]); }
[shader("raygeneration")] void FromHeap()
{
    RaytracingAccelerationStructure scene = ResourceDescriptorHeap[NonUniformResourceIndex(4 + (DispatchRaysIndex().x & 1))];
    all(Report2, scene);
}
