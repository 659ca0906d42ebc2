// A payload of arrays, matrices, bools and structures, read and written by what is invoked.
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
#define OWN_CLOSEST_A
#define OWN_SIZES
#include "Inputs/ser.hlsli"

struct Part { uint2 n; bool on; };
struct [raypayload] Shapes
{
    float3x2 rows EVERYWHERE;
    Part list[2] EVERYWHERE;
    bool3 b EVERYWHERE;
};
RaytracingShaderConfig Sizes = { 96, 16 };
[shader("closesthit")] void ClosestA(inout Shapes s, in BuiltInTriangleIntersectionAttributes a)
{
    s.rows *= 2;
    s.list[0].n = s.list[1].n.yx;
    s.list[0].on = !s.list[1].on;
    s.b = !s.b;
}

[shader("raygeneration")] void Main()
{
    Shapes s = (Shapes)0;
    s.rows = float3x2(1, 2, 3, 4, 5, 6);
    s.list[1].n = uint2(7, 8);
    s.list[1].on = true;
    s.b = bool3(true, false, true);
    dx::HitObject h = dx::HitObject::TraceRay(Scene, 0, 0xff, 0, 1, 0, to(TRIANGLE), s);
    dx::HitObject::Invoke(h, s);
    IS3(float3(s.rows[0], s.rows[1].x), float3(2, 4, 6)); IS3(float3(s.rows[2], s.rows[1].y), float3(10, 12, 8));
    IS(s.list[0].n.x, 8); IS(s.list[0].n.y, 7); IS(s.list[0].on, 0); IS(s.list[1].n.x, 7); IS(s.list[1].on, 1); IS(s.b.x, 0); IS(s.b.y, 1); IS(s.b.z, 0);
    done(14);
}
