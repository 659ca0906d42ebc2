// Hit kind and attributes are those of the triangle if a triangle was committed.
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
    RayQuery<RAY_FLAG_NONE> q;
    bool box = thread() & 1;
    q.TraceRayInline(Scene, 0, 0xff, to(box ? BOXES : TRIANGLE));
    while (q.Proceed())
        q.CommitProceduralPrimitiveHit(5);
    BuiltInTriangleIntersectionAttributes a = { float2(7, 8) };
    dx::HitObject h = dx::HitObject::FromRayQuery(q, 9, a);
    BuiltInTriangleIntersectionAttributes b = h.GetAttributes<BuiltInTriangleIntersectionAttributes>();
    IS(h.GetHitKind(), box ? 9 : 254); ISF(b.barycentrics.x, box ? 7 : 0.375); ISF(b.barycentrics.y, box ? 8 : 0.4375); ISF(h.GetRayTCurrent(), box ? 5 : 10);
    done(4);
}
