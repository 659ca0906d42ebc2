// A ray generation shader is not divided if another shader reads the index of the dispatch: a launch of sorted rays has another.
// RUN: %rtc -T lib_6_9 -spirv -fspv-ser=wavefront %s -Fo %t.rtp 2>&1 | FileCheck %s
// RUN: %rtc dis %t.rtp | FileCheck %s --check-prefix=LOWERED
// CHECK: sorted-index.hlsl:[[#@LINE+6]]:{{.*}}`Hit`, which its rays may run, reads DispatchRaysIndex{{.*}}[W0925]
// LOWERED-NOT: Main.resume0
RaytracingAccelerationStructure Scene : register(t0);
RWByteAddressBuffer Out : register(u0);
struct [raypayload] Payload { uint n : read(caller) : write(caller, closesthit, miss); };
[shader("miss")] void Sky(inout Payload p) { p.n = 0; }
[shader("closesthit")] void Hit(inout Payload p, BuiltInTriangleIntersectionAttributes a) { p.n = DispatchRaysIndex().x + 1; }

[shader("raygeneration")] void Main()
{
    RayDesc ray = { float3(DispatchRaysIndex()), 0, float3(0, 0, 1), 100 };
    Payload p;
    p.n = 0;
    dx::HitObject h = dx::HitObject::TraceRay(Scene, RAY_FLAG_NONE, 0xff, 0, 1, 0, ray, p);
    dx::MaybeReorderThread(h);
    dx::HitObject::Invoke(h, p);
    Out.Store(4 * DispatchRaysIndex().x, p.n);
}
