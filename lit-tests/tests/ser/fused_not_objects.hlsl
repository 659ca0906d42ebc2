// Traversals and invocations that are no plain trace, though they look like one: the invocation is of another object or with another record,
// closest-hit shaders are skipped, the object is queried afterwards. A trace whose object has no use is a plain one.
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
// RUN: %rtc -spirv -fspv-ser=lower -T lib_6_9 -no-warnings %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc-run %s -o %T -- -no-warnings -fspv-ser=lower
// RUN: %rtc-run %s -o %T -- -no-warnings -fspv-ser=lower -Od
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
// RUN: %rtc -spirv -fspv-ser=nv -T lib_6_9 -no-warnings %s | FileCheck --check-prefix=NV %s
// NV-COUNT-1: OpTraceRayKHR
// NV-NOT: OpTraceRayKHR
#include "Inputs/ser.hlsli"

// One of two, from nested functions.
dx::HitObject first(uint i, inout Payload p) { return trace(to(i), p); }
dx::HitObject either(bool which, uint i, inout Payload p)
{
    dx::HitObject a = first(i, p);
    if (which)
        a = first(NOTHING, p);
    return a;
}

[shader("raygeneration")] void Main()
{
    uint i = thread() % 7;
    bool odd = thread() & 1;
    // Another object in the same variable: the second of them alone is a plain trace. One of two.
    Payload p = fresh();
    dx::HitObject h = trace(to(i), p);
    h = trace(to(NOTHING), p);
    dx::HitObject::Invoke(h, p);
    IS(p.who, MISS_A); IS(p.count, 1);
    p = fresh();
    h = either(odd, i, p);
    dx::HitObject::Invoke(h, p);
    IS(p.tag, odd ? 200 : TOLD[i]); IS(p.count, 1);

    // Another record.
    p = fresh();
    h = trace(to(NOTHING), p);
    h.SetShaderTableIndex(1);
    dx::HitObject::Invoke(h, p);
    IS(p.who, MISS_B); IS(p.tag, 201);

    // A trace that skips closest-hit shaders gives an object that runs one.
    p = fresh();
    h = trace(to(i), p, RAY_FLAG_SKIP_CLOSEST_HIT_SHADER);
    dx::HitObject::Invoke(h, p);
    IS(p.who, WHO[i]); IS(p.count, 1);

    // The object is queried for what was hit afterwards.
    p = fresh();
    h = trace(to(i), p);
    dx::HitObject::Invoke(h, p);
    IS(h.GetInstanceIndex(), i); IS(p.tag, TAG[i]);
    done(10);
}
