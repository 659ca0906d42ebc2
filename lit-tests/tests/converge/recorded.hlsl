// Where hit objects are lowered, the miss table has a row without a shader anyway, and the rows of the application are elsewhere.
// rtc -T lib_6_9 -disable-payload-qualifiers
// scene: ../run/dxr/Inputs/tables.toml
// RUN: %rtc-run %s -o %T -- -no-warnings -disable-payload-qualifiers -fspv-ser=lower -fspv-converge-traces=on
// RUN: %rtc-run %s -o %T -- -no-warnings -disable-payload-qualifiers -fspv-ser=lower -fspv-converge-traces=on -Od
// RUN: %rtc-run %s -o %T -- -no-warnings -disable-payload-qualifiers -fspv-ser=lower
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -disable-payload-qualifiers
// RUN: %rtc -spirv -fspv-ser=nv -fspv-converge-traces=on -T lib_6_9 -no-warnings -disable-payload-qualifiers %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -spirv -fspv-ser=nv -fspv-ser-plain-outcomes -fspv-converge-traces=on -T lib_6_9 -no-warnings -disable-payload-qualifiers %s -Fo %t.rtp
#include "Inputs/lanes.hlsli"

[shader("raygeneration")] void Main()
{
    uint n = number(thread());
    Payload p = NONE;
    if (n & 1) lane_trace(p, n & 2 ? int(n) : -1 - int(n % 5));
    IS(p.tag, n & 1 ? (n & 2 ? 100 + n : 200 + n % 5) : 7);
    Payload q = NONE;
    if (n & 4)
    {
        dx::HitObject h = dx::HitObject::TraceRay(Scene, RAY_FLAG_FORCE_OPAQUE, 0xff, n, 0, 2, n & 2 ? to(0, 0) : to(9, 0), q);
        dx::MaybeReorderThread(h);
        dx::HitObject::Invoke(h, q);
    }
    IS(q.tag, n & 4 ? (n & 2 ? 100 + n : 202) : 7);
    done(2);
}
