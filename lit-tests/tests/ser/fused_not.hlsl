// Traversals and invocations that are no plain trace, though they look like one: the payload is read or written between, a callable shader
// or memory is, the invocation is conditional, repeated or of another object, closest-hit shaders are skipped.
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
// RUN: %rtc-run %s -o %T -- -no-warnings -fspv-ser=lower -O1
// RUN: %rtc-run %s -o %T -- -no-warnings -fspv-ser=lower -Od
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
// RUN: %rtc -spirv -fspv-ser=nv -T lib_6_9 -no-warnings %s | FileCheck --check-prefix=NV %s
// NV-COUNT-1: OpTraceRayKHR
// NV-NOT: OpTraceRayKHR
#include "Inputs/ser.hlsli"

RWByteAddressBuffer Memory : register(u1);
struct Args { uint sum, factor; };
[shader("callable")] void Twice(inout Args a) { a.sum = a.sum * a.factor + 1; }

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
    Payload p = fresh(IGNORE_FIRST);

    // The payload is read between.
    dx::HitObject h = trace(to(i), p);
    uint counted = p.count, any = p.any;
    dx::HitObject::Invoke(h, p);
    IS(counted, 0); IS(p.count, 1); IS(any, p.any); IS(p.tag, TAG[i]);

    // It is written between.
    p = fresh();
    h = trace(to(i), p);
    p.count = 5;
    dx::HitObject::Invoke(h, p);
    IS(p.count, 6);

    // The payload is another.
    Payload q = fresh();
    q.count = 7;
    h = trace(to(i), p);
    dx::HitObject::Invoke(h, q);
    IS(p.count, 6); IS(q.count, 8); IS(q.tag, TOLD[i]);

    // A callable shader, and memory.
    Args args = { thread(), 3 };
    h = trace(to(i), p);
    CallShader(0, args);
    dx::HitObject::Invoke(h, p);
    IS(args.sum, 3 * thread() + 1); IS(p.count, 7);
    h = trace(to(i), p);
    Memory.Store(4 * thread(), thread() + 1);
    dx::HitObject::Invoke(h, p);
    IS(p.count, 8); IS(Memory.Load(4 * thread()), thread() + 1);

    // Under a condition, in a loop, twice.
    p = fresh();
    h = trace(to(i), p);
    if (odd)
        dx::HitObject::Invoke(h, p);
    IS(p.count, odd ? 1 : 0);
    h = trace(to(i), p);
    for (uint n = 0; n < 2 + (thread() & 1); ++n)
        dx::HitObject::Invoke(h, p);
    IS(p.count, odd ? 4 : 2);

    // Another object in the same variable: the second of them alone is a plain trace. One of two.
    p = fresh();
    h = trace(to(i), p);
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
    done(24);
}
