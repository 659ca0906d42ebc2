// rtc -T cs_6_6
// A box blur along a row; permutations choose its radius.

#include "kernel.hlsli"

Texture2D<float4> Source : register(t0);
RWTexture2D<float4> Target : register(u0);

[numthreads(8, 8, 1)]
void main(uint2 at : SV_DispatchThreadID)
{
    float4 sum = 0;
    for (int x = -RADIUS; x <= RADIUS; x++)
        sum += Source[int2(at) + int2(x, 0)] * weight(RADIUS);
    Target[at] = sum;
}
