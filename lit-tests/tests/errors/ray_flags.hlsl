struct P { float4 a; };
RaytracingAccelerationStructure Scene : register(t0); RWByteAddressBuffer Out : register(u0);
static const uint Both = RAY_FLAG_CULL_FRONT_FACING_TRIANGLES | RAY_FLAG_CULL_BACK_FACING_TRIANGLES;
[shader("raygeneration")] void Main()
{
    RayDesc r = { float3(0, 0, 0), 0, float3(0, 0, 1), 100 }; P p; p.a = 0;
    TraceRay(Scene, RAY_FLAG_FORCE_OPAQUE | RAY_FLAG_FORCE_NON_OPAQUE, 255, 0, 0, 0, r, p);
    TraceRay(Scene, Both, 255, 0, 0, 0, r, p);
    TraceRay(Scene, RAY_FLAG_SKIP_CLOSEST_HIT_SHADER | RAY_FLAG_ACCEPT_FIRST_HIT_AND_END_SEARCH, 255, 0, 0, 0, r, p);
    RayQuery<RAY_FLAG_SKIP_TRIANGLES | RAY_FLAG_SKIP_PROCEDURAL_PRIMITIVES> nothing;
    RayQuery<RAY_FLAG_CULL_OPAQUE> q;
    q.TraceRayInline(Scene, RAY_FLAG_FORCE_OPAQUE, 255, r);
    q.TraceRayInline(Scene, RAY_FLAG_SKIP_CLOSEST_HIT_SHADER, 255, r);
    q.TraceRayInline(Scene, RAY_FLAG_FORCE_OMM_2_STATE, 255, r);
    q.TraceRayInline(Scene, 0x1000, 255, r);
    q.TraceRayInline(Scene, Out.Load(0), 255, r);
    RayQuery<RAY_FLAG_FORCE_OMM_2_STATE> micromaps;
    Out.Store4(0, p.a + q.CommittedStatus());
}
// RUN: %rtc -T lib_6_6 -Wno-error=ray-flags -fdiagnostics-format=short %s -Fo %t.dxil 2>&1 | FileCheck %s
// RUN: test -e %t.dxil
// CHECK: ray_flags.hlsl:7:21: warning: `RAY_FLAG_FORCE_OPAQUE` and `RAY_FLAG_FORCE_NON_OPAQUE` are mutually exclusive: what the ray does is undefined [-Wray-flags] [W0650]
// CHECK: ray_flags.hlsl:8:21: warning: `RAY_FLAG_CULL_BACK_FACING_TRIANGLES` and `RAY_FLAG_CULL_FRONT_FACING_TRIANGLES` are mutually exclusive
// CHECK-NOT: hlsl:9:
// CHECK: ray_flags.hlsl:10:5: warning: `RAY_FLAG_SKIP_TRIANGLES` and `RAY_FLAG_SKIP_PROCEDURAL_PRIMITIVES` are mutually exclusive
// CHECK: ray_flags.hlsl:12:29: warning: `RAY_FLAG_FORCE_OPAQUE` and `RAY_FLAG_CULL_OPAQUE` are mutually exclusive
// CHECK: ray_flags.hlsl:13:29: warning: `RAY_FLAG_SKIP_CLOSEST_HIT_SHADER` is not allowed in a ray query, which runs no shaders [-Wray-flags] [W0651]
// CHECK: ray_flags.hlsl:14:29: warning: `RAY_FLAG_FORCE_OMM_2_STATE` requires shader model 6.9, but the target is 6.6 [-Wray-flags] [W0653]
// CHECK: ray_flags.hlsl:15:29: warning: unknown ray flags 0x1000
// CHECK: ray_flags.hlsl:17:5: warning: `RAY_FLAG_FORCE_OMM_2_STATE` has no effect without `RAYQUERY_FLAG_ALLOW_OPACITY_MICROMAPS` [-Wray-flags] [W0652]
// CHECK: ray_flags.hlsl:17:5: warning: `RAY_FLAG_FORCE_OMM_2_STATE` requires shader model 6.9
// CHECK: ray_flags.hlsl:14:5: warning: `RAY_FLAG_FORCE_OMM_2_STATE` has no effect without `RAYQUERY_FLAG_ALLOW_OPACITY_MICROMAPS` [-Wray-flags] [W0652]
// CHECK-NOT: warning
// RUN: not %rtc -T lib_6_6 -fdiagnostics-format=short %s -Fo %t.never.dxil 2>&1 | FileCheck %s --check-prefix=ERR
// ERR: ray_flags.hlsl:7:21: warning:
// ERR: ray_flags.hlsl:13:29: warning: `RAY_FLAG_SKIP_CLOSEST_HIT_SHADER` is not allowed in a ray query, which runs no shaders [-Wray-flags] [W0651]
// ERR: ray_flags.hlsl:14:29: warning: `RAY_FLAG_FORCE_OMM_2_STATE` requires shader model 6.9, but the target is 6.6
