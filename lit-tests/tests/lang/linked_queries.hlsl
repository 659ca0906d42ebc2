// Ray queries cross libraries by reference: functions trace, proceed, commit and read a query of their caller's, also through a third library.
// RUN: %rtc -T lib_6_5 -default-linkage external -DA -validator-version 1.6 %s -Fo %t.a.dxil
// RUN: %dxil-val %t.a.dxil
// RUN: %rtc -T lib_6_5 -default-linkage external -DB -validator-version 1.6 %s -Fo %t.b.dxil
// RUN: %dxil-val %t.b.dxil
// RUN: %rtc -T lib_6_5 -default-linkage external -DC -validator-version 1.6 %s -Fo %t.c.dxil
// RUN: %dxil-val %t.c.dxil
// RUN: %rtc link -T cs_6_5 -E main -validator-version 1.6 %t.a.dxil %t.b.dxil %t.c.dxil -Fo %T/linked.dxil
// RUN: %dxil-val %T/linked.dxil
// RUN: %rtc dis %T/linked.dxil | FileCheck %s
// RUN: %rtc -T lib_6_6 -default-linkage external -DA -Od -Zi -Qembed_debug %s -Fo %t.a.dxil
// RUN: %rtc -T lib_6_6 -default-linkage external -DB -Od -Zi -Qembed_debug %s -Fo %t.b.dxil
// RUN: %rtc -T lib_6_6 -default-linkage external -DC -Od -Zi -Qembed_debug %s -Fo %t.c.dxil
// RUN: %rtc link -T cs_6_6 -E main %t.a.dxil %t.b.dxil %t.c.dxil -Fo %T/linked.dxil
// RUN: %rtc dis %T/linked.dxil | FileCheck %s
// RUN: %rtc link -T lib_6_6 %t.a.dxil %t.b.dxil %t.c.dxil -Fo %t.whole.dxil
// RUN: %rtc validate %t.whole.dxil

// CHECK: %[[Q:[0-9]+]] = call i32 @dx.op.allocateRayQuery(i32 178, i32 1)
// CHECK: @dx.op.rayQuery_TraceRayInline(i32 179, i32 %[[Q]],
// CHECK: @dx.op.rayQuery_Proceed.i1(i32 180, i32 %[[Q]])
// CHECK: @dx.op.rayQuery_StateScalar.i32(i32 184, i32 %[[Q]])
typedef RayQuery<RAY_FLAG_FORCE_OPAQUE> Query;
void start(inout Query q, float3 from);
bool step(inout Query q);
uint found(Query q);
#ifdef A
RWByteAddressBuffer Out : register(u0);
[shader("compute")] [numthreads(1, 1, 1)] void main()
{
    Query q;
    start(q, asfloat(Out.Load3(0)));
    while (step(q)) ;
    Out.Store(12, found(q));
}
#endif
#ifdef B
RaytracingAccelerationStructure Scene : register(t0);
void start(inout Query q, float3 from)
{
    RayDesc ray = { from, 0, float3(0, 0, 1), 100 };
    q.TraceRayInline(Scene, RAY_FLAG_NONE, 0xff, ray);
}
bool step(inout Query q) { return q.Proceed() && found(q) < 3; }
#endif
#ifdef C
uint found(Query q) { return q.CommittedStatus() + 0; }
#endif
