// MissShaderIndex chooses the record of the miss table, differently in each thread.
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
    uint n = thread() % 5;
    Payload p = trace(thread(), 3, n, to(5, 0));
    IS(p.tag, 200 + n); IS(p.who, n & 1 ? MISS_B : MISS_A);
    done(2);
}
