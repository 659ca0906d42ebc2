// InstanceContributionToHitGroupIndex is added to the index of the hit record.
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
    for (uint i = 0; i < 3; ++i)
        check(trace(0, 0, 0, to(i, thread() % 3)), i * 8);
    done(6);
}
