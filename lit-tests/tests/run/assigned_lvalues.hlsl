// Assignments and pre-increments are l-values.
// reference: no, its older versions assign to a copy, and evaluate such arguments twice
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

int bump(inout int x) { x += 2; return x; }
[shader("raygeneration")]
void Main()
{
    int a[6] = { 1, 2, 3, 4, 5, 6 };
    // An assignment is the l-value that it assigns to. Each value is followed by what it must be.
    int p = inI(0), q = 3;
    --p = q;
    putI(p); putI(3);
    (p += 2) *= 4;
    putI(p); putI(20);
    putI(bump(++p)); putI(23);
    putI(p); putI(23);
    int2 pair;
    (pair = int2(1, 2)).y = 7;
    putI(pair.x); putI(1);
    putI(pair.y); putI(7);
    int n = 0;
    ++a[n++] += 5;
    putI(a[0]); putI(7);
    putI(n); putI(1);
    float2x2 m = 0;
    (++m)[1][0] = 9;
    putI((int)m[0][0]); putI(1);
    putI((int)m[1][0]); putI(9);
}
