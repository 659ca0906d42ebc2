// Attributes that an invoked closest-hit shader gets.
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
    uint i = thread() & 3;
    Payload p = fresh();
    dx::HitObject h = trace(to(i), p);
    dx::HitObject::Invoke(h, p);
    IS3(p.attributes, i == BOXES ? float3(0.5, 0x70, 10) : float3(i == TURNED ? float2(0.4375, 0.21875) : float2(0.375, 0.4375), 254));
    done(3);
}
