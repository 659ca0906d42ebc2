// Loops that are unrolled: counted, left early, nested, not countable.
// reference DXIL: no, its loops end after N iterations of [unroll(N)] (newer ones too), and for it what falls into `default:` from a case is all that comes there
// options: -T lib_6_6
// RUN: %rtc -T lib_6_6 -HV 2021 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc -T lib_6_6 -HV 2021 -Od -validator-version 1.6 -no-warnings %s -Fo %t.od.dxil
// RUN: %dxil-val %t.od.dxil
// RUN: %rtc -T lib_6_6 -HV 2021 -spirv -no-warnings %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -T lib_6_6 -HV 2021 -spirv -Od -no-warnings %s -Fo %t.od.spv
// RUN: %spirv-val %t.od.spv
#include "Inputs/out.hlsli"
static const float W[5] = { 1, 4, 6, 4, 1 };
float blur(float x, int n) { float s = 0; [unroll] for (int i = -2; i <= 2; ++i) { s += W[i + 2] * (x + i); if (s > 100) break; if (i == n) continue; s += 0.5; } return s; }
int nest(int n) { int s = 0; [unroll] for (int i = 0; i < 4; ++i) { [unroll] for (int j = i; j < 4; ++j) { if (j == n) break; s += i * 10 + j; if ((s & 3) == 1) continue; s += 1; } s *= 3; } return s; }
int ret(int n) { [unroll] for (int i = 0; i < 6; ++i) { if (n == i * 2) return i * 100; } return -1; }
int dw(int n) { int i = 0, s = n; [unroll] do { s += i; i += 2; if (s == 7) break; } while (i < 9); return s * 100 + i; }
int wh(int n) { int i = 20, s = n; [unroll] while (i > 1) { i /= 2; s ^= i; } return s; }
int sw(int n) { int s = 0; [unroll] for (int i = 0; i < 5; ++i) { switch ((i + n) & 3) { case 0: continue; case 1: s += 1; break; case 2: s += 10; default: s += 100; } switch (i) { case 2: s *= 2; break; case 3: continue; } s += 1000; } return s; }
int short_test(int n) { int s = n; uint w = 0; do { w += 1; s += 3; } while (w < 3 && s * s % 7 < 4); uint u = 0; do { u += 1; s -= n; } while (u < 1 && (float)(n & 127) < 5.0); return s; }
int mixed(int n) { int s = 0; [unroll(8)] for (int i = 0; i < n; ++i) s += i; [unroll(2)] for (int k = 0; k < 7; ++k) s += k * n; [unroll] for (uint q = 0; q < 3; q++) { [loop] for (int w = 0; w < n; ++w) { if (w == 3) break; s += w * q; } if (s > 500) break; } [unroll] for (int z = 0; z < 3; ++z) { int local[3]; local[z] = n; local[(z + 1) % 3] = z; s += local[z] + local[(z + 1) % 3]; } return s; }
int cont_end(int n) { int s = 0; [unroll] for (int i = 0; ; ++i) { if (n > i) { s += 3; continue; } if (i == 5) break; s += i; if (i > 7) break; } return s; }
int halving(int n) { int s = n; [unroll] for (int k = 2; k <= 32; k <<= 1) { [unroll] for (int j = k / 2; j > 0; j /= 2) { s = s * 3 ^ (k == 2 * j ? k - 1 : j); if (s == n) break; } } return s; }
int two_tests(int n) { int s = 1; [unroll] for (int i = 0; i < n && i < 4; ++i) s = s * 3 + i; [unroll] for (int k = 7; !(k < 3 || k * n > 9); --k) s += k ^ n; return s; }
[shader("raygeneration")]
void Main()
{
    for (uint i = 0; i < 16; ++i)
    {
        int s = inS(i); float f = inF(i);
        putF(blur(f, s & 3)); putI(nest(s & 3)); putI(ret(s)); putI(dw(s & 7)); putI(short_test(s)); putI(wh(s)); putI(sw(s)); putI(mixed(s)); putI(cont_end(s & 7)); putI(halving(s)); putI(two_tests(s));
    }
}
