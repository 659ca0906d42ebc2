// Traversals and invocations that are no plain trace, though they look like one: the payload is read or written between, a callable shader
// or memory is, the invocation is conditional or repeated (fused_not_objects.hlsl: of another object).
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
// NV-NOT: OpTraceRayKHR
#include "Inputs/ser.hlsli"

RWByteAddressBuffer Memory : register(u1);
struct Args { uint sum, factor; };
[shader("callable")] void Twice(inout Args a) { a.sum = a.sum * a.factor + 1; }

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
    done(14);
}
