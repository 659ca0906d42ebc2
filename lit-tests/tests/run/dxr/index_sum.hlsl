// The index of the hit record is the sum of ray, geometry and instance contributions.
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
    for (uint n = 0; n < 9; ++n)
        check(trace(thread(), 15 - thread(), 0, to(n / 3, n % 3)), thread() + (15 - thread()) * (n % 3) + n / 3 * 8);
    done(18);
}
