// Before HLSL 2021 the variables of a `for` stay visible after it, and the latest of a name counts.
// options: -HV 2018
// RUN: %rtc -T lib_6_3 -HV 2018 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc -T lib_6_3 -HV 2018 -spirv -no-warnings %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -T lib_6_3 -HV 2018 -spirv -Od -no-warnings %s -Fo %t.od.spv
// RUN: %spirv-val %t.od.spv
// RUN: not %rtc -T lib_6_3 -HV 2021 %s 2>&1 | FileCheck %s
// CHECK: use of undeclared identifier `i`
#include "Inputs/out.hlsli"

static int g = 1000;
int counted(int n)
{
    for (int i = 0, last = 0; i < 6; ++i) { if (i * n > 9) break; last = i * n; }
    return i * 100 + last;
}
[shader("raygeneration")]
void Main()
{
    int n = inS(0);
    for (int i = 0; i < 4; ++i) putI(i * n);
    for (i = 2; i < 5; i++) putI(i);
    putI(i);
    for (int i = 7; i < 9; ++i) { int i = 3; putI(i); }
    putI(i);
    for (int g = 0; g < 2; ++g) putI(g);
    putI(g);
    if (n > 0)
        for (int k = 0; k < 2; ++k) { for (int k = 5; k < 7; ++k) putI(k); }
    int k = n; putI(k);
    [unroll] for (uint j = 0; j < 3; j++) { for (uint m = 0; m < j; m++) { } putU(m); }
    putI(counted(n)); putU(j);
}
