// Side effects of miss, any-hit and closest-hit shaders happen as often as the source says, and not once more; in closest-hit and miss shaders traces stay where
// a lane without work might be at the largest depth of recursion.
// rtc -T lib_6_3
// scene: ../run/dxr/Inputs/yard.toml
// RUN: %rtc-run %s -o %T -- -no-warnings -fspv-converge-traces=on
// RUN: %rtc-run %s -o %T -- -no-warnings -fspv-converge-traces=on -Od
// RUN: %rtc-run %s -o %T -- -no-warnings -fspv-converge-traces=auto
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc -spirv -fspv-converge-traces=on -T lib_6_3 -no-warnings %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -spirv -fspv-converge-traces=on -Od -T lib_6_3 -no-warnings %s -Fo %t.od.spv
// RUN: %spirv-val %t.od.spv
#define DEPTH 3
#include "../run/dxr/Inputs/dxr.hlsli"

struct Payload { uint depth; uint closest; };
// The words of a thread: misses, hits, any hits, second misses.
void count(uint what) { uint old; Memory.InterlockedAdd(thread() * 256 + what * 4, 1, old); }
uint counted(uint what) { return Memory.Load(thread() * 256 + what * 4); }

void lane(uint flags, uint depth, uint miss, bool hits, inout Payload p)
{
    p.depth = depth;
    RayDesc r = to(thread() % 12);
    if (!hits) r.Direction.z = -1;
    TraceRay(Scene, flags, 0xff, 0, 0, miss, r, p);
}

[shader("miss")] void Miss(inout Payload p)
{
    count(0);
    p.closest += 9;
    // At depth 3 nothing may be traced. No trace comes before, so this one stays divergent.
    if (p.depth < 3) { Payload q = { 0, 0 }; lane(RAY_FLAG_FORCE_OPAQUE, p.depth + 1, 1, false, q); p.closest += q.closest; }
}
[shader("miss")] void Miss2(inout Payload p) { count(3); p.closest += 1000; }
[shader("anyhit")] void Any(inout Payload p, in Triangle a) { count(2); }
[shader("closesthit")] void Closest(inout Payload p, in Triangle a)
{
    count(1);
    p.closest += 1;
    if (p.depth == 1)
    {
        // Two traces in a row at one depth: with the first one done, the second may be done by all.
        Payload q = { 0, 0 };
        lane(RAY_FLAG_FORCE_OPAQUE, 2, 1, false, q);
        if (number(thread()) & 1) lane(RAY_FLAG_FORCE_OPAQUE, 2, 1, false, q);
        p.closest += q.closest;
    }
}
TriangleHitGroup Group1 = { "Any", "Closest" };
ProceduralPrimitiveHitGroup Group2 = { "", "", "Intersect" };
[shader("intersection")] void Intersect() { Triangle a = { float2(0.5, 0.25) }; ReportHit(9, 1, a); }

[shader("raygeneration")] void Main()
{
    uint n = number(thread());
    Payload p = { 0, 5 };
    if (n & 1) lane(RAY_FLAG_FORCE_OPAQUE, 3, 0, false, p);
    IS(counted(0), n & 1);
    IS(p.closest, n & 1 ? 14 : 5);
    if (n & 2) lane(RAY_FLAG_FORCE_OPAQUE, 2, 0, false, p);
    uint misses = (n & 1) + (n >> 1 & 1), seconds = n >> 1 & 1;
    IS(counted(0), misses); IS(counted(3), seconds); IS(counted(1), 0); IS(counted(2), 0);
    uint hits = 0, any = 0;
    for (uint i = 0; i < n % 4; ++i)
    {
        if (i == 1) continue;
        lane(i ? RAY_FLAG_FORCE_NON_OPAQUE : RAY_FLAG_FORCE_OPAQUE, 1, 0, true, p);
        hits += 1;
        any += i ? 1 : 0;
        seconds += 1 + (n & 1);
    }
    IS(counted(0), misses); IS(counted(3), seconds); IS(counted(1), hits); IS(counted(2), any);
    done(10);
}
