// Images of every format that is written: what a texel becomes when it is stored, and what it reads.
// rtc -T lib_6_6
// scene: Inputs/formats.toml
// RUN: %rtc -T lib_6_6 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#include "Inputs/resources.hlsli"

RWTexture2D<unorm float> R8 : register(u1);
RWTexture2D<unorm float2> Rg8 : register(u2);
RWTexture2D<unorm float4> Rgba8 : register(u3);
RWTexture2D<float> R16 : register(u4);
RWTexture2D<float4> Rgba16 : register(u5);
RWTexture2D<float> R32 : register(u6);
RWTexture2D<float2> Rg32 : register(u7);
RWTexture2D<float4> Rgba32 : register(u8);
RWTexture2D<uint> R32Uint : register(u9);
RWTexture2D<uint2> Rg32Uint : register(u10);
RWTexture2D<uint4> Rgba32Uint : register(u11);
RWTexture2D<int> R32Sint : register(u12);
RWTexture2D<int4> Rgba32Sint : register(u13);

void near(float found, float must) { IS(abs(found - must) < 1e-6, 1); }

[shader("raygeneration")] void Main()
{
    uint t = thread();
    uint2 at = uint2(t, t * t % 4);
    float x = t * 0.25 * one();
    // Normalised: clamped, and rounded to the nearest of 255.
    R8[at] = 0.31 + x; near(R8[at], float(uint(min(0.31 + x, 1) * 255 + 0.5)) / 255);
    Rg8[at] = float2(-1, 2); near(Rg8[at].x, 0); near(Rg8[at].y, 1);
    Rgba8[at] = float4(0.2, 0.4, 0.6, 1.25); near(Rgba8[at].y, 102.0 / 255); near(Rgba8[at].z, 153.0 / 255); near(Rgba8[at].w, 1);
    Rgba8[at] = float4(-1e30, 1e30, 0.998, -x); near(Rgba8[at].x, 0); near(Rgba8[at].y, 1); near(Rgba8[at].z, 254.0 / 255); near(Rgba8[at].w, 0);
    // Memory next to the image is not written, nor is a texel of it.
    Rgba8[at + uint2(0x80000000u, 0)] = 1; Rgba8[uint2(at.x, 0xfffffffcu)] = 1; near(Rgba8[at].x, 0);
    // Half-precision floats have ten bits after the first.
    R16[at] = 1 + x; near(R16[at], 1 + x);
    R16[at] = 2048 + 4 * t; near(R16[at], 2048 + 4 * t);
    Rgba16[at] = float4(x, -x, 65504, 0.00006103515625); near(Rgba16[at].y, -x); near(Rgba16[at].z, 65504); near(Rgba16[at].w, 0.00006103515625);
    R32[at] = 0.1 + x; near(R32[at], 0.1 + x);
    Rg32[at] = float2(3, x); near(Rg32[at].x, 3); near(Rg32[at].y, x);
    Rgba32[at] = float4(1, 2, 3, x); near(Rgba32[at].z, 3); near(Rgba32[at].w, x);
    R32Uint[at] = 0xfffffff0u + t; IS(R32Uint[at], 0xfffffff0u + t);
    Rg32Uint[at] = uint2(t, 0x80000000u); IS(Rg32Uint[at].x, t); IS(Rg32Uint[at].y, 0x80000000u);
    Rgba32Uint[at] = uint4(1, 2, 3, t); IS(Rgba32Uint[at].z, 3); IS(Rgba32Uint[at].w, t);
    R32Sint[at] = -int(t); IS(R32Sint[at], -int(t));
    Rgba32Sint[at] = int4(-1, -2, -3, t); IS(Rgba32Sint[at].y, -2); IS(Rgba32Sint[at].w, t);
    // Others are as they were, and what is outside is nothing.
    R32Uint[uint2(4, t)] = 5; R32Uint[uint2(t, 0xffffffffu)] = 5;
    uint was;
    InterlockedMax(R32Uint[at], 0xfffffffeu, was); IS(was, 0xfffffff0u + t); IS(R32Uint[at], 0xfffffffeu);
    InterlockedMin(R32Sint[at], -7, was); IS(was, -int(t)); IS(R32Sint[at], -7);
    InterlockedCompareExchange(R32Uint[at], 0xfffffffeu, t, was); IS(was, 0xfffffffeu); IS(R32Uint[at], t);
    IS(R32Uint[uint2(3, 3)], 0);
    uint w, h;
    Rgba16.GetDimensions(w, h); IS(w * 10 + h, 44);
    done(37);
}
