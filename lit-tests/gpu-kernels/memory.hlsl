// Constant buffers, structured, byte-address and typed buffers, textures, groupshared memory, atomics.
#include "kernels.hlsli"

float4 constants_by_counter(uint t) { float4 s = fractions(t); ROUNDS s = frac(s.yzwx * 1.1 + Vectors[i & 15]); return s; }
float4 constants_by_number(uint t) { float4 s = fractions(t); ROUNDS s = frac(s.yzwx * 1.1 + Vectors[asuint(s.x) & 15]); return s; }
float4 constant_component_by_counter(uint t) { float4 s = fractions(t); ROUNDS s = frac(s.yzwx * 1.1 + Vectors[1][i & 3]); return s; }
float4 constant_component_by_number(uint t) { float4 s = fractions(t); ROUNDS s = frac(s.yzwx * 1.1 + Vectors[i & 15][asuint(s.x) & 3]); return s; }
float4 constant_matrix_element(uint t) { float4 s = fractions(t); ROUNDS s = frac(s.yzwx * 1.1 + Matrix[i & 3][asuint(s.x) & 3]); return s; }
float4 constant_integers(uint t) { uint4 n = numbers(t); ROUNDS n = n * 5 + Numbers[i & 3]; return low(n); }
float4 structured_loads(uint t) { uint4 n = 0; ROUNDS n += In[(t + i * 17) & 1023]; return low(n); }
float4 structured_component_loads(uint t) { uint n = 0; ROUNDS n += In[(t + i * 17) & 1023][i & 3]; return low(n); }
// variants: W=x W=xy W=yz W=xyz W=zw W=yw
float4 partial_stores(uint t) { float4 s = fractions(t); ROUNDS { s = frac(s * 1.3 + 0.1); Store[(t + i * 64) & 0xffff].W = s.W; } return s; }
float4 component_store_by_index(uint t) { float4 s = fractions(t); ROUNDS { s = frac(s * 1.3 + 0.1); Store[(t + i * 64) & 0xffff][i & 3] = s.x; } return s; }
float4 whole_stores(uint t) { float4 s = fractions(t); ROUNDS { s = frac(s * 1.3 + 0.1); Store[(t + i * 64) & 0xffff] = s; } return s; }
// variants: T=uint2 T=uint3 T=uint4 T=float3 T=float4x4
float4 raw_loads(uint t) { float s = 0; ROUNDS { T x = RawIn.Load<T>(((t * 5 + i) & 0xff) * 64); s += (asuint(((float4)0 + (float)x[0]).x) & 1); } return (float4)s; }
// variants: T=uint2 T=uint3 T=uint4 T=float3
float4 raw_stores(uint t) { T s = (T)(fractions(t) * 100).x; ROUNDS { s = s * (T)3 + (T)1; Raw.Store<T>(((t * 5 + i) & 0xffff) * 16, s); } return (float4)0 + (float)(s[0] > 7); }
struct Item { float3 position; uint id; float3 normal; float weight; };
float4 raw_structures(uint t) { float4 s = 0; ROUNDS { Item x = RawIn.Load<Item>(((t * 5 + i) & 0x1ff) * 32); s += float4(x.id & 7, asuint(x.weight) & 3, asuint(x.normal.x) & 15, asuint(x.position.y) & 31); } return s; }
float4 raw_atomics(uint t) { ROUNDS Raw.InterlockedAdd(((t + i * 64) & 0xffff) * 16, i); return 0; }
float4 structured_atomics(uint t) { ROUNDS { InterlockedMax(Words[(t + i * 64) & 0xffff], i); } return 0; }
float4 typed_loads(uint t) { float4 s = 0; ROUNDS s += Typed[(t + i * 17) & 1023]; return s; }
float4 texture_loads(uint t) { float4 s = 0; ROUNDS s += Picture.Load(int3((t + i * 3) & 31, (t * 7 + i) & 31, 0)); return s; }
float4 texture_operator(uint t) { float4 s = 0; ROUNDS s += Picture[uint2((t + i * 3) & 31, (t * 7 + i) & 31)]; return s; }
float4 image_read_write(uint t) { uint2 at = uint2(t & 511, t >> 9); ROUNDS Out[at] = Out[at] * 0 + i; return Out[at]; }

float4 picture_samples(uint t) { float4 s = fractions(t); ROUNDS s = frac(s + Picture.SampleLevel(Linear, s.xy, 0)); return (float4)0 + (s.x > 2); }
float4 picture_gathers(uint t) { float4 s = fractions(t); ROUNDS s = frac(s.yzwx + Picture.Gather(Linear, s.xy)); return (float4)0 + (s.x > 2); }
// An element for each thread, so that the result does not depend on their order.
float4 structured_vectors(uint t) { float4 s = fractions(t); ROUNDS { Store[t] = s; s = frac(Store[t].yzwx * 1.3 + 0.1); } return s; }
// variants: F=InterlockedAdd F=InterlockedOr F=InterlockedXor F=InterlockedMin
float4 atomics(uint t) { uint n = hash(t); ROUNDS { F(Words[(t + i * 64) & 0xffff], n); n = n * 1664525 + 1013904223; } return low(n); }
float4 atomic_exchanges(uint t) { uint s = 0; ROUNDS { uint old; InterlockedExchange(Words[t & 0xffff], s + i, old); s = old & 0xff; } return low(s) * 0; }
float4 raw_unaligned_structures(uint t) { uint s = 0; ROUNDS { uint3 x = RawIn.Load3(((t * 5 + i) & 0x1ff) * 12); s += x.x ^ x.y ^ x.z; } return low(s); }
groupshared float Shared[THREADS];
groupshared float4 SharedVectors[THREADS];
groupshared uint SharedWords[THREADS];
groupshared half SharedHalves[THREADS];
groupshared float3x3 SharedMatrices[THREADS];
float4 shared_sum(uint t)
{
    uint at = t % THREADS; float s = fractions(t).x;
    ROUNDS { Shared[at] = s; GroupMemoryBarrierWithGroupSync(); s = frac(s + Shared[(at + i) % THREADS]); GroupMemoryBarrierWithGroupSync(); }
    return (float4)s;
}
float4 shared_vectors(uint t)
{
    uint at = t % THREADS; float4 s = fractions(t);
    ROUNDS { SharedVectors[at] = s; GroupMemoryBarrierWithGroupSync(); s = frac(s + SharedVectors[(at + i) % THREADS].yzwx); GroupMemoryBarrierWithGroupSync(); }
    return s;
}
float4 shared_components(uint t)
{
    uint at = t % THREADS; SharedVectors[at] = fractions(t); float s = 0;
    GroupMemoryBarrierWithGroupSync();
    ROUNDS { s = frac(s + SharedVectors[(at + i) % THREADS][i & 3]); }
    return (float4)s;
}
float4 shared_components_stored(uint t)
{
    uint at = t % THREADS; SharedVectors[at] = fractions(t);
    ROUNDS { SharedVectors[at][i & 3] = frac(SharedVectors[at][(i + 1) & 3] + 0.3); }
    return SharedVectors[at];
}
float4 shared_swizzles_stored(uint t)
{
    uint at = t % THREADS; SharedVectors[at] = fractions(t);
    ROUNDS { SharedVectors[at].zx = frac(SharedVectors[at].yw * 1.3 + 0.1); SharedVectors[at].yw = SharedVectors[at].xz; }
    return SharedVectors[at];
}
float4 shared_vectors_in_parts(uint t)
{
    uint at = t % THREADS; SharedVectors[at] = fractions(t);
    ROUNDS { SharedVectors[at].xy = frac(SharedVectors[at].zw * 1.3 + 0.1); SharedVectors[at].zw = SharedVectors[at].yx; }
    return SharedVectors[at];
}
float4 shared_halves_of_vectors(uint t)
{
    uint at = t % THREADS; SharedVectors[at] = fractions(t);
    ROUNDS { SharedVectors[at].xz = frac(SharedVectors[at].yw * 1.3 + 0.1); GroupMemoryBarrierWithGroupSync(); SharedVectors[at].yw = SharedVectors[(at + 1) % THREADS].xz; GroupMemoryBarrierWithGroupSync(); }
    return SharedVectors[at];
}
float4 shared_components_read(uint t)
{
    uint at = t % THREADS; SharedVectors[at] = fractions(t); float s = 0;
    GroupMemoryBarrierWithGroupSync();
    ROUNDS { uint n = (at + i) % THREADS; s = frac(s + SharedVectors[n].x * 0.3 + SharedVectors[n].y * 0.4 + SharedVectors[n].w); }
    return (float4)s;
}
float4 shared_matrices(uint t)
{
    uint at = t % THREADS; for (uint r = 0; r < 3; ++r) SharedMatrices[at][r] = fractions(t + r).xyz;
    ROUNDS SharedMatrices[at][i % 3][(i + 1) % 3] = frac(SharedMatrices[at][(i + 2) % 3][i % 3] + 0.3);
    return SharedMatrices[at][0].xyzx;
}
float4 shared_atomics(uint t) { uint at = t % THREADS; SharedWords[at] = 0; GroupMemoryBarrierWithGroupSync(); ROUNDS InterlockedAdd(SharedWords[(at * 7 + i) % THREADS], i); GroupMemoryBarrierWithGroupSync(); return low(SharedWords[at]); }
float4 shared_exchange(uint t) { uint at = t % THREADS; SharedWords[at] = t; uint s = 0; ROUNDS { uint old; InterlockedExchange(SharedWords[at], s + i, old); s = old & 0xffff; } return low(s); }
float4 shared_halves(uint t) { uint at = t % THREADS; SharedHalves[at] = (half)fractions(t).x; ROUNDS SharedHalves[at] = frac(SharedHalves[at] * (half)1.5 + (half)0.25); return (float4)SharedHalves[at]; }
float4 reduction(uint t)
{
    uint at = t % THREADS; float s = fractions(t).x;
    ROUNDS
    {
        Shared[at] = s; GroupMemoryBarrierWithGroupSync();
        for (uint k = THREADS / 2; k > 0; k >>= 1) { if (at < k) Shared[at] += Shared[at + k]; GroupMemoryBarrierWithGroupSync(); }
        s = frac(s + Shared[0] / THREADS); GroupMemoryBarrierWithGroupSync();
    }
    return (float4)s;
}
