// Four bits of the ray contribution count, four of the multiplier, sixteen of the miss index.
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
    uint high = number(1) << 4, higher = number(3) << 30;
    check(trace(high | thread(), 0, 0, to(0, 0)), thread());
    check(trace(0, high | thread(), 0, to(0, 2)), thread() * 2);
    check(trace(higher | 3, higher | 2, 0, to(1, 1)), 8 + 3 + 2);
    Payload p = trace(0, 0, number(5) << 16 | 3, to(5, 0));
    IS(p.tag, 203); IS(p.who, MISS_B);
    done(8);
}
