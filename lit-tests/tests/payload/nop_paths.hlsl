// A hit object that is a nop on some paths: what shaders write is undefined there after its invocation, and what they read need not be given.
// RUN: %rtc -T lib_6_9 -Wno-payload-access-perf %s -Fo %t.dxil 2>&1 | FileCheck %s
// CHECK-NOT: warning
RaytracingAccelerationStructure Scene : register(t0);
RWStructuredBuffer<float> Out : register(u1);
RayDesc ray() { RayDesc r = { float3(0, 0, 0), 0, float3(0, 0, 1), 9 }; return r; }
struct [raypayload] P { float c : read(caller) : write(closesthit, miss); float hit : read(caller) : write(closesthit); };
struct [raypayload] Q { float gi : read(closesthit) : write(caller); float c : read(caller) : write(closesthit, miss); };
dx::HitObject traced(inout P p) { return dx::HitObject::TraceRay(Scene, 0, 255, 0, 1, 0, ray(), p); }
dx::HitObject perhaps(inout P p, bool now) { if (now) return traced(p); return dx::HitObject(); }

[shader("raygeneration")] void Right()
{
    P p; dx::HitObject h; bool now = Out[1] > 3;
    if (now) h = traced(p);
    dx::HitObject::Invoke(h, p);
    if (now) Out[0] = p.c;
    if (!h.IsNop()) Out[0] += p.c;
    if (h.IsHit()) Out[0] += p.hit;
}
[shader("raygeneration")] void InLoop()
{
    P p;
    for (uint i = 0; i < Out[2]; ++i) { dx::HitObject h; if (i & 1) h = traced(p); else h = traced(p); dx::HitObject::Invoke(h, p); Out[i] = p.c; }
}
[shader("raygeneration")] void InArray()
{
    P p; dx::HitObject h[2];
    for (uint i = 0; i < 2; ++i) h[i] = traced(p);
    dx::HitObject::Invoke(h[uint(Out[3]) & 1], p);
    Out[0] = p.c;
}
[shader("raygeneration")] void NeededByHits()
{
    Q q; dx::HitObject h = dx::HitObject::TraceRay(Scene, 0, 255, 0, 1, 1, ray(), q);
    if (h.IsHit()) q.gi = 3;
    dx::HitObject::Invoke(h, q);
    Out[0] = q.c;
}
[shader("raygeneration")] void NeededByHitsAsAVariableSays()
{
    Q q; dx::HitObject h = dx::HitObject::TraceRay(Scene, 0, 255, 0, 1, 1, ray(), q);
    const bool hit = h.IsHit(), other = !hit;
    if (Out[3] > 1) Out[4] = 1;
    if (!other) q.gi = 3;
    dx::HitObject::Invoke(h, q);
    Out[0] = q.c;
}
[shader("raygeneration")] void NeededByHitsInLoops()
{
    for (uint i = 0; i < Out[2]; ++i)
    {
        Q q; dx::HitObject h = dx::HitObject::TraceRay(Scene, 0, 255, 0, 1, 1, ray(), q);
        bool hit = h.IsHit();
        if (hit) q.gi = 3;
        dx::HitObject::Invoke(h, q);
        Out[i] = q.c;
    }
}
[shader("raygeneration")] void AVariableOfAnother()
{
    Q q; dx::HitObject h = dx::HitObject::TraceRay(Scene, 0, 255, 0, 1, 1, ray(), q);
    bool hit = h.IsHit();
    h = dx::HitObject::TraceRay(Scene, 0, 255, 0, 1, 1, ray(), q);
    if (hit) q.gi = 3;
    // CHECK: nop_paths.hlsl:[[@LINE+1]]:{{.*}} warning: `gi` is passed to this trace uninitialised {{.*}} [W0715]
    dx::HitObject::Invoke(h, q);
    Out[0] = q.c;
}
[shader("raygeneration")] void AVariableOfTheIterationBefore()
{
    Q q; q.gi = 1; bool hit = true; dx::HitObject h;
    for (uint i = 0; i < Out[2]; ++i)
    {
        h = dx::HitObject::TraceRay(Scene, 0, 255, 0, 1, 1, ray(), q);
        if (hit) q.gi = 3;
        hit = h.IsHit();
        // CHECK: nop_paths.hlsl:[[@LINE+1]]:{{.*}} warning: `gi` is {{.*}} [W0714]
        dx::HitObject::Invoke(h, q);
        Out[i] = q.c;
    }
}
[shader("raygeneration")] void NeededByOthers()
{
    Q q; dx::HitObject h = dx::HitObject::TraceRay(Scene, 0, 255, 0, 1, 1, ray(), q);
    if (h.IsMiss()) q.gi = 3;
    // CHECK: nop_paths.hlsl:[[@LINE+1]]:{{.*}} warning: `gi` is passed to this trace uninitialised {{.*}} [W0715]
    dx::HitObject::Invoke(h, q);
    Out[0] = q.c;
}
[shader("raygeneration")] void Perhaps()
{
    P p; dx::HitObject h;
    if (Out[1] > 3) h = traced(p);
    dx::HitObject::Invoke(h, p);
    // CHECK: nop_paths.hlsl:[[@LINE+1]]:{{.*}} warning: `p.c` is undefined when it is read {{.*}} [W0711]
    Out[0] = p.c;
}
[shader("raygeneration")] void OfFunction()
{
    P p; dx::HitObject h = perhaps(p, Out[1] > 3);
    dx::HitObject::Invoke(h, p);
    // CHECK: nop_paths.hlsl:[[@LINE+1]]:{{.*}} warning: `p.c` is undefined when it is read {{.*}} [W0711]
    Out[0] = p.c;
}
[shader("raygeneration")] void OneMisses()
{
    P p; dx::HitObject h = dx::HitObject::MakeMiss(0, 0, ray());
    if (Out[1] > 3) h = traced(p);
    dx::HitObject::Invoke(h, p);
    Out[1] = p.c;
    // By `c` the miss shader says that this is not to be read.
    if (p.c > 0) Out[0] = p.hit;
}
// CHECK-NOT: warning
[shader("closesthit")] void Hit(inout P p, in BuiltInTriangleIntersectionAttributes a) { p.c = p.hit = 1; }
[shader("miss")] void Sky(inout P p) { p.c = 0; }
[shader("closesthit")] void HitOfQ(inout Q q, in BuiltInTriangleIntersectionAttributes a) { q.c = q.gi; }
[shader("miss")] void SkyOfQ(inout Q q) { q.c = 0; }
