// Traces in branches that lanes part at: payloads of lanes without work stay what they are, before and after, and records of all tables are the application's.
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
    // One arm.
    Payload p = NONE;
    if (n & 1) lane_trace(p, n);
    Payload must = lane_must(n);
    if (!(n & 1)) must = NONE;
    IS_PAYLOAD(p, must);

    // The other arm, with code before and after the trace, which uses what is computed before it.
    uint before = 3, after = 4;
    p = NONE;
    if (n & 2)
    {
        before = n * 5;
    }
    else
    {
        uint k = number(n) * 3 + 1;
        p.tag = k;
        lane_trace(p, -1 - int(n % 5));
        after = k + p.tag;
    }
    IS(before, n & 2 ? n * 5 : 3);
    IS(after, n & 2 ? 4 : 3 * n + 1 + 200 + n % 5);
    IS(p.tag, n & 2 ? 7 : 200 + n % 5);

    // Both arms.
    p = NONE;
    if (n & 4) { lane_trace(p, n); p.tag += 1000; }
    else { lane_trace(p, -1 - int(n % 3)); p.who += 1000; }
    must = n & 4 ? lane_must(n) : lane_must(-1 - int(n % 3));
    IS(p.tag, must.tag + (n & 4 ? 1000 : 0));
    IS(p.who, must.who + (n & 4 ? 0 : 1000));

    // One in the other, and two in one arm.
    p = NONE;
    Payload q = NONE;
    uint steps = 0;
    if (n > 3)
    {
        steps += 1;
        if (n & 1)
        {
            steps += 10;
            lane_trace(p, n);
            steps += p.tag;
        }
        else if (n > 9)
        {
            lane_trace(q, -1);
            lane_trace(p, int(q.tag) - 200 + n);
            steps += 100 * p.tag;
        }
        steps += 100000;
    }
    bool first = n > 3 && n & 1, second = n > 9 && !(n & 1);
    IS(p.tag, first || second ? 100 + n : 7);
    IS(q.tag, second ? 200 : 7);
    IS(steps, first ? 100011 + 100 + n : second ? 100001 + 100 * (100 + n) : n > 3 ? 100001 : 0);

    // A switch.
    p = NONE;
    switch (n % 5)
    {
    case 0: p.who = 1; break;
    case 1: lane_trace(p, n); break;
    case 2: lane_trace(p, -2); p.tag += 5; break;
    case 3: p.tag = 6; lane_trace(p, -5);
    default: p.who += 50;
    }
    uint tags[5] = { 7, 100 + n, 206, 204, 7 };
    uint whos[5] = { 1, lane_must(n).who, MISS_B, MISS_A + 50, 58 };
    IS(p.tag, tags[n % 5]);
    IS(p.who, whos[n % 5]);

    // A condition that is the same for all lanes.
    p = NONE;
    if (DispatchRaysDimensions().x == 16) lane_trace(p, n);
    IS_PAYLOAD(p, lane_must(n));
    done(14);
}
