// What a stage stores into payload fields that its qualifiers do not let it write is seen by no other stage: fields of all kinds, element by element and
// as a whole, in every stage, at early ends, in traces from the same payload.
// rtc -T lib_6_7
// scene: ../../ser/Inputs/scene.toml
// RUN: %rtc -T lib_6_7 -no-warnings %s -Fo %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc -spirv -T lib_6_7 -no-warnings -Zi %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// RUN: %rtc-run %s -o %T -- -no-warnings -payload-layout=packed
// RUN: %rtc-run %s -o %T -- -no-warnings -payload-layout=whole
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
#define DEPTH 2
#include "../../ser/Inputs/ser.hlsli"
RaytracingShaderConfig Sizes = { 256, 16 };

static const uint AGAIN = 8;
struct Part { float a; int b[3]; };
struct [raypayload] Base
{
    uint base : read(caller, closesthit, miss) : write(caller);
    uint2 pair : read(caller) : write(caller);
};
struct [raypayload] P : Base
{
    uint mine : read(caller) : write(caller);
    float given : read(closesthit, miss) : write(caller);
    uint count : read(caller, anyhit) : write(caller, anyhit);
    uint answer : read(caller) : write(closesthit, miss);
    uint mode : read(anyhit, closesthit) : write(caller);
    float2x3 m : read(caller, anyhit, closesthit) : write(caller);
    row_major int3x2 r : read(caller) : write(caller);
    Part part : read(caller, closesthit, miss) : write(caller);
    uint list[4] : read(caller, anyhit, closesthit) : write(caller);
    Part parts[2] : read(caller) : write(caller);
    bool flag : read(caller, closesthit) : write(caller);
    uint64_t wide : read(caller) : write(caller);
    float4 last : read(caller, miss) : write(caller, miss);
};

P made(uint mode)
{
    P p;
    p.base = 11; p.pair = uint2(12, 13);
    p.mine = 1; p.given = 7; p.count = 5; p.answer = 0; p.mode = mode;
    p.m = float2x3(1, 2, 3, 4, 5, 6); p.r = int3x2(1, 2, 3, 4, 5, 6);
    p.part.a = 0.5; p.part.b[0] = 20; p.part.b[1] = 21; p.part.b[2] = 22;
    for (uint i = 0; i < 4; ++i) p.list[i] = 30 + i;
    p.parts[0] = p.part; p.parts[1] = p.part; p.parts[1].b[2] = 44;
    p.flag = true; p.wide = 1ull << 40; p.last = float4(1, 2, 3, 4);
    return p;
}
void spoil(inout P p, uint by)
{
    p.base += by; p.pair.y = by;
    p.mine = 100 + by; p.given = 300; p.m[1].xz = by; p.m[by & 1][2] = 9; p.r[2] = by;
    p.part.b[by & 1] = 77; p.part.a += by;
    p.list[by & 3] = by; p.list[3] += by;
    p.parts[by & 1].b[2] = by; p.parts[1].a = by;
    p.flag = !p.flag; p.wide += by;
}
void any(inout P p, uint n)
{
    p.count++;
    p.answer = 1000;
    p.last = 9;
    spoil(p, n + Words.Load(4));
    if (p.mode == IGNORE_ALL) { P q = (P)0; q.count = p.count; p = q; IgnoreHit(); }
    if (p.mode == END_SEARCH) AcceptHitAndEndSearch();
}
uint sum(P p) { return uint(p.given) + p.base + p.part.b[1] + (uint)p.m[1][2] + p.list[2] + (p.flag ? 1000 : 0); }
static const uint SUM = 7 + 11 + 21 + 6 + 32 + 1000;

[shader("anyhit")] void AnyHit(inout P p, in BuiltInTriangleIntersectionAttributes a) { any(p, PrimitiveIndex()); }
[shader("anyhit")] void AnyBoxHit(inout P p, in BoxAttributes a) { any(p, a.marker); }
void closest(inout P p, uint n)
{
    p.answer = sum(p);
    p.count = 77;
    spoil(p, n);
    if (n == 3) { P q = (P)0; q.answer = p.answer; p = q; }
    p.last.yz = 5;
}
[shader("closesthit")] void ClosestA(inout P p, in BuiltInTriangleIntersectionAttributes a)
{
    if (p.mode < AGAIN) return closest(p, 1);
    // The payload goes into a trace of its own: what that gives back is this shader's.
    P mine = p;
    p.mode = KEEP; p.given = 8; p.part.b[1] = 31; p.pair = 0;
    TraceRay(Scene, RAY_FLAG_FORCE_OPAQUE, 0x02, 0, 1, 0, to(TURNED), p);
    uint inner = p.answer;
    closest(mine, 2);
    p.answer = mine.answer + 10000 * (inner == SUM + 11 ? 1 : 2);
}
[shader("closesthit")] void ClosestB(inout P p, in BuiltInTriangleIntersectionAttributes a) { closest(p, 3); }
[shader("closesthit")] void ClosestBox(inout P p, in BoxAttributes a) { closest(p, a.marker); }
[shader("miss")] void MissA(inout P p)
{
    p.answer = uint(p.given) + p.base + p.part.b[1];
    uint4 old = p.last;
    spoil(p, 4);
    p.last = old + 1;
}
[shader("miss")] void MissB(inout P p) { P q = (P)0; q.last = 6; p = q; }

// A bit for each field that is not what the caller gave.
uint changed(P p)
{
    P o = made(0);
    uint n = 0;
    n |= p.base != o.base ? 1 : 0;
    n |= any(p.pair != o.pair) ? 2 : 0;
    n |= p.mine != o.mine ? 4 : 0;
    n |= any(p.m[0] != o.m[0]) || any(p.m[1] != o.m[1]) ? 8 : 0;
    n |= any(p.r[0] != o.r[0]) || any(p.r[1] != o.r[1]) || any(p.r[2] != o.r[2]) ? 16 : 0;
    n |= p.part.a != o.part.a || p.part.b[0] != 20 || p.part.b[1] != 21 || p.part.b[2] != 22 ? 32 : 0;
    n |= p.list[0] != 30 || p.list[1] != 31 || p.list[2] != 32 || p.list[3] != 33 ? 64 : 0;
    n |= p.parts[0].a != 0.5 || p.parts[0].b[2] != 22 || p.parts[1].a != 0.5 || p.parts[1].b[2] != 44 ? 128 : 0;
    n |= p.flag != o.flag ? 256 : 0;
    n |= p.wide != o.wide ? 512 : 0;
    return n;
}

// Where, mode, flags, miss shader; the count, the answer (0: undefined), the last field's first number and what is added to the others.
static const uint4 SHOTS[10] =
{
    uint4(TRIANGLE, KEEP, 0, 0), uint4(TURNED, KEEP, 0, 0), uint4(NOTHING, KEEP, 0, 0),
    // Any-hit shaders before all of them: two that ignore, one that ends the search.
    uint4(VEIL, IGNORE_ALL, 0, 0), uint4(VEIL, END_SEARCH, 0, 0), uint4(SOFT_BOXES, IGNORE_ALL, 0, 0), uint4(SOFT_BOXES, END_SEARCH, 0, 0),
    // A trace in a closest-hit shader, an any-hit shader alone, a miss shader that stores a whole structure.
    uint4(TRIANGLE, AGAIN, 0, 0), uint4(SOFT_ALONE, END_SEARCH, RAY_FLAG_SKIP_CLOSEST_HIT_SHADER, 0), uint4(VEIL, IGNORE_ALL, 0, 1),
};
static const uint MISSED = 7 + 11 + 21;
static const uint4 RESULTS[10] =
{
    uint4(5, SUM, 1, 1), uint4(5, SUM, 1, 1), uint4(5, MISSED, 2, 1), uint4(7, MISSED, 2, 1), uint4(6, SUM, 1, 1), uint4(7, MISSED, 2, 1),
    uint4(6, SUM, 1, 1), uint4(5, 10000 + SUM, 1, 1), uint4(6, 0, 1, 1), uint4(7, 0, 6, 0),
};

[shader("raygeneration")] void Main()
{
    [loop] for (uint i = 0; i < 10; ++i)
    {
        P p = made(SHOTS[i].y);
        TraceRay(Scene, SHOTS[i].z, 0xff, 0, 1, SHOTS[i].w, to(SHOTS[i].x), p);
        uint4 right = RESULTS[i];
        IS(changed(p), 0); IS(p.count, right.x);
        IS(right.y == 0 ? 0 : p.answer, right.y);
        IS(all(p.last == right.z + right.w * float4(0, 1, 2, 3)), 1);
    }
    done(40);
}
