// The flags of the ray in shaders that a hit object runs: those it was traced or made with. NV's extension does not hand them on, and
// what a device then has there differs, so it is refused.
// rtc -T lib_6_9
// scene: Inputs/scene.toml
// RUN: %rtc -T lib_6_9 -no-warnings %s -Fo %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: not %rtc -spirv -fspv-ser=nv -T lib_6_9 -no-warnings -fdiagnostics-format=short %s 2>&1 | FileCheck %s
// RUN: %rtc -spirv -fspv-ser=ext -T lib_6_9 -no-warnings %s -Fo %t.ext.spv
// RUN: %spirv-val %t.ext.spv
// RUN: %rtc-run %s -o %T -- -no-warnings -fspv-ser=lower
// RUN: %rtc-run %s -o %T -- -no-warnings -fspv-ser=lower -Od
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
// CHECK: invoked_ray_flags.hlsl:[[#@LINE+6]]:{{.*}}E0920
#define OWN_CLOSEST_B
#define OWN_MISS_A
#include "Inputs/ser.hlsli"

[shader("closesthit")] void ClosestB(inout Payload p, in BuiltInTriangleIntersectionAttributes a) { TELL(CLOSEST_B); p.any = RayFlags(); }
[shader("miss")] void MissA(inout Payload p) { TELL(MISS_A); p.any = RayFlags(); }

[shader("raygeneration")] void Main()
{
    Payload p = fresh(), q = fresh(), m = fresh();
    RayDesc ray = { float3(1, 2, 3), 0.25, float3(0, 3, 0), 70 };
    dx::HitObject::Invoke(dx::HitObject::MakeMiss(RAY_FLAG_CULL_NON_OPAQUE, 0, ray), m);
    dx::HitObject h = dx::HitObject::TraceRay(Scene, RAY_FLAG_FORCE_OPAQUE | RAY_FLAG_CULL_BACK_FACING_TRIANGLES, 0xff, 0, 1, 0, to(TURNED), p);
    TraceRay(Scene, RAY_FLAG_CULL_BACK_FACING_TRIANGLES, 0xff, 0, 1, 0, to(TURNED), q);
    dx::HitObject::Invoke(h, p);
    IS(p.any, 0x11); IS(q.any, 0x10); IS(m.any, RAY_FLAG_CULL_NON_OPAQUE);
    done(3);
}
