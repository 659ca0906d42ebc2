// One type of payload while tracing, another for what is invoked.
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

struct [raypayload] Small { uint seen : read(caller, anyhit) : write(caller, anyhit); };
struct [raypayload] Large
{
    float4 colour : read(caller, closesthit) : write(caller, closesthit, miss);
    uint3 ids : read(caller) : write(closesthit, miss);
    bool more : read(caller, closesthit, miss) : write(caller, closesthit, miss);
};

[shader("anyhit")] void AnyHit(inout Small s, in BuiltInTriangleIntersectionAttributes a) { s.seen |= 2; }
[shader("anyhit")] void AnyBoxHit(inout Small s, in BoxAttributes a) { s.seen |= 4; }
[shader("closesthit")] void ClosestA(inout Large l, in BuiltInTriangleIntersectionAttributes a)
{
    l.colour = float4(l.colour.xyz * 2, RayTCurrent());
    l.ids = uint3(InstanceID(), Rec.tag, 0);
    l.more = !l.more;
}
[shader("closesthit")] void ClosestB(inout Large l, in BuiltInTriangleIntersectionAttributes a) { l.colour = 0; l.ids = 9; }
[shader("closesthit")] void ClosestBox(inout Large l, in BoxAttributes a) { l.colour = 0; l.ids = 9; }
[shader("miss")] void MissA(inout Large l) { l.colour = float4(-1, -1, -1, RayTCurrent()); l.ids = uint3(0, Rec.tag, 1); l.more = !l.more; }
[shader("miss")] void MissB(inout Large l) { l.colour = 0; l.ids = 9; }

[shader("raygeneration")] void Main()
{
    uint i = thread() & 1 ? VEIL : NOTHING;
    Small s = { 100 };
    dx::HitObject h = dx::HitObject::TraceRay(Scene, 0, 0xff, 0, 1, 0, to(i), s);
    Large l = (Large)0;
    l.colour = float4(1, 2, 3, 4);
    l.more = thread() & 2;
    dx::HitObject::Invoke(h, l);
    IS(s.seen & ~1, i == VEIL ? 102 : 100); IS3(l.colour.xyz, i == VEIL ? float3(2, 4, 6) : float3(-1, -1, -1)); ISF(l.colour.w, i == VEIL ? 10 : 100);
    IS(l.ids.x, i == VEIL ? 700 : 0); IS(l.ids.y, i == VEIL ? 102 : 200); IS(l.more, (thread() & 2) == 0);
    done(8);
}
