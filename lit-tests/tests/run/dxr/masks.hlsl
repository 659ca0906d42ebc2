// The low eight bits of the inclusion mask and the instance's mask decide.
// rtc -T lib_6_3
// scene: Inputs/tables.toml
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// RUN: %rtc -T lib_6_3 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#include "Inputs/tables.hlsli"

[shader("raygeneration")] void Main()
{
    Payload p = { 0, 0 };
    TraceRay(Scene, RAY_FLAG_FORCE_OPAQUE, number(3) << 8, 0, 0, 0, to(0, 0), p);
    IS(p.tag, 200);
    TraceRay(Scene, RAY_FLAG_FORCE_OPAQUE, number(3) << 8 | 1u << (thread() & 7), 0, 0, 0, to(0, 0), p);
    IS(p.tag, 100);
    TraceRay(Scene, RAY_FLAG_FORCE_OPAQUE, 0, 0, 0, 0, to(0, 0), p);
    IS(p.tag, 200);
    done(3);
}
