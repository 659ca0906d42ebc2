// Trigonometric and hyperbolic functions.
// Vulkan within 0.005, the software device computes angles with less precision.
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
    for (uint i = 0; i < 12; ++i)
    {
        float a = inF(i), u = a / 8.5;
        putF(float(int(asin(u) * 256 + 1000) / 4)); putF(float(int(acos(u) * 256 + 1000) / 4));
        putF(atan(a)); putF(atan2(a, 2.5)); putF(atan2(a, -2.5));
        putF(sinh(u)); putF(cosh(u)); putF(tanh(u));
        putF(sin(a)); putF(cos(a)); putF(tan(u));
    }
}
