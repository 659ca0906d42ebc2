// Invoking a NOP runs nothing and leaves the payload as it is.
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
    p.who = 5; p.tag = thread(); p.ids = uint3(1, 2, 3);
    dx::HitObject h;
    dx::HitObject::Invoke(h, p);
    dx::HitObject::Invoke(dx::HitObject::MakeNop(), p);
    IS(p.who, 5); IS(p.tag, thread()); IS(p.count, 0); IS(p.ids.z, 3); IS(h.IsNop(), 1);
    done(5);
}
