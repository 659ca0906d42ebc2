// Native 16-bit types, aggregates, and control flow in odd combinations.
// reference DXIL: no, for DXIL it has `int16_t` with -enable-16bit-types alone (newer ones too)
// options: -T lib_6_6 -enable-16bit-types
// RUN: %rtc -T lib_6_6 -HV 2021 -enable-16bit-types -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc -T lib_6_6 -HV 2021 -enable-16bit-types -Od -validator-version 1.6 -no-warnings %s -Fo %t.od.dxil
// RUN: %dxil-val %t.od.dxil
// RUN: %rtc -T lib_6_6 -HV 2021 -enable-16bit-types -spirv -no-warnings %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -T lib_6_6 -HV 2021 -enable-16bit-types -spirv -Od -no-warnings %s -Fo %t.od.spv
// RUN: %spirv-val %t.od.spv
#include "Inputs/out.hlsli"
struct A { int x; float2 y; }; struct P { A a[2]; int3 v; }; struct Q : A { float z; A inner; };
int ov(int x) { return 1; } int ov(float x) { return 2; } int ov(float2 x) { return 3; } int ov(half x) { return 4; } int ov(int16_t x) { return 5; }
template<typename T> T sq(T x) { return x * x; }
template<typename T, int N> T sum(T a[N]) { T r = (T)0; for (int i = 0; i < N; ++i) r += a[i]; return r; }
void swap(inout A a, inout A b) { A t = a; a = b; b = t; }
A edit(A a) { a.x += 100; return a; }
groupshared int dummy;
static const int Table[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } };
static const A Consts[] = { { 1, { 2, 3 } }, { 4, 5, 6 }, { 7, float2(8, 9) } };
struct Cnt { int n; Cnt add(int k) { Cnt c = this; c.n += k; return c; } void inc() { n++; this.n += 2; } };
[shader("raygeneration")]
void Main()
{
    for (uint i = 0; i < 4; ++i)
    {
        int s = inS(i); uint u = inU(i); float f = inF(i); int d = u & 1;
        half h = f; half3 h3 = half3(f, 1, 2); h3 *= h; h3.zx += 1.5h; putF(h); putF3(h3); int16_t k = s; k *= 300; k /= 7; putI(k); uint16_t w = u; w >>= 3; w += 70000; putI(w); putI(k % 5); putI((k << 4) | (w & 15)); putF(h * 2 + k);
        int16_t4 k4 = int16_t4(s, 1, 2, 3); putI(ov(s)); putI(ov(f));
        P p = { s, f, 2, 3, 4, 5, int3(6, 7, s) }; swap(p.a[d], p.a[1 - d]); putI(p.a[0].x); putF2(p.a[1].y); p.a[d] = edit(p.a[d]); putI(p.a[0].x); putI(p.a[1].x); swap(p.a[d], p.a[d]); putI(p.a[d].x);
        Q q; q.x = s; q.y = f; q.z = 2; q.inner = p.a[d]; A base = q; base.x++; putI(base.x); putI(q.inner.x); (A)q; swap(q.inner, base); putI(q.inner.x);
        putI(sq(s)); putF(sq(f)); float3 v3 = sq(float3(f, 1, 2)); putF3(v3); int arr[4] = { s, 2, 3, 4 }; putI(sum(arr)); float2 fa[2] = { f, 1, 2, 3 }; putF2(sum(fa));
        putI(Table[d][u % 3]); putI(Consts[u % 3].x); putF2(Consts[u % 3].y); int nested[2][2][2] = { 1, 2, 3, 4, 5, 6, 7, s }; putI(nested[d][1 - d][u % 2]); nested[d] = nested[1 - d]; putI(nested[0][1][1]); putI(nested[1][1][1]);
        Cnt c = { s }; c.inc(); putI(c.add(5).add(6).n); putI(c.n); c.add(3).inc(); putI(c.n);
        float2x3 m = { 1, 2, 3, f, 5, 6 }; m[d] *= 2; m._m01_m12 = m._m12_m01; float3x2 t = transpose(m); putF2(t[u % 3]); putF3(mul(t[2], m)); float2x3 n = m; n -= m * 0.5; putF3(n[1]); float tot = 0; for (int r = 0; r < 2; ++r) for (int cc = 0; cc < 3; ++cc) tot += m[r][cc] * (r + 1); putF(tot);
        int acc = 0; for (int a = 0; a < 10; ++a) { if (a == 3) continue; switch (a & 3) { case 0: acc += 1; case 1: acc += 10; break; case 2: if (a > 5) continue; acc += 100; default: acc += 1000; } int b = a; do { b--; if (b == s) break; acc += b; if (b < 2) continue; } while (b > 0 && acc < 5000); while (true) { if (acc++ > 20) break; } } putI(acc);
        { int s = 5; { float s = 2.5; putF(s); } putI(s); } for (int s = 0; s < 1; ++s) { putI(s); } putI(s);
        min16uint mu = u; mu += 3; putU(mu & 0xff); bool b1 = s > 0, b2 = f > 0; putB(b1 ^ b2); putI(b1 & b2); putI(b1 ? b2 ? 1 : 2 : b2 ? 3 : 4); putI(1 + b1 * 2); uint uu = s; putU(uu); putF(uu); int neg = -u; putI(neg); putF(u); putF((int)u);
    }
}
