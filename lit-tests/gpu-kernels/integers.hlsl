// Arithmetic of integers, and bits.
#include "kernels.hlsli"

// variants: T=uint T=uint4 T=int T=int4
float4 sums_products(uint t) { T n = (T)numbers(t); ROUNDS n = n * (T)1664525 + (T)1013904223; return low((uint4)((uint4)0 + (uint)n.x)); }
// variants: N=3 N=7 N=8 N=10 N=64 N=1000
float4 signed_remainders(uint t) { int4 n = (int4)numbers(t); ROUNDS n = n % N * 1234567 + n.yzwx; return low((uint4)n); }
// variants: N=3 N=7 N=8 N=10 N=64 N=1000
float4 unsigned_remainders(uint t) { uint4 n = numbers(t); ROUNDS n = n % N * 1234567 + n.yzwx; return low(n); }
// variants: N=3 N=7 N=8 N=10 N=64
float4 signed_divisions(uint t) { int4 n = (int4)numbers(t); ROUNDS n = n / N + n.yzwx * 5; return low((uint4)n); }
// variants: N=3 N=7 N=8 N=10
float4 unsigned_divisions(uint t) { uint4 n = numbers(t); ROUNDS n = n / N + n.yzwx * 5; return low(n); }
// variants: T=int4 T=uint4
float4 divisions_by_variables(uint t) { T n = (T)numbers(t); ROUNDS n = n / ((n.yzwx & 255) + 1) + n.wxyz * 3; return low((uint4)n); }
// variants: T=int4 T=uint4
float4 remainders_by_variables(uint t) { T n = (T)numbers(t); ROUNDS n = n % ((n.yzwx & 255) + 1) * 77777 + n.wxyz; return low((uint4)n); }
float4 wrapped_index(uint t) { int n = int(hash(t) & 0xffff); uint4 sum = 0; ROUNDS { n = (n * 5 + 1) % 100; sum.x += uint(n); sum.y ^= uint(n) * 7; } return low(sum); }
float4 shifts(uint t) { uint4 n = numbers(t); ROUNDS n = (n << (n.yzwx & 7)) ^ (n >> (n.wxyz & 15)) + 1; return low(n); }
float4 signed_shifts(uint t) { int4 n = (int4)numbers(t); ROUNDS n = (n >> (n.yzwx & 7)) ^ (n << 3) + 1; return low((uint4)n); }
float4 rotations(uint t) { uint4 n = numbers(t); ROUNDS n = ((n << 13) | (n >> 19)) * 5 + 0xe6546b64; return low(n); }
float4 xorshift(uint t) { uint n = hash(t) | 1; ROUNDS { n ^= n << 13; n ^= n >> 17; n ^= n << 5; } return low(n); }
float4 pcg(uint t) { uint n = hash(t); ROUNDS { uint s = n * 747796405u + 2891336453u, w = ((s >> ((s >> 28) + 4)) ^ s) * 277803737u; n = (w >> 22) ^ w; } return low(n); }
float4 tea(uint t) { uint2 v = numbers(t).xy; uint s = 0; ROUNDS { s += 0x9e3779b9; v.x += ((v.y << 4) + 0xa341316c) ^ (v.y + s) ^ ((v.y >> 5) + 0xc8013ea4); v.y += ((v.x << 4) + 0xad90777d) ^ (v.x + s) ^ ((v.x >> 5) + 0x7e95761e); } return low(v.xyxy); }
// variants: F=countbits F=reversebits F=firstbithigh F=firstbitlow
float4 bits(uint t) { uint4 n = numbers(t); ROUNDS n = F(n) * 0x9e3779b9 + n.yzwx; return low(n); }
float4 signed_first_bits(uint t) { int4 n = (int4)numbers(t); ROUNDS n = int4(firstbithigh(n)) * 0x3e3779b9 + n.yzwx; return low((uint4)n); }
float4 counts_of_64_bits(uint t) { uint64_t n = (uint64_t)hash(t) << 20 | hash(t + 1); ROUNDS n = n * 5 + countbits(uint(n >> 32)) + countbits(uint(n)); return low(uint4(uint(n >> 33), uint(n), 0, 0)); }
float4 comparisons_of_64_bits(uint t) { uint64_t n = (uint64_t)hash(t) << 20, m = hash(t + 1); ROUNDS { if (n > m) n -= m; else { uint64_t k = m; m = n + 1; n = k * 3; } } return low(uint4(uint(n >> 33), uint(n), uint(m), 0)); }
float4 interleaved_fields(uint t) { uint4 n = numbers(t); ROUNDS { uint4 a = n & 0x55555555, b = n & 0xaaaaaaaa; n = (a << 1 | b >> 1) * 3 + n.yzwx; } return low(n); }
// variants: T=uint16_t T=int16_t
float4 shifts_of_16_bits(uint t) { T n = (T)hash(t); ROUNDS n = (T)(n << 3) ^ (T)(n >> 2) + (T)i; return low((uint)n); }
float4 average(uint t) { uint4 n = numbers(t); ROUNDS n = (n & n.yzwx) + ((n ^ n.yzwx) >> 1) + 0x1357; return low(n); }
float4 fields(uint t) { uint4 n = numbers(t); ROUNDS n = ((n >> 5) & 0x3ff) * 12345 + ((n.yzwx & ~0xff00) | ((n & 0xff) << 8)); return low(n); }
struct Fields { uint a : 5; uint b : 11; uint c : 16; };
float4 bit_fields(uint t) { Fields f; f.a = hash(t); f.b = hash(t) >> 7; f.c = hash(t) >> 13; ROUNDS { f.a += f.b; f.b = f.b * 3 + f.c; f.c ^= f.a * 77; } return float4(f.a, f.b, f.c, 0); }
// variants: F=min F=max
float4 least_and_most(uint t) { int4 n = (int4)numbers(t); ROUNDS n = F(n, n.yzwx) * 7 + n.wxyz; return low((uint4)n); }
float4 clamps_of_integers(uint t) { int4 n = (int4)numbers(t); ROUNDS n = clamp(n, -100000, 100000) * 31 + n.yzwx; return low((uint4)n); }
float4 absolute(uint t) { int4 n = (int4)numbers(t); ROUNDS n = abs(n) * 3 - n.yzwx; return low((uint4)n); }
float4 signs(uint t) { int4 n = (int4)numbers(t); ROUNDS n = sign(n) * 12345 + n.yzwx * 3; return low((uint4)n); }
float4 conversions(uint t) { uint4 n = numbers(t); ROUNDS n = uint4(float4(n & 0xffff) * 1.37) + (n.yzwx >> 1); return low(n); }
float4 signed_conversions(uint t) { int4 n = (int4)numbers(t); ROUNDS n = int4(float4(n & 0xffff) * -1.37) + (n.yzwx >> 1); return low((uint4)n); }
float4 float_bits(uint t) { uint4 n = numbers(t); ROUNDS n = asuint(asfloat((n & 0x7fffff) | 0x3f800000) * 1.5) * 3 + n.yzwx; return low(n); }
float4 high_products(uint t) { uint4 n = numbers(t); ROUNDS { uint4 a = n & 0xffff, b = n >> 16; n = a * b + (a * b.yzwx >> 16) + n.wxyz; } return low(n); }
// variants: T=uint64_t T=int64_t
float4 products_of_64_bits(uint t) { T n = (T)hash(t) << 20; ROUNDS n = n * (T)6364136223846793005u + (T)1442695040888963407u; return low(uint4(uint(n >> 33), uint(n), 0, 0)); }
// variants: N=10 N=16 N=1000
float4 remainders_of_64_bits(uint t) { uint64_t n = (uint64_t)hash(t) << 20; ROUNDS n = n % N * 987654321 + (n >> 3); return low(uint4(uint(n >> 33), uint(n), 0, 0)); }
float4 shifts_of_64_bits(uint t) { uint64_t n = (uint64_t)hash(t) << 20; ROUNDS { n ^= n << 13; n ^= n >> 7; n ^= n << 17; n += 3; } return low(uint4(uint(n >> 33), uint(n), 0, 0)); }
float4 sum_of_64_bits(uint t) { uint64_t n = hash(t); ROUNDS n += (uint64_t)i * hash(t); return low(uint4(uint(n >> 33), uint(n), 0, 0)); }
float4 morton(uint t) { uint4 n = numbers(t); ROUNDS { uint4 x = n & 0xffff; x = (x | (x << 8)) & 0x00ff00ff; x = (x | (x << 4)) & 0x0f0f0f0f; x = (x | (x << 2)) & 0x33333333; x = (x | (x << 1)) & 0x55555555; n = x + n.yzwx * 3; } return low(n); }
// variants: F=pack_u8 F=pack_clamp_u8 F=pack_s8 F=pack_clamp_s8
float4 packs(uint t) { int4 n = (int4)numbers(t); ROUNDS n = n.yzwx * 3 + int((uint)F(n >> 5)); return low((uint4)n); }
// variants: F=unpack_u8u32 F=unpack_s8s32
float4 unpacks(uint t) { uint4 n = numbers(t); ROUNDS n = uint4(F((uint8_t4_packed)n.x)) * 77 + n.yzwx; return low(n); }
float4 packed_dots(uint t) { uint4 n = numbers(t); ROUNDS n.x = dot4add_u8packed(n.x, n.y, n.z), n = n.yzwx * 5; return low(n); }
float4 carries(uint t) { uint4 n = numbers(t); ROUNDS { uint l = n.x + n.z, c = l < n.x ? 1 : 0; n = uint4(n.y + n.w + c, l, n.x * 3, n.z * 5); } return low(n); }
