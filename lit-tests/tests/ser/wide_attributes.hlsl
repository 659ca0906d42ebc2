// Attributes of 32 bytes, with integers, a bool and a structure.
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
#define OWN_CLOSEST_BOX
#define OWN_INTERSECT_BOX
#define OWN_ANY_BOX_HIT
#define OWN_SIZES
#include "Inputs/ser.hlsli"

struct Inner { float3 v; bool on; };
struct Wide { Inner inner; int n[2]; float2 last; };
RaytracingShaderConfig Sizes = { 64, 32 };
void wide()
{
    Wide a;
    a.inner.v = float3(1.5, 2.5, 3.5);
    a.inner.on = true;
    a.n[0] = 77; a.n[1] = -5;
    a.last = float2(-1, WorldRayOrigin().x);
    ReportHit(9, 3, a);
}
[shader("intersection")] void IntersectBox() { wide(); }
[shader("intersection")] void IntersectSoftBox() { wide(); }
[shader("closesthit")] void ClosestBox(inout Payload p, in Wide a)
{
    TELL(CLOSEST_BOX);
    p.attributes = float3(a.inner.v.x, a.n[0], a.last.y);
    p.any = a.inner.on;
}
[shader("anyhit")] void AnyBoxHit(inout Payload p, in Wide a) { p.any = 5; }

[shader("raygeneration")] void Main()
{
    Payload p = fresh();
    dx::HitObject h = trace(to(BOXES), p);
    Wide a = h.GetAttributes<Wide>();
    IS3(a.inner.v, float3(1.5, 2.5, 3.5)); IS(a.inner.on, 1); IS(a.n[0], 77); IS(a.n[1], -5); ISF(a.last.x, -1); ISF(a.last.y, 30.25);
    dx::HitObject::Invoke(h, p);
    IS(p.who, CLOSEST_BOX); IS3(p.attributes, float3(1.5, 77, 30.25)); IS(p.any, 1);
    done(13);
}
