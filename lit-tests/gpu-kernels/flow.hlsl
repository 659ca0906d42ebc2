// Control flow, and operations of waves and quads.
#include "kernels.hlsli"

float4 one_branch(uint t) { float4 s = fractions(t); ROUNDS { if (s.x > 0.5) s = frac(s * 1.7); s += 0.01; } return s; }
float4 two_branches(uint t) { float4 s = fractions(t); ROUNDS { if (s.x > 0.5) s = frac(s * 1.7); else s = frac(s.yzwx + 0.3); } return s; }
float4 branch_attribute(uint t) { float4 s = fractions(t); ROUNDS { [branch] if (s.x > 0.5) s = frac(sin(s) * 1.7 + 1); else s = frac(s.yzwx + 0.3); } return s; }
float4 flatten_attribute(uint t) { float4 s = fractions(t); ROUNDS { [flatten] if (s.x > 0.5) s = frac(s * 1.7); else s = frac(s.yzwx + 0.3); } return s; }
float4 nested_branches(uint t) { float4 s = fractions(t); ROUNDS { if (s.x > 0.5) { if (s.y > 0.5) s = frac(s * 1.7); else s.x += 0.1; } else if (s.z > 0.3) s = frac(s.yzwx + 0.3); else s = frac(s + 0.2); } return s; }
float4 chain(uint t) { uint4 n = numbers(t); ROUNDS { uint k = n.x & 7; if (k == 0) n += 1; else if (k == 1) n *= 3; else if (k == 2) n ^= 77; else if (k == 3) n = n.yzwx; else n = n * 5 + 1; } return low(n); }
float4 breaks(uint t) { uint n = hash(t) | 1, k = 0; ROUNDS { n = n * 1664525 + 1013904223; if ((n >> 24) == 3) break; k += n & 7; } return low(k); }
float4 continues(uint t) { uint n = hash(t) | 1, k = 0; ROUNDS { n = n * 1664525 + 1013904223; if (n >> 31) continue; k += n & 7; } return low(k); }
float4 returns(uint t) { uint n = hash(t) | 1; ROUNDS { n = n * 1664525 + 1013904223; if ((n >> 24) == 3) return low(n + i); } return low(n); }
uint first_of(uint n) { for (uint k = 0; k < 32; ++k) { if ((n >> k) & 1) return k; } return 32; }
float4 returns_in_functions(uint t) { uint n = hash(t); ROUNDS n = n * 5 + first_of(n); return low(n); }
float4 endless_with_break(uint t) { uint n = hash(t) | 1, k = 0; while (true) { n = n * 1664525 + 1013904223; if (++k >= Trips) break; n ^= n >> 7; } return low(n); }
float4 do_loops(uint t) { uint n = hash(t) | 1, k = 0; do { n = n * 1664525 + 1013904223; n ^= n >> 7; } while (++k < Trips); return low(n); }
float4 two_conditions(uint t) { uint n = hash(t) | 1, k = 0; while (k < Trips && (n >> 26) != 3) { n = n * 1664525 + 1013904223; ++k; } return low(n + k); }
float4 nested_loops(uint t) { uint n = hash(t) | 1; ROUNDS for (uint k = 0; k < (n & 3); ++k) n = n * 1664525 + 1013904223; return low(n); }
float4 nested_loops_with_break(uint t) { uint n = hash(t) | 1; ROUNDS for (uint k = 0; k < 8; ++k) { n = n * 1664525 + 1013904223; if ((n >> 29) == k) break; } return low(n); }
// variants: N=4 N=8 N=16
float4 constant_loops(uint t) { float4 s = fractions(t); ROUNDS for (uint k = 0; k < N; ++k) s = frac(s * 1.1 + 0.01 * k); return s; }
// variants: N=4 N=8
float4 unrolled_loops(uint t) { float4 s = fractions(t); ROUNDS { [unroll] for (uint k = 0; k < N; ++k) s = frac(s * 1.1 + 0.01 * k); } return s; }
float4 rolled_loops(uint t) { float4 s = fractions(t); ROUNDS { [loop] for (uint k = 0; k < 4; ++k) s = frac(s * 1.1 + 0.01 * k); } return s; }
float4 switches(uint t) { uint4 n = numbers(t); ROUNDS switch (n.x & 7) { case 0: n += 1; break; case 1: n *= 3; break; case 2: n ^= 77; break; case 5: n = n.yzwx; break; default: n = n * 5 + 1; break; } return low(n); }
float4 switches_falling_through(uint t) { uint4 n = numbers(t); ROUNDS switch (n.x & 3) { case 0: n += 1; case 1: n *= 3; break; case 2: n ^= 77; default: n = n * 5 + 1; break; } return low(n); }
float4 switches_falling_far(uint t) { uint4 n = numbers(t); ROUNDS { switch (n.x & 7) { case 0: n += 1; case 1: n *= 3; case 2: n ^= 77; case 3: n = n.yzwx; case 4: n += 5; case 5: n *= 7; default: n += 11; } } return low(n); }
float4 switches_with_shared_cases(uint t) { uint4 n = numbers(t); ROUNDS switch (n.x & 7) { case 0: case 1: case 2: n = n * 5 + 1; break; case 3: case 4: n ^= 77; break; default: n = n.yzwx + 3; } return low(n); }
float4 switches_with_continue(uint t) { uint4 n = numbers(t); ROUNDS { switch (n.x & 7) { case 0: n = n.yzwx + 1; continue; case 1: n *= 3; break; default: n += 7; } n ^= n >> 3; } return low(n); }
float4 switches_of_values(uint t) { uint4 n = numbers(t); ROUNDS { uint k; switch (n.x & 3) { case 0: k = 5; break; case 1: k = 17; break; case 2: k = n.y; break; default: k = 3; } n = n * k + 1; } return low(n); }
float4 conditional_expressions(uint t) { uint4 n = numbers(t); ROUNDS n = (n.x & 1) ? n * 3 + 1 : (n.y & 1) ? n.yzwx : n ^ 77; return low(n); }
float4 short_circuits(uint t) { uint4 n = numbers(t); ROUNDS { if ((n.x & 1) && (n.y & 2) || (n.z & 4)) n = n * 3 + 1; else n = n.yzwx + 7; } return low(n); }
float4 marching(uint t) { float4 s = fractions(t); ROUNDS { float d = length(frac(s.xyz) - 0.5) - 0.3; if (d < 0.001) { s = frac(s.wxyz + 0.17); continue; } s.xyz += d * 0.3; s.w += d; } return frac(s); }
float4 escapes(uint t) { float2 c = fractions(t).xy * 3 - float2(2.2, 1.5), z = 0; uint n = 0; ROUNDS { z = float2(z.x * z.x - z.y * z.y, 2 * z.x * z.y) + c; if (dot(z, z) > 4) break; ++n; } return low(n); }
float4 euclid(uint t) { uint s = 0; for (uint i = 0; i < (Trips >> 3); ++i) { uint a = hash(t + i) & 0xfff, b = (hash(t ^ i) & 0xfff) | 1; while (b) { uint r = a % b; a = b; b = r; } s += a; } return low(s); }
float4 binary_searches(uint t) { uint s = 0; ROUNDS { uint from = 0, to = 1024, x = hash(t + i); while (from < to) { uint m = (from + to) >> 1; if (In[m & 3].x + (m << 20) < x) from = m + 1; else to = m; } s += from; } return low(s); }

// variants: F=WaveActiveSum F=WaveActiveMax F=WaveActiveMin F=WaveActiveBitXor F=WaveActiveBitAnd F=WaveActiveBitOr F=WavePrefixSum F=WaveReadLaneFirst
float4 wave_numbers(uint t) { uint n = hash(t) & 0xffff; ROUNDS n = (F(n) * 5 + n) & 0xffff; return low(n); }
float4 wave_float_sum(uint t) { float s = fractions(t).x; ROUNDS s = frac(WaveActiveSum(s) * 0.03125 + s * 0.5); return (float4)0 + (s > 2); }
// variants: F=WaveActiveAllEqual F=WaveActiveAnyTrue F=WaveActiveAllTrue
float4 wave_tests(uint t) { uint n = hash(t); ROUNDS n = F((n & 31) == (i & 31)) ? n * 5 + 1 : n * 3 + 7; return low(n); }
// variants: T=uint2 T=uint4 T=float4
float4 wave_vectors(uint t) { T n = (T)(numbers(t) & 0xffff); ROUNDS n = (T)((uint4)0 + (uint)WaveActiveMax(n).x) * (T)3 + n; return (float4)0 + (float)n.x; }
float4 wave_prefix_product(uint t) { uint n = hash(t); ROUNDS n = n * 5 + WavePrefixProduct(n | 1); return low(n); }
float4 wave_lane_by_number(uint t) { uint n = hash(t); ROUNDS n = n * 5 + WaveReadLaneAt(n, n & (WaveGetLaneCount() - 1)); return low(n); }
float4 wave_first_lane(uint t) { uint n = hash(t); ROUNDS { if (WaveIsFirstLane()) n = n * 5 + 1; else n = n * 3 + 7; } return low(n); }
float4 wave_match(uint t) { uint n = hash(t); ROUNDS n = n * 5 + countbits(WaveMatch(n & 3).x); return low(n); }
float4 wave_multi_prefix(uint t) { uint n = hash(t); ROUNDS n = n * 5 + WaveMultiPrefixSum(n & 0xff, WaveMatch(i & 1)); return low(n); }
float4 wave_any(uint t) { uint n = hash(t); ROUNDS n = WaveActiveAnyTrue((n & 31) == (i & 31)) ? n * 5 + 1 : n * 3 + 7; return low(n); }
float4 wave_ballot(uint t) { uint n = hash(t); ROUNDS n = n * 5 + countbits(WaveActiveBallot(n & 1).x); return low(n); }
float4 wave_first(uint t) { uint n = hash(t); ROUNDS n = n * 5 + WaveReadLaneFirst(n); return low(n); }
float4 wave_read_lane(uint t) { uint n = hash(t); ROUNDS n = n * 5 + WaveReadLaneAt(n, (WaveGetLaneIndex() + i) & (WaveGetLaneCount() - 1)); return low(n); }
float4 wave_prefix_count(uint t) { uint n = hash(t); ROUNDS n = n * 5 + WavePrefixCountBits(n & 1); return low(n); }
float4 wave_after_branches(uint t) { uint n = hash(t), c = 0; ROUNDS { if (n & 1) n = n * 3 + 1; else if (n & 2) n ^= 77; else n += 5; c += WaveActiveCountBits(n & 4); } return low(n + c); }
float4 wave_in_switch(uint t) { uint n = hash(t); ROUNDS { switch (n & 3) { case 0: n = n * 5 + WaveActiveCountBits(true); break; case 1: n += 7; break; default: n = n * 3 + 1; break; } } return low(n); }
float4 wave_before_break(uint t) { uint n = hash(t) | 1, k = 0; while (true) { n = n * 1664525 + 1013904223; k += WaveActiveCountBits(n >> 31); if (++k > 40 * Trips || (k & 0x3fff) > Trips * 20) break; } return low(n & 1); }
float4 wave_in_branch(uint t) { uint n = hash(t); ROUNDS { if (n & 1) n = n * 5 + WaveActiveCountBits(true); else n = n * 3 + 1; } return low(n); }
float4 wave_before_branch(uint t) { uint n = hash(t); ROUNDS { uint c = WaveActiveCountBits(n & 2); if (n & 1) n = n * 5 + c; } return low(n); }
float4 wave_in_divergent_loop(uint t) { uint n = hash(t), k = 0; for (uint i = 0; i < Trips + (t & 7); ++i) { k += WaveActiveCountBits(n & 1); n = n * 1664525 + 1013904223; } return low(k); }
float4 waterfall(uint t)
{
    uint n = hash(t), s = 0;
    for (uint i = 0; i < (Trips >> 2); ++i)
    {
        uint mine = (n >> 9) & 3;
        while (true) { uint first = WaveReadLaneFirst(mine); if (first == mine) { s += In[first].x & 7; break; } }
        n = n * 1664525 + 1013904223;
    }
    return low(s);
}
float4 waterfall_count(uint t)
{
    uint n = hash(t), s = 0;
    for (uint i = 0; i < (Trips >> 2); ++i)
    {
        uint mine = (n >> 9) & 3;
        for (;;) { uint first = WaveReadLaneFirst(mine); [branch] if (first == mine) { s += WaveActiveCountBits(true); break; } }
        n = n * 1664525 + 1013904223;
    }
    return low(s);
}
float4 quad_across(uint t) { float s = fractions(t).x; ROUNDS s = frac(s + QuadReadAcrossX(s) * 0.3 + QuadReadAcrossY(s) * 0.7); return (float4)s; }
float4 quad_diagonal(uint t) { float s = fractions(t).x; ROUNDS s = frac(s + QuadReadAcrossDiagonal(s) * 0.3); return (float4)s; }
float4 quad_lane(uint t) { float s = fractions(t).x; ROUNDS s = frac(s + QuadReadLaneAt(s, 2) * 0.3); return (float4)s; }
