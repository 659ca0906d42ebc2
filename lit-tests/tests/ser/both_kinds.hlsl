// TraceRay and hit objects in one library, with the same shaders and payload.
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
    uint i = thread() % 9;
    Payload p = fresh();
    TraceRay(Scene, 0, 0xff, 0, 1, 0, to(i), p);
    IS(p.tag, TOLD[i]); IS(p.count, i == SOFT_ALONE ? 0 : 1);
    dx::HitObject h = trace(to((i + 1) % 9), p);
    IS(h.GetInstanceID(), ID[(i + 1) % 9]);
    dx::HitObject::Invoke(h, p);
    TraceRay(Scene, 0, 0xff, 0, 1, 1, to(NOTHING), p);
    IS(p.tag, 201); ISF(p.t, 100);
    done(5);
}
