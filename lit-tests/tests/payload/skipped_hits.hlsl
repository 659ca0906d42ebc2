// A trace whose flags skip closest-hit shaders runs none: what they alone write is undefined afterwards.
// RUN: %rtc -T lib_6_7 -Wno-payload-access-perf %s -Fo %t.dxil 2>&1 | FileCheck %s
// RUN: %rtc -T lib_6_7 -Wno-payload-access-perf %s -Fo %t.dxil 2>&1 | FileCheck --check-prefix=NOTE %s
// CHECK-NOT: warning
struct [raypayload] P
{
    float hit : read(caller) : write(closesthit);
    float kept : read(caller) : write(caller, closesthit);
    float any : read(caller) : write(closesthit, anyhit);
    float either : read(caller) : write(closesthit, miss);
};
RaytracingAccelerationStructure Scene : register(t0);
RWStructuredBuffer<float> Out : register(u1);
cbuffer C { uint flags; }
RayDesc ray() { RayDesc r = { float3(0, 0, 0), 0, float3(0, 0, 1), 9 }; return r; }
static const uint Shadow = RAY_FLAG_ACCEPT_FIRST_HIT_AND_END_SEARCH | RAY_FLAG_SKIP_CLOSEST_HIT_SHADER;

[shader("raygeneration")] void Runs()
{
    P p; p.kept = 1;
    TraceRay(Scene, RAY_FLAG_ACCEPT_FIRST_HIT_AND_END_SEARCH, 255, 0, 1, 0, ray(), p);
    Out[0] = p.hit + p.kept + p.any + p.either;
    TraceRay(Scene, flags, 255, 0, 1, 0, ray(), p);
    Out[0] = p.hit + p.kept + p.any + p.either;
    TraceRay(Scene, flags | Shadow, 255, 0, 1, 0, ray(), p);
    Out[0] = p.hit;
}
[shader("raygeneration")] void Skips()
{
    P p; p.kept = 1;
    TraceRay(Scene, Shadow, 255, 0, 1, 0, ray(), p);
    Out[0] = p.kept + p.any + p.either;
    // CHECK: skipped_hits.hlsl:[[@LINE+1]]:{{.*}} warning: `p.hit` is undefined when it is read {{.*}} [W0711]
    Out[1] = p.hit;
    // NOTE: note: `hit` is `write(closesthit) : read(caller)`: TraceRay runs anyhit and miss shaders only, which do not write it
}
[shader("raygeneration")] void Chosen()
{
    P p; p.kept = 1;
    bool shadow = Out[9] > 1;
    uint all = RAY_FLAG_SKIP_CLOSEST_HIT_SHADER;
    if (shadow) TraceRay(Scene, all, 255, 0, 1, 0, ray(), p);
    else TraceRay(Scene, 0, 255, 0, 1, 0, ray(), p);
    if (!shadow) Out[0] = p.hit;
    // CHECK: skipped_hits.hlsl:[[@LINE+1]]:{{.*}} warning: `p.hit` is undefined when it is read {{.*}} [W0711]
    if (shadow) Out[1] = p.hit;
}
// CHECK-NOT: warning
[shader("anyhit")] void Any(inout P p, in BuiltInTriangleIntersectionAttributes a) { p.any = 2; }
[shader("closesthit")] void Hit(inout P p, in BuiltInTriangleIntersectionAttributes a) { p.hit = p.kept = p.any = p.either = 1; }
[shader("miss")] void Sky(inout P p) { p.either = 0; }
