// Reports of several boxes, in a loop and through a function, some ignored and many refused: the closest-hit shader gets the attributes of the
// accepted hit, whatever was reported after it, and RayTCurrent follows from the reports so far.
// rtc -T lib_6_3
// scene: Inputs/stack.toml
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// RUN: %rtc-run %s -o %T -- -no-warnings -DWIDE
// RUN: %rtc -T lib_6_3 -no-warnings -spirv -fspv-target-env=vulkan1.2 %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -T lib_6_3 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -DWIDE
#define ATTRIBUTE_BYTES 32
#include "Inputs/dxr.hlsli"

struct Payload { float t; uint wrong; uint ignore; uint any; };
struct Attributes
{
    uint primitive; float t;
#ifdef WIDE
    bool flags[2]; uint3 more;
#endif
    uint turn;
};
static const uint TURNS = 6;
// Beyond all boxes, so that none is skipped.
float reach(uint primitive, uint turn) { return 30 + (primitive * 5 + turn * 11) % 31 * 0.5; }
Attributes make(uint primitive, uint turn)
{
    Attributes a = (Attributes)0;
    a.primitive = primitive; a.turn = turn; a.t = reach(primitive, turn);
#ifdef WIDE
    a.flags[0] = turn & 1; a.flags[1] = primitive & 1; a.more = uint3(turn, primitive, turn * primitive);
#endif
    return a;
}
bool offer(Attributes a, inout float end)
{
    bool accepted = ReportHit(a.t, a.turn, a);
    if (accepted)
        end = a.t;
    return accepted;
}
[shader("intersection")] void Intersect()
{
    uint wrong = 0;
    float end = RayTCurrent();
    for (uint i = 0; i < TURNS; ++i)
    {
        Attributes a = make(PrimitiveIndex(), i);
        bool near = a.t <= end;
        bool accepted = offer(a, end);
        wrong += RayTCurrent() != end;
        wrong += accepted && !near;
    }
    Attributes far = make(77, 7);
    wrong += ReportHit(100, 7, far);
    wrong += ReportHit(1, 7, far);
    wrong += RayTCurrent() != end;
    uint was;
    Memory.InterlockedAdd(DispatchRaysIndex().x * 4, wrong, was);
}
[shader("anyhit")] void Any(inout Payload p, in Attributes a)
{
    p.wrong += a.t != RayTCurrent() || a.turn != HitKind() || a.primitive != PrimitiveIndex();
    if (p.ignore >> HitKind() & 1)
        IgnoreHit();
}
[shader("closesthit")] void Closest(inout Payload p, in Attributes a)
{
    p.t = RayTCurrent();
    p.wrong += a.t != RayTCurrent() || a.turn != HitKind() || a.primitive != PrimitiveIndex();
#ifdef WIDE
    p.wrong += any(a.more != uint3(a.turn, a.primitive, a.turn * a.primitive)) || a.flags[0] != (a.turn & 1) || a.flags[1] != (a.primitive & 1);
#endif
}
[shader("miss")] void Miss(inout Payload p) { p.t = -1; }
[shader("closesthit")] void ClosestTriangle(inout Payload p, in Triangle a) { p.t = -2; }
TriangleHitGroup Group1 = { "", "ClosestTriangle" };
ProceduralPrimitiveHitGroup Group2 = { "Any", "Closest", "Intersect" };

[shader("raygeneration")] void Main()
{
    // Each thread ignores other turns; the last ones all of them, and the very last takes opaque boxes.
    bool opaque = thread() == 15;
    uint ignore = thread() >= 13 ? 63 : thread() * 5 & 63;
    Payload p = { 0, 0, ignore, 0 };
    TraceRay(Scene, 0, 0xff, 0, 0, 0, to(opaque ? 3 : 2, 5, 90), p);
    float t = 1000;
    for (uint i = 0; i < 8; ++i)
        for (uint k = 0; k < TURNS; ++k)
            if (opaque || !(ignore >> k & 1))
                t = min(t, reach(i, k));
    ISF(p.t, t == 1000 ? -1 : t); IS(p.wrong, 0); IS(Memory.Load(thread() * 4), 0);
    done(3);
}
