// What ends pixels, derivatives and quads in a stage that has none of them are an error if they are left once dead code is gone, at every level.
// RUN: %rtc -T vs_6_6 -E main -validator-version 1.6 %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc -T vs_6_6 -E main -validator-version 1.6 -Od %s -Fo %t.od.dxil
// RUN: %dxil-val %t.od.dxil
// RUN: %rtc -T lib_6_6 -validator-version 1.6 -Od %s -Fo %t.lib.dxil
// RUN: %dxil-val %t.lib.dxil
// RUN: %rtc -T vs_6_6 -E main -spirv %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -T vs_6_6 -E main -spirv -Od -D ALONE %s -Fo %t.od.spv
// RUN: %spirv-val %t.od.spv
// RUN: not %rtc -T vs_6_6 -E main -D LEFT %s 2>&1 | FileCheck %s --check-prefix=LEFT
// RUN: not %rtc -T vs_6_6 -E main -D LEFT -Od %s 2>&1 | FileCheck %s --check-prefix=LEFT
// RUN: not %rtc -T vs_6_6 -E main -D LEFT -spirv %s 2>&1 | FileCheck %s --check-prefix=LEFT
static const bool Pixel = false;
Texture2D<float4> map : register(t0);
SamplerState near : register(s0);

void alpha(float a) { if (Pixel) clip(a - 0.5); }
void cut(float a, bool wanted) { if (wanted && a < 0.5) discard; }
template<bool Derivatives> float4 texel(float2 at)
{
    if (Derivatives) return map.Sample(near, at) + ddx(at.x) + fwidth(at.y) + QuadReadAcrossX(at.x);
    return map.SampleLevel(near, at, 0);
}

#ifndef ALONE
[shader("vertex")]
#endif
float4 main(float4 p : P) : SV_Position
{
    alpha(p.w);
    cut(p.w, false);
    float unused = ddy(p.x);
#ifdef LEFT
    // LEFT: :[[#@LINE+1]]:5: error: `clip` cannot be used in the vertex shader `main`
    clip(p.x);
    // LEFT: :[[#@LINE+1]]:20: error: `discard` cannot be used in the vertex shader `main`
    if (p.y > 0.5) discard;
    // LEFT: :[[#@LINE+1]]:12: error: `ddx` cannot be used in the vertex shader `main`
    p.z += ddx(p.x);
    // LEFT: :[[#@LINE+1]]:10: error: `Sample` cannot be used in the vertex shader `main`
    p += map.Sample(near, p.xy);
    // LEFT-NOT: error:
#endif
    return texel<Pixel>(p.xy) + p;
}
