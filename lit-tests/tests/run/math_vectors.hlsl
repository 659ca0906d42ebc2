// Geometric intrinsics, and component-wise ones on vectors.
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
    float3 a = float3(inF(0), inF(1), inF(2) + 9), b = float3(inF(3), inF(4) + 10, inF(5)), c = float3(inF(6), inF(7), inF(8));
    putF(dot(a, b)); putF3(cross(a, b)); putF(length(a)); putF(distance(a, b)); putF3(normalize(a));
    putF3(reflect(a, normalize(b))); putF3(refract(normalize(a), normalize(b), 0.4)); putF3(faceforward(a, b, c));
    putF(dot(a.xy, b.yz)); putF(length(a.xy)); putF2(normalize(b.yz)); putF(dot(float4(a, 1), float4(b, 2)));
    putF3(lerp(a, b, 0.25)); putF3(lerp(a, b, c)); putF3(min(a, 1)); putF3(max(a, b)); putF3(clamp(a, -c, abs(c))); putF3(step(0, c));
    putF3(smoothstep(-8, 8, c)); putF3(saturate(c)); putF3(frac(c)); putF3(floor(c)); putF3(pow(abs(c), 2)); putF3(sqrt(abs(c)));
    putF3(sign(c)); putI3(sign(c)); putF3(mad(a, b, c)); putF3(fmod(c, 2)); putF3(rcp(b.yyy)); putF4(dst(float4(a, 1), float4(b, 3)));
    float3 w;
    putF3(modf(c, w)); putF3(w);
    float2 s, k;
    sincos(c.xy / 4, s, k);
    putF2(s); putF2(k);
    putF3(ldexp(c, float3(1, 2, -1)));
    int3 n = int3(inS(0), inS(1), inS(2));
    putI3(abs(n)); putI3(min(n, n.zyx)); putI3(max(n, 0)); putI3(clamp(n, -2, 5)); putI(dot(n, n.yzx)); putI3(sign(n));
    putB(any(c)); putB(all(c)); putB(any(c.xy > 2)); putB(all(c.xy > -2)); putB(any(isnan(c)));
    putU3(asuint(c)); putF3(asfloat(asint(c))); putI3(asint(c));
    putF(dot(c.x, 3.0)); putF(length(c.x)); putF(distance(c.y, c.z)); putF(mul(a, b));
    float d = 2;
    putF3(d.xxx * c / d); putF3(a / (abs(c) + 1)); putF3(1 / (abs(c) + 1));
    putF3(exp2(c.zyx)); putF3(log2(abs(c) + 1)); putF3(radians(c)); putF3(trunc(c)); putF3(ceil(c)); putF3(round(c * 3 + 0.1));
}
