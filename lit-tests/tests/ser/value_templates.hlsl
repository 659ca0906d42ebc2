// Hit objects through templates, methods and namespaces.
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

template<typename T> T identity(T value) { return value; }
template<typename T> struct Holder { T value; };
struct Tracer
{
    RayDesc ray;
    dx::HitObject go(inout Payload p) { return trace(ray, p); }
};

[shader("raygeneration")] void Main()
{
    using namespace dx;
    Payload p = fresh();
    Tracer t;
    t.ray = to(TURNED);
    HitObject h = t.go(p);
    IS(identity(h).GetInstanceID(), 70);
    Holder<HitObject> holder;
    holder.value = h;
    holder.value.SetShaderTableIndex(10);
    HitObject::Invoke(holder.value, p);
    IS(p.tag, 110); IS(h.GetShaderTableIndex(), 1);
    MaybeReorderThread(holder.value);
    done(3);
}
