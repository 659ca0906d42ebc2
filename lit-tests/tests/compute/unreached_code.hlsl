// rtc -T cs_6_6 -E main -HV 2021
// What a constant keeps from being executed may divide by zero and index out of range.
// RUN: %rtc-run %s --scene %S/Inputs/expect.toml -o %T
// RUN: FileCheck %s --input-file=%T/out.json
// RUN: %rtc-run %s --scene %S/Inputs/expect.toml -o %T -- -Od
// RUN: FileCheck %s --input-file=%T/out.json
// RUN: %rtc-run-cpu %s --scene %S/Inputs/expect.toml -o %T
// RUN: FileCheck %s --input-file=%T/out.json
// RUN: %rtc-run-cpu %s --scene %S/Inputs/expect.toml -o %T -- -Od
// RUN: FileCheck %s --input-file=%T/out.json
// RUN: %rtc -T cs_6_6 -E main -HV 2021 -spirv %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -T cs_6_6 -E main -HV 2021 -spirv -Od %s -Fo %t.od.spv
// RUN: %spirv-val %t.od.spv
// CHECK: {{^}}[
// CHECK-NEXT: {{^}}28,
// CHECK-NEXT: {{^}}0,
#include "Inputs/expect.hlsli"

#define COUNT 0
static const uint None = 0;
static const uint Share = None ? 64 / None : 8;
template<uint K> uint share(uint x) { return K ? x / K : 2; }
template<uint K> uint share_in(uint x) { if (K) { return x / K; } return 3; }
uint with_default(uint x = COUNT ? 64 / COUNT : 12) { return x; }
enum E { First = COUNT ? 64 / COUNT : 6 };
uint early(uint x) { return x; return x / COUNT; }

[numthreads(1, 1, 1)] void main()
{
    uint list[2] = { (uint)i(1), (uint)i(2) };
    IS(COUNT ? 64 / COUNT : 3, 3); IS(COUNT == 0 ? 7 : 64 % COUNT, 7); IS((COUNT ? 1 + 64 / COUNT : i(4)) * 2, 8);
    IS((uint)(COUNT && 64 / COUNT), 0u); IS((uint)(!COUNT || 64 / COUNT), 1u); IS((uint)(COUNT && i(1) / COUNT), 0u);
    uint x = i(1);
    if (COUNT) x = 64 / COUNT; IS(x, 1u);
    if (COUNT == 0) x = 5; else x = x % COUNT; IS(x, 5u);
    if (COUNT && 64 / COUNT > 3) x = 4; IS(x, 5u);
    if (COUNT > 5) x = list[5]; IS(x, 5u);
    if (COUNT) x /= COUNT; IS(x, 5u);
    if (i(1)) { if (COUNT) { x = list[COUNT - 1]; } } IS(x, 5u);
    const uint n = 0; if (n) x = 64 / n; IS(x, 5u);
    while (COUNT) { x = 64 / COUNT; } IS(x, 5u);
    for (uint k = 0; COUNT; k += 1 / COUNT) { x = list[7]; } IS(x, 5u);
    switch (COUNT) { case 1: x = 64 / COUNT; break; case 0: x = 9; break; default: x = 2; } IS(x, 9u);
    switch (i(3)) { case COUNT ? 64 / COUNT : 3: x = 1; break; } IS(x, 1u);
    uint sized[COUNT ? 64 / COUNT : 2]; sized[0] = 1; sized[1] = i(4); IS(sized[1], 4u);
    IS(share<0>(8), 2u); IS(share<4>(8), 2u); IS(share_in<0>(8), 3u); IS(share_in<2>(i(8)), 4u); IS(Share, 8u);
    IS(with_default(), 12u); IS((uint)First, 6u); IS(early(i(2)), 2u); IS(COUNT ? list[9] : list[1], 2u);
    uint2 v = COUNT ? uint2(64 / COUNT, 1) : uint2(3, i(4)); IS(v.y, 4u);
    done();
}
