// One box may be committed several times, each nearer than before, and at the very ends of the interval.
// rtc -T lib_6_5
// scene: Inputs/boxes.toml
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// RUN: %rtc -T lib_6_5 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#include "Inputs/dxr.hlsli"

[shader("raygeneration")] void Main()
{
    RayQuery<RAY_FLAG_SKIP_TRIANGLES> q;
    q.TraceRayInline(Scene, 0, 0xff, to(1, 4, 50));
    uint steps = 0;
    while (q.Proceed())
    {
        ++steps;
        ISF(q.CommittedRayT(), 50);
        q.CommitProceduralPrimitiveHit(50);
        ISF(q.CommittedRayT(), 50); IS(q.CommittedStatus(), COMMITTED_PROCEDURAL_PRIMITIVE_HIT);
        q.CommitProceduralPrimitiveHit(12);
        ISF(q.CommittedRayT(), 12);
        q.CommitProceduralPrimitiveHit(4);
        ISF(q.CommittedRayT(), 4);
    }
    IS(steps, 1); ISF(q.CommittedRayT(), 4); IS(q.CommittedInstanceID(), 1);
    done(8);
}
