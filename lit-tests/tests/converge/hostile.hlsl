// Shapes that are easy to get wrong: cases that fall through, loops in loops that several exits leave, payloads that an idle lane reads, payloads through functions,
// static variables, wave operations next to traces, side effects that are counted.
// rtc -T lib_6_3
// scene: ../run/dxr/Inputs/tables.toml
// RUN: %rtc-run %s -o %T -- -no-warnings -fspv-converge-traces=on
// RUN: %rtc-run %s -o %T -- -no-warnings -fspv-converge-traces=on -Od
// RUN: %rtc-run %s -o %T -- -no-warnings -fspv-converge-traces=on -O1
// RUN: %rtc-run %s -o %T -- -no-warnings -fspv-converge-traces=auto
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc -spirv -fspv-converge-traces=on -T lib_6_3 -no-warnings %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -spirv -fspv-converge-traces=on -Od -T lib_6_3 -no-warnings %s -Fo %t.od.spv
// RUN: %spirv-val %t.od.spv
// RUN: %rtc -spirv -fspv-converge-traces=on -T lib_6_3 -no-warnings %s -report reorder,%t.txt -Fo %t.report.spv
// RUN: FileCheck --input-file=%t.txt %s
// CHECK-COUNT-12: all lanes trace
// CHECK-NOT: stays divergent
#include "Inputs/lanes.hlsli"

static uint traces = 0, first_record = 99;
// It counts, and keeps what the first one was.
void counted(inout Payload p, int record)
{
    if (traces++ == 0) first_record = uint(record);
    lane_trace(p, record);
}

// Cases fall through from one trace to the next.
uint falls(uint n)
{
    uint sum = 0;
    Payload p = NONE;
    switch (n % 5)
    {
    case 0: lane_trace(p, n); sum += p.tag;
    case 1: lane_trace(p, -1); sum = 3 * sum + p.tag;
    case 2: sum += 10; break;
    case 3: if (n & 4) break; lane_trace(p, -2); sum += p.tag; break;
    default: sum = 7;
    }
    return sum * 1000 + p.tag;
}
uint must_falls(uint n)
{
    uint sum = 0, tag = 7;
    if (n % 5 == 0) { tag = 100 + n; sum += tag; }
    if (n % 5 <= 1) { tag = 200; sum = 3 * sum + tag; }
    if (n % 5 <= 2) sum += 10;
    else if (n % 5 == 3) { if (!(n & 4)) { tag = 201; sum += tag; } }
    else sum = 7;
    return sum * 1000 + tag;
}

// A loop in a loop; the inner one is left for the outer one's next iteration, and the outer one for the end.
uint nested(uint n)
{
    uint sum = 0;
    [loop] for (uint i = 0; i < n % 3 + 1; ++i)
    {
        bool next = false;
        [loop] for (uint k = 0; ; ++k)
        {
            if (k == (n ^ i) % 4) break;
            Payload p = NONE;
            lane_trace(p, -1 - int(k));
            sum = sum * 5 + p.tag;
            if (p.tag == 202) { next = true; break; }
            if (sum % 11 == 3) return sum;
        }
        if (next) continue;
        if (n == 9) break;
        sum += 1;
    }
    return sum + 1;
}
uint must_nested(uint n)
{
    uint sum = 0;
    for (uint i = 0; i < n % 3 + 1; ++i)
    {
        bool next = false;
        for (uint k = 0; ; ++k)
        {
            if (k == (n ^ i) % 4) break;
            sum = sum * 5 + 200 + k;
            if (k == 2) { next = true; break; }
            if (sum % 11 == 3) return sum;
        }
        if (next) continue;
        if (n == 9) break;
        sum += 1;
    }
    return sum + 1;
}

// State that is swapped, and kept by lanes that have left: more results than state of their types.
uint4 swapped(uint n)
{
    uint a = n, b = 1;
    float x = 0.5;
    bool odd = false;
    [loop] while (a + b < 40 + n)
    {
        Payload p = NONE;
        lane_trace(p, int(a & 15));
        uint c = a;
        a = b + (p.tag - 100) % 3;
        b = c + 2;
        x = x * 2;
        odd = !odd;
        if (x > 20) { x = -x; break; }
    }
    return uint4(a, b, uint(int(x * 2)), odd);
}
uint4 must_swapped(uint n)
{
    uint a = n, b = 1;
    float x = 0.5;
    bool odd = false;
    while (a + b < 40 + n)
    {
        uint c = a;
        a = b + (a & 15) % 3;
        b = c + 2;
        x = x * 2;
        odd = !odd;
        if (x > 20) { x = -x; break; }
    }
    return uint4(a, b, uint(int(x * 2)), odd);
}

// Lanes that never enter the loop, and a whole wave that does not.
uint none(uint n, uint least)
{
    uint sum = 1;
    [loop] for (uint i = least; i < n; ++i)
    {
        Payload p = NONE;
        lane_trace(p, int(i));
        sum += p.tag;
    }
    return sum;
}
uint must_none(uint n, uint least)
{
    uint sum = 1;
    for (uint i = least; i < n; ++i) sum += 100 + i;
    return sum;
}

// The payload is read by lanes that do not trace, and written by them.
Payload kept(uint n, out uint before)
{
    Payload p = { 40 + n, 50 };
    if (n % 3 == 1) lane_trace(p, n);
    before = p.tag;
    if (n % 3 == 2) p.who = n;
    else lane_trace(p, -3);
    p.tag += p.who;
    return p;
}

[shader("raygeneration")] void Main()
{
    uint n = number(thread());
    IS(falls(n), must_falls(n));
    IS(nested(n), must_nested(n));
    uint4 s = swapped(n), t = must_swapped(n);
    IS(s.x, t.x); IS(s.y, t.y); IS(s.z, t.z); IS(s.w, t.w);
    IS(none(n, 3), must_none(n, 3));
    IS(none(n, 16), 1);
    uint before;
    Payload p = kept(n, before);
    IS(before, n % 3 == 1 ? 100 + n : 40 + n);
    uint who = n % 3 == 2 ? n : MISS_A;
    IS(p.who, who);
    IS(p.tag, (n % 3 == 2 ? 40 + n : 202) + who);
    // Only lanes with work count.
    Payload q = NONE;
    if (n & 1) counted(q, n);
    if (n & 2) counted(q, -1);
    IS(traces, (n & 1) + (n >> 1 & 1));
    IS(first_record, n & 1 ? n : n & 2 ? uint(-1) : 99);
    // Wave operations before, in and after.
    uint lanes = WaveActiveCountBits(n & 4), inside = 0;
    if (n & 4)
    {
        uint one = WaveActiveCountBits(true);
        lane_trace(q, n);
        inside = one;
    }
    IS(inside, n & 4 ? lanes : 0);
    done(14);
}
