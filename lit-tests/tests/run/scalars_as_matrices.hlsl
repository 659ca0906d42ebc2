// A scalar where a matrix is expected and nothing else is given is a matrix of one element.
// reference SPIR-V: no, its module is invalid
// RUN: %rtc -T lib_6_3 -HV 2021 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc -T lib_6_3 -HV 2021 -spirv -no-warnings %s -Fo %t.spv
// RUN: %spirv-val %t.spv
#include "Inputs/out.hlsli"
[shader("raygeneration")] void Main()
{
    float s = inF(0);
    int n = inI(1);
    putF(determinant(s));
    putF(determinant(2.5));
    putF(transpose(s));
    putI(transpose(n));
    putF4(transpose(s * 2));
}
