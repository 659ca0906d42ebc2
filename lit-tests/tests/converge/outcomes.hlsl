// Where a generated miss shader says whether something was hit, the row without a shader comes before it, and the rows of the application follow both.
// rtc -T lib_6_9 -disable-payload-qualifiers
// scene: ../run/dxr/Inputs/tables.toml
// RUN: %rtc-run %s -o %T -- -no-warnings -disable-payload-qualifiers -fspv-ser=lower -fspv-converge-traces=on
// RUN: %rtc-run %s -o %T -- -no-warnings -disable-payload-qualifiers -fspv-ser=lower
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -disable-payload-qualifiers
// RUN: %rtc -spirv -fspv-ser=lower -fspv-converge-traces=on -T lib_6_9 -no-warnings -disable-payload-qualifiers %s -Fo %t.rtp
// RUN: %rtc dis %t.rtp | FileCheck %s
// CHECK: 1 miss record without a shader
// CHECK: OpEntryPoint MissKHR %{{.*}} "rtc.missed"
#include "Inputs/lanes.hlsli"

[shader("raygeneration")] void Main()
{
    uint n = number(thread());
    Payload p = NONE;
    if (n & 1) lane_trace(p, n & 2 ? int(n) : -1 - int(n % 5));
    IS(p.tag, n & 1 ? (n & 2 ? 100 + n : 200 + n % 5) : 7);
    uint missed = 5;
    if (n & 4)
    {
        Payload q = NONE;
        dx::HitObject h = dx::HitObject::TraceRay(Scene, RAY_FLAG_FORCE_OPAQUE, 0xff, n, 0, 2, n & 2 ? to(0, 0) : to(9, 0), q);
        missed = h.IsMiss() ? 1 : 0;
    }
    IS(missed, n & 4 ? (n & 2 ? 0 : 1) : 5);
    done(2);
}
