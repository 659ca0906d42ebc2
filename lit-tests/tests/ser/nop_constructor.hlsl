// `dx::HitObject()` is a NOP, wherever a value may be.
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

typedef dx::HitObject Hit;
struct Pair { dx::HitObject hit; uint n; };
uint ask(dx::HitObject hit = dx::HitObject()) { return hit.IsNop(); }
template<typename T> T make() { return T(); }

[shader("raygeneration")] void Main()
{
    Payload p = fresh();
    dx::HitObject made = dx::HitObject();
    IS(made.IsNop(), 1); IS(made.IsMiss(), 0); IS(made.IsHit(), 0);
    IS(ask(dx::HitObject()), 1); IS(ask(), 1);
    IS(dx::HitObject().IsNop(), 1); IS(make<dx::HitObject>().IsNop(), 1); IS(Hit().IsNop(), 1);
    Pair pair = { dx::HitObject(), 5 };
    dx::HitObject list[2] = { dx::HitObject(), dx::HitObject() };
    IS(pair.hit.IsNop(), 1); IS(pair.n, 5); IS(list[1].IsNop(), 1);
    dx::HitObject hit = dx::HitObject::TraceRay(Scene, RAY_FLAG_NONE, 0xff, 0, 1, 0, to(TURNED), p);
    IS(hit.IsNop(), 0);
    hit = dx::HitObject();
    IS(hit.IsNop(), 1);
    dx::MaybeReorderThread(dx::HitObject());
    done(13);
}
