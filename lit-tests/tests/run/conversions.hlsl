// Implicit and explicit conversions between scalars.
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

float half_of(float x) { return x / 2; }
int to_int(float x) { return x; }
uint to_uint(int x) { return x; }
[shader("raygeneration")]
void Main()
{
    for (uint i = 0; i < 8; ++i)
    {
        int s = inI(i);
        uint u = inU(i);
        float f = inF(i);
        putF(s);
        putF(u);
        putF(float(u >> 3));
        putI(f);
        putI(to_int(f * 1.5));
        putI(int(-f));
        putU(uint(abs(f)));
        putU(to_uint(int(f)));
        putU((uint)s);
        putF(half_of(inS(i)));
        putB(f);
        putB((bool)s);
        putI(true + (f > 0) + (s != 0));
        putF(bool(s) * 3.5);
        putI(-(f < 0));
        putI(~(s > 0));
        putB(!s);
        putB(!f);
        uint3 v3 = uint3(f > 0, s < 0, abs(f));
        putU3(v3);
        float3 g = int3(f, f * 2, f * 3);
        putF3(g);
        int2 b2 = bool2(f, s);
        putI2(b2);
        float sum = 0;
        sum += inS(i);
        sum -= u & 7;
        sum *= true;
        putF(sum);
        int acc = 5;
        acc *= 1.5;
        acc += f;
        acc -= 0.5;
        putI(acc);
        uint nine = 9;
        nine *= 0.75f;
        putU(nine);
    }
}
