// Much that is alive across a reorder point comes out as it went in.
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
    float4 a = float4(thread(), 1, 2, 3) * Words.Load(4);
    uint3 b = uint3(Words.Load(4 * (thread() & 7)), thread() * thread(), ~thread());
    float list[4];
    for (uint n = 0; n < 4; ++n) list[n] = n * 0.5 + thread();
    bool odd = thread() & 1;
    uint i = thread() % 9;
    Payload p = fresh(), untouched = fresh();
    untouched.tag = 77;
    dx::HitObject h = trace(to(i), p), other = dx::HitObject::MakeMiss(0, 1, to(2));
    dx::MaybeReorderThread(h, b.x, 3);
    dx::HitObject::Invoke(h, p);
    IS3(a.xyz, float3(thread(), 1, 2)); ISF(a.w, 3); IS(b.x, thread() & 7); IS(b.y, thread() * thread()); IS(b.z, ~thread());
    ISF(list[thread() & 3], (thread() & 3) * 0.5 + thread()); IS(odd, thread() & 1); IS(untouched.tag, 77); IS(other.IsMiss(), 1); IS(p.tag, TOLD[i]);
    done(12);
}
