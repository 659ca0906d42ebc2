// A callable shader called by what is invoked, and between tracing and invoking.
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
#define OWN_CLOSEST_A
#define OWN_MISS_A
#include "Inputs/ser.hlsli"

struct Args { uint sum, factor; };
[shader("callable")] void Twice(inout Args a) { a.sum = a.sum * a.factor + 1; }
[shader("closesthit")] void ClosestA(inout Payload p, in BuiltInTriangleIntersectionAttributes a)
{
    Args args = { InstanceID(), 3 };
    CallShader(0, args);
    TELL(CLOSEST_A);
    p.ids = args.sum;
}
[shader("miss")] void MissA(inout Payload p)
{
    Args args = { 6, 3 };
    CallShader(0, args);
    TELL(MISS_A);
    p.ids = args.sum;
}

[shader("raygeneration")] void Main()
{
    Payload p = fresh();
    dx::HitObject h = trace(to(thread() & 1 ? TRIANGLE : NOTHING), p);
    Args args = { thread(), 3 };
    CallShader(0, args);
    dx::HitObject::Invoke(h, p);
    IS(args.sum, 3 * thread() + 1); IS(p.ids.x, thread() & 1 ? 22 : 19); IS(p.tag, thread() & 1 ? 100 : 200); IS(p.count, 1); IS(h.IsHit(), thread() & 1);
    done(5);
}
