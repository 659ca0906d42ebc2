// Bit intrinsics and half-precision conversions.
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
    for (uint i = 0; i < 10; ++i)
    {
        uint u = inU(i);
        int s = inI(i);
        putU(countbits(u)); putU(reversebits(u)); putU(firstbitlow(u)); putU(firstbithigh(u));
        putU(countbits(s)); putU(reversebits(u & 0xffff) >> 16); putU(firstbitlow(s));
        putU3(countbits(uint3(u, ~u, u >> 7))); putU2(firstbithigh(uint2(u, u >> 9))); 
        putU2(reversebits(uint2(u, u << 1)));
        float f = inF(i);
        putU(f32tof16(f)); putF(f16tof32(f32tof16(f))); putF(f16tof32(u & 0x7bff)); putU2(f32tof16(float2(f, -f))); putF2(f16tof32(uint2(0x3c00, 0xc000)));
        putU(u & 0xf0f0 | ~u & 0x0f0f); putU(u ^ u >> 1); putU((u << 5) | (u >> 27)); putI(s >> 31); putU(u * 2654435761u); putI(s * s);
    }
}
