// Random numbers: PCG for decorrelation, Owen-scrambled Sobol points for what is integrated.
#ifndef COMMON_RANDOM_HLSLI
#define COMMON_RANDOM_HLSLI

#include "core.hlsli"

namespace rng
{

uint Pcg(uint state)
{
    state = state * 747796405u + 2891336453u;
    const uint word = ((state >> ((state >> 28) + 4)) ^ state) * 277803737u;
    return (word >> 22) ^ word;
}

// Three hashes of three numbers (Jarzynski and Olano, "Hash Functions for GPU Rendering").
uint3 Pcg3d(uint3 v)
{
    v = v * 1664525u + 1013904223u;
    v.x += v.y * v.z;
    v.y += v.z * v.x;
    v.z += v.x * v.y;
    v ^= v >> 16u;
    v.x += v.y * v.z;
    v.y += v.z * v.x;
    v.z += v.x * v.y;
    return v;
}

uint Combine(uint seed, uint value)
{
    return seed ^ (value + 0x9e3779b9u + (seed << 6) + (seed >> 2));
}

// The top 24 bits: what a float below one can hold.
float ToFloat(uint bits)
{
    return float(bits >> 8) * (1.0 / 16777216.0);
}

// Laine and Karras' permutation: each bit is flipped depending on the bits below it.
uint LaineKarras(uint x, uint seed)
{
    x += seed;
    x ^= x * 0x6c50b47cu;
    x ^= x * 0xb82f1e52u;
    x ^= x * 0xc7afe638u;
    x ^= x * 0x8d22f6e6u;
    return x;
}

uint OwenScramble(uint x, uint seed)
{
    return reversebits(LaineKarras(reversebits(x), seed));
}

// Generator matrices of the second and third dimension; the first is a reversal of bits.
static const uint SOBOL_COLUMNS = 16;
static const uint SOBOL_MATRICES[2 * SOBOL_COLUMNS] =
{
    0x80000000u, 0xc0000000u, 0xa0000000u, 0xf0000000u, 0x88000000u, 0xcc000000u, 0xaa000000u, 0xff000000u,
    0x80800000u, 0xc0c00000u, 0xa0a00000u, 0xf0f00000u, 0x88880000u, 0xcccc0000u, 0xaaaa0000u, 0xffff0000u,
    0x80000000u, 0xc0000000u, 0x60000000u, 0x90000000u, 0xe8000000u, 0x5c000000u, 0x8e000000u, 0xc5000000u,
    0x68800000u, 0x9cc00000u, 0xee600000u, 0x55900000u, 0x80680000u, 0xc09c0000u, 0x60ee0000u, 0x90550000u,
};

uint SobolDimension(uint index, uint dimension)
{
    uint result = 0;
    for (uint bit = 0; bit < SOBOL_COLUMNS; ++bit)
    {
        if (index >> bit & 1)
            result ^= SOBOL_MATRICES[dimension * SOBOL_COLUMNS + bit];
    }
    return result;
}

// A stream of padded, scrambled points: each pair of dimensions is a Sobol sequence of its own, shuffled so
// that pairs do not correlate (Burley, "Practical Hash-based Owen Scrambling").
struct Sequence
{
    uint pixelSeed;
    uint sampleIndex;
    uint dimension;

    static Sequence Create(uint2 pixel, uint frame, uint index)
    {
        Sequence s;
        s.pixelSeed = Pcg3d(uint3(pixel, frame)).x;
        s.sampleIndex = index;
        s.dimension = 0;
        return s;
    }

    uint NextSeed()
    {
        return Pcg(Combine(pixelSeed, dimension++));
    }

    float Next1D()
    {
        const uint seed = NextSeed();
        const uint shuffled = OwenScramble(sampleIndex, seed);
        return ToFloat(OwenScramble(reversebits(shuffled), Pcg(seed)));
    }

    float2 Next2D()
    {
        const uint seed = NextSeed();
        const uint shuffled = OwenScramble(sampleIndex, seed);
        const uint x = OwenScramble(reversebits(shuffled), Combine(seed, 0));
        const uint y = OwenScramble(SobolDimension(shuffled, 0), Combine(seed, 1));
        return float2(ToFloat(x), ToFloat(y));
    }

    float3 Next3D()
    {
        const uint seed = NextSeed();
        const uint shuffled = OwenScramble(sampleIndex, seed);
        const uint x = OwenScramble(reversebits(shuffled), Combine(seed, 0));
        const uint y = OwenScramble(SobolDimension(shuffled, 0), Combine(seed, 1));
        const uint z = OwenScramble(SobolDimension(shuffled, 1), Combine(seed, 2));
        return float3(ToFloat(x), ToFloat(y), ToFloat(z));
    }
};

// A cheaper stream for effects that need a handful of numbers.
struct Stream
{
    uint state;

    static Stream Create(uint2 pixel, uint frame)
    {
        Stream s;
        s.state = Pcg3d(uint3(pixel, frame)).y;
        return s;
    }

    float Next1D()
    {
        state = Pcg(state);
        return ToFloat(state);
    }

    float2 Next2D()
    {
        const float x = Next1D();
        return float2(x, Next1D());
    }
};

// The R2 sequence, a rotation by the plastic number: good for jitter that varies over frames.
float2 R2(uint index)
{
    return frac(0.5 + float(index) * float2(0.7548776662466927, 0.5698402909980532));
}

} // namespace rng

#endif
