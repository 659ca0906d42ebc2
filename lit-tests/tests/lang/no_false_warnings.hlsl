// What looks like a mistake and is none: nothing is reported.
// RUN: %rtc -T lib_6_9 %s -Fo %t.dxil 2>&1 | FileCheck --allow-empty %s
// RUN: %rtc -T lib_6_9 -HV 2018 -D OLD %s -Fo %t.dxil 2>&1 | FileCheck --allow-empty %s
// RUN: %rtc -T ps_6_0 -E Pixel -D PIXEL %s -Fo %t.dxil 2>&1 | FileCheck --allow-empty %s
// RUN: %rtc -T cs_6_6 -E Group -D GROUP %s -Fo %t.dxil 2>&1 | FileCheck --allow-empty %s
// CHECK-NOT: {{warning|error}}
#if defined(PIXEL)
void Pixel(out float4 a : SV_Target0, out float2 b : SV_Target1, float4 p : P) { a = p; b = 1; if (p.x > 1) b.y = 2; }
#elif defined(GROUP)
// Nothing calls them.
void add(inout uint x) { uint old; InterlockedAdd(x, 3, old); InterlockedMax(x, old); }
[numthreads(1, 1, 1)] void Group() { }
#elif defined(OLD)
RWBuffer<float> Out;
[shader("raygeneration")] void Main()
{
    float r = 0;
    for (int i = 0; i < 3; i++) { for (int i = 0; i < 2; i++) r += i; }
    Out[0] = r;
}
#else
globallycoherent RWByteAddressBuffer g; reordercoherent RWByteAddressBuffer r; RWByteAddressBuffer p; RWStructuredBuffer<float> u;
globallycoherent RWByteAddressBuffer first() { return g; }
reordercoherent RWByteAddressBuffer second() { return r; }
RWByteAddressBuffer third() { return p; }
void store(globallycoherent RWByteAddressBuffer to) { to.Store(0, 1); }
#define EQ(a, b) (a == b)
bool bits(uint a, uint b, uint c) { return (a == 1 & b == 2) || (a == 1 | b == 2 | c == 3) || (a < 1 ^ b > 2) || (c & a) == 1; }
float pairs(int a, int b) { if (EQ(a, b)) return 1; if ((a < b)) return 2; if ((a == b) && (a == 1)) return 3; return ((a == b)) ? 1 : 0; }
float own(float a) { return a; }
float results(float a) { own(a); (void)sin(a); u.IncrementCounter(); float s, c; sincos(a, s, c); return s + c; }
float minimum(min16int a, min16float b, min16uint c) { return a + b + c; }
static const uint n = 1 << 3; static const bool t = true;
struct S { static const int k = 4; using T = float; T v; };
float sizes() { const int m = 3; float a[t ? n : 2], b[max(1, 2)], c[S::k * m], d[(int)2.5]; a[0] = b[0] = c[0] = d[0] = 1; return a[0]; }
struct A { struct N { float v; }; };
template<typename M> float use(M m, float v) { typename M::N n; n.v = v; return n.v; }
template<typename M> struct D : M::N { float w; };
struct Maker { template<typename T> T make(T v) { return v + 1; } };
template<typename M> float makes(M m, float v) { Maker own; return m.template make<float>(v) + own.make<float>(v); }
[shader("raygeneration")] void Main()
{
    A a; D<A> d; Maker m; S s;
    d.v = s.v = 1;
    store(first());
    second().Store(4, 1);
    third().Store(8, bits(1, 2, 3));
    u[0] = pairs(1, 2) + results(2) + minimum(1, 2, 3) + sizes() + use(a, 2) + d.v + makes(m, 3) + s.v;
}
#endif
