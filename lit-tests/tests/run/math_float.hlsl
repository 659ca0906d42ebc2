// Floating-point intrinsics on scalars.
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
        float a = inF(i), b = inF(i + 8), c = inF(i + 16);
        float u = saturate(abs(a) / 8), p = abs(a) + 0.5;
        putF(abs(a)); putF(sign(a)); putF(floor(a)); putF(ceil(a)); putF(round(a + 0.25)); putF(trunc(a)); putF(frac(a));
        putF(min(a, b)); putF(max(a, b)); putF(clamp(a, -1, 2)); putF(saturate(a)); putF(lerp(a, b, c)); putF(step(a, b));
        putF(smoothstep(-2, 3, a)); putF(mad(a, b, c)); putF(rcp(p)); putF(sqrt(p)); putF(rsqrt(p));
        putF(exp(a / 4)); putF(exp2(a)); putF(log(p)); putF(log2(p)); putF(log10(p)); putF(pow(p, b / 4));
        putF(degrees(a)); putF(radians(a)); putF(ldexp(a, 3)); putF(fmod(a, 1.75)); putF(fmod(b, -2.25));
        float whole, e;
        putF(modf(a, whole)); putF(whole);
        putB(isnan(a)); putB(isinf(a)); putB(isfinite(a));
        putI(sign(a)); putI(sign(inI(i)));
        putF(sin(u)); putF(cos(u)); putF(tan(u));
        float s, co;
        sincos(u, s, co);
        putF(s); putF(co);
        putI(abs(inS(i))); putI(min(inI(i), inI(i + 1))); putU(max(inU(i), inU(i + 1))); putI(clamp(inI(i), -5, 5)); putU(clamp(inU(i), 3u, 9u));
        putI(mad(inS(i), 3, 4)); putU(mad(inU(i), 3u, 4u));
        putU(asuint(a)); putI(asint(b)); putF(asfloat(asuint(c) ^ 0x80000000));
    }
}
