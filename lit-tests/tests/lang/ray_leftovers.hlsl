// Clusters, opacity micromaps, positions of vertices and coherence, and what each asks of a device, no more.
// RUN: %rtc -T lib_6_10 %s -Fo %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc dis %t.dxil | FileCheck --check-prefix=DXIL %s
// RUN: %rtc -T lib_6_10 -Od %s -Fo %t.od.dxil
// RUN: %llvm-verify %t.od.dxil
// RUN: %rtc -T lib_6_10 -spirv -why-capability %s -Fo %t.spv 2>&1 | FileCheck --check-prefix=WHY %s
// RUN: %spirv-val %t.spv
// RUN: %rtc -T lib_6_10 -spirv %s -Fo %t.spv -Fc %t.txt
// RUN: FileCheck --check-prefix=ASM %s < %t.txt
// RUN: %rtc -T lib_6_10 -spirv -Od %s -Fo %t.od.spv
// RUN: %spirv-val %t.od.spv
// RUN: %rtc -T lib_6_10 -spirv -why-capability -fspv-extension=SPV_KHR_ray_tracing -fspv-extension=SPV_KHR_opacity_micromap %s -Fo %t.khr.spv 2>&1 | FileCheck --check-prefix=KHR %s
// RUN: %spirv-val %t.khr.spv
// RUN: %rtc -T lib_6_10 -D POSITIONS -spirv -why-capability %s -Fo %t.p.spv 2>&1 | FileCheck --check-prefix=POS %s
// RUN: %spirv-val %t.p.spv
// RUN: %rtc -T lib_6_10 -D UNKNOWN -spirv -why-capability %s -Fo %t.u.spv 2>&1 | FileCheck --check-prefix=UNKNOWN %s
// RUN: %spirv-val %t.u.spv
// RUN: %rtc -T lib_6_3 -D OLD -spirv -why-capability %s -Fo %t.o.spv 2>&1 | FileCheck --check-prefix=OLD %s
// RUN: %spirv-val %t.o.spv

RaytracingAccelerationStructure Scene : register(t0);
RWByteAddressBuffer Out : register(u0);

#if defined(OLD) || defined(UNKNOWN)
// Flags that the host decides: what the shader model has may be set; without a pipeline configuration no micromaps.
struct [raypayload] P { float4 a
#ifdef UNKNOWN
    : read(caller) : write(caller, closesthit, miss)
#endif
    ; };
[shader("raygeneration")] void Main()
{
    RayDesc r = { float3(0, 0, 0), 0, float3(0, 0, 1), 100 }; P p; p.a = 0;
    TraceRay(Scene, Out.Load(0), 255, 0, 0, 0, r, p);
    Out.Store4(16, asuint(p.a));
}
// OLD-NOT: RayTraversalPrimitiveCulling
// UNKNOWN: RayTraversalPrimitiveCullingKHR: ray flags that may skip triangles or procedural primitives in `Main`
// UNKNOWN-NOT: micromap
#elif defined(POSITIONS)
// In a query only: the other capability of the same extension is not required.
[shader("raygeneration")] void Main()
{
    RayDesc r = { float3(0, 0, 0), 0, float3(0, 0, 1), 100 };
    RayQuery<RAY_FLAG_FORCE_OPAQUE> q; q.TraceRayInline(Scene, Out.Load(0) & RAY_FLAG_CULL_BACK_FACING_TRIANGLES, 255, r); q.Proceed();
    if (q.CommittedStatus() == COMMITTED_TRIANGLE_HIT) Out.Store3(0, asuint(q.CommittedTriangleObjectPositions().p2));
}
// POS-NOT: RayTraversalPrimitiveCulling
// POS-NOT: RayTracingPositionFetch
// POS: RayQueryPositionFetchKHR: positions of a triangle's vertices in `Main`
// POS-NOT: RayTracingPositionFetch
#else
[reordercoherent] RWByteAddressBuffer Shared : register(u1);
reordercoherent RWTexture2D<float4> Image : register(u2);
globallycoherent RWStructuredBuffer<uint> Global : register(u3);
// DXIL: @"\01?Shared@@3URWByteAddressBuffer@@A"
// ASM-DAG: OpName %[[IMAGE:[0-9A-Za-z_]+]] "Image"
// ASM-DAG: OpDecorate %[[IMAGE]] Coherent
// ASM-DAG: OpName %[[SHARED:[0-9A-Za-z_]+]] "Shared"
// ASM-DAG: OpDecorate %[[SHARED]] Coherent
// ASM-DAG: OpName %[[GLOBAL:[0-9A-Za-z_]+]] "Global"
// ASM-DAG: OpDecorate %[[GLOBAL]] Coherent
RaytracingPipelineConfig1 Config = { 1, RAYTRACING_PIPELINE_FLAG_ALLOW_OPACITY_MICROMAPS | RAYTRACING_PIPELINE_FLAG_ALLOW_CLUSTERED_GEOMETRY };

struct [raypayload] P { uint a : read(caller) : write(caller, closesthit, miss, anyhit); };
[shader("miss")] void Ms(inout P p) { p.a = CLUSTER_ID_INVALID; }
[shader("closesthit")] void Ch(inout P p, in BuiltInTriangleIntersectionAttributes a)
{
    BuiltInTrianglePositions t = TriangleObjectPositions();
    p.a = ClusterID() + asuint(dot(t.p0, cross(t.p1, t.p2)));
}
[shader("anyhit")] void Ah(inout P p, in BuiltInTriangleIntersectionAttributes a) { p.a = ClusterID(); }
[shader("raygeneration")] void Main()
{
    RayDesc r = { float3(0, 0, 0), 0, float3(0, 0, 1), 100 }; P p; p.a = 0;
    TraceRay(Scene, RAY_FLAG_FORCE_OMM_2_STATE, 255, 0, 0, 0, r, p);
    Shared.Store(0, p.a); Image[uint2(0, 1)] = p.a; Global[0] = p.a;
    // ShaderCallKHR is scope 6; acquire-release, uniform and image memory.
    Barrier(UAV_MEMORY, REORDER_SCOPE);
    // ASM-DAG: %[[SCOPE:.*]] = OpConstant %{{.*}} 6
    // ASM-DAG: %[[SEMANTICS:.*]] = OpConstant %{{.*}} 2120
    // ASM: OpMemoryBarrier %[[SCOPE]] %[[SEMANTICS]]
    RayQuery<RAY_FLAG_NONE, RAYQUERY_FLAG_ALLOW_OPACITY_MICROMAPS | RAYQUERY_FLAG_ALLOW_CLUSTERED_GEOMETRY> q;
    q.TraceRayInline(Scene, 0, 255, r);
    uint c = 0;
    while (q.Proceed())
        if (q.CandidateType() == CANDIDATE_NON_OPAQUE_TRIANGLE) { c ^= q.CandidateClusterID(); q.CommitNonOpaqueTriangleHit(); }
    if (q.CommittedStatus() == COMMITTED_TRIANGLE_HIT) c += q.CommittedClusterID();
    Out.Store(0, c);
}
// WHY-NOT: RayTraversalPrimitiveCulling
// WHY-NOT: RayQueryPositionFetch
// WHY-DAG: RayTracingPositionFetchKHR: positions of a triangle's vertices in `Ch`
// WHY-DAG: RayTracingOpacityMicromapEXT: a ray flag about opacity micromaps in `Main`
// WHY-DAG: SPV_EXT_opacity_micromap: a ray flag about opacity micromaps in `Main`
// WHY-DAG: RayTracingClusterAccelerationStructureNV: the number of a cluster in
// WHY-DAG: SPV_NV_cluster_acceleration_structure: the number of a cluster in
// WHY-NOT: SPV_KHR_opacity_micromap
// KHR-NOT: cluster
// KHR-DAG: RayTracingOpacityMicromapExecutionModeKHR: a ray query that may meet opacity micromaps in `Main`
// KHR-DAG: SPV_KHR_opacity_micromap
// KHR-NOT: SPV_EXT_opacity_micromap
#endif
