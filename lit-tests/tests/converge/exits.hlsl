// Traces after which, or before which, some lanes leave: out of a function that was inlined, out of an arm, out of the shader.
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
// RUN: %rtc -spirv -fspv-converge-traces=on -T lib_6_3 -no-warnings %s -report reorder,%t.txt -Fo %t.report.spv
// RUN: FileCheck --input-file=%t.txt %s
// CHECK: all lanes trace
// CHECK-NOT: stays divergent
#include "Inputs/lanes.hlsli"

// Lanes leave before the trace, between two, and after the second.
uint early(uint n)
{
    Payload p = NONE;
    if (n < 2) return 1;
    if (n & 1)
    {
        lane_trace(p, n);
        if (n > 8) return p.tag;
        p.tag += 1000;
    }
    if (n == 6) return 2;
    lane_trace(p, p.tag == 7 ? -1 - int(n % 5) : int(n));
    if (p.who == MISS_A) return 3;
    return p.tag + 10;
}
uint must_early(uint n)
{
    if (n < 2) return 1;
    if (n & 1 && n > 8) return 100 + n;
    if (n == 6) return 2;
    if (n & 1) return 110 + n;
    return n % 5 & 1 ? 210 + n % 5 : 3;
}

[shader("raygeneration")] void Main()
{
    uint n = number(thread());
    IS(early(n), must_early(n));

    // An arm that is left by a loop's break and continue.
    uint sum = 0;
    for (uint i = 0; i < 3; ++i)
    {
        Payload p = NONE;
        if (n & 1 << i)
        {
            if (n == 5) continue;
            sum += 1;
            lane_trace(p, n);
            if (n == 7) break;
            sum += p.tag;
        }
        sum += 1000;
    }
    uint must = 0;
    for (uint k = 0; k < 3; ++k)
    {
        if (n & 1 << k)
        {
            if (n == 5) continue;
            must += 1;
            if (n == 7) break;
            must += 100 + n;
        }
        must += 1000;
    }
    IS(sum, must);

    // Lanes leave the shader.
    Payload p = NONE;
    if (n > 2)
    {
        lane_trace(p, n);
        IS(p.tag, 100 + n);
        if (n > 11) { done(3); return; }
        p.tag += 1;
    }
    IS(p.tag, n > 2 ? 101 + n : 7);
    done(n > 2 ? 4 : 3);
}
