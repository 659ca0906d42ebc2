// What the kernels of the GPU benchmark share. A kernel is a function `float4 name(uint t)`: one idiom in a loop of `Trips` iterations, a number that
// compilers do not know. `-D KERNEL=name` chooses it, and the line `// variants:` above it says what else it is compiled with (each word after another
// `-D` name is a variant of its own). Thread `t` writes the result to a pixel, so that rounding may differ and nothing else.

RWTexture2D<float4> Out : register(u0);
RWByteAddressBuffer Raw : register(u1);
RWStructuredBuffer<float4> Store : register(u2);
RWStructuredBuffer<uint> Words : register(u3);
StructuredBuffer<uint4> In : register(t0);
ByteAddressBuffer RawIn : register(t1);
Buffer<float4> Typed : register(t2);
Texture2D<float4> Picture : register(t3);
SamplerState Linear : register(s0);
cbuffer Constants : register(b0)
{
    uint Trips;
    uint One;
    uint Two;
    uint Zero;
    float4 Vectors[16];
    float4x4 Matrix;
    uint4 Numbers[4];
};

#define ROUNDS for (uint i = 0; i < Trips; ++i)
#define THREADS 64

uint hash(uint x)
{
    x = (x ^ (x >> 16)) * 0x7feb352d;
    x = (x ^ (x >> 15)) * 0x846ca68b;
    return x ^ (x >> 16);
}
uint4 numbers(uint t) { return uint4(hash(t), hash(t + 0x10000000), hash(t + 0x20000000), hash(t + 0x30000000)); }
// From 0 to below 1.
float4 fractions(uint t) { return float4(numbers(t) >> 8) / 16777216; }
// The lower bits, which a float holds.
float4 low(uint4 n) { return float4(n & 0xfffff); }

#ifndef RAYS
float4 KERNEL(uint t);

[numthreads(THREADS, 1, 1)]
void Main(uint3 id : SV_DispatchThreadID) { Out[uint2(id.x & 511, id.x >> 9)] = KERNEL(id.x); }
#endif
