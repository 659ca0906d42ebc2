// Candidates that are not committed: a NOP.
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
    q.TraceRayInline(Scene, 0, 0xff, to(thread() & 1 ? VEIL : SOFT_BOXES));
    while (q.Proceed()) {}
    dx::HitObject h = dx::HitObject::FromRayQuery(q);
    IS(h.IsNop(), 1); IS(h.GetInstanceID(), 0); IS(h.GetShaderTableIndex(), 0);
    done(3);
}
