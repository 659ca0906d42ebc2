// Derivatives in a compute shader before shader model 6.6 are an error if they are left once dead code is gone, at every level.
// RUN: %rtc -T cs_6_5 -E main -validator-version 1.6 %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc -T cs_6_5 -E main -validator-version 1.6 -Od %s -Fo %t.od.dxil
// RUN: %dxil-val %t.od.dxil
// RUN: %rtc -T lib_6_5 -validator-version 1.6 -Od %s -Fo %t.lib.dxil
// RUN: %dxil-val %t.lib.dxil
// RUN: %rtc -T cs_6_5 -E main -spirv %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -T cs_6_5 -E main -spirv -Od -D ALONE %s -Fo %t.od.spv
// RUN: %spirv-val %t.od.spv
// RUN: not %rtc -T cs_6_5 -E main -D LEFT %s 2>&1 | FileCheck %s --check-prefix=LEFT
// RUN: not %rtc -T cs_6_5 -E main -D LEFT -Od %s 2>&1 | FileCheck %s --check-prefix=LEFT
// RUN: not %rtc -T cs_6_5 -E main -D LEVEL %s 2>&1 | FileCheck %s --check-prefix=LEVEL
static const bool Pixel = false;
Texture2D<float4> map : register(t0);
SamplerState near : register(s0);
SamplerComparisonState shadow : register(s1);
RWBuffer<float4> o : register(u0);

float slope(float x, bool wanted) { if (wanted) return ddx(x) + fwidth(x); return x; }
template<bool Derivatives> float4 texel(float2 at)
{
    if (Derivatives) return map.Sample(near, at) + map.SampleBias(near, at, 1) + map.SampleCmp(shadow, at, 0.5);
    return map.SampleLevel(near, at, 0);
}

#ifdef ALONE
[numthreads(1, 1, 1)]
#else
[shader("compute")] [numthreads(8, 8, 1)]
#endif
void main(uint2 at : SV_DispatchThreadID)
{
    o[0] = slope(at.x, false) + texel<Pixel>(at);
    float unused = ddy((float)at.y);
#ifdef LEFT
    // LEFT: :[[#@LINE+1]]:12: error: `ddx` requires shader model 6.6
    o[1] = ddx((float)at.x);
    // LEFT: :[[#@LINE+1]]:12: error: `Sample` requires shader model 6.6
    o[2] = map.Sample(near, at);
    // LEFT: :[[#@LINE+1]]:12: error: `fwidth` requires shader model 6.6
    o[3] = fwidth((float)at.x);
    // LEFT-NOT: error:
#endif
#ifdef LEVEL
    // LEVEL: :[[#@LINE+1]]:23: error: `CalculateLevelOfDetail` requires shader model 6.6
    if (Pixel) o[4] = map.CalculateLevelOfDetail(near, at);
#endif
}
