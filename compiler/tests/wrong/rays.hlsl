// What shaders ask of rays and ray queries that they cannot have.

// CASE masks_and_indices
struct P { float a; }; RaytracingAccelerationStructure S : register(t0);
[shader("raygeneration")] void Main() {
    RayDesc r = { float3(0, 0, 0), 0, float3(0, 0, 1), 1 }; P p = { 0 };
    TraceRay(S, 0, 256, 0, 0, 0, r, p);
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0670 the instance mask is 256, but only its low 8 bits count, so it is 0
// = note: DXR, TraceRay
    TraceRay(S, 0, 255, 16, 1, 0, r, p);
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0670 the ray's contribution to the hit group index is 16, but only its low 4 bits count, so it is 0
// = note: DXR, TraceRay
    TraceRay(S, 0, ~0u, 0, 17, 0, r, p);
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0670 the multiplier for geometry is 17, but only its low 4 bits count, so it is 1
// = note: DXR, TraceRay
    TraceRay(S, 0, 0xff, 15, 15, 0x10000, r, p);
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0670 the miss shader index is 65536, but only its low 16 bits count, so it is 0
// = note: DXR, TraceRay
    RayQuery<RAY_FLAG_FORCE_OPAQUE> q; q.TraceRayInline(S, 0, 0x1ff, r); q.Proceed();
//                                     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0670 the instance mask is 511, but only its low 8 bits count, so it is 255
// = note: DXR, TraceRay
}
// CASE masks_and_indices_by_range
struct P { float a; }; RaytracingAccelerationStructure S : register(t0); RWByteAddressBuffer B : register(u0);
[shader("raygeneration")] void Main() {
    RayDesc r = { float3(0, 0, 0), 0, float3(0, 0, 1), 1 }; P p = { 0 };
    uint x = B.Load(0);
    TraceRay(S, 0, x, x, x, x, r, p);
    TraceRay(S, 0, x & 0x1ff, x & 31, x & 31, x & 0x1ffff, r, p);
    TraceRay(S, 0, 255, x | 16, 1, 0, r, p);
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0670 the ray's contribution to the hit group index is at least 16, but only its low 4 bits count, which hold at most 15
// = note: DXR, TraceRay
    if (x >= 70000) TraceRay(S, 0, 255, 0, 1, x, r, p);
//                  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0670 the miss shader index is at least 70000, but only its low 16 bits count, which hold at most 65535
// = note: DXR, TraceRay
    else TraceRay(S, 0, 255, 0, 1, x, r, p);
    for (uint i = 16; i < 20; ++i) TraceRay(S, 0, 255, i, 1, 0, r, p);
//                                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0670 the ray's contribution to the hit group index is at least 16, but only its low 4 bits count, which hold at most 15
// = note: DXR, TraceRay
    for (uint k = 0; k < 20; ++k) TraceRay(S, 0, 255, k, 1, 0, r, p);
}
// CASE flags_by_range -T lib_6_9
struct [raypayload] P { float a : read(caller) : write(caller); }; RaytracingAccelerationStructure S : register(t0); RWByteAddressBuffer B : register(u0);
[shader("raygeneration")] void Main() {
    RayDesc r = { float3(0, 0, 0), 0, float3(0, 0, 1), 1 }; P p = { 0 };
    uint x = B.Load(0);
    TraceRay(S, x, 255, 0, 0, 0, r, p);
    TraceRay(S, x | RAY_FLAG_CULL_OPAQUE | RAY_FLAG_FORCE_OPAQUE, 255, 0, 0, 0, r, p);
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0650 `RAY_FLAG_FORCE_OPAQUE` and `RAY_FLAG_CULL_OPAQUE` are mutually exclusive: what the ray does is undefined
// = note: DXR, ray flags
    uint f = RAY_FLAG_SKIP_TRIANGLES;
    if (x & 1) f |= RAY_FLAG_ACCEPT_FIRST_HIT_AND_END_SEARCH;
    TraceRay(S, f, 255, 0, 0, 0, r, p);
    TraceRay(S, f | RAY_FLAG_SKIP_PROCEDURAL_PRIMITIVES, 255, 0, 0, 0, r, p);
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0650 `RAY_FLAG_SKIP_TRIANGLES` and `RAY_FLAG_SKIP_PROCEDURAL_PRIMITIVES` are mutually exclusive: what the ray does is undefined
// = note: DXR, ray flags
    RayQuery<RAY_FLAG_CULL_FRONT_FACING_TRIANGLES | RAY_FLAG_FORCE_OPAQUE> q;
    q.TraceRayInline(S, f, 255, r); q.Proceed();
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0650 `RAY_FLAG_CULL_FRONT_FACING_TRIANGLES` and `RAY_FLAG_SKIP_TRIANGLES` are mutually exclusive: what the ray does is undefined
// = note: DXR, ray flags
}
// CASE flags_of_micromaps -T lib_6_9
struct [raypayload] P { float a : read(caller) : write(caller); }; RaytracingAccelerationStructure S : register(t0);
[shader("raygeneration")] void Main() {
    RayDesc r = { float3(0, 0, 0), 0, float3(0, 0, 1), 1 };
    RayQuery<RAY_FLAG_FORCE_OPAQUE, RAYQUERY_FLAG_ALLOW_OPACITY_MICROMAPS> fine; fine.TraceRayInline(S, RAY_FLAG_FORCE_OMM_2_STATE, 255, r); fine.Proceed();
    RayQuery<RAY_FLAG_FORCE_OPAQUE> q; q.TraceRayInline(S, RAY_FLAG_FORCE_OMM_2_STATE, 255, r); q.Proceed();
//                                     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0652 `RAY_FLAG_FORCE_OMM_2_STATE` has no effect without `RAYQUERY_FLAG_ALLOW_OPACITY_MICROMAPS`
// = note: DXR, opacity micromaps
}
// CASE flags_beside_the_pipeline -T lib_6_9
struct [raypayload] P { float a : read(caller) : write(caller); }; RaytracingAccelerationStructure S : register(t0);
RaytracingPipelineConfig1 Config = { 1, RAYTRACING_PIPELINE_FLAG_SKIP_TRIANGLES };
[shader("raygeneration")] void Main() {
    RayDesc r = { float3(0, 0, 0), 0, float3(0, 0, 1), 1 }; P p = { 0 };
    TraceRay(S, RAY_FLAG_FORCE_OMM_2_STATE, 255, 0, 0, 0, r, p);
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0684 `RAY_FLAG_FORCE_OMM_2_STATE` does nothing: no pipeline configuration of the library has `RAYTRACING_PIPELINE_FLAG_ALLOW_OPACITY_MICROMAPS`
// = note: DXR, opacity micromaps
}
// CASE flags_of_a_pipeline -T lib_6_9
RaytracingPipelineConfig1 Config = { 1, RAYTRACING_PIPELINE_FLAG_SKIP_TRIANGLES | RAYTRACING_PIPELINE_FLAG_SKIP_PROCEDURAL_PRIMITIVES };
//                                      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0650 `RAYTRACING_PIPELINE_FLAG_SKIP_TRIANGLES` and `RAYTRACING_PIPELINE_FLAG_SKIP_PROCEDURAL_PRIMITIVES` are mutually exclusive: what the ray does is undefined
// = note: DXR, ray flags
// CASE flags_of_a_later_pipeline -T lib_6_8
RaytracingPipelineConfig1 Config = { 1, RAYTRACING_PIPELINE_FLAG_ALLOW_OPACITY_MICROMAPS | RAYTRACING_PIPELINE_FLAG_ALLOW_CLUSTERED_GEOMETRY };
//                                      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0653 `RAYTRACING_PIPELINE_FLAG_ALLOW_OPACITY_MICROMAPS` requires shader model 6.9, but the target is 6.8
// CASE flags_of_a_later_query -T lib_6_9
[shader("raygeneration")] void Main() { RayQuery<RAY_FLAG_NONE, RAYQUERY_FLAG_ALLOW_CLUSTERED_GEOMETRY> q; }
//                                      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0653 `RAYQUERY_FLAG_ALLOW_CLUSTERED_GEOMETRY` requires shader model 6.10, but the target is 6.9
// CASE hit_kinds
struct A { float2 b; };
[shader("intersection")] void Is() {
    A a = { float2(0, 0) };
    ReportHit(1, 127, a);
    ReportHit(1, 128, a);
//  ^^^^^^^^^^^^^^^^^^^^ W0671 this hit kind is 128; valid values are 0 to 127, the others are reserved
// = note: DXR, ReportHit
    ReportHit(1, HIT_KIND_TRIANGLE_FRONT_FACE, a);
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0671 this hit kind is 254; valid values are 0 to 127, the others are reserved
// = note: DXR, ReportHit
    ReportHit(1, PrimitiveIndex() | 0x80, a);
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0671 this hit kind is at least 128; valid values are 0 to 127, the others are reserved
// = note: DXR, ReportHit
}
// CASE rays
struct P { float a; }; RaytracingAccelerationStructure S : register(t0);
float3 where(float3 o) { return o + 1; }
[shader("raygeneration")] void Main() {
    P p = { 0 }; RayDesc r;
    r.Origin = where(DispatchRaysIndex()); r.TMin = 0; r.Direction = float3(0, 0, 1); r.TMax = 0;
    TraceRay(S, 0, 255, 0, 0, 0, r, p);
    r.TMin = -1; TraceRay(S, 0, 255, 0, 0, 0, r, p);
//               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0672 the ray's `TMin` is -1, less than 0
// = note: DXR, ray: 0 <= TMin <= TMax, all finite numbers but TMax
    r.TMin = 2; r.TMax = 1; TraceRay(S, 0, 255, 0, 0, 0, r, p);
//                          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0672 the ray's `TMin` is 2, beyond its `TMax`, 1: it hits nothing
// = note: DXR, ray: 0 <= TMin <= TMax, all finite numbers but TMax
    r.TMax = 10; r.Direction = 0; TraceRay(S, 0, 255, 0, 0, 0, r, p);
//                                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0672 the ray's `Direction` is zero
// = note: DXR, ray: 0 <= TMin <= TMax, all finite numbers but TMax
}
// CASE ray_with_a_field_never_set
struct P { float a; }; RaytracingAccelerationStructure S : register(t0);
[shader("raygeneration")] void Main() {
    P p = { 0 }; RayDesc r;
    r.Origin = 0; r.TMin = 0; r.Direction = float3(0, 0, 1);
    TraceRay(S, 0, 255, 0, 0, 0, r, p);
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0672 the ray's `TMax` is undefined
// = note: DXR, ray: 0 <= TMin <= TMax, all finite numbers but TMax
}
// CASE query_never_traced
RaytracingAccelerationStructure S : register(t0); RWByteAddressBuffer B : register(u0);
[shader("raygeneration")] void Main() {
    RayQuery<RAY_FLAG_NONE> q;
    while (q.Proceed()) q.CommitNonOpaqueTriangleHit();
//         ^^^^^^^^^^^ W0673 `q.Proceed` is called before any `TraceRayInline` of the query
// = note: DXR, RayQuery: the table of methods by state
    B.Store(0, q.CommittedStatus());
}
// CASE query_traced_on_some_way_is_left_alone_but_not_this
RaytracingAccelerationStructure S : register(t0); RWByteAddressBuffer B : register(u0);
[shader("raygeneration")] void Main() {
    RayDesc r = { float3(0, 0, 0), 0, float3(0, 0, 1), 1 };
    RayQuery<RAY_FLAG_FORCE_OPAQUE> q;
    if (B.Load(0)) { q.TraceRayInline(S, 0, 255, r); q.Proceed(); } else B.Store(4, q.CommittedStatus());
//                                                                                  ^^^^^^^^^^^^^^^^^^^ W0673 `q.CommittedStatus` is called before any `TraceRayInline` of the query
// = note: DXR, RayQuery: the table of methods by state
    B.Store(0, q.CommittedStatus());
}
// CASE candidate_before_and_after
RaytracingAccelerationStructure S : register(t0); RWByteAddressBuffer B : register(u0);
[shader("raygeneration")] void Main() {
    RayDesc r = { float3(0, 0, 0), 0, float3(0, 0, 1), 1 };
    RayQuery<RAY_FLAG_NONE> q; q.TraceRayInline(S, 0, 255, r);
    B.Store(0, q.CandidatePrimitiveIndex());
//             ^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0674 `q.CandidatePrimitiveIndex` has no candidate yet: call `Proceed` first
// = note: DXR, RayQuery: the table of methods by state
    while (q.Proceed()) { if (q.CandidateType() == CANDIDATE_NON_OPAQUE_TRIANGLE) q.CommitNonOpaqueTriangleHit(); }
    B.Store(4, q.CandidateInstanceID());
//             ^^^^^^^^^^^^^^^^^^^^^^^ W0674 `q.CandidateInstanceID` has no candidate any more: `Proceed` returned false
// = note: DXR, RayQuery: the table of methods by state
    q.CommitNonOpaqueTriangleHit();
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0674 `q.CommitNonOpaqueTriangleHit` has no candidate any more: `Proceed` returned false
// = note: DXR, RayQuery: the table of methods by state
}
// CASE wrong_kind_of_candidate
RaytracingAccelerationStructure S : register(t0); RWByteAddressBuffer B : register(u0);
[shader("raygeneration")] void Main() {
    RayDesc r = { float3(0, 0, 0), 0, float3(0, 0, 1), 1 };
    RayQuery<RAY_FLAG_NONE> q; q.TraceRayInline(S, 0, 255, r);
    while (q.Proceed()) {
        switch (q.CandidateType()) {
        case CANDIDATE_NON_OPAQUE_TRIANGLE: q.CommitProceduralPrimitiveHit(1); break;
//                                          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0675 `q.CommitProceduralPrimitiveHit` requires a procedural primitive, but the candidate is a triangle here
// = note: DXR, RayQuery: the table of methods by state
        case CANDIDATE_PROCEDURAL_PRIMITIVE: q.CommitNonOpaqueTriangleHit(); break;
//                                           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0675 `q.CommitNonOpaqueTriangleHit` requires a triangle, but the candidate is a procedural primitive here
// = note: DXR, RayQuery: the table of methods by state
        }
        if (q.CandidateType() != CANDIDATE_NON_OPAQUE_TRIANGLE) B.Store2(0, asuint(q.CandidateTriangleBarycentrics()));
//                                                                                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0675 `q.CandidateTriangleBarycentrics` requires a triangle, but the candidate is a procedural primitive here
// = note: DXR, RayQuery: the table of methods by state
    }
    if (q.CommittedStatus() == COMMITTED_PROCEDURAL_PRIMITIVE_HIT) B.Store2(0, asuint(q.CommittedTriangleBarycentrics()));
//                                                                                    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0675 `q.CommittedTriangleBarycentrics` requires a triangle, but a procedural primitive is committed here
// = note: DXR, RayQuery: the table of methods by state
    RayQuery<RAY_FLAG_SKIP_TRIANGLES> boxes; boxes.TraceRayInline(S, 0, 255, r);
    while (boxes.Proceed()) boxes.CommitNonOpaqueTriangleHit();
//                          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0675 `boxes.CommitNonOpaqueTriangleHit` requires a triangle, but the candidate is a procedural primitive here
// = note: DXR, RayQuery: the table of methods by state
}
// CASE committed_unasked
RaytracingAccelerationStructure S : register(t0); RWByteAddressBuffer B : register(u0);
[shader("raygeneration")] void Main() {
    RayDesc r = { float3(0, 0, 0), 0, float3(0, 0, 1), 1 };
    RayQuery<RAY_FLAG_FORCE_OPAQUE> q; q.TraceRayInline(S, 0, 255, r);
    B.Store(4, q.CommittedInstanceID());
//             ^^^^^^^^^^^^^^^^^^^^^^^ W0676 `q.CommittedInstanceID` requires a committed hit, but no hit is committed here
// = note: DXR, RayQuery: the table of methods by state
    q.Proceed();
    B.Store(0, q.CommittedInstanceID());
//             ^^^^^^^^^^^^^^^^^^^^^^^ W0676 `q.CommittedInstanceID` requires a committed hit, but `CommittedStatus` was not checked
// = note: DXR, RayQuery: the table of methods by state
    if (q.CommittedStatus() == COMMITTED_NOTHING) B.Store(0, q.CommittedInstanceIndex());
//                                                           ^^^^^^^^^^^^^^^^^^^^^^^^^^ W0676 `q.CommittedInstanceIndex` requires a committed hit, but no hit is committed here
// = note: DXR, RayQuery: the table of methods by state
    else B.Store(0, q.CommittedInstanceIndex());
}
// CASE step_ignored
RaytracingAccelerationStructure S : register(t0); RWByteAddressBuffer B : register(u0);
[shader("raygeneration")] void Main() {
    RayDesc r = { float3(0, 0, 0), 0, float3(0, 0, 1), 1 };
    RayQuery<RAY_FLAG_NONE> q; q.TraceRayInline(S, RAY_FLAG_ACCEPT_FIRST_HIT_AND_END_SEARCH, 255, r);
    q.Proceed();
//  ^^^^^^^^^^^ W0677 `q.Proceed` stops at the first candidate, and its result is ignored
// = note: write `while (q.Proceed())`, or trace with `RAY_FLAG_FORCE_OPAQUE` or `RAY_FLAG_CULL_NON_OPAQUE` if candidates need no decision
    B.Store(0, q.CommittedStatus());
    q.TraceRayInline(S, B.Load(4), 255, r);
    q.Proceed();
    B.Store(8, q.CommittedStatus());
}
// CASE endless_loops
RaytracingAccelerationStructure S : register(t0); RWByteAddressBuffer B : register(u0);
[shader("raygeneration")] void Main() {
    RayDesc r = { float3(0, 0, 0), 0, float3(0, 0, 1), 1 };
    RayQuery<RAY_FLAG_NONE> q; q.TraceRayInline(S, 0, 255, r);
    bool more = q.Proceed();
    while (more) { if (q.CandidateType() == CANDIDATE_NON_OPAQUE_TRIANGLE) q.CommitNonOpaqueTriangleHit(); }
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0678 infinite loop: its condition is a result of `Proceed` from before the loop
// = 5:17: note: called once here
    q.TraceRayInline(S, 0, 255, r);
    for (;;) { if (q.Proceed() && q.CandidateType() == CANDIDATE_NON_OPAQUE_TRIANGLE) q.CommitNonOpaqueTriangleHit(); }
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0678 infinite loop: it steps a ray query and has no exit
// = note: exit when `Proceed` returns false
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ E0406 this loop never ends
}
// CASE distance_unchecked -Wray-query-range
RaytracingAccelerationStructure S : register(t0);
float4 sphere(float3 o, float3 d) { float b = dot(o, d); return b + sqrt(b * b - dot(o, o) + 1); }
[shader("raygeneration")] void Main() {
    RayDesc r = { float3(0, 0, 0), 0, float3(0, 0, 1), 1 };
    RayQuery<RAY_FLAG_SKIP_TRIANGLES> q; q.TraceRayInline(S, 0, 255, r);
    while (q.Proceed()) {
        float t = sphere(q.CandidateObjectRayOrigin(), q.CandidateObjectRayDirection()).x;
        q.CommitProceduralPrimitiveHit(t);
//      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0679 this distance is not compared with the ray: a committed hit must be between `RayTMin` and `CommittedRayT`
// = note: DXR, RayQuery::CommitProceduralPrimitiveHit
    }
    q.TraceRayInline(S, 0, 255, r);
    while (q.Proceed()) {
        float t = sphere(q.CandidateObjectRayOrigin(), q.CandidateObjectRayDirection()).y;
        if (t >= q.RayTMin() && t <= q.CommittedRayT()) q.CommitProceduralPrimitiveHit(t);
    }
}
// CASE vertices_of_a_box -T lib_6_10
struct [raypayload] P { float3 a : read(caller) : write(closesthit); }; struct A { float2 b; };
ProceduralPrimitiveHitGroup Boxes = { "", "Ch", "Is" }; TriangleHitGroup Meshes = { "", "Other" };
[shader("intersection")] void Is() { A a = { float2(0, 0) }; ReportHit(1, 0, a); }
[shader("closesthit")] void Ch(inout P p, in A a) { p.a = TriangleObjectPositions().p0; }
//                                                        ^^^^^^^^^^^^^^^^^^^^^^^^^ W0680 hits of group `Boxes` are procedural and have no vertices; check `HitKind` first
// = note: DXR, TriangleObjectPositions: triangle hits only
[shader("closesthit")] void Other(inout P p, in BuiltInTriangleIntersectionAttributes a) { p.a = TriangleObjectPositions().p0; }
// CASE side_effects -Wshader-side-effects
struct P { float a; }; struct A { float2 b; }; RWByteAddressBuffer B : register(u0);
[shader("intersection")] void Is() { B.Store(0, 1); A a = { float2(0, 0) }; ReportHit(1, 0, a); }
//                                   ^^^^^^^^^^^^^ W0681 an intersection shader may run several times for one primitive, also for hits that are rejected, so this write may be repeated
// = note: DXR: geometry without NO_DUPLICATE_ANYHIT_INVOCATION; intersection shaders have no such guarantee
[shader("anyhit")] void Ah(inout P p, in A a) { B.Store(0, 1); B.InterlockedAdd(4, 1); }
//                                                             ^^^^^^^^^^^^^^^^^^^^^^ W0681 an any-hit shader may run several times for one primitive, also for hits that are rejected, so this write may be repeated
// = note: DXR: geometry without NO_DUPLICATE_ANYHIT_INVOCATION; intersection shaders have no such guarantee
// CASE older_spellings -T lib_6_10
struct [raypayload] P { float3 a : read(caller) : write(closesthit); };
RaytracingAccelerationStructure S : register(t0);
[shader("closesthit")] void Ch(inout P p, in BuiltInTriangleIntersectionAttributes a) {
    p.a = TriangleObjectPosition(1) + TriangleObjectPosition(ClusterId() & 1);
//        ^^^^^^^^^^^^^^^^^^^^^^ W0682 `TriangleObjectPosition` is deprecated: it is replaced by `TriangleObjectPositions`, which returns all three vertices
// = note: fix: replace `TriangleObjectPosition(1)` with `TriangleObjectPositions().p1`
//                                                           ^^^^^^^^^ W0682 `ClusterId` is deprecated: it is named `ClusterID` now
// = note: fix: replace `ClusterId` with `ClusterID`
//                                    ^^^^^^^^^^^^^^^^^^^^^^ W0682 `TriangleObjectPosition` is deprecated: it is replaced by `TriangleObjectPositions`, which returns all three vertices
// = note: select among `p0`, `p1` and `p2` where the vertex is not a constant
    RayDesc r = { float3(0, 0, 0), 0, float3(0, 0, 1), 1 };
    RayQuery<RAY_FLAG_NONE> q; q.TraceRayInline(S, 0, 255, r);
    while (q.Proceed()) { if (q.CandidateType() == CANDIDATE_NON_OPAQUE_TRIANGLE && q.CandidateClusterId() != CLUSTER_ID_INVALID) { p.a += q.CandidateTriangleObjectPosition(2); q.CommitNonOpaqueTriangleHit(); } }
//                                                                                    ^^^^^^^^^^^^^^^^^^ W0682 `CandidateClusterId` is deprecated: it is named `CandidateClusterID` now
// = note: fix: replace `CandidateClusterId` with `CandidateClusterID`
//                                                                                                                                           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0682 `CandidateTriangleObjectPosition` is deprecated: it is replaced by `CandidateTriangleObjectPositions`, which returns all three vertices
// = note: fix: replace `CandidateTriangleObjectPosition(2)` with `CandidateTriangleObjectPositions().p2`
    if (q.CommittedStatus() == COMMITTED_TRIANGLE_HIT) p.a += q.CommittedTriangleObjectPosition(0) * q.CommittedClusterId();
//                                                              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0682 `CommittedTriangleObjectPosition` is deprecated: it is replaced by `CommittedTriangleObjectPositions`, which returns all three vertices
// = note: fix: replace `CommittedTriangleObjectPosition(0)` with `CommittedTriangleObjectPositions().p0`
//                                                                                                     ^^^^^^^^^^^^^^^^^^ W0682 `CommittedClusterId` is deprecated: it is named `CommittedClusterID` now
// = note: fix: replace `CommittedClusterId` with `CommittedClusterID`
}
// CASE no_such_vertex -T lib_6_10
struct [raypayload] P { float3 a : read(caller) : write(closesthit); };
[shader("closesthit")] void Ch(inout P p, in BuiltInTriangleIntersectionAttributes a) { p.a = TriangleObjectPosition(3); }
//                                                                                                                   ^ E0660 `TriangleObjectPosition` has the vertices 0, 1 and 2, not 3
// = note: DXR, TriangleObjectPosition
// CASE coherence_of_a_texture -T lib_6_9 errors=2
[reordercoherent] Texture2D<float4> T : register(t0);
// @2 E0311 `reordercoherent` is not allowed on a variable that is not a writable resource
reordercoherent float4 f;
// @1 E0311 `reordercoherent` is not allowed on a variable that is not a writable resource
[reordercoherent] RWByteAddressBuffer B : register(u0); reordercoherent RWTexture2D<float4> C : register(u1);
// CASE coherence_of_an_old_model -T lib_6_8
reordercoherent RWByteAddressBuffer B : register(u0);
// @1 E0604 `reordercoherent` requires shader model 6.9, but the target is 6.8
[shader("raygeneration")] void Main() { B.Store(0, 1); }
// CASE root_arguments -T lib_6_9 errors=2
RWByteAddressBuffer B : register(u0); RaytracingAccelerationStructure S : register(t0);
LocalRootSignature Local = { "RootConstants(num32BitConstants=3, b1)" };
struct [raypayload] P { float a : read(caller) : write(caller); };
[shader("raygeneration")] void Main() {
    RayDesc r = { float3(0, 0, 0), 0, float3(0, 0, 1), 1 }; P p = { 0 };
    dx::HitObject h = dx::HitObject::TraceRay(S, 0, 255, 16, 0, 0, r, p);
//                    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0670 the ray's contribution to the hit group index is 16, but only its low 4 bits count, so it is 0
// = note: DXR, TraceRay
    B.Store(0, h.LoadLocalRootArgumentsConstant(6));
//             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ E0661 the offset into local root arguments must be a multiple of 4, but this is 6
// = note: DXR, HitObject::LoadLocalRootArgumentsConstant
    B.Store(0, h.LoadLocalRootArgumentsConstant(B.Load(0) * 8 + 2));
//             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ E0661 the offset into local root arguments must be a multiple of 4, but this is not
// = note: DXR, HitObject::LoadLocalRootArgumentsConstant
    B.Store(0, h.LoadLocalRootArgumentsConstant(12));
//             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0683 this reads byte 12 of local root arguments; the largest local root signature of the library has 12 bytes
// = note: DXR, HitObject::LoadLocalRootArgumentsConstant
    B.Store(0, h.LoadLocalRootArgumentsConstant(B.Load(0)) + h.LoadLocalRootArgumentsConstant(4));
}
// CASE hit_object_arguments -T lib_6_9
RaytracingAccelerationStructure S : register(t0); struct A { float2 b; };
[shader("raygeneration")] void Main() {
    RayDesc r = { float3(0, 0, 0), 0, float3(0, 0, 1), 1 };
    dx::HitObject m = dx::HitObject::MakeMiss(RAY_FLAG_CULL_OPAQUE | RAY_FLAG_FORCE_OPAQUE, 0x10000, r);
//                    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0650 `RAY_FLAG_FORCE_OPAQUE` and `RAY_FLAG_CULL_OPAQUE` are mutually exclusive: what the ray does is undefined
// = note: DXR, ray flags
//                    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0670 the miss shader index is 65536, but only its low 16 bits count, so it is 0
// = note: DXR, TraceRay
    m.SetShaderTableIndex(0x10000000);
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0670 the shader table index is 268435456, but only its low 28 bits count, so it is 0
// = note: DXR, TraceRay
    dx::MaybeReorderThread(m);
//  ^^^^^^^^^^^^^^^^^^^^^^^^^ W0859 threads are reordered by a hit object that nothing else uses
// = 5:5: note: the hit object
// = note: reordering pays where what follows depends on the hit: invoke it, or read what it hit
    RayQuery<RAY_FLAG_FORCE_OPAQUE> q; q.TraceRayInline(S, 0, 255, r); q.Proceed();
    A a = { float2(0, 0) };
    dx::HitObject h = dx::HitObject::FromRayQuery(q, 200, a);
//                    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0671 this hit kind is 200; valid values are 0 to 127, the others are reserved
// = note: DXR, ReportHit
    dx::MaybeReorderThread(h);
//  ^^^^^^^^^^^^^^^^^^^^^^^^^ W0859 threads are reordered by a hit object that nothing else uses
// = 9:23: note: the hit object
// = note: reordering pays where what follows depends on the hit: invoke it, or read what it hit
}
