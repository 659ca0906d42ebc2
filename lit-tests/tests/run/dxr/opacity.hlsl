// Whether any-hit shaders run: the ray's flags over the instance's over the geometry's.
// rtc -T lib_6_3
// scene: Inputs/yard.toml
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// RUN: %rtc -T lib_6_3 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#include "Inputs/counted.hlsli"

[shader("raygeneration")] void Main()
{
    // Places 1, 2, 13 and 14 are not opaque by themselves.
    uint alone = 0x6006 >> thread() & 1;
    IS(trace(0), alone * 16 + 1); IS(trace(RAY_FLAG_FORCE_OPAQUE), 1); IS(trace(RAY_FLAG_FORCE_NON_OPAQUE), 17);
    done(3);
}
