// A query that is under way when the shader traces a ray goes on where it was.
// rtc -T lib_6_5
// scene: Inputs/stack.toml
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// RUN: %rtc -T lib_6_5 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#include "Inputs/dxr.hlsli"

struct Payload { uint ran; };
[shader("anyhit")] void Any(inout Payload p, in Triangle a) { ++p.ran; IgnoreHit(); }
[shader("closesthit")] void Closest(inout Payload p, in Triangle a) { p.ran += 100; }
[shader("miss")] void Miss(inout Payload p) { p.ran += 10000; }
TriangleHitGroup Group = { "Any", "Closest" };

[shader("raygeneration")] void Main()
{
    RayQuery<RAY_FLAG_NONE> q;
    q.TraceRayInline(Scene, 0, 0xff, to(0));
    uint seen = 0, ran = 0;
    while (q.Proceed())
    {
        uint before = q.CandidatePrimitiveIndex();
        Payload p = { 0 };
        TraceRay(Scene, 0, 0xff, 0, 0, 0, to(before & 1), p);
        ran += p.ran;
        seen |= 1u << q.CandidatePrimitiveIndex();
        if (before == 6 && q.CandidateTriangleRayT() == 12)
            q.CommitNonOpaqueTriangleHit();
    }
    IS(seen >> 6 & 1, 1); ISF(q.CommittedRayT(), 12); IS(q.CommittedPrimitiveIndex(), 6); IS(ran % 100 % 8, 0);
    done(4);
}
