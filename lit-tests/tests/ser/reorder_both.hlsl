// Reordering by hit object and hint, the hint from the record of the hit.
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
    dx::HitObject h = trace(to(i), p);
    uint hint = h.LoadLocalRootTableConstant(4) & 7;
    dx::MaybeReorderThread(h, hint, 3);
    dx::HitObject::Invoke(h, p);
    IS(p.tag, TOLD[i]); IS(h.GetShaderTableIndex(), INDEX[i]); IS(hint, i == NOTHING ? 20 & 7 : (INDEX[i] == 11 ? 111 : 10 + INDEX[i]) & 7);
    done(3);
}
