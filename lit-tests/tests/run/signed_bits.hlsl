// The position of the first bit that differs from the sign, and the specular part of lit().
// reference: no (its SPIR-V takes the highest set bit of negative numbers, and multiplies where lit() has a power)
// RUN: %rtc -T lib_6_3 -HV 2021 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc -T lib_6_3 -HV 2021 -Od -validator-version 1.6 -no-warnings %s -Fo %t.od.dxil
// RUN: %dxil-val %t.od.dxil
// RUN: %rtc -T lib_6_3 -HV 2021 -spirv -no-warnings %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -T lib_6_3 -HV 2021 -spirv -Od -no-warnings %s -Fo %t.od.spv
// RUN: %spirv-val %t.od.spv
#include "Inputs/out.hlsli"

[shader("raygeneration")]
void Main()
{
    int z = inI(0) & 0;
    expect(firstbithigh(z - 1), -1); expect(firstbithigh(z), -1); expect(firstbithigh(z - 5), 2); expect(firstbithigh(z + 5), 2);
    expect(firstbithigh(z - 2147483647 - 1), 30); expect(firstbithigh(z + 2147483647), 30); expect(firstbithigh(z - 2), 0);
    int2 v = firstbithigh(int2(z - 256, z + 256));
    expect(v.x, 7); expect(v.y, 8);
    expect(firstbithigh(-1), -1); expect(firstbithigh(-5), 2); expect(firstbithigh(0), -1); expect(firstbithigh(0u), -1);
    expect(firstbithigh(0x80000000u), 31); expect(firstbithigh(1u + z), 0); expect(firstbitlow(z), -1); expect(firstbitlow(8), 3);
    float one = z + 1;
    float4 l = lit(one, one * 2, 3);
    expect(int(l.x), 1); expect(int(l.y), 1); expect(int(round(l.z)), 8); expect(int(l.w), 1);
    l = lit(-one, one, 3);
    expect(int(l.y), 0); expect(int(l.z), 0);
    l = lit(one, -one, 3);
    expect(int(l.y), 1); expect(int(l.z), 0);
}
