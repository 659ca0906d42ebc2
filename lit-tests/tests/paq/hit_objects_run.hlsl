// What an invocation of a hit object may do: one that HitObject::TraceRay made runs a shader, so the payload needs no value before, in loops,
// after conditions, out of functions and arrays. A nop, or what a ray query committed, runs none.
// RUN: %rtc paq -T lib_6_9 %s | FileCheck %s
// RUN: cp %s %t.hlsl
// RUN: %rtc paq -T lib_6_9 -fix %t.hlsl
// RUN: %rtc -T lib_6_9 -WX -Werror=payload-access-trace %t.hlsl -Fo %t.dxil
// RUN: %rtc -T lib_6_9 -spirv -payload-layout=packed %t.hlsl -Fo %t.rtp
RaytracingAccelerationStructure Scene : register(t0);
RWStructuredBuffer<float> Out : register(u1);
TriangleHitGroup Group = { "", "Hit" };
struct Loop { float c; };
struct Function { float c; };
struct Array { float c; };
struct Either { float c; };
struct Asked { float c; };
struct Nothing { float c; };
struct Perhaps { float c; };
struct Named { float c; };
struct Query { float c; };
// CHECK: struct [raypayload] Function
// CHECK-NEXT: {
// CHECK-NEXT: float c : read(caller) : write(closesthit, miss);
// CHECK: struct [raypayload] Loop
// CHECK-NEXT: {
// CHECK-NEXT: float c : read(caller) : write(closesthit, miss);
// CHECK: struct [raypayload] Array
// CHECK-NEXT: {
// CHECK-NEXT: float c : read(caller) : write(closesthit, miss);
// CHECK: struct [raypayload] Either
// CHECK-NEXT: {
// CHECK-NEXT: float c : read(caller) : write(closesthit, miss);
// CHECK: struct [raypayload] Asked
// CHECK-NEXT: {
// CHECK-NEXT: float c : read(caller) : write(closesthit, miss);
// CHECK: struct [raypayload] Nothing
// CHECK-NEXT: {
// CHECK-NEXT: float c : read(caller) : write(caller, closesthit, miss);
// CHECK: struct [raypayload] Perhaps
// CHECK-NEXT: {
// CHECK-NEXT: float c : read(caller) : write(caller, closesthit, miss);
// CHECK: struct [raypayload] Named
// CHECK-NEXT: {
// CHECK-NEXT: float c : read(caller) : write(caller, closesthit, miss);
// CHECK: struct [raypayload] Query
// CHECK-NEXT: {
// CHECK-NEXT: float c : read(caller) : write(caller, closesthit, miss);

RayDesc ray() { RayDesc r = { float3(0, 0, 0), 0, float3(0, 0, 1), 100 }; return r; }
#define TRACE(p) dx::HitObject::TraceRay(Scene, 0, 0xff, 0, 1, 0, ray(), p)
dx::HitObject made(inout Function p) { return TRACE(p); }
[shader("raygeneration")] void InLoop()
{
    Loop p; float sum = 0;
    for (uint i = 0; i < 3; ++i) { dx::HitObject h = TRACE(p); dx::HitObject::Invoke(h, p); sum += p.c; }
    Out[0] = sum;
}
[shader("raygeneration")] void InFunction()
{
    Function p; float sum = 0;
    for (uint i = 0; i < Out[9]; ++i) { dx::HitObject::Invoke(made(p), p); sum += p.c; }
    Out[1] = sum;
}
[shader("raygeneration")] void InArray()
{
    Array p; float sum = 0;
    for (uint k = 0; k < Out[9]; ++k)
    {
        dx::HitObject h[2];
        h[1] = dx::HitObject::MakeMiss(0, 1, ray());
        h[0] = TRACE(p);
        dx::HitObject::Invoke(h[k & 1], p);
        sum += p.c;
    }
    Out[2] = sum;
}
[shader("raygeneration")] void OneOfTwo()
{
    Either p; float sum = 0; dx::HitObject h;
    for (uint k = 0; k < Out[9]; ++k)
    {
        if (Out[k] > 1) h = TRACE(p); else h = dx::HitObject::MakeMiss(0, 1, ray());
        dx::HitObject::Invoke(h, p); sum += p.c;
    }
    Out[3] = sum;
}
[shader("raygeneration")] void Ask()
{
    Asked p; float sum = 0;
    for (uint k = 0; k < Out[9]; ++k)
    {
        dx::HitObject h;
        bool traced = Out[k] > 1;
        if (traced) h = TRACE(p);
        if (!h.IsNop()) { dx::HitObject::Invoke(h, p); sum += p.c; }
        if (traced) { dx::HitObject::Invoke(h, p); sum += p.c; }
    }
    Out[4] = sum;
}
[shader("raygeneration")] void Nop()
{
    Nothing p; p.c = 3; dx::HitObject h;
    dx::HitObject::Invoke(h, p);
    Out[5] = p.c;
}
[shader("raygeneration")] void Unknown()
{
    Perhaps p; p.c = 4; dx::HitObject h;
    if (Out[3] > 1) h = TRACE(p);
    dx::HitObject::Invoke(h, p);
    Out[6] = p.c;
}
[shader("raygeneration")] void MissAlone()
{
    Named p; p.c = 4; dx::HitObject h = dx::HitObject::MakeMiss(0, 1, ray());
    if (Out[3] > 1) h = dx::HitObject::MakeNop();
    dx::HitObject::Invoke(h, p);
    Out[7] = p.c;
}
[shader("raygeneration")] void OfQuery()
{
    Query p; p.c = 5; RayQuery<0> q;
    q.TraceRayInline(Scene, 0, 0xff, ray()); q.Proceed();
    dx::HitObject h = dx::HitObject::FromRayQuery(q);
    h.SetShaderTableIndex(0);
    dx::HitObject::Invoke(h, p);
    Out[8] = p.c;
}
[shader("closesthit")] void Hit(inout Loop p, in BuiltInTriangleIntersectionAttributes a) { p.c = 1; }
[shader("miss")] void Sky(inout Loop p) { p.c = 2; }
#define BOTH(T) [shader("closesthit")] void Hit##T(inout T p, in BuiltInTriangleIntersectionAttributes a) { p.c = 1; } [shader("miss")] void Sky##T(inout T p) { p.c = 2; }
BOTH(Function) BOTH(Array) BOTH(Either) BOTH(Asked) BOTH(Nothing) BOTH(Perhaps) BOTH(Named) BOTH(Query)
