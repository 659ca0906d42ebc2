// Intrinsics on halves, 16-bit integers and doubles against the same on floats and words: vectors and matrices. Numbers are
// small, so that all are exact.
// reference: no, no pipeline can be created from its SPIR-V with 64-bit and 16-bit floats
// options: -T lib_6_6 -enable-16bit-types
// RUN: %rtc -T lib_6_6 -enable-16bit-types -HV 2021 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc -T lib_6_6 -enable-16bit-types -HV 2021 -Od -validator-version 1.6 -no-warnings %s -Fo %t.od.dxil
// RUN: %dxil-val %t.od.dxil
// RUN: %rtc -T lib_6_6 -enable-16bit-types -HV 2021 -spirv -no-warnings %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -T lib_6_6 -enable-16bit-types -HV 2021 -spirv -Od -no-warnings %s -Fo %t.od.spv
// RUN: %spirv-val %t.od.spv
#include "Inputs/out.hlsli"

// What all numeric types have.
template<typename V, typename M, typename S> void common(V a, V b, M m, M n, S k, out float3 r[18])
{
    r[0] = (float3)abs(a); r[1] = (float3)min(a, b); r[2] = (float3)max(a, b); r[3] = (float3)clamp(a, -k, k); r[4] = (float3)mad(a, b, a); r[5] = (float)dot(a, b);
    r[6] = (float3)sign(a); r[7] = (float3)select(a > b, a, b); r[8] = any(a) ? 1 : 0; r[9] = all(b != 0) ? 1 : 0;
    r[10] = (float3)mul(m, a); r[11] = (float3)mul(a, m); r[12] = (float3)mul(m, n)[0]; r[13] = (float3)transpose(m)[1]; r[14] = (float3)mul(m, k)[2];
    r[15] = (float3)mul(k, n)[1]; r[16] = (float)mul(a, b); r[17] = (float3)(m * n)[0];
}
// What those with fractions have, doubles aside.
template<typename V, typename M2, typename S> void fractions(V a, V b, M2 m, S k, out float3 r[20])
{
    V q = a / 4;
    r[0] = (float3)floor(q); r[1] = (float3)ceil(q); r[2] = (float3)trunc(q); r[3] = (float3)frac(q); r[4] = (float3)round(a / 8); r[5] = (float3)saturate(q); r[6] = (float3)step(a, b);
    r[7] = (float3)lerp(a, b, (V)0.5); r[8] = (float3)cross(a, b); r[9] = (float3)reflect(a, V(0, 1, 0)); r[10] = (float3)faceforward(a, b, a); r[11] = (float)determinant(m);
    r[12] = isnan(a).x ? 1 : 0; r[13] = isinf(q).y ? 1 : 0; r[14] = isfinite(q).z ? 1 : 0; V whole; r[15] = (float3)modf(q, whole); r[16] = (float3)whole; r[17] = (float3)fmod(a, (V)4);
    r[18] = (float3)ldexp(a, (V)2); r[19] = (float3)rcp((V)k);
}
void same(float3 a, float3 b) { for (uint i = 0; i < 3; ++i) expect(a[i] == b[i], 1); }
[shader("raygeneration")]
void Main()
{
    int3 a = int3(inS(0), inS(1), inS(2)), b = int3(inS(3), inS(4), inS(5));
    int3x3 m, n;
    for (uint i = 0; i < 3; ++i) for (uint j = 0; j < 3; ++j) { m[i][j] = inS(6 + 3 * i + j) % 6; n[i][j] = inS(15 + 3 * i + j) % 6; }
    float3 must[18], got[18];
    common<int3, int3x3, int>(a, b, m, n, 3, must);
    uint k;
    common<half3, half3x3, half>((half3)a, (half3)b, (half3x3)m, (half3x3)n, 3, got); for (k = 0; k < 18; ++k) same(got[k], must[k]);
    common<int16_t3, int16_t3x3, int16_t>((int16_t3)a, (int16_t3)b, (int16_t3x3)m, (int16_t3x3)n, 3, got); for (k = 0; k < 18; ++k) same(got[k], must[k]);
    common<double3, double3x3, double>((double3)a, (double3)b, (double3x3)m, (double3x3)n, 3, got); for (k = 0; k < 18; ++k) same(got[k], must[k]);
    float3 want[20], have[20];
    float2x2 two = float2x2(a.xy, b.yz);
    fractions<float3, float2x2, float>(a, b, two, 4, want);
    fractions<half3, half2x2, half>((half3)a, (half3)b, (half2x2)two, 4, have); for (k = 0; k < 20; ++k) same(have[k], want[k]);
    same((float3)fma((double3)a, (double3)b, (double3)b), float3(a * b + b)); same((float3)saturate((double3)a / 4), saturate(float3(a) / 4));
}
