// Wave operations see the lanes that the source says, in branches and loops whose traces all lanes execute.
// rtc -T lib_6_3
// scene: ../run/dxr/Inputs/tables.toml
// RUN: %rtc-run %s -o %T -- -no-warnings -fspv-converge-traces=on
// RUN: %rtc-run %s -o %T -- -no-warnings -fspv-converge-traces=on -Od
// RUN: %rtc-run %s -o %T -- -no-warnings -fspv-converge-traces=auto
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc -spirv -fspv-converge-traces=on -T lib_6_3 -no-warnings %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -spirv -fspv-converge-traces=on -Od -T lib_6_3 -no-warnings %s -Fo %t.od.spv
// RUN: %spirv-val %t.od.spv
#include "Inputs/lanes.hlsli"

[shader("raygeneration")] void Main()
{
    uint n = number(thread());
    bool some = n % 3 == 0;
    uint in_arm = WaveActiveCountBits(some), found = 0, others = 0;
    Payload p = NONE;
    if (some)
    {
        found = WaveActiveCountBits(true);
        lane_trace(p, n);
    }
    else
    {
        others = WaveActiveSum(n);
    }
    IS(found, some ? in_arm : 0);
    uint sum = WaveActiveSum(some ? 0 : n);
    IS(others, some ? 0 : sum);
    uint must[4];
    for (uint k = 0; k < 4; ++k) must[k] = WaveActiveCountBits(k <= n % 4);
    uint i = 0, wrong = 0;
    do
    {
        if (WaveActiveCountBits(true) != must[i]) ++wrong;
        lane_trace(p, -1);
        ++i;
    }
    while (i <= n % 4);
    IS(wrong, 0);
    IS(i, 1 + n % 4);
    done(4);
}
