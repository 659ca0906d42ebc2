// 16 bits.
#include "kernels.hlsli"

// variants: T=half T=half2 T=half4
float4 sums(uint t) { T s = (T)fractions(t); ROUNDS s = frac(s * (T)1.5 + (T)0.25); return (float4)0 + (float)s.x; }
// variants: T=min16float4 T=min16float2
float4 minimum_precision(uint t) { T s = (T)fractions(t); ROUNDS s = frac(s * (T)1.5 + (T)0.25); return (float4)0 + (float)s.x; }
// variants: T=uint16_t4 T=int16_t4
float4 integers_of_16_bits(uint t) { T n = (T)numbers(t); ROUNDS n = n * (T)77 + n.yzwx; return float4(n); }
float4 clamps_of_halves(uint t) { half4 s = (half4)fractions(t); ROUNDS s = saturate(s * (half)1.75 - (half)0.25) * (half)0.875 + (half)0.0625; return s; }
float4 dots_of_halves(uint t) { half4 s = (half4)fractions(t); ROUNDS s = frac(s.yzwx + dot(s, s.wxyz)); return s; }
float4 roots_of_halves(uint t) { half4 s = (half4)fractions(t); ROUNDS s = sqrt(s.yzwx + (half)0.1) * (half)0.75; return s; }
float4 round_trips(uint t) { uint4 n = numbers(t) & 0x3bff; ROUNDS n = (f32tof16(f16tof32(n) * 0.75 + 0.125) & 0x3bff) + (n.yzwx & 7); return low(n); }
// variants: T=half T=half2 T=half3 T=half4
float4 widened(uint t) { float4 s = fractions(t); ROUNDS { T h = (T)(s * 1.25); s = (float4)0 + (float)h.x * 0.75 + 0.0625; } return s; }
float4 widened_from_memory(uint t) { float4 s = fractions(t); ROUNDS s = frac(s + (float4)RawIn.Load<half4>(((t + i) & 0x1ff) * 8)); return (float4)0 + (s.x > 2); }
float4 narrowed(uint t) { half4 s = (half4)fractions(t); float4 f = fractions(t + 9); ROUNDS { f = frac(f * 1.3 + 0.1); s = frac(s + (half4)f); } return s; }
float4 pairs(uint t) { uint n = hash(t) & 0x3bff3bff; ROUNDS { float2 p = float2(f16tof32(n & 0xffff), f16tof32(n >> 16)); p = frac(p * 1.5 + 0.125); n = f32tof16(p.x) | (f32tof16(p.y) << 16); } return low(n); }
float4 between_widths(uint t) { float4 s = fractions(t); ROUNDS s = float4((half4)(s * 1.25)) * 0.75 + 0.0625; return s; }
float4 comparisons_of_halves(uint t) { half4 s = (half4)fractions(t); ROUNDS s = select(s < s.yzwx, s * (half)1.25, s.yzwx - (half)0.125); return s; }
// variants: T=half T=half2 T=half4 T=uint16_t T=uint16_t3
float4 raw_stores(uint t) { T s = (T)(fractions(t) * 255); ROUNDS { s = s * (T)3 + (T)1; Raw.Store<T>(((t * 8 + i) & 0xffff) * 16, s); } return (float4)0 + (float)s.x; }
// variants: T=half T=half2 T=half4 T=uint16_t
float4 raw_loads(uint t) { T s = (T)0; ROUNDS s = s + RawIn.Load<T>(((t * 7 + i) & 0x3ff) * 16); return (float4)0 + (float)s.x * 0; }
