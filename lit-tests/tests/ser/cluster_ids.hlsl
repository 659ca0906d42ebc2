// Where there are no clusters, every cluster id says so.
// rtc -T lib_6_10
// scene: Inputs/scene.toml
// RUN: %rtc-run %s -o %T -- -no-warnings -fspv-ser=lower
// RUN: %rtc-run %s -o %T -- -no-warnings -fspv-ser=lower -Od
// RUN: %rtc -T lib_6_10 -no-warnings %s -Fo %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc -Od -T lib_6_10 -no-warnings %s -Fo %t.od.dxil
// RUN: %llvm-verify %t.od.dxil
// RUN: %rtc -spirv -fspv-ser=nv -T lib_6_10 -no-warnings %s -Fo %t.nv.spv
// RUN: %spirv-val %t.nv.spv
// RUN: %rtc -spirv -fspv-ser=ext -T lib_6_10 -no-warnings %s -Fo %t.ext.spv
// RUN: %spirv-val %t.ext.spv
// RUN: %rtc -spirv -fspv-ser=lower -T lib_6_10 -no-warnings %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#define OWN_CLOSEST_A
#include "Inputs/ser.hlsli"

[shader("closesthit")] void ClosestA(inout Payload p, in BuiltInTriangleIntersectionAttributes a)
{
    TELL(CLOSEST_A);
    p.any = ClusterID();
}

[shader("raygeneration")] void Main()
{
    Payload p = fresh();
    dx::HitObject h = trace(to(thread() & 1 ? TRIANGLE : NOTHING), p), nop;
    IS(h.GetClusterID(), CLUSTER_ID_INVALID); IS(nop.GetClusterID(), 0xffffffff); IS(dx::HitObject::MakeMiss(0, 0, to(0)).GetClusterID(), CLUSTER_ID_INVALID);
    dx::HitObject::Invoke(h, p);
    IS(p.any, thread() & 1 ? CLUSTER_ID_INVALID : 0);
    done(4);
}
