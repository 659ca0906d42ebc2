// An array of hit objects, indexed by numbers of the program.
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
#include "Inputs/ser.hlsli"

[shader("raygeneration")] void Main()
{
    Payload p = fresh();
    dx::HitObject hits[4];
    for (uint i = 0; i < 3; ++i)
        hits[i] = trace(to(i == 2 ? NOTHING : i), p);
    uint at = thread() & 3;
    IS(hits[at].IsHit(), at < 2); IS(hits[at].IsMiss(), at == 2); IS(hits[at].IsNop(), at == 3); ISF(hits[at].GetRayTCurrent(), at == 0 ? 10 : at == 1 ? 13 : at == 2 ? 100 : 0);
    hits[at].SetShaderTableIndex(at == 2 ? 3 : 6);
    dx::HitObject::Invoke(hits[at], p);
    IS(p.tag, at < 2 ? 106 : at == 2 ? 203 : 0); IS(p.ids.x, at < 2 ? ID[at] : 0);
    IS(hits[0].GetShaderTableIndex(), at == 0 ? 6 : 0); IS(hits[1].GetShaderTableIndex(), at == 1 ? 6 : 1);
    done(8);
}
