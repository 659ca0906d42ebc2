// Queries are passed and assigned by reference: both names are one query.
// rtc -T lib_6_5
// scene: Inputs/stack.toml
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// RUN: %rtc -T lib_6_5 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#include "Inputs/dxr.hlsli"

bool step(RayQuery<RAY_FLAG_NONE> q) { return q.Proceed(); }
void commit(RayQuery<RAY_FLAG_NONE> q, uint which) { if (q.CandidatePrimitiveIndex() == which) q.CommitNonOpaqueTriangleHit(); }
struct Walk
{
    RayQuery<RAY_FLAG_NONE> q;
    void begin(uint place) { q.TraceRayInline(Scene, 0, 0xff, to(place)); }
    uint end() { while (step(q)) commit(q, 2); return q.CommittedPrimitiveIndex(); }
};
[shader("raygeneration")] void Main()
{
    RayQuery<RAY_FLAG_NONE> a, b;
    a.TraceRayInline(Scene, 0, 0xff, to(0));
    b = a;
    uint steps = 0;
    while (steps & 1 ? step(a) : step(b))
    {
        ++steps;
        commit(b, 4);
    }
    IS(a.CommittedPrimitiveIndex(), 4); IS(b.CommittedPrimitiveIndex(), 4); ISF(a.CommittedRayT(), 14); IS(steps >= 5, 1);
    Walk w;
    w.begin(0);
    IS(w.end(), 2); ISF(w.q.CommittedRayT(), 16);
    done(6);
}
