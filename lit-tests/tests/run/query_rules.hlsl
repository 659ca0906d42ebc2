// What HLSL allows with ray queries and Vulkan does not say: proceeding and aborting after the end, distances of nothing;
// references, queries in structures, arrays and templates.
// reference: no, its SPIR-V leaves these to the device
// options: -T lib_6_6
// RUN: %rtc -T lib_6_6 -HV 2021 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc -T lib_6_6 -HV 2021 -Od -validator-version 1.6 -no-warnings %s -Fo %t.od.dxil
// RUN: %dxil-val %t.od.dxil
// RUN: %rtc -T lib_6_6 -HV 2021 -spirv -no-warnings %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -T lib_6_6 -HV 2021 -spirv -Od -no-warnings %s -Fo %t.od.spv
// RUN: %spirv-val %t.od.spv
#include "Inputs/out.hlsli"

RaytracingAccelerationStructure Mixed : register(t10);
typedef RayQuery<RAY_FLAG_NONE> Query;

RayDesc along(float x, float y)
{
    RayDesc r;
    r.Origin = float3(x, y, -6); r.Direction = float3(0, 0, 1); r.TMin = 0.25; r.TMax = 100;
    return r;
}
// Solid triangles are 1 + 1.5 * 4 = 7 high, the ray starts at -6.
static const float Solid = 13;

template<uint F> struct Tracer
{
    RayQuery<F> q;
    bool shadow(RayDesc r) { q.TraceRayInline(Mixed, 0, 1, r); q.Proceed(); return q.CommittedStatus() != COMMITTED_NOTHING; }
};
struct Pair { Query a, b; uint n; };
template<uint F> float nearest(RayQuery<F> q, RayDesc r) { q.TraceRayInline(Mixed, 0, 1, r); while (q.Proceed()) q.CommitNonOpaqueTriangleHit(); return q.CommittedRayT(); }
void start(inout Query q, RayDesc r, uint mask) { q.TraceRayInline(Mixed, RAY_FLAG_NONE, mask, r); }
void out_of(out Query q, RayDesc r) { q.TraceRayInline(Mixed, 0, 1, r); }
Query started(RayDesc r) { Query q; q.TraceRayInline(Mixed, 0, 1, r); return q; }

static Query Fixed;
static Pair Fixed2;

[shader("raygeneration")]
void Main()
{
    RayDesc hit = along(0, -0.5), miss = along(50, 50);
    // The first geometry is not opaque and has two triangles in the way, the nearest 1 + 1.5 * 2 = 4 high; the second is opaque.
    {
        Query q;
        q.TraceRayInline(Mixed, 0, 1, hit);
        expect(asint(q.CommittedRayT()), asint(100.0)); expect(q.CommittedStatus(), COMMITTED_NOTHING);
        uint n = 0;
        while (q.Proceed()) ++n;
        expect(n, 2); expect(q.Proceed(), 0); expect(q.Proceed(), 0);
        expect(q.CommittedStatus(), COMMITTED_TRIANGLE_HIT); expect(int(round(q.CommittedRayT() * 16)), int(Solid * 16));
        expect(q.CommittedGeometryIndex(), 1); expect(q.CommittedInstanceID(), 77); expect(q.CommittedInstanceContributionToHitGroupIndex(), 5);
        q.Abort(); expect(q.Proceed(), 0); expect(q.CommittedStatus(), COMMITTED_TRIANGLE_HIT);
        q.TraceRayInline(Mixed, 0, 1, miss);
        expect(q.Proceed(), 0); expect(asint(q.CommittedRayT()), asint(100.0)); expect(q.CommittedStatus(), COMMITTED_NOTHING);
        q.TraceRayInline(Mixed, 0, 1, hit); q.Abort(); q.Abort(); expect(q.Proceed(), 0); expect(q.CommittedStatus(), COMMITTED_NOTHING);
        q.TraceRayInline(Mixed, RAY_FLAG_FORCE_NON_OPAQUE, 1, hit); expect(q.Proceed(), 1); q.Abort(); expect(q.Proceed(), 0); expect(q.Proceed(), 0);
        for (uint i = 0; i < 3; ++i)
        {
            if (i != 1) q.TraceRayInline(Mixed, 0, 2, i == 0 ? hit : miss);
            uint boxes = 0;
            while (q.Proceed()) { ++boxes; q.CommitProceduralPrimitiveHit(3); if (boxes == 1) q.Abort(); }
            expect(boxes, i == 0 ? 1 : 0); expect(asint(q.CommittedRayT()), asint(i < 2 ? 3.0 : 100.0));
        }
    }
    Tracer<RAY_FLAG_FORCE_OPAQUE> t; expect(t.shadow(hit), 1); expect(t.shadow(miss), 0);
    Tracer<RAY_FLAG_CULL_OPAQUE | RAY_FLAG_ACCEPT_FIRST_HIT_AND_END_SEARCH> u; expect(u.shadow(hit), 0); expect(u.q.RayFlags(), 0x44);
    Pair p; p.n = 3; start(p.a, hit, 1); start(p.b, miss, 1);
    while (p.a.Proceed()) p.a.CommitNonOpaqueTriangleHit();
    expect(p.b.Proceed(), 0); expect(p.a.CommittedStatus(), 1); expect(p.b.CommittedStatus(), 0);
    Query q; expect(asint(nearest(q, miss)), asint(100.0)); expect(int(round(nearest(q, hit) * 16)), 160);
    Query same = q; same.TraceRayInline(Mixed, RAY_FLAG_FORCE_OPAQUE, 1, hit); q.Proceed(); expect(same.CommittedStatus(), 1); expect(q.CommittedGeometryIndex(), 0);
    Query list[2]; start(list[0], hit, 1); start(list[1], miss, 1); list[0].Proceed(); list[1].Proceed();
    expect(list[0].CandidateType(), CANDIDATE_NON_OPAQUE_TRIANGLE); expect(list[1].CommittedStatus(), 0);
    Query s = started(hit); expect(s.Proceed(), 1); expect(s.CandidateGeometryIndex(), 0);
    Pair other = p; other.b.TraceRayInline(Mixed, RAY_FLAG_FORCE_OPAQUE, 1, hit); other.b.Proceed(); expect(p.b.CommittedStatus(), 1);
    // Which query it is depends on a value.
    Query many[3];
    for (uint k = 0; k < 3; ++k) start(many[k], k == 1 ? miss : hit, k == 2 ? 2 : 1);
    uint which = inU(0) % 3;
    many[which].Proceed();
    expect(many[which].CandidateType() == CANDIDATE_PROCEDURAL_PRIMITIVE && which != 1, which == 2);
    for (uint j = 0; j < 3; ++j) while (many[j].Proceed()) {}
    expect(many[0].CommittedStatus(), 1); expect(many[1].CommittedStatus(), 0); expect(many[2].CommittedStatus(), 0);
    Query one, two, chosen = one;
    if (inU(1) & 1) chosen = two;
    one.TraceRayInline(Mixed, RAY_FLAG_FORCE_OPAQUE, 1, hit); two.TraceRayInline(Mixed, RAY_FLAG_FORCE_OPAQUE, 1, miss);
    chosen.Proceed();
    expect(chosen.CommittedStatus(), inU(1) & 1 ? 0 : 1); expect(one.CommittedStatus(), inU(1) & 1 ? 0 : 1);
    two.Proceed(); expect(asint(two.CommittedRayT()), asint(100.0));
    start(Fixed, hit, 1); expect(Fixed.Proceed(), 1); start(Fixed2.b, miss, 1); expect(Fixed2.b.Proceed(), 0);
    for (uint o = 0; o < 3; ++o) { out_of(many[o], o == 1 ? hit : miss); many[o].Proceed(); }
    expect(many[0].CommittedStatus(), 0); expect(many[1].CandidateType(), CANDIDATE_NON_OPAQUE_TRIANGLE); expect(many[1].CandidateGeometryIndex(), 0);
}
