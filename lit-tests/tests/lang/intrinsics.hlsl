// The mathematical intrinsics.
// RUN: %rtc -T lib_6_3 -validator-version 1.6 %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc -T lib_6_3 -Od -validator-version 1.6 %s -Fo %t.od.dxil
// RUN: %dxil-val %t.od.dxil
// RUN: %rtc -T lib_6_3 -spirv %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -T lib_6_3 -spirv -Od %s -Fo %t.od.spv
// RUN: %spirv-val %t.od.spv
RWStructuredBuffer<float4> Out : register(u0);
RWByteAddressBuffer Raw : register(u1);

[shader("raygeneration")]
void Main()
{
    float4 x = float4(DispatchRaysIndex(), 1) * 0.37, y = x.wzyx + 0.25;
    Out[0] = abs(x) + acos(saturate(x)) + asin(saturate(y)) + atan(x) + atan2(x, y);
    Out[1] = ceil(x) + floor(y) + frac(x) + round(y) + trunc(x);
    Out[2] = clamp(x, 0, 1) + min(x, y) + max(x, y.x) + step(x, y) + smoothstep(0, 1, x);
    Out[3] = cos(x) + sin(y) + tan(x) + cosh(x) + sinh(y) + tanh(x);
    Out[4] = exp(x) + exp2(y) + log(y) + log2(y) + log10(y) + pow(abs(x), y);
    Out[5] = sqrt(x) + rsqrt(y) + rcp(y) + sign(x) + lerp(x, y, 0.5) + mad(x, y, x);
    Out[6] = float4(cross(x.xyz, y.xyz), dot(x, y)) + float4(normalize(x.xyz), length(y));
    Out[7] = float4(reflect(x.xyz, normalize(y.xyz)), distance(x, y));
    Out[8] = float4(refract(normalize(x.xyz), normalize(y.xyz), 0.9), faceforward(x, y, x).x);
    Out[9] = degrees(x) + radians(y) + fmod(x, y) + ldexp(x, 2);
    float s, c;
    sincos(x.x, s, c);
    float whole;
    float part = modf(y.y, whole);
    Out[10] = float4(s, c, whole, part);
    Out[11] = float4(any(x > 1), all(y > 0), isnan(x.x), isinf(y.x));
    uint4 u = asuint(x);
    int4 i = asint(y);
    u += countbits(u) + reversebits(u) + firstbitlow(u) + firstbithigh(u);
    i = max(i, abs(i)) + firstbithigh(i) + sign(i);
    u += f32tof16(x) + asuint(f16tof32(u));
    Raw.Store4(0, u);
    Raw.Store4(16, asuint(i));
    Raw.Store4(32, asuint(asfloat(u)));
}
