// Vectors, booleans of vectors, matrices, structures and local arrays.
#include "kernels.hlsli"

// variants: F=any F=all
float4 tests(uint t) { float4 s = fractions(t); ROUNDS { if (F(s > s.yzwx * 0.3)) s = frac(s * 1.7); else s = frac(s.wxyz + 0.37); } return s; }
// variants: F=any F=all
float4 tests_of_numbers(uint t) { uint4 n = numbers(t); ROUNDS { if (F(n & 7)) n = n * 5 + 1; else n = n.yzwx ^ 0x55; } return low(n); }
float4 booleans_as_floats(uint t) { float4 s = fractions(t); ROUNDS { bool4 b = s > s.yzwx; s = frac(s * 1.3 + (float4)b * 0.25); } return s; }
float4 booleans_as_integers(uint t) { uint4 n = numbers(t); ROUNDS { bool4 b = n > n.yzwx; n = n * 5 + (uint4)b; } return low(n); }
float4 booleans_negated(uint t) { uint4 n = numbers(t); ROUNDS { bool4 b = !(n > n.yzwx) ^ (n.wxyz > 77); n = n * 5 + (uint4)b; } return low(n); }
float4 selections(uint t) { float4 s = fractions(t); ROUNDS s = s.x > 0.5 ? s.yzwx * 0.9 : s.wxyz + 0.3; return s; }
float4 selections_by_select(uint t) { float4 s = fractions(t); ROUNDS s = select(s > 0.5, s.yzwx * 0.9, s.wxyz + 0.3); return s; }
float4 and_or(uint t) { float4 s = fractions(t); ROUNDS s = select(and(s > 0.2, s < 0.7), s.yzwx * 1.1, s.wxyz * 0.9); return s; }
float4 equality(uint t) { uint4 n = numbers(t); ROUNDS n = all((n & 3) == (n.yzwx & 3)) ? n + 1 : n * 5 + 3; return low(n); }
float4 swizzled_stores(uint t) { float4 s = fractions(t); ROUNDS { s.yx = s.zw * 0.9 + 0.1; s.wz = s.xy * 0.7 + 0.2; } return s; }
float4 swizzles(uint t) { float4 s = fractions(t); ROUNDS s = frac(float4(s.wz, s.yx) * 1.1 + s.xxyy * 0.3); return s; }
// variants: N=2 N=3 N=4
float4 component_by_index(uint t) { float4 s = fractions(t); ROUNDS { uint n = asuint(s.x) % N; s = frac(s.yzwx * 1.1 + s[n] * 0.3); } return s; }
float4 component_by_counter(uint t) { float4 s = fractions(t); ROUNDS s = frac(s.yzwx * 1.1 + s[i & 3] * 0.3); return s; }
float4 component_stored_by_index(uint t) { float4 s = fractions(t); ROUNDS { s[asuint(s.x) & 3] += 0.13; s = frac(s.yzwx * 1.1); } return s; }
float4 component_stored_by_counter(uint t) { float4 s = fractions(t); ROUNDS { s[i & 3] += 0.13; s = frac(s * 1.1); } return s; }
float4 matrix_element_by_index(uint t) { float3x3 m = float3x3(fractions(t).xyz, fractions(t + 9).xyz, fractions(t + 7).xyz); float s = 0; ROUNDS { uint n = asuint(m[0][0]) % 3; s += m[n][i % 3]; m[n] = frac(m[n] * 1.1 + s); } return s + m[1].xyzx; }
float4 matrix_row_by_index(uint t) { float4x4 m = float4x4(fractions(t), fractions(t + 1), fractions(t + 2), fractions(t + 3)); float4 s = 0; ROUNDS s = frac(s + m[(asuint(s.x) + i) & 3]); return s; }
// variants: M=float2x2 M=float3x3 M=float4x4
float4 matrix_products(uint t) { M m = (M)float4x4(fractions(t), fractions(t + 1), fractions(t + 2), fractions(t + 3)); ROUNDS m = frac(mul(m, m) + 0.1); return (float4)0 + m[0][0] + m[1][1]; }
float4 matrix_vector(uint t) { float4 s = fractions(t); ROUNDS s = frac(mul(Matrix, s) + 0.1); return s; }
float4 vector_matrix(uint t) { float4 s = fractions(t); ROUNDS s = frac(mul(s, Matrix) + 0.1); return s; }
float4 matrix_3x4(uint t) { float3 s = fractions(t).xyz; ROUNDS s = frac(mul((float3x4)Matrix, float4(s, 1)) + 0.1); return s.xyzx; }
float4 matrix_elements(uint t) { float3x3 m = float3x3(fractions(t).xyz, fractions(t + 9).xyz, fractions(t + 7).xyz); ROUNDS { m._12_21 = frac(m._21_12 * 1.3 + 0.1); m._33 = frac(m._11 + m._22); m._11 = m._33 * 0.5; } return m[0].xyzx; }
float4 matrix_rows(uint t) { float3x4 m = float3x4(fractions(t), fractions(t + 9), fractions(t + 7)); ROUNDS { float4 r = m[0]; m[0] = m[1] * 0.9; m[1] = frac(m[2] + r); m[2] = r.yzwx; } return m[0] + m[2]; }
// Factors whose sum is below 1: differences of rounding do not grow.
float4 matrix_sums(uint t) { float4x4 m = float4x4(fractions(t), fractions(t + 1), fractions(t + 2), fractions(t + 3)); ROUNDS m = frac(m * 0.5 + m[1][2] * 0.25 + 0.3); return m[0] + m[3]; }
float4 transforms(uint t) { float3 p = fractions(t).xyz; ROUNDS { float4 h = mul(float4(p, 1), Matrix); p = frac(h.xyz / (h.w + 1)); } return p.xyzx; }
float4 transposes(uint t) { float3x3 m = float3x3(fractions(t).xyz, fractions(t + 9).xyz, fractions(t + 7).xyz); ROUNDS m = frac(transpose(m) * 1.1 + m); return m[0].xyzx; }
float4 determinants(uint t) { float3x3 m = float3x3(fractions(t).xyz, fractions(t + 9).xyz, fractions(t + 7).xyz); ROUNDS m = frac(m * 1.1 + determinant(m)); return m[0].xyzx; }
float4 outer_products(uint t) { float3 s = fractions(t).xyz; ROUNDS { float3x3 m = mul((float3x1)s, (float1x3)s.yzx); s = frac(m[0] + m[1] * 0.3 + m[2] * 0.7); } return s.xyzx; }

struct Ray4 { float3 origin; float least; float3 direction; float most; };
Ray4 moved(Ray4 r, float by) { r.origin += r.direction * by; r.least += by; r.most = frac(r.most + by); return r; }
float4 structures_by_value(uint t) { Ray4 r; r.origin = fractions(t).xyz; r.least = 0; r.direction = fractions(t + 5).xyz; r.most = 1; ROUNDS { r = moved(r, r.most * 0.01 + 0.001); r.origin = frac(r.origin); } return float4(r.origin, r.most); }
void move(inout Ray4 r, float by) { r.origin += r.direction * by; r.least += by; r.most = frac(r.most + by); }
float4 structures_inout(uint t) { Ray4 r; r.origin = fractions(t).xyz; r.least = 0; r.direction = fractions(t + 5).xyz; r.most = 1; ROUNDS { move(r, r.most * 0.01 + 0.001); r.origin = frac(r.origin); } return float4(r.origin, r.most); }
struct Nested { Ray4 rays[2]; float weights[2]; };
float4 nested_structures(uint t) { Nested x; for (uint k = 0; k < 2; ++k) { x.rays[k].origin = fractions(t + k).xyz; x.rays[k].direction = fractions(t + k + 5).xyz; x.rays[k].least = 0; x.rays[k].most = 1; x.weights[k] = fractions(t + k).w; } ROUNDS { x.rays[0] = moved(x.rays[1], x.weights[0] * 0.01); x.rays[1].origin = frac(x.rays[0].origin * 1.3); x.weights[1] = frac(x.weights[0] + x.rays[1].origin.x); x.weights[0] = x.weights[1] * 0.7; } return float4(x.rays[1].origin, x.weights[1]); }
struct Sphere { float3 c; float r; float hit(float3 o, float3 d) { float b = dot(o - c, d); return b * b - dot(o - c, o - c) + r * r; } };
float4 methods(uint t) { Sphere s; s.c = fractions(t).xyz; s.r = 0.7; float3 o = fractions(t + 3).xyz; ROUNDS { float h = s.hit(o, normalize(s.c + 0.1)); o = frac(o.yzx + h * 0.3); s.r = frac(s.r * 1.1 + 0.1); } return float4(o, s.r); }
struct Two4 { float a[8]; float b[8]; };
float4 structures_with_arrays(uint t)
{
    Two4 x; for (uint k = 0; k < 8; ++k) { x.a[k] = fractions(t + k).x; x.b[k] = fractions(t + k).y; }
    ROUNDS { Two4 y = x; y.a[i & 7] += 0.3; y.b[(i * 3) & 7] = frac(y.a[(i + 1) & 7] + y.b[i & 7]); x = y; }
    return float4(x.a[0], x.b[1], x.a[2], x.b[3]);
}
// variants: N=4 N=8 N=16 N=32
float4 arrays_by_counter(uint t) { float a[N]; for (uint k = 0; k < N; ++k) a[k] = fractions(t + k).x; ROUNDS a[i % N] = frac(a[(i + 1) % N] * 1.3 + a[i % N]); float s = 0; for (uint m = 0; m < N; ++m) s += a[m]; return (float4)s; }
// variants: N=4 N=8 N=16 N=32
float4 arrays_by_number(uint t) { uint a[N]; for (uint k = 0; k < N; ++k) a[k] = hash(t + k); ROUNDS { uint n = a[0] % N; a[n] = a[n] * 5 + i; a[0] += a[(n + 1) % N]; } uint s = 0; for (uint m = 0; m < N; ++m) s ^= a[m]; return low(s); }
float4 arrays_in_two_dimensions(uint t) { float a[4][4]; for (uint k = 0; k < 16; ++k) a[k >> 2][k & 3] = fractions(t + k).x; ROUNDS a[i & 3][(i >> 2) & 3] = frac(a[(i + 1) & 3][i & 3] * 1.3 + 0.1); return float4(a[0][0], a[1][2], a[2][1], a[3][3]); }
float4 arrays_copied(uint t) { float a[8], b[8]; for (uint k = 0; k < 8; ++k) a[k] = fractions(t + k).x; ROUNDS { b = a; b[i & 7] = frac(a[(i + 3) & 7] * 1.3 + 0.1); a = b; } return float4(a[0], a[2], a[4], a[7]); }
float4 ring_of_numbers(uint t) { float a[8]; for (uint k = 0; k < 8; ++k) a[k] = fractions(t + k).x; ROUNDS { float first = a[0]; for (uint j = 0; j < 7; ++j) a[j] = a[j + 1]; a[7] = frac(first * 1.7 + 0.3); } return float4(a[0], a[2], a[4], a[7]); }
float4 histogram(uint t) { uint n = hash(t), a[16]; for (uint k = 0; k < 16; ++k) a[k] = 0; ROUNDS { n = n * 1664525 + 1013904223; ++a[n >> 28]; } uint s = 0; for (uint m = 0; m < 16; ++m) s = s * 3 + a[m]; return low(s); }
float4 arrays_of_vectors(uint t) { float4 a[6]; for (uint k = 0; k < 6; ++k) a[k] = fractions(t + k); ROUNDS a[i % 6] = frac(a[(i + 1) % 6] * 1.3 + a[i % 6].yzwx); return a[0] + a[3]; }
float4 arrays_of_structures(uint t) { Ray4 a[4]; for (uint k = 0; k < 4; ++k) { a[k].origin = fractions(t + k).xyz; a[k].direction = fractions(t + k + 9).xyz; a[k].least = 0; a[k].most = 1; } ROUNDS { a[i & 3] = moved(a[(i + 1) & 3], 0.01); a[i & 3].origin = frac(a[i & 3].origin); } return float4(a[1].origin, a[2].most); }
float sum_of(float a[8]) { float s = 0; for (uint k = 0; k < 8; ++k) s += a[k]; return s; }
float4 arrays_as_arguments(uint t) { float a[8]; for (uint k = 0; k < 8; ++k) a[k] = fractions(t + k).x; ROUNDS a[i & 7] = frac(sum_of(a)); return (float4)a[3]; }
static const float Weights[9] = { 1, 2, 1, 2, 4, 2, 1, 2, 1 };
float4 tables(uint t) { float4 s = fractions(t); ROUNDS s = frac(s.yzwx * 1.1 + Weights[i % 9] * 0.07); return s; }
float4 tables_by_number(uint t) { uint n = hash(t); float s = 0; ROUNDS { n = n * 1664525 + 1013904223; s += Weights[(n >> 9) % 9]; } return (float4)s; }
float4 stack_of_numbers(uint t)
{
    uint stack[16]; uint n = 0, visited = 0; stack[n++] = hash(t) & 0xff;
    ROUNDS { if (n == 0) stack[n++] = i & 0xff; uint x = stack[--n]; visited += x; if ((x & 1) && n < 14) { stack[n++] = x >> 1; stack[n++] = x * 5 & 0xff; } }
    return low(visited);
}
float4 insertion_sort(uint t)
{
    float a[8]; for (uint k = 0; k < 8; ++k) a[k] = fractions(t + k).x;
    ROUNDS
    {
        a[i & 7] = frac(a[i & 7] * 7.7 + 0.1);
        for (uint k = 1; k < 8; ++k) { float x = a[k]; uint j = k; while (j > 0 && a[j - 1] > x) { a[j] = a[j - 1]; --j; } a[j] = x; }
    }
    return float4(a[0], a[2], a[4], a[7]);
}
static float4 Kept;
float4 statics(uint t) { Kept = fractions(t); ROUNDS Kept = frac(Kept.yzwx * 1.3 + Kept * 0.7); return Kept; }
template<typename T> T twice(T x) { return x + x * (T)0.3; }
float4 templates(uint t) { float4 s = fractions(t); ROUNDS s = frac(twice(s.yzwx)); return s; }
