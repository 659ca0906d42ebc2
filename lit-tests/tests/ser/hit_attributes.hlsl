// Attributes of triangles, in both spellings.
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
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#include "Inputs/ser.hlsli"

[shader("raygeneration")] void Main()
{
    Payload p = fresh();
    dx::HitObject h = trace(to(thread() & 1), p);
    bool turned = thread() & 1;
    BuiltInTriangleIntersectionAttributes a = h.GetAttributes<BuiltInTriangleIntersectionAttributes>();
    ISF(a.barycentrics.x, turned ? 0.4375 : 0.375); ISF(a.barycentrics.y, turned ? 0.21875 : 0.4375);
    BuiltInTriangleIntersectionAttributes b;
    h.GetAttributes(b);
    ISF(b.barycentrics.x, a.barycentrics.x); ISF(b.barycentrics.y, a.barycentrics.y);
    ISF(h.GetAttributes<BuiltInTriangleIntersectionAttributes>().barycentrics.y, turned ? 0.21875 : 0.4375);
    done(5);
}
