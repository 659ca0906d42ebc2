// Algebra that an optimiser likes to rewrite: signs, shifts, equalities, selects, zero trips.
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

int clampi(int v) { return v < 0 ? 0 : v > 255 ? 255 : v; }
uint rot(uint v, uint n) { return v << (n & 31) | v >> (-n & 31); }
int zero(int n) { int r = n; for (int i = 5; i < 5; ++i) r = 0; return r; }
int invariant(int a, int b) { int t = 0; for (int i = 0; i < 4; ++i) { int k = a * b; if (i & 1) t += k; else t -= a; } return t; }
int phis(int a, int b, int n) { for (int i = 0; i < n; ++i) { int t = a; a = b; b = t; } return a * 3 + b; }
int fib(int n) { int a = 0, b = 1; while (n-- > 0) { int t = a + b; a = b; b = t; } return a; }
float unset(bool b) { float x; if (b) x = 1; else x = 2; return x; }
int deadcode(int n) { if (false) return 1; if (n != n) return 2; return n & 0 ? 3 : n | 0; }
int redefine(int n) { int v = n; if (n > 0) { v = n + 1; n = v * 2; } else if (n < -4) v = -n; return v + n; }
int exits(int n) { int r = 0; for (int i = 0; ; ++i) { if (i == n) { r += 1; break; } if (i * i > 40) { r += 2; break; } r += i; } return r; }
[shader("raygeneration")]
void Main()
{
    for (uint i = 0; i < 10; ++i)
    {
        int n = inI(i), s = inS(i);
        uint u = inU(i);
        float f = inF(i);
        putI(n / 2); putI(n / -2); putI(n / 4 * 4); putI(n % 4); putI(n % -8); putU(u / 8); putU(u % 8); putI(n / 7); putU(u / 10); putI(n * 8); putI(n * -1);
        putI(n - n); putI(n ^ n); putI(n & -1); putI(n | 0); putI(0 - n); putI(n + 5 - 5); putB(n < n + 1 || n == 2147483647); putB(n == -n);
        putI(clampi(s * 20)); putU(rot(u, i)); putI(zero(n)); putI(invariant(s, s + 1)); putI(phis(n, s, i)); putI(fib(i)); putF(unset(n > 0)); putI(deadcode(n)); putI(redefine(s)); putI(exits(s & 7));
        putF(f * 0 + 1); putF(f - f); putF(0 - f); putF(f * -1); putF(f / 2); putF(f * 1); putF(f + 0); putB(f == f); putB(f != f); putB(!(f < 1)); putB(!(f >= 1)); putF(-(-f)); putF(abs(-f)); putF(max(f, f)); putF(min(max(f, -1), 1));
        putB(u >= 0); putB(u > 0); putB(u < 1); putI(s << 31 >> 31); putU(u << 24 >> 24); putI((n >> 4) << 4); putU((u & 0xff00) >> 8); putI(-(n + 1)); putI(~-n); putB((n & 1) == 0 ? true : false); putI((n > 0) - (n < 0));
    }
}
