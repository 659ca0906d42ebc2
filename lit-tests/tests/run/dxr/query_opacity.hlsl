// What of a scene is a candidate, what is committed by itself, and what is culled, as the flags of ray, instance and geometry say.
// rtc -T lib_6_5
// scene: Inputs/yard.toml
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// RUN: %rtc -T lib_6_5 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#include "Inputs/dxr.hlsli"

// 0: nothing, 1: committed by itself, 2: a triangle as a candidate, 3: a box that is not opaque, 4: an opaque box.
uint kind(uint flags)
{
    RayQuery<RAY_FLAG_NONE> q;
    q.TraceRayInline(Scene, flags, 0xff, to(thread()));
    uint found = 0;
    while (q.Proceed())
        found = q.CandidateType() == CANDIDATE_NON_OPAQUE_TRIANGLE ? 2 : q.CandidateProceduralPrimitiveNonOpaque() ? 3 : 4;
    return found + (q.CommittedStatus() == COMMITTED_TRIANGLE_HIT);
}
[shader("raygeneration")] void Main()
{
    bool box = thread() >= 12, soft = 0x6006 >> thread() & 1;
    uint opaque = box ? 4 : 1, other = box ? 3 : 2;
    IS(kind(0), soft ? other : opaque); IS(kind(RAY_FLAG_FORCE_OPAQUE), opaque); IS(kind(RAY_FLAG_FORCE_NON_OPAQUE), other);
    IS(kind(RAY_FLAG_CULL_OPAQUE), soft ? other : 0); IS(kind(RAY_FLAG_CULL_NON_OPAQUE), soft ? 0 : opaque);
    IS(kind(RAY_FLAG_SKIP_TRIANGLES), !box ? 0 : soft ? other : opaque); IS(kind(RAY_FLAG_SKIP_PROCEDURAL_PRIMITIVES), box ? 0 : soft ? other : opaque);
    done(7);
}
