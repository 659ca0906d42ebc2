// Hit objects: trace and invoke together have the qualifiers of a plain trace, where reads of later stages count as the caller's after
// HitObject::TraceRay, and writes of any-hit shaders as the caller's in front of HitObject::Invoke.
// RUN: %rtc paq -T lib_6_9 %s | FileCheck %s
// RUN: cp %s %t.hlsl
// RUN: %rtc paq -T lib_6_9 -fix %t.hlsl
// RUN: %rtc -T lib_6_9 -WX %t.hlsl -Fo %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc dis %t.dxil | FileCheck --check-prefix=DXIL %s
RaytracingAccelerationStructure Scene : register(t0);
RWByteAddressBuffer Out : register(u0);
struct P { float alpha; float color; uint seed; float tmp; float peek; };
[shader("raygeneration")] void Rg()
{
    P p; p.seed = 7; p.alpha = 1; p.tmp = 3;
    RayDesc r; r.Origin = 0; r.TMin = 0; r.Direction = float3(0, 0, 1); r.TMax = 1;
    dx::HitObject h = dx::HitObject::TraceRay(Scene, RAY_FLAG_NONE, 255, 0, 0, 0, r, p);
    Out.Store(16, p.peek);
    dx::MaybeReorderThread(h);
    dx::HitObject::Invoke(h, p);
    Out.Store(0, p.color + p.tmp);
}
[shader("anyhit")] void Ah(inout P p, BuiltInTriangleIntersectionAttributes a) { p.alpha *= 0.5; p.peek = 3; }
[shader("closesthit")] void Ch(inout P p, BuiltInTriangleIntersectionAttributes a) { p.color = p.seed * p.alpha + p.peek; }
[shader("miss")] void Ms(inout P p) { p.color = 0.5; }
// CHECK: float alpha : read(anyhit, closesthit) : write(caller, anyhit);
// CHECK: float color : read(caller) : write(closesthit, miss);
// CHECK: uint seed : read(closesthit) : write(caller);
// CHECK: float tmp : read(caller) : write(caller);
// CHECK: float peek : read(closesthit) : write(anyhit);
// CHECK: color: read(caller): `Rg` reads it after the trace
// DXIL: !dx.dxrPayloadAnnotations
// DXIL: {i32 0, i32 12306}
