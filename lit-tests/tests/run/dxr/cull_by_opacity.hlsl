// CULL_OPAQUE and CULL_NON_OPAQUE decide by what geometry and instance say.
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
    bool soft = 0x6006 >> thread() & 1;
    IS(trace(RAY_FLAG_CULL_OPAQUE), soft ? 17 : 9); IS(trace(RAY_FLAG_CULL_NON_OPAQUE), soft ? 9 : 1);
    done(2);
}
