// What a stage stores into payload fields that its qualifiers do not let it write is seen by no other stage where hit objects divide traces: the any-hit
// shaders of the trace, the others of the invocation, twice with one object, around a reorder point.
// rtc -T lib_6_9
// scene: ../../ser/Inputs/scene.toml
// RUN: %rtc -T lib_6_9 -no-warnings %s -Fo %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc -spirv -fspv-ser=nv -T lib_6_9 -no-warnings %s -Fo %t.nv.spv
// RUN: %spirv-val %t.nv.spv
// RUN: %rtc -spirv -fspv-ser=ext -T lib_6_9 -no-warnings %s -Fo %t.ext.spv
// RUN: %spirv-val %t.ext.spv
// RUN: %rtc-run %s -o %T -- -no-warnings -fspv-ser=lower
// RUN: %rtc-run %s -o %T -- -no-warnings -fspv-ser=lower -payload-layout=packed
// RUN: %rtc-run %s -o %T -- -no-warnings -fspv-ser=wavefront
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#define OWN_PAYLOAD
#define OWN_ANY_HIT
#define OWN_ANY_BOX_HIT
#define OWN_CLOSEST_A
#define OWN_CLOSEST_B
#define OWN_CLOSEST_BOX
#define OWN_MISS_A
#define OWN_MISS_B
#define OWN_SIZES
#include "../../ser/Inputs/ser.hlsli"
RaytracingShaderConfig Sizes = { 128, 16 };

struct [raypayload] P
{
    uint mine : read(caller) : write(caller);
    uint given : read(closesthit, miss) : write(caller);
    uint between : read(closesthit, miss) : write(anyhit, caller);
    uint count : read(caller, anyhit) : write(caller, anyhit);
    uint answer : read(caller) : write(closesthit, miss);
    uint mode : read(anyhit) : write(caller);
    uint list[3] : read(caller, closesthit) : write(caller);
    float3 v : read(caller, closesthit, miss) : write(caller);
};
P made(uint mode)
{
    P p;
    p.mine = 1; p.given = 7; p.between = 9; p.count = 5; p.mode = mode;
    p.list[0] = 30; p.list[1] = 31; p.list[2] = 32; p.v = float3(1, 2, 3);
    return p;
}
void spoil(inout P p, uint by)
{
    p.mine = 100 + by; p.given = 300; p.mode = KEEP;
    p.list[by % 3] = by; p.list[(by + 1) % 3] = 99; p.v.y = by; p.v[by & 1] = 50;
}
void any(inout P p, uint n)
{
    p.count++;
    p.between = 40;
    p.answer = 1000;
    uint mode = p.mode;
    spoil(p, n + Words.Load(4));
    if (mode == IGNORE_ALL) { uint count = p.count; p = (P)0; p.count = count; p.between = 40; IgnoreHit(); }
    if (mode == END_SEARCH) AcceptHitAndEndSearch();
}
void ending(inout P p, uint n, uint more)
{
    p.answer = p.given + p.between * 10 + uint(p.v.y) * 1000 + more;
    p.count = 77; p.between = 1;
    spoil(p, n);
}
[shader("anyhit")] void AnyHit(inout P p, in BuiltInTriangleIntersectionAttributes a) { any(p, PrimitiveIndex()); }
[shader("anyhit")] void AnyBoxHit(inout P p, in BoxAttributes a) { any(p, a.marker); }
[shader("closesthit")] void ClosestA(inout P p, in BuiltInTriangleIntersectionAttributes a) { ending(p, 1, p.list[2] * 10000); }
[shader("closesthit")] void ClosestB(inout P p, in BuiltInTriangleIntersectionAttributes a) { uint answer = p.given; p = (P)0; p.answer = answer; }
[shader("closesthit")] void ClosestBox(inout P p, in BoxAttributes a) { ending(p, a.marker, p.list[2] * 10000); }
[shader("miss")] void MissA(inout P p) { ending(p, 4, 0); }
[shader("miss")] void MissB(inout P p) { p = (P)0; p.answer = 6; }

uint changed(P p)
{
    uint n = p.mine != 1 ? 1 : 0;
    n |= p.list[0] != 30 || p.list[1] != 31 || p.list[2] != 32 ? 2 : 0;
    n |= any(p.v != float3(1, 2, 3)) ? 4 : 0;
    return n;
}
// Where, mode, the count, the answer; every second one reorders.
static const uint4 SHOTS[7] =
{
    uint4(TRIANGLE, KEEP, 5, 322097), uint4(TURNED, KEEP, 5, 7), uint4(VEIL, IGNORE_ALL, 7, 2407), uint4(VEIL, END_SEARCH, 6, 322407),
    uint4(SOFT_BOXES, IGNORE_ALL, 7, 2407), uint4(SOFT_BOXES, END_SEARCH, 6, 322407), uint4(NOTHING, KEEP, 5, 2097),
};
[shader("raygeneration")] void Main()
{
    [loop] for (uint i = 0; i < 7; ++i)
    {
        uint4 shot = SHOTS[i];
        P p = made(shot.y);
        dx::HitObject h = dx::HitObject::TraceRay(Scene, 0, 0xff, 0, 1, 0, to(shot.x), p);
        // What the ending shaders read is the caller's now.
        uint between = shot.z == 5 ? 9 : 40;
        IS(changed(p), 0); IS(p.count, shot.z); IS(p.given, 7); IS(p.between, between);
        if (i & 1) dx::MaybeReorderThread(h);
        [loop] for (uint k = 0; k < 2; ++k)
        {
            p.given = 7 + k; p.between = between;
            dx::HitObject::Invoke(h, p);
            IS(changed(p), 0); IS(p.count, shot.z); IS(p.answer, shot.w + k);
        }
    }
    // Trace and invocation that become one.
    P p = made(KEEP);
    dx::HitObject::Invoke(dx::HitObject::TraceRay(Scene, 0, 0xff, 0, 1, 1, to(NOTHING), p), p);
    IS(changed(p), 0); IS(p.count, 5); IS(p.answer, 6);
    done(73);
}
