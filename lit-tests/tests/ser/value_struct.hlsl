// Hit objects in structures, nested and copied.
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

struct End { dx::HitObject hit; float weight; };
struct Path
{
    End ends[2];
    dx::HitObject last;
    float distance(uint i) { return ends[i].hit.GetRayTCurrent() * ends[i].weight; }
};

[shader("raygeneration")] void Main()
{
    Payload p = fresh();
    Path path;
    path.ends[0].hit = trace(to(TRIANGLE), p);
    path.ends[0].weight = 2;
    path.ends[1] = path.ends[0];
    path.ends[1].hit.SetShaderTableIndex(10);
    path.last = dx::HitObject::MakeMiss(0, 1, to(NOTHING));
    Path other = path;
    path.ends[0].hit = path.last;
    IS(other.ends[0].hit.IsHit(), 1); IS(other.ends[0].hit.GetShaderTableIndex(), 0); IS(other.ends[1].hit.GetShaderTableIndex(), 10); IS(path.ends[0].hit.IsMiss(), 1);
    dx::HitObject::Invoke(other.ends[1].hit, p);
    IS(p.tag, 110); IS(other.distance(0), 20); IS(path.distance(0), 200);
    done(7);
}
