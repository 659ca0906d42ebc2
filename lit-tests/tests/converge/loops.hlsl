// Traces in loops whose iterations differ by lane: left by the condition, by break, by continue, by return, in one another and in branches.
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
// No trace is left under divergent control flow.
// RUN: %rtc -spirv -fspv-converge-traces=on -T lib_6_3 -no-warnings %s -report reorder,%t.txt -Fo %t.report.spv
// RUN: FileCheck --input-file=%t.txt %s
// CHECK-COUNT-8: all lanes trace
// CHECK-NOT: stays divergent
#include "Inputs/lanes.hlsli"

// A trace in each iteration, with what the one before found.
uint bounces(uint n)
{
    uint sum = 0, record = n;
    for (uint i = 0; i < 1 + n % 4; ++i)
    {
        Payload p = NONE;
        lane_trace(p, record);
        sum = sum * 3 + p.tag;
        record = (record + 5) & 15;
    }
    return sum;
}
uint must_bounces(uint n)
{
    uint sum = 0;
    for (uint i = 0; i < 1 + n % 4; ++i) sum = sum * 3 + 100 + (n + 5 * i & 15);
    return sum;
}

// A path with a shadow ray where a light is above the surface, which ends when something is missed.
uint path(uint n)
{
    uint lit = 0, length = 0;
    [loop] for (uint bounce = 0; bounce < 6; ++bounce)
    {
        Payload p = NONE;
        int record = bounce * 3 > n ? -1 - int(n % 5) : int(n);
        lane_trace(p, record);
        if (p.who >= MISS_A) { length += 100 * p.tag; break; }
        ++length;
        if ((n + bounce) % 3 == 0) continue;
        if ((n ^ bounce) & 1)
        {
            Payload shadow = NONE;
            lane_trace(shadow, -1 - int(bounce % 5));
            lit += shadow.tag - 200 + 1;
        }
        lit += 100;
    }
    return lit * 100000 + length;
}
uint must_path(uint n)
{
    uint lit = 0, length = 0;
    for (uint bounce = 0; bounce < 6; ++bounce)
    {
        if (bounce * 3 > n) { length += 100 * (200 + n % 5); break; }
        ++length;
        if ((n + bounce) % 3 == 0) continue;
        if ((n ^ bounce) & 1) lit += bounce % 5 + 1;
        lit += 100;
    }
    return lit * 100000 + length;
}

// A loop in a loop, in a branch; the inner one is left by a return.
uint nest(uint n)
{
    uint sum = 0;
    if (n & 3)
    {
        for (uint i = 0; i < n % 3 + 1; ++i)
        {
            uint k = 0;
            do
            {
                Payload p = NONE;
                lane_trace(p, -1 - int(k % 5));
                sum += p.tag;
                if (sum > 1000 + 10 * n) return sum;
                ++k;
            }
            while (k < (n + i) % 4);
            sum += 7;
        }
        sum += 5;
    }
    return sum + 1;
}
uint must_nest(uint n)
{
    uint sum = 0;
    if (n & 3)
    {
        for (uint i = 0; i < n % 3 + 1; ++i)
        {
            uint k = 0;
            do
            {
                sum += 200 + k % 5;
                if (sum > 1000 + 10 * n) return sum;
                ++k;
            }
            while (k < (n + i) % 4);
            sum += 7;
        }
        sum += 5;
    }
    return sum + 1;
}

// The condition traces.
uint until(uint n)
{
    uint k = 0;
    Payload p = NONE;
    while (lane_trace(p, k == n % 6 ? -1 : int(k)), p.who < MISS_A) ++k;
    return k * 1000 + p.tag;
}

[shader("raygeneration")] void Main()
{
    uint n = number(thread());
    IS(bounces(n), must_bounces(n));
    IS(path(n), must_path(n));
    IS(nest(n), must_nest(n));
    IS(until(n), n % 6 * 1000 + 200);
    uint both = 0;
    if (n > 5) both = bounces(n) + path(n ^ 1);
    IS(both, n > 5 ? must_bounces(n) + must_path(n ^ 1) : 0);
    done(5);
}
