using namespace dx;
RaytracingAccelerationStructure Scene : register(t0);
RWByteAddressBuffer Out : register(u0);
struct P { float3 c; };
[shader("raygeneration")]
void Main() {
  P p = (P)0;
  uint id = DispatchRaysIndex().x;
  RayDesc ray = { float3(id, 0, 0), 0, float3(0, 0, 1), 1 };
  // Three calls, one instruction; a hint alone.
  HitObject hit = HitObject::TraceRay(Scene, 0, 255, 0, 1, 0, ray, p);
  MaybeReorderThread(hit, id & 15, 4);
  HitObject::Invoke(hit, p);
  MaybeReorderThread(id, 3);
  // The nearest of several: two variables that take turns, and nothing is copied.
  HitObject best;
  for (uint n = 0; n < 4; ++n) {
    ray.Origin.x += 1;
    HitObject h = HitObject::TraceRay(Scene, 0, 255, 0, 1, 0, ray, p);
    if (best.IsNop() || h.GetRayTCurrent() < best.GetRayTCurrent()) best = h;
  }
  HitObject::Invoke(best, p);
  Out.Store3(id * 12, asuint(p.c));
}
// RUN: %rtc -T lib_6_9 -spirv -fspv-ser=ext -disable-payload-qualifiers %s | FileCheck --check-prefix=EXT %s
// RUN: %rtc -T lib_6_9 -spirv -fspv-extension=SPV_KHR_ray_tracing -fspv-extension=SPV_EXT_shader_invocation_reorder -disable-payload-qualifiers %s | FileCheck --check-prefix=EXT %s
// EXT: OpCapability ShaderInvocationReorderEXT
// EXT: OpExtension "SPV_EXT_shader_invocation_reorder"
// EXT: OpHitObjectTraceReorderExecuteEXT
// EXT: OpReorderThreadWithHintEXT
// EXT-COUNT-2: OpHitObjectTraceRayEXT
// EXT-NOT: OpHitObjectTraceRayEXT
// EXT: OpHitObjectExecuteShaderEXT
// RUN: %rtc -T lib_6_9 -spirv -fspv-ser=nv -disable-payload-qualifiers %s | FileCheck --check-prefix=NV %s
// RUN: %rtc -T lib_6_9 -spirv -fspv-extension=SPV_NV_shader_invocation_reorder -disable-payload-qualifiers %s | FileCheck --check-prefix=NV %s
// NV: OpCapability ShaderInvocationReorderNV
// NV: OpExtension "SPV_NV_shader_invocation_reorder"
// NV: OpHitObjectTraceRayNV
// NV: OpReorderThreadWithHitObjectNV
// NV: OpHitObjectExecuteShaderNV
// NV: OpReorderThreadWithHintNV
// Without a word about extensions no device has to have one.
// RUN: %rtc -T lib_6_9 -spirv -disable-payload-qualifiers %s | FileCheck --check-prefix=LOWER %s
// RUN: %rtc -T lib_6_9 -spirv -fspv-ser=lower -disable-payload-qualifiers %s | FileCheck --check-prefix=LOWER %s
// RUN: %rtc -T lib_6_9 -spirv -fspv-extension=SPV_KHR_ray_tracing -disable-payload-qualifiers %s | FileCheck --check-prefix=LOWER %s
// LOWER-NOT: HitObject
// LOWER: OpTraceRayKHR
// RUN: %rtc -T lib_6_9 -spirv -fspv-ser=nv --why-capability -disable-payload-qualifiers %s 2>&1 | FileCheck --check-prefix=WHY %s
// WHY: SPIR-V capability ShaderInvocationReorderNV: a hit object in `Main`
// WHY: device extension VK_NV_ray_tracing_invocation_reorder
// WHY: device feature rayTracingInvocationReorder
// RUN: not %rtc -T lib_6_9 -spirv -fspv-ser=amd %s 2>&1 | FileCheck --check-prefix=BAD %s
// BAD: -fspv-ser=amd: expected one of auto, nv, ext, lower
