// Traces into hit objects, and invocations of them, by all lanes. Lowered they are plain traces, which run.
// rtc -T lib_6_9 -disable-payload-qualifiers
// scene: ../run/dxr/Inputs/tables.toml
// RUN: %rtc-run %s -o %T -- -no-warnings -disable-payload-qualifiers -fspv-ser=lower -fspv-converge-traces=on
// RUN: %rtc-run %s -o %T -- -no-warnings -disable-payload-qualifiers -fspv-ser=lower
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -disable-payload-qualifiers
// RUN: %rtc -spirv -fspv-ser=nv -fspv-converge-traces=on -T lib_6_9 -no-warnings -disable-payload-qualifiers %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc dis %t.spv | FileCheck --check-prefix=NV %s
// RUN: %rtc -spirv -fspv-ser=nv -Od -fspv-converge-traces=on -T lib_6_9 -no-warnings -disable-payload-qualifiers %s -Fo %t.od.spv
// RUN: %spirv-val %t.od.spv
// RUN: %rtc -spirv -fspv-ser=ext -fspv-converge-traces=on -T lib_6_9 -no-warnings -disable-payload-qualifiers %s -Fo %t.ext.spv
// RUN: %rtc -spirv -fspv-ser=nv -fspv-converge-traces=on -T lib_6_9 -no-warnings -disable-payload-qualifiers %s -report reorder,%t.txt -Fo %t.report.spv
// RUN: FileCheck --check-prefix=REPORT --input-file=%t.txt %s
// A lane without work has mask 0, and invokes a miss without a shader.
// NV-DAG: OpHitObjectTraceRayNV
// NV-DAG: OpHitObjectRecordMissNV
// REPORT: HitObject::TraceRay
// REPORT: all lanes trace
// REPORT: HitObject::Invoke
// REPORT: all lanes trace
// REPORT: HitObject::TraceRay
// REPORT: stays divergent: threads are reordered by its hit object
// REPORT: MaybeReorderThread
// REPORT: stays divergent: a thread that does not come to a reorder point stays where it is
#include "Inputs/lanes.hlsli"

dx::HitObject found(uint record, bool hit, inout Payload p)
{
    return dx::HitObject::TraceRay(Scene, RAY_FLAG_FORCE_OPAQUE, 0xff, record, 0, 2, hit ? to(0, 0) : to(9, 0), p);
}

[shader("raygeneration")] void Main()
{
    uint n = number(thread());
    // Whether it hit something is read, and some invoke it.
    Payload p = NONE;
    uint kind = 9;
    if (n & 1)
    {
        dx::HitObject h = found(n, n & 2, p);
        kind = h.IsHit() ? 1 : 0;
        if (n & 4) dx::HitObject::Invoke(h, p);
    }
    IS(kind, n & 1 ? (n >> 1 & 1) : 9);
    IS(p.tag, (n & 5) == 5 ? (n & 2 ? 100 + n : 202) : 7);
    // In a loop.
    uint sum = 0;
    [loop] for (uint i = 0; i < n % 4; ++i)
    {
        Payload q = NONE;
        dx::HitObject h = found(i, true, q);
        if (h.IsHit()) dx::HitObject::Invoke(h, q);
        sum = sum * 3 + q.tag;
    }
    uint must = 0;
    for (uint k = 0; k < n % 4; ++k) must = must * 3 + 100 + k;
    IS(sum, must);
    // Threads are reordered by it.
    Payload r = NONE;
    if (n & 4)
    {
        dx::HitObject h = found(n, n & 2, r);
        dx::MaybeReorderThread(h);
        dx::HitObject::Invoke(h, r);
    }
    IS(r.tag, n & 4 ? (n & 2 ? 100 + n : 202) : 7);
    done(4);
}
