// Ray queries in every stage and in library functions; shader model 6.9's second argument; clusters and vertex positions of 6.10.
// RUN: %rtc -T lib_6_10 %s -Fo %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc dis %t.dxil | FileCheck %s
// RUN: %rtc -T lib_6_10 -Od %s -Fo %t.od.dxil
// RUN: %llvm-verify %t.od.dxil
// RUN: %rtc -T lib_6_10 -spirv %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -T lib_6_10 -spirv -why-capability %s -Fo %t.spv 2>&1 | FileCheck --check-prefix=WHY %s
// RUN: %rtc -T lib_6_5 -D OLD -validator-version 1.6 %s -Fo %t.old.dxil
// RUN: %dxil-val %t.old.dxil
// RUN: %rtc -T lib_6_5 -D OLD -spirv %s -Fo %t.old.spv
// RUN: %spirv-val %t.old.spv
#ifdef OLD
struct P { float4 a; };
#else
struct [raypayload] P { float4 a : read(caller, closesthit, miss, anyhit) : write(caller, closesthit, miss, anyhit); };
#endif
RaytracingAccelerationStructure Scene : register(t0);
RWByteAddressBuffer Out : register(u0);
uint shadow(float3 from)
{
    RayDesc r; r.Origin = from; r.TMin = 0; r.Direction = float3(0, 1, 0); r.TMax = 100;
    RayQuery<RAY_FLAG_FORCE_OPAQUE | RAY_FLAG_ACCEPT_FIRST_HIT_AND_END_SEARCH> q;
    q.TraceRayInline(Scene, 0, 255, r);
    q.Proceed();
    return q.CommittedStatus();
}
export uint Exported(float3 from) { return shadow(from); }
[shader("raygeneration")] void Rg() { Out.Store(0, shadow(DispatchRaysIndex())); }
[shader("miss")] void Ms(inout P p) { p.a.x = shadow(p.a.xyz); }
[shader("anyhit")] void Ah(inout P p, BuiltInTriangleIntersectionAttributes a) { if (shadow(p.a.xyz) != 0) IgnoreHit(); }
[shader("intersection")] void Is() { BuiltInTriangleIntersectionAttributes a; a.barycentrics = 0; if (shadow(ObjectRayOrigin()) != 0) ReportHit(1, 0, a); }
[shader("callable")] void Cl(inout P p) { p.a.x = shadow(p.a.xyz); }
[shader("compute")] [numthreads(8, 1, 1)] void Cs(uint3 id : SV_DispatchThreadID) { Out.Store(id.x * 4, shadow(id)); }
#ifdef OLD
[shader("closesthit")] void Ch(inout P p, BuiltInTriangleIntersectionAttributes a) { p.a.x = shadow(p.a.xyz); }
#else
// CHECK: define void @"\01?Ch@@
// CHECK: call i32 @dx.op.allocateRayQuery2(i32 258, i32 1024, i32 1)
// CHECK: call i32 @dx.op.rayQuery_StateScalar.i32(i32 -2147483644,
// CHECK: call <9 x float> @dx.op.rayQuery_CandidateTriangleObjectPosition.f32(i32 -2147483640,
// CHECK: call <9 x float> @dx.op.triangleObjectPosition.f32(i32 -2147483641)
// CHECK: call i32 @dx.op.clusterID(i32 -2147483645)
// WHY-DAG: RayQueryKHR: {{.*}}a ray query in `Rg`
// WHY-DAG: RayQueryPositionFetchKHR: {{.*}}`Ch`
// WHY-DAG: RayTracingOpacityMicromapEXT: {{.*}}`Ch`
// WHY-DAG: SPV_NV_cluster_acceleration_structure: {{.*}}`Ch`
[shader("closesthit")] void Ch(inout P p, BuiltInTriangleIntersectionAttributes a)
{
    RayDesc r; r.Origin = p.a.xyz; r.TMin = 0; r.Direction = float3(0, 1, 0); r.TMax = 100;
    RayQuery<RAY_FLAG_FORCE_OMM_2_STATE, RAYQUERY_FLAG_ALLOW_OPACITY_MICROMAPS> q;
    q.TraceRayInline(Scene, 0, 255, r);
    while (q.Proceed())
    {
        Out.Store(4, q.CandidateClusterID());
        Out.Store(16, q.CandidateTriangleObjectPositions().p1);
    }
    Out.Store(0, q.CommittedStatus());
    BuiltInTrianglePositions t = TriangleObjectPositions();
    Out.Store(32, t.p0 + t.p2);
    Out.Store(64, ClusterID());
}
#endif
