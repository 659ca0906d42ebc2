// Positions of the triangle that was hit: of the hit object and in the shader that is invoked.
// rtc -T lib_6_10
// scene: Inputs/scene.toml
// RUN: %rtc -T lib_6_10 -no-warnings %s -Fo %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc -Od -T lib_6_10 -no-warnings %s -Fo %t.od.dxil
// RUN: %llvm-verify %t.od.dxil
// RUN: %rtc -spirv -fspv-ser=ext -T lib_6_10 -no-warnings %s -Fo %t.ext.spv
// RUN: %spirv-val %t.ext.spv
// RUN: %rtc-run %s -o %T -- -no-warnings -fspv-ser=lower
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#define OWN_CLOSEST_B
#include "Inputs/ser.hlsli"

[shader("closesthit")] void ClosestB(inout Payload p, in BuiltInTriangleIntersectionAttributes a)
{
    TELL(CLOSEST_B);
    BuiltInTrianglePositions t = TriangleObjectPositions();
    p.attributes = float3(t.p0.x, t.p1.y, t.p2.x);
}

[shader("raygeneration")] void Main()
{
    Payload p = fresh();
    dx::HitObject h = trace(to(TURNED), p);
    BuiltInTrianglePositions t = h.TriangleObjectPositions();
    IS3(t.p0, float3(-1, -1, 0)); IS3(t.p1, float3(0, 1, 0)); IS3(t.p2, float3(1, -1, 0));
    dx::HitObject::Invoke(h, p);
    IS3(p.attributes, float3(-1, 1, 1)); IS(p.who, CLOSEST_B);
    done(13);
}
