// Arithmetic of floats: intrinsic functions, one after the other.
#include "kernels.hlsli"

// variants: T=float T=float2 T=float4
float4 clamps(uint t) { T s = (T)fractions(t); ROUNDS s = clamp(s * 1.7 - 0.3, 0.1, 0.9) + 0.01; return ((float4)0) + s.x; }
// variants: T=float T=float2 T=float4
float4 saturates(uint t) { T s = (T)fractions(t); ROUNDS s = saturate(s * 1.9 - 0.4) * 0.9 + 0.02; return ((float4)0) + s.x; }
// variants: T=float T=float4
float4 min_max(uint t) { T s = (T)fractions(t); ROUNDS s = min(max(s * 1.9 - 0.4, s.x - 0.3), 0.8); return ((float4)0) + s.x; }
// variants: E=2 E=3 E=4 E=5 E=8 E=0.5 E=1.5 E=2.2
float4 powers(uint t) { float4 s = fractions(t); ROUNDS s = pow(s * 0.5 + 0.5, E) + 0.01 * s; return s; }
float4 powers_of_variables(uint t) { float4 s = fractions(t); ROUNDS s = pow(s * 0.5 + 0.4, s.yzwx + 0.5); return s; }
float4 schlick(uint t) { float4 s = fractions(t); ROUNDS s = s.x + (1 - s.x) * pow(saturate(1 - s.yzwx), 5); return s; }
float4 ggx(uint t)
{
    float4 s = fractions(t);
    ROUNDS
    {
        float a = s.x * s.x, nh = saturate(s.y), d = nh * nh * (a * a - 1) + 1;
        float v = 1 / max(1e-3, (s.z * (1 - a) + a) * (s.w * (1 - a) + a));
        s = frac(s.yzwx + a * a / max(1e-4, 3.14159 * d * d) * v * 0.25);
    }
    return s;
}
// variants: F=sin F=cos F=tan F=asin F=acos F=atan F=sinh F=cosh F=tanh F=exp F=exp2 F=log F=log2 F=log10 F=sqrt F=rsqrt F=rcp F=frac F=floor F=ceil F=round F=trunc F=sign F=abs F=degrees F=radians
float4 functions(uint t) { float4 s = fractions(t); ROUNDS s = frac(abs(F(s * 0.9 + 0.05)) * 0.77 + s.yzwx * 0.3); return s; }
// variants: F=atan2 F=fmod F=step F=ldexp F=max F=min
float4 functions_of_two(uint t) { float4 s = fractions(t); ROUNDS s = frac(abs(F(s + 0.1, s.yzwx + 0.2)) * 0.77 + s.wxyz * 0.3); return s; }
// variants: F=normalize F=length F=abs
float4 functions_of_vectors(uint t) { float3 s = fractions(t).xyz; ROUNDS s = frac(F(s + 0.1) * 0.7 + s.yzx); return s.xyzx; }
// variants: F=dot F=distance F=cross F=reflect
float4 functions_of_two_vectors(uint t) { float3 s = fractions(t).xyz; ROUNDS s = frac(F(s + 0.1, s.zxy - 0.3) * 0.7 + s.yzx); return s.xyzx; }
float4 sums_of_doubles(uint t) { double s = fractions(t).x; ROUNDS s = s * (double)0.75 + (double)0.125; return (float4)(float)s; }
float4 multiply_adds_of_doubles(uint t) { double s = fractions(t).x; ROUNDS s = fma(s, (double)0.75, (double)0.125); return (float4)(float)s; }
float4 normalized_sums(uint t) { float3 s = fractions(t).xyz; ROUNDS s = normalize(s.yzx + float3(0.1, 0.2, 0.3)); return s.xyzx; }
float4 spherical(uint t) { float2 s = fractions(t).xy; ROUNDS { float c = 1 - 2 * s.x, r = sqrt(max(0, 1 - c * c)); float a, b; sincos(6.2831853 * s.y, a, b); s = frac(float2(r * a + c, r * b + 0.3)); } return s.xyxy; }
float4 clamps_to_constants(uint t) { float4 s = fractions(t); ROUNDS s = clamp(s.yzwx * 1.3, 0.05, 0.95) - 0.01; return s; }
float4 smoothsteps(uint t) { float4 s = fractions(t); ROUNDS s = smoothstep(0.1, 0.9, s) * 0.8 + s.yzwx * 0.15; return s; }
float4 lerps(uint t) { float4 s = fractions(t); ROUNDS s = lerp(s, s.yzwx, s.w); return s; }
float4 refracts(uint t) { float3 s = fractions(t).xyz; ROUNDS s = frac(refract(normalize(s), normalize(s.yzx + 0.1), 0.7) + s.zxy); return s.xyzx; }
float4 faceforwards(uint t) { float3 s = fractions(t).xyz - 0.5; ROUNDS s = frac(faceforward(s, s.yzx, s.zxy) * 1.3) - 0.5; return s.xyzx; }
float4 sincoses(uint t) { float4 s = fractions(t); ROUNDS { float4 a, b; sincos(s * 3, a, b); s = frac(a * 0.6 + b.yzwx * 0.5 + 1); } return s; }
float4 modfs(uint t) { float4 s = fractions(t); ROUNDS { float4 whole; float4 rest = modf(s * 9.7, whole); s = frac(rest + whole * 0.13); } return s; }
float4 frexps(uint t) { float4 s = fractions(t); ROUNDS { float4 e; float4 m = frexp(s + 0.01, e); s = frac(m * 1.3 + e * 0.11 + 5); } return s; }
float4 multiply_adds(uint t) { float4 s = fractions(t); ROUNDS s = mad(s, 0.6, s.yzwx * 0.39); return s; }
float4 precise_sums(uint t) { precise float4 s = fractions(t); ROUNDS s = s * 0.6 + s.yzwx * 0.39; return s; }
float4 divisions(uint t) { float4 s = fractions(t); ROUNDS s = frac(s / (s.yzwx + 0.5) + 0.1); return s; }
float4 divisions_by_constants(uint t) { float4 s = fractions(t); ROUNDS s = frac(s / 3.7 + s.yzwx / 0.6); return s; }
float4 remainders(uint t) { float4 s = fractions(t) * 7 - 3; ROUNDS s = s * 3.1 % 2.5 + s.yzwx % 1.5; return s; }
float4 special_tests(uint t) { float4 s = fractions(t); ROUNDS { if (any(isnan(s)) || any(isinf(s.yzwx))) s = 0.5; s = frac(s * 1.7 + 0.1); } return s; }
float4 finite_tests(uint t) { float4 s = fractions(t); ROUNDS { if (!all(isfinite(s))) s = 0.5; s = frac(s * 1.7 + 0.1); } return s; }
float4 negations(uint t) { float4 s = fractions(t); ROUNDS s = -abs(s.yzwx) * 0.9 - -s * 0.3 + 0.2; return s; }
float4 luminances(uint t) { float3 s = fractions(t).xyz; ROUNDS s = lerp(dot(s, float3(0.2126, 0.7152, 0.0722)).xxx, s.yzx, 0.9); return s.xyzx; }
float4 srgb(uint t) { float3 s = fractions(t).xyz; ROUNDS s = select(s < 0.0031308, s * 12.92, 1.055 * pow(s, 1 / 2.4) - 0.055); return s.xyzx; }
float4 aces(uint t) { float3 s = fractions(t).xyz * 4; ROUNDS s = saturate(s * (2.51 * s + 0.03) / (s * (2.43 * s + 0.59) + 0.14)) * 3 + 0.1; return s.xyzx; }
float4 polynomials(uint t) { float4 s = fractions(t); ROUNDS s = frac(((((s * 0.3 + 0.7) * s - 0.2) * s + 0.9) * s - 0.4) * s + 1.1); return s; }
float4 sphere_hits(uint t)
{
    float4 s = fractions(t);
    ROUNDS
    {
        float3 d = normalize(s.xyz - 0.5);
        float b = dot(d, s.yzw), c = dot(s.yzw, s.yzw) - 0.49, h = b * b - c;
        s = h < 0 ? frac(s.yzwx + 0.37) : frac(float4(d, -b - sqrt(h)) * 0.7 + 0.9);
    }
    return s;
}
float4 box_hits(uint t)
{
    float4 s = fractions(t);
    ROUNDS
    {
        float3 inverse = 1 / (s.yzw - 0.45), a = (0.2 - s.xyz) * inverse, b = (0.7 - s.xyz) * inverse;
        float3 first = min(a, b), last = max(a, b);
        float from = max(max(first.x, first.y), first.z), to = min(min(last.x, last.y), last.z);
        s = from <= to ? frac(s.yzwx + from * 0.11) : frac(s.wxyz + 0.31);
    }
    return s;
}
float4 octahedral(uint t)
{
    float4 s = fractions(t);
    ROUNDS
    {
        float3 n = normalize(s.xyz - 0.5);
        float2 p = n.xy / (abs(n.x) + abs(n.y) + abs(n.z));
        p = n.z < 0 ? (1 - abs(p.yx)) * select(p.xy >= 0, (float2)1, (float2)-1) : p;
        s = frac(float4(p * 0.5 + 0.5, s.zw * 1.3 + 0.1));
    }
    return s;
}
