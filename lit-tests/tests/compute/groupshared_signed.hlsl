// Groupshared integers with signed atomic operations have the signed type in SPIR-V, which is where translators look for the sign.
// rtc -T cs_6_6 -E main -HV 2021
// RUN: %rtc -T cs_6_6 -E main -spirv %s -Fo %t.spv -Fc %t.txt
// RUN: %spirv-val %t.spv
// RUN: FileCheck %s --input-file=%t.txt --check-prefix=SPV
// RUN: %rtc -T cs_6_6 -E main -spirv -Od %s -Fo %t.od.spv
// RUN: %spirv-val %t.od.spv
// RUN: %rtc-run %s --scene %S/Inputs/expect.toml -o %T
// RUN: FileCheck %s --input-file=%T/out.json
// RUN: %rtc-run %s --scene %S/Inputs/expect.toml -o %T -- -Od
// RUN: FileCheck %s --input-file=%T/out.json
// RUN: %rtc-run-cpu %s --scene %S/Inputs/expect.toml -o %T
// RUN: FileCheck %s --input-file=%T/out.json
// SPV: [[INT:%[0-9A-Za-z_]+]] = OpTypeInt 32 1
// SPV: OpAtomicSMax {{ *}}[[INT]]
// SPV: OpAtomicSMin {{ *}}[[INT]]
// SPV: OpAtomicUMax
// CHECK: {{^}}[
// CHECK-NEXT: {{^}}8,
// CHECK-NEXT: {{^}}0,
#include "Inputs/expect.hlsli"
groupshared int lone;
groupshared int list[2][2];
groupshared int2 pair;
groupshared uint word;

[numthreads(1, 1, 1)] void main()
{
    lone = -9; word = 5;
    InterlockedMax(lone, i(11));
    IS(lone, -2);
    for (uint k = 0; k < 4; ++k) list[k >> 1][k & 1] = i(k);
    int old;
    InterlockedMin(list[i(1)][i(0)], i(12), old);
    IS(old, 2); IS(list[1][0], -3); IS(list[1][1] / -2, -1);
    pair = int2(i(3), i(13));
    InterlockedMax(pair.y, i(10));
    IS(pair.x, 3); IS(pair.y, -1);
    InterlockedAdd(lone, 1, old);
    IS(lone, -1);
    InterlockedMax(word, (uint)i(10));
    IS(word, 0xffffffffu);
    done();
}
