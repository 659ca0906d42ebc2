// Arithmetic and comparison of mixed types.
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
    for (uint i = 0; i < 6; ++i)
    {
        int s = inS(i);
        uint u = inU(i + 6);
        int t = inS(i + 12);
        putB(s < u);
        putB(s > int(u));
        putB(-1 > u);
        putB(s == u);
        putB(s < 0u);
        putB(s < 0.5);
        putB(u < 1.5);
        putI(s / t);
        putI(s % t);
        putU(u / uint(t));
        putU(u % uint(t));
        putU(u / t);
        putU(s % 7u);
        putI(s >> 2);
        putU(u >> 2);
        putI(s << 3);
        putI(s >> (t & 31));
        putU(u << (t & 31));
        putU(u >> uint(t));
        putI(s >> t);
        putI(1 << t);
        putU(1u << u);
        putF(s / 2);
        putF(s / 2.0);
        putF(7 / 2 * 2.0);
        putF(s * u % 16);
        putI(s - t * 3 + 2 & 0xff ^ 5 | t << 1);
        putI(s + t << 2);
        putB(s & 1 == 1);
        putB(s < t == t < 3);
        putI(-s * -t - -1);
        putI(~s & t);
        putI(!s + !t);
        putF(fmod(s, 2.5));
        putF(inF(i) % 3);
        putF(-inF(i) % 2.5);
        putI(s > t ? s : t);
        putU(s * 65537u * 65537);
        putI(-7 / 2);
        putI(-7 % 3);
        putI(7 % -3);
        putI(int(0x80000000) >> 31);
        putU(0x80000000 >> 31);
    }
}
