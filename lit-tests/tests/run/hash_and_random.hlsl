// Integer hashing, a random generator in inout state, and small numeric loops.
// RUN: %rtc -T lib_6_3 -HV 2021 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc -T lib_6_3 -HV 2021 -Od -validator-version 1.6 -no-warnings %s -Fo %t.od.dxil
// RUN: %dxil-val %t.od.dxil
// RUN: %rtc -T lib_6_3 -HV 2021 -spirv -no-warnings %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -T lib_6_3 -HV 2021 -spirv -Od -no-warnings %s -Fo %t.od.spv
// RUN: %spirv-val %t.od.spv
#include "Inputs/out.hlsli"

struct Rng { uint state; uint Next() { state = state * 747796405u + 2891336453u; uint w = ((state >> ((state >> 28) + 4u)) ^ state) * 277803737u; return (w >> 22) ^ w; } float Float() { return float(Next() >> 8) / 16777216.0; } };
uint wang(uint s) { s = (s ^ 61) ^ (s >> 16); s *= 9; s = s ^ (s >> 4); s *= 0x27d4eb2d; s = s ^ (s >> 15); return s; }
uint lcg(inout uint s) { s = 1664525u * s + 1013904223u; return s & 0x00ffffff; }
float2 hammersley(uint i, uint n) { return float2(float(i) / n, reversebits(i) * 2.3283064365386963e-10); }
float3 cosine(float2 u) { float r = sqrt(u.x), t = 6.2831853 * u.y; return float3(r * cos(t), r * sin(t), sqrt(max(0, 1 - u.x))); }
uint tea(uint a, uint b) { uint s = 0; [unroll] for (int i = 0; i < 4; i++) { s += 0x9e3779b9; a += ((b << 4) + 0xa341316c) ^ (b + s) ^ ((b >> 5) + 0xc8013ea4); b += ((a << 4) + 0xad90777d) ^ (a + s) ^ ((a >> 5) + 0x7e95761e); } return a; }
uint pack(float4 c) { uint4 q = uint4(saturate(c) * 255 + 0.5); return q.x | q.y << 8 | q.z << 16 | q.w << 24; }
float4 unpack(uint p) { return float4(p & 0xff, p >> 8 & 0xff, p >> 16 & 0xff, p >> 24) / 255; }
int gcd(int a, int b) { while (b) { int t = a % b; a = b; b = t; } return a; }
bool prime(uint n) { if (n < 2) return false; for (uint i = 2; i * i <= n; ++i) if (n % i == 0) return false; return true; }
[shader("raygeneration")]
void Main()
{
    Rng rng = { wang(inU(0)) };
    for (uint i = 0; i < 4; ++i) { putU(rng.Next()); putF(rng.Float()); }
    uint s = inU(1);
    uint a = lcg(s), b = lcg(s);
    putU(a); putU(b); putU(s); putU(tea(a, b));
    putF2(hammersley(Thread(), 8)); putF3(cosine(hammersley(Thread() + 1, 16)));
    uint p = pack(float4(inF(0), inF(1), 0.3, 0.7));
    putU(p); putF4(unpack(p));
    putI(gcd(abs(inS(0)) * 6, 45)); putB(prime(inU(2) % 101)); putB(prime(97));
    float x = abs(inF(3)) + 1, g = x;
    for (int k = 0; k < 8; ++k) g = (g + x / g) * 0.5;
    putF(g);
    float e = 1, term = 1;
    for (int k = 1; k < 10; ++k) { term /= k; e += term; }
    putF(e);
    uint f0 = 0, f1 = 1;
    while (f1 < 1000) { uint t = f0 + f1; f0 = f1; f1 = t; }
    putU(f1);
}
