// Fields that only one side writes: kept for the caller through tracing, for the shader through invoking.
// rtc -T lib_6_9
// scene: Inputs/scene.toml
// RUN: %rtc -T lib_6_9 -no-warnings %s -Fo %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc -Od -T lib_6_9 -no-warnings %s -Fo %t.od.dxil
// RUN: %llvm-verify %t.od.dxil
// RUN: %rtc -spirv -fspv-ser=nv -T lib_6_9 -no-warnings %s -Fo %t.nv.spv
// RUN: %spirv-val %t.nv.spv
// RUN: %rtc -spirv -fspv-ser=ext -T lib_6_9 -no-warnings %s -Fo %t.ext.spv
// RUN: %spirv-val %t.ext.spv
// RUN: %rtc-run %s -o %T -- -no-warnings -fspv-ser=lower
// RUN: %rtc-run %s -o %T -- -no-warnings -fspv-ser=lower -Od
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#define OWN_PAYLOAD
#define OWN_ANY_HIT
#define OWN_ANY_BOX_HIT
#define OWN_CLOSEST_A
#define OWN_CLOSEST_B
#define OWN_CLOSEST_BOX
#define OWN_MISS_A
#define OWN_MISS_B
#include "Inputs/ser.hlsli"

struct [raypayload] Access
{
    uint from_caller : write(caller) : read(closesthit);
    uint to_caller : write(closesthit, miss) : read(caller);
    uint both : write(caller, closesthit) : read(caller, closesthit);
};
[shader("anyhit")] void AnyHit(inout Access p, in BuiltInTriangleIntersectionAttributes a) {}
[shader("anyhit")] void AnyBoxHit(inout Access p, in BoxAttributes a) {}
[shader("closesthit")] void ClosestA(inout Access p, in BuiltInTriangleIntersectionAttributes a) { p.to_caller = p.from_caller; p.both += 1; }
[shader("closesthit")] void ClosestB(inout Access p, in BuiltInTriangleIntersectionAttributes a) { p.to_caller = 0; }
[shader("closesthit")] void ClosestBox(inout Access p, in BoxAttributes a) { p.to_caller = 0; }
[shader("miss")] void MissA(inout Access p) { p.to_caller = 5; }
[shader("miss")] void MissB(inout Access p) { p.to_caller = 6; }

[shader("raygeneration")] void Main()
{
    Access a;
    a.from_caller = 40 + thread();
    a.both = 7;
    dx::HitObject h = dx::HitObject::TraceRay(Scene, RAY_FLAG_FORCE_OPAQUE, 0xff, 0, 1, 0, to(thread() & 1 ? TRIANGLE : NOTHING), a);
    IS(a.both, 7);
    a.from_caller = 60 + thread();
    dx::HitObject::Invoke(h, a);
    IS(a.to_caller, thread() & 1 ? 60 + thread() : 5); IS(a.both, thread() & 1 ? 8 : 7);
    done(3);
}
