// What an invocation of a hit object has run, where a condition says what the object is: `?:`, `&&`, `||`, `switch`, kinds of hits, variables.
// RUN: %rtc -T lib_6_9 -Wno-payload-access-perf -fdiagnostics-format=short %s -Fo %t.dxil 2>&1 | FileCheck %s
// CHECK-NOT: warning
RaytracingAccelerationStructure Scene : register(t0);
RWStructuredBuffer<float> Out : register(u1);
RayDesc ray() { RayDesc r = { float3(0, 0, 0), 0, float3(0, 0, 1), 9 }; return r; }
struct [raypayload] P { float c : read(caller) : write(closesthit); float m : read(caller) : write(miss); float b : read(caller) : write(closesthit, miss); };
dx::HitObject go(inout P p) { return dx::HitObject::TraceRay(Scene, 0, 0xff, 0, 1, 0, ray(), p); }
dx::HitObject either(inout P p, bool x) { if (x) return go(p); dx::HitObject k = dx::HitObject::TraceRay(Scene, 1, 0xff, 0, 1, 0, ray(), p); return k; }
bool hit(dx::HitObject h) { return h.IsHit(); }
bool missed(dx::HitObject h) { return !hit(h); }
bool by_reference(inout dx::HitObject h) { return h.IsHit(); }
bool early(dx::HitObject h) { if (h.IsMiss()) return false; return true; }
bool nested(dx::HitObject h, bool x) { if (x) { if (h.IsMiss()) return true; else return false; } return h.IsMiss(); }
bool sometimes(dx::HitObject h, bool x) { if (x) return h.IsMiss(); return false; }
bool by_kind(dx::HitObject h) { const uint k = h.GetHitKind(); return k != 0; }
bool copied(dx::HitObject h) { dx::HitObject g = h; bool r = g.IsHit(); return r; }
bool traced(inout P p) { dx::HitObject h = go(p); dx::HitObject::Invoke(h, p); return h.IsHit(); }
bool replaced(inout dx::HitObject h) { const bool r = h.IsHit(); h = dx::HitObject::MakeNop(); return r; }
bool another(dx::HitObject h, bool x) { if (x) return h.IsHit(); h = dx::HitObject::MakeNop(); return h.IsHit(); }
[shader("closesthit")] void C(inout P p, BuiltInTriangleIntersectionAttributes a) { p.c = 1; p.b = 2; }
[shader("miss")] void S(inout P p) { p.m = 1; p.b = 3; }
#define INVOKED P p; dx::HitObject h = go(p); dx::HitObject::Invoke(h, p)
[shader("raygeneration")] void Chosen()
{
    INVOKED;
    // CHECK: found_hits.hlsl:[[@LINE+1]]:{{.*}} warning: `p.m` is undefined when it is read {{.*}} [W0711]
    Out[0] = h.IsHit() ? p.m : 1;
    // CHECK: found_hits.hlsl:[[@LINE+1]]:{{.*}} warning: `p.c` is undefined when it is read {{.*}} [W0711]
    Out[1] = h.IsHit() ? 1 : p.c;
    Out[2] = h.IsHit() ? p.c : p.m;
    Out[3] = select(h.IsMiss(), p.m, p.c);
    // CHECK: found_hits.hlsl:[[@LINE+1]]:{{.*}} warning: `p.c` is undefined when it is read {{.*}} [W0711]
    Out[4] = select(h.IsMiss(), p.c, 1);
}
[shader("raygeneration")] void Switch()
{
    INVOKED;
    switch (h.IsHit())
    {
        case true: Out[0] = p.c; break;
        default: Out[0] = p.m;
    }
    switch (h.IsHit())
    {
    // CHECK: found_hits.hlsl:[[@LINE+1]]:{{.*}} warning: `p.m` is undefined when it is read {{.*}} [W0711]
        case true: Out[0] = p.m; break;
    // CHECK: found_hits.hlsl:[[@LINE+1]]:{{.*}} warning: `p.c` is undefined when it is read {{.*}} [W0711]
        default: Out[0] = p.c;
    }
}
[shader("raygeneration")] void SwitchOfKinds()
{
    INVOKED;
    switch (h.GetHitKind())
    {
    // CHECK: found_hits.hlsl:[[@LINE+1]]:{{.*}} warning: `p.m` is undefined when it is read {{.*}} [W0711]
        case 254: case 255: Out[0] = p.m; break;
        default: Out[0] = p.b;
    }
}
[shader("raygeneration")] void And()
{
    INVOKED;
    if (h.IsHit() && Out[3] > 1) Out[0] = p.c;
    // CHECK: found_hits.hlsl:[[@LINE+1]]:{{.*}} warning: `p.m` is undefined when it is read {{.*}} [W0711]
    if (Out[3] > 1 && h.IsHit()) Out[0] = p.m;
    if (!(h.IsMiss() || Out[3] > 2)) Out[1] = p.c + p.b;
    if (h.IsHit() == true) Out[1] = p.c;
    // CHECK: found_hits.hlsl:[[@LINE+1]]:{{.*}} warning: `p.c` is undefined when it is read {{.*}} [W0711]
    if (h.IsHit() == false) Out[1] = p.c;
}
[shader("raygeneration")] void Or()
{
    INVOKED;
    // CHECK: found_hits.hlsl:[[@LINE+1]]:{{.*}} warning: `p.m` is undefined when it is read {{.*}} [W0711]
    if (!(h.IsMiss() || Out[3] > 2)) Out[1] = p.m;
    else Out[2] = p.b;
}
[shader("raygeneration")] void Kinds()
{
    INVOKED;
    // CHECK: found_hits.hlsl:[[@LINE+1]]:{{.*}} warning: `p.m` is undefined when it is read {{.*}} [W0711]
    if (h.GetHitKind() == HIT_KIND_TRIANGLE_FRONT_FACE) Out[0] = p.m;
    if (h.GetHitKind() != 0) Out[0] = p.c;
    const uint kind = h.GetHitKind();
    // CHECK: found_hits.hlsl:[[@LINE+1]]:{{.*}} warning: `p.m` is undefined when it is read {{.*}} [W0711]
    if (kind > 100) Out[0] = p.m;
    if (kind >= 100) Out[0] = p.c;
}
[shader("raygeneration")] void NoKind()
{
    INVOKED;
    if (h.GetHitKind() == 0) Out[0] = p.b;
    // CHECK: found_hits.hlsl:[[@LINE+1]]:{{.*}} warning: `p.m` is undefined when it is read {{.*}} [W0711]
    else Out[1] = p.m;
}
[shader("raygeneration")] void Functions()
{
    INVOKED;
    if (hit(h)) Out[0] = p.c; else Out[0] = p.m;
    if (missed(h)) Out[0] = p.m; else Out[0] = p.c;
    // CHECK: found_hits.hlsl:[[@LINE+1]]:{{.*}} warning: `p.m` is undefined when it is read {{.*}} [W0711]
    if (h.IsHit()) Out[0] = p.m;
}
[shader("raygeneration")] void FunctionHit()
{
    INVOKED;
    // CHECK: found_hits.hlsl:[[@LINE+1]]:{{.*}} warning: `p.m` is undefined when it is read {{.*}} [W0711]
    if (hit(h)) Out[0] = p.m;
    // CHECK: found_hits.hlsl:[[@LINE+1]]:{{.*}} warning: `p.c` is undefined when it is read {{.*}} [W0711]
    if (missed(h)) Out[0] = p.c;
    // CHECK: found_hits.hlsl:[[@LINE+1]]:{{.*}} warning: `p.c` is undefined when it is read {{.*}} [W0711]
    if (sometimes(h, Out[3] > 1)) Out[0] = p.c; else Out[0] = p.m;
}
[shader("raygeneration")] void FunctionEarly()
{
    INVOKED;
    // CHECK: found_hits.hlsl:[[@LINE+1]]:{{.*}} warning: `p.m` is undefined when it is read {{.*}} [W0711]
    if (early(h)) Out[0] = p.m; else Out[1] = p.m;
    // CHECK: found_hits.hlsl:[[@LINE+1]]:{{.*}} warning: `p.c` is undefined when it is read {{.*}} [W0711]
    if (nested(h, Out[3] > 2)) Out[0] = p.c; else Out[1] = p.c;
}
[shader("raygeneration")] void FunctionKind()
{
    INVOKED;
    // CHECK: found_hits.hlsl:[[@LINE+1]]:{{.*}} warning: `p.m` is undefined when it is read {{.*}} [W0711]
    if (by_kind(h)) Out[0] = p.m;
}
[shader("raygeneration")] void FunctionCopied()
{
    INVOKED;
    const bool r = copied(h);
    // CHECK: found_hits.hlsl:[[@LINE+1]]:{{.*}} warning: `p.m` is undefined when it is read {{.*}} [W0711]
    if (r && Out[2] > 1) Out[0] = p.m;
}
[shader("raygeneration")] void FunctionReference()
{
    INVOKED;
    // CHECK: found_hits.hlsl:[[@LINE+1]]:{{.*}} warning: `p.m` is undefined when it is read {{.*}} [W0711]
    if (by_reference(h)) Out[0] = p.m;
}
[shader("raygeneration")] void FunctionTraces()
{
    P p; P q;
    // CHECK: found_hits.hlsl:[[@LINE+1]]:{{.*}} warning: `p.m` is undefined when it is read {{.*}} [W0711]
    if (traced(p)) Out[0] = p.m;
    if (traced(q)) Out[1] = q.c; else Out[1] = q.m;
    for (int i = 0; i < 3; i++) { P r; if (traced(r)) Out[i] = r.c; else Out[i] = r.m; }
}
[shader("raygeneration")] void FunctionsThatSayNothing()
{
    INVOKED;
    if (sometimes(h, Out[3] > 1)) Out[0] = p.m;
    if (another(h, Out[3] > 1)) Out[0] = p.c;
    if (early(h)) Out[0] = p.c; else Out[0] = p.m;
    if (nested(h, Out[3] > 1)) Out[0] = p.m; else Out[0] = p.c;
    if (replaced(h)) Out[1] = p.c;
}
[shader("raygeneration")] void Returned()
{
    P p; dx::HitObject h = either(p, Out[2] > 3); dx::HitObject::Invoke(h, p);
    if (h.IsHit()) Out[0] = p.c;
    if (h.IsMiss()) Out[0] = p.m;
    // CHECK: found_hits.hlsl:[[@LINE+1]]:{{.*}} warning: `p.c` is undefined when it is read {{.*}} [W0711]
    if (h.IsMiss()) Out[0] = p.c;
}
[shader("raygeneration")] void Variables()
{
    P p; dx::HitObject h = go(p); const bool found = h.IsHit(), more = Out[2] > 3; dx::HitObject::Invoke(h, p);
    if (found && more) Out[0] = p.c;
    // CHECK: found_hits.hlsl:[[@LINE+1]]:{{.*}} warning: `p.m` is undefined when it is read {{.*}} [W0711]
    if (found && more) Out[0] = p.m;
    const bool none = !found;
    if (none) Out[1] = p.m;
    // CHECK: found_hits.hlsl:[[@LINE+1]]:{{.*}} warning: `p.c` is undefined when it is read {{.*}} [W0711]
    if (none) Out[1] = p.c;
}
[shader("raygeneration")] void Early()
{
    INVOKED;
    if (h.IsHit()) return;
    Out[0] = p.m;
    // CHECK: found_hits.hlsl:[[@LINE+1]]:{{.*}} warning: `p.c` is undefined when it is read {{.*}} [W0711]
    Out[1] = p.c;
}
[shader("raygeneration")] void AnotherObject()
{
    INVOKED;
    const bool found = h.IsHit();
    h = go(p);
    dx::HitObject::Invoke(h, p);
    if (found) Out[0] = p.m;
    if (h.IsHit()) Out[0] = p.c;
    h = go(p);
    if (h.IsMiss()) Out[0] = 5;
}
[shader("raygeneration")] void BothSides()
{
    INVOKED;
    if (h.IsHit()) Out[0] = p.c;
    if (h.IsMiss()) Out[1] = p.m;
    // CHECK: found_hits.hlsl:[[@LINE+1]]:{{.*}} warning: `p.m` is undefined when it is read {{.*}} [W0711]
    while (h.IsHit() && Out[3] < 2) Out[0] = p.m;
}
