// Read-modify-write of images.
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

RWTexture2D<float4> Colour : register(u8);
RWTexture2D<uint> Count : register(u9);
void tint(inout float4 c) { c = c.wzyx + 0.5; }
[shader("raygeneration")]
void Main()
{
    uint2 at = uint2(Thread(), inU(0) & 7);
    Colour[at] = float4(inF(0), inF(1), inF(2), inF(3));
    Colour[at] *= 2;
    Colour[at] += float4(1, 2, 3, 4);
    putF4(Colour[at]);
    float4 c = Colour[at];
    c.x = -c.y;
    Colour[at] = c.yxwz;
    putF4(Colour[at]); putF(Colour[at].z); putF2(Colour[at].wx);
    tint(Colour[at]);
    putF4(Colour[at]);
    putF4(Colour.Load(int2(at)));
    Count[at] = inU(1) & 0xffff;
    Count[at] ^= 0x55; Count[at]++; --Count[at]; Count[at] <<= 1;
    putU(Count[at]);
    uint was;
    InterlockedAdd(Count[at], 3u, was); putU(was);
    InterlockedMax(Count[at], 70000u, was); putU(was); putU(Count[at]);
    uint w, h;
    Colour.GetDimensions(w, h); putU(w); putU(h);
}
