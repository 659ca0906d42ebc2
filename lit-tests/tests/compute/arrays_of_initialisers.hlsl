// rtc -T cs_6_6 -E main -HV 2021
// Names of arrays without a size: each variable has that of its initialiser.
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
// CHECK-NEXT: {{^}}13,
// CHECK-NEXT: {{^}}0,
#include "Inputs/expect.hlsli"

typedef const float Ramp[];
typedef float2 Pairs[];
typedef float Rows[][2];
typedef uint Words[];
typedef float Plain[];
static Ramp ramp = { 1, 2, 4 };
static Ramp longer = { 1, 2, 4, 8, 16 };
static const Pairs pairs = { float2(1, 2), 3, 4 };
static Rows rows = { { 1, 2 }, { 3, 4 }, { 5, 6 } };
// Nothing calls these.
float first(Plain a) { return a[0]; }
uint second(uint u[], uint v[][3]) { return u[1] + v[0][2]; }

[numthreads(1, 1, 1)] void main()
{
    Words words = { (uint)i(1), 2, 3, (uint)i(4) };
    static const Words fixed = { 7, 8 };
    IS(ramp[i(2)], 4.0f); IS((uint)sizeof(ramp), 12u); IS((uint)sizeof(longer), 20u); IS(longer[i(4)], 16.0f);
    IS(pairs[i(1)].y, 4.0f); IS((uint)sizeof(pairs), 16u);
    IS(rows[i(2)][i(1)], 6.0f); rows[i(1)][0] = f(9); IS(rows[1][i(0)], 9.0f);
    IS(words[i(3)], 4u); words[i(2)] = 6; IS(words[2], 6u); IS((uint)sizeof(words), 16u); IS(fixed[i(1)], 8u);
    uint x = 0; for (Words r = { 1, 2 }; r[0] < 3; r[0]++) x += r[1]; IS(x, 4u);
    done();
}
