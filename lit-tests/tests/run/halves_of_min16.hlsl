// Minimum precision: on the CPU device `min16float` is a half and `min16int` has 16 bits, wherever they are computed with, as the least that the
// language allows; in memory they take 32 bits each.
// reference: no, the expected values are written here
// device: cpu, drivers may round as they like and compute minimum precision in 32 bits
// options: -T lib_6_3
// RUN: %rtc -T lib_6_3 -HV 2021 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc -T lib_6_3 -HV 2021 -Od -validator-version 1.6 -no-warnings %s -Fo %t.od.dxil
// RUN: %dxil-val %t.od.dxil
// RUN: %rtc -T lib_6_3 -HV 2021 -spirv -no-warnings %s -Fo %t.spv
// RUN: %spirv-val %t.spv
#include "Inputs/out.hlsli"

#define IS(found, must) expect(int(found), int(must))
#define ISF(found, must) expect(asint(float(found)), asint(float(must)))
// A number that no compiler knows: the last word of the results is zero until it is written.
uint number(uint n) { return n + Out.Load(32764); }

struct Both { min16float h; min16int3 i; min16float2x2 m; float last; };
[shader("raygeneration")] void Main()
{
    min16float large = min16float(number(8) * 256.0), one = min16float(number(1));
    ISF(large + one, 2048); ISF(large + 3 * one, 2052); IS(isinf(float(large * large)), 1);
    min16int most = min16int(number(15)) * 2184 + 7;
    IS(most, 32767); IS(min16int(most + min16int(number(1))) < 0, 1);
    min16uint wide = min16uint(number(15)) << min16uint(number(12));
    IS(wide, 0xf000); IS(min16uint(wide << min16uint(number(4))), 0);
    // Neighbours in memory are left alone.
    Both list[3];
    for (uint n = 0; n < 3; ++n)
    {
        list[n].h = min16float(n); list[n].i = min16int3(n, n + 1, n + 2); list[n].m = min16float2x2(n, n + 1, n + 2, n + 3); list[n].last = n;
    }
    uint at = number(1);
    list[at].i[number(2)] = -5; list[at].m[number(1)][number(0)] = 100; list[at].h = -1;
    IS(list[0].i.z + list[2].i.x, 4); IS(list[at].i.x + list[at].i.y, 3); IS(list[at].i.z + 5, 0); ISF(list[at].m[0][1], 2); ISF(list[at].m[1][0], 100);
    ISF(list[at].m[1][1], 4); ISF(list[at].last, 1); ISF(list[at].h, -1); ISF(list[2].h, 2); ISF(list[0].last, 0);
}
