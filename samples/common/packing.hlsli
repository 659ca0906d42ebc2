// Compact encodings of colours, directions and numbers.
#ifndef COMMON_PACKING_HLSLI
#define COMMON_PACKING_HLSLI

#include "core.hlsli"

namespace packing
{

// Unsigned and signed normalised integers of any width, as D3D converts them.
template<uint Bits>
struct Unorm
{
    static const uint MAX = (1u << Bits) - 1;

    static uint Pack(float x)
    {
        return uint(saturate(x) * MAX + 0.5);
    }

    static float Unpack(uint x)
    {
        return float(x & MAX) / MAX;
    }
};

template<uint Bits>
struct Snorm
{
    static const int MAX = int((1u << (Bits - 1)) - 1);

    static uint Pack(float x)
    {
        return uint(int(round(clamp(x, -1.0, 1.0) * MAX))) & ((1u << Bits) - 1);
    }

    static float Unpack(uint x)
    {
        const int extended = int(x << (32 - Bits)) >> (32 - Bits);
        return max(float(extended) / MAX, -1.0);
    }
};

uint PackUnorm4x8(float4 v)
{
    const uint4 q = uint4(round(saturate(v) * 255));
    return q.x | q.y << 8 | q.z << 16 | q.w << 24;
}

float4 UnpackUnorm4x8(uint v)
{
    return float4(v & 0xff, v >> 8 & 0xff, v >> 16 & 0xff, v >> 24) / 255.0;
}

uint PackHalf2(float2 v)
{
    const uint2 h = f32tof16(v);
    return h.x | h.y << 16;
}

float2 UnpackHalf2(uint v)
{
    return f16tof32(uint2(v & 0xffff, v >> 16));
}

uint2 PackHalf4(float4 v)
{
    return uint2(PackHalf2(v.xy), PackHalf2(v.zw));
}

float4 UnpackHalf4(uint2 v)
{
    return float4(UnpackHalf2(v.x), UnpackHalf2(v.y));
}

// A shared exponent of five bits and three mantissas of nine, DXGI_FORMAT_R9G9B9E5_SHAREDEXP.
uint PackRgb9e5(float3 color)
{
    const int bias = 15;
    const int mantissaBits = 9;
    const float largest = 65408.0;
    const float3 clamped = clamp(color, 0, largest);
    const float brightest = max(MaxComponent(clamped), 1e-30);
    int exponent = max(-bias - 1, int(floor(log2(brightest)))) + 1 + bias;
    float scale = exp2(float(exponent - bias - mantissaBits));
    if (uint(floor(brightest / scale + 0.5)) == (1u << mantissaBits))
    {
        scale *= 2;
        exponent += 1;
    }
    const uint3 mantissas = uint3(floor(clamped / scale + 0.5));
    return uint(exponent) << 27 | mantissas.z << 18 | mantissas.y << 9 | mantissas.x;
}

float3 UnpackRgb9e5(uint v)
{
    const float scale = exp2(float(int(v >> 27) - 15 - 9));
    return float3(v & 0x1ff, v >> 9 & 0x1ff, v >> 18 & 0x1ff) * scale;
}

// The octahedral map of unit vectors to the square from -1 to 1.
float2 SignNotZero(float2 v)
{
    return float2(v.x >= 0 ? 1.0 : -1.0, v.y >= 0 ? 1.0 : -1.0);
}

float2 OctahedralEncode(float3 n)
{
    const float2 p = n.xy / (abs(n.x) + abs(n.y) + abs(n.z));
    return n.z >= 0 ? p : (1 - abs(p.yx)) * SignNotZero(p);
}

float3 OctahedralDecode(float2 e)
{
    float3 n = float3(e, 1 - abs(e.x) - abs(e.y));
    if (n.z < 0)
        n.xy = (1 - abs(n.yx)) * SignNotZero(n.xy);
    return normalize(n);
}

uint PackNormal(float3 n)
{
    typedef Snorm<16> Channel;
    const float2 e = OctahedralEncode(n);
    return Channel::Pack(e.x) | Channel::Pack(e.y) << 16;
}

float3 UnpackNormal(uint v)
{
    typedef Snorm<16> Channel;
    return OctahedralDecode(float2(Channel::Unpack(v), Channel::Unpack(v >> 16)));
}

} // namespace packing

#endif
