// Chains of more than five hundred operators, as programs that write programs make them.
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

#define X8(t) t t t t t t t t
[shader("raygeneration")]
void Main()
{
    int s = inS(0); float f = inS(1);
    putI(s X8(X8(X8(+ s ^ 5))));
    putF(f X8(X8(X8(+ f - 1))));
    bool all = s > 0 X8(X8(X8(&& s < 20)));
    putB(all);
    static const uint n = 1 X8(X8(X8(+ 1)));
    putU(n);
}
