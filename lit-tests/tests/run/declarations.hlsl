// Declarations in unusual forms: statics of functions, enumerations, switches, templates, bit-fields, casts of structures.
// reference: no, its SPIR-V back end crashes on casts between structures and has no bit-fields of 64 bits
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

struct Bits { uint a : 3; uint b : 5; int c : 4; uint d : 20; uint e : 15; uint64_t f : 40; int64_t g : 20; };
enum class Mode : uint { Off, On, Auto = On + 1, Big = Auto << 4, All = ~0u, Both = Mode::Big | On };
enum Plain { A, B, C = 10, D, F = D * 2 };
// Zero, but the compiler does not know.
int zero() { return inI(0) & 0; }
float counts(float x) { static float k = x * 3; k += 1; return k; }
float looks_up(float x) { const float w = 3; static const float2 off[2] = { float2(w, 1), float2(2, w) }; return off[uint(x) & 1].x; }
float in_loop(float x, int n)
{
    float s = 0;
    for (int i = 0; i < n; ++i) { static int cnt = 5; cnt++; static const float first = x + i; s += cnt * first; }
    return s;
}
int wide_switch(int64_t v)
{
    switch (v)
    {
    case 0x100000000ll: return 1;
    case 1: return 2;
    case -1: return 3;
    case 0x100000001ll: { return 4; }
    default: return 5;
    case 7:
    case 8: return 6;
    }
}
int float_switch(float f) { switch (f) { case 0: return 1; case 1: return 2; case -1: return 3; default: return 4; } }
int first_in_block(int n)
{
    int r = 0;
    switch (n) { int y; case 0: y = 4; r = y; break; case 1: y = 5; r += y; default: y = 9; r += y * 2; }
    return r;
}
template<typename T> struct Box { T v; T get(); void set(T t); static T mk(T a); };
template<typename T> T Box<T>::get() { return v; }
template<typename U> void Box<U>::set(U t) { v = t; }
template<typename T> T Box<T>::mk(T a) { return a + 1; }
template<> int Box<int>::get() { return v * 100; }
namespace N
{
    template<typename T> struct Base { T v; };
    template<typename T> struct Heir : Base<T> { T w; T sum() { return this.v + w; } };
    template<typename T, int M> struct Grid { T v; T get(int x); T get(float x); };
}
template<typename P, int Q> P N::Grid<P, Q>::get(int x) { return v * x * Q; }
template<typename P, int Q> P N::Grid<P, Q>::get(float x) { return v * x + Q; }
typedef int Two[2];
Two twice(int x) { Two t = { x, 2 * x }; return t; }
Two pick(bool b, Two p, Two q) { if (b) return p; return q; }
// A default argument that is written back is an l-value. One that is none counts for nothing where an argument is given.
static int last = 5;
int adds(int x, inout int to = last) { to += x; return to * 10; }
int sets(int x, out int to = 1) { to = x; return x + 1; }
float halves(float x, out float to = last) { to = x / 2; return x; }
template<typename T> T keeps(T x, out T to = last) { to = x; return x * 2; }
struct Mixed { float2 x; int y; };
struct Flat { float x, y; int z; };

[shader("raygeneration")]
void Main()
{
    int z = zero();
    Bits s = (Bits)0;
    s.a = 9 + z; s.b = 33 + z; s.c = 9 + z; s.d = 0x123456 + z; s.a += 2; s.c++; s.e = s.d;
    s.f = (uint64_t)(0x12345678u + z) << 9; s.f += 3; s.g = -7 + z; s.g -= 5;
    expect(s.a, 3); expect(s.b, 1); expect(s.c, -6); expect(s.d, 0x23456); expect(s.e, 0x3456);
    expect((uint)s.f, 0x68acf003); expect((uint)(s.f >> 32), 0x24); expect((int)s.g, -12); expect((int)(s.g >> 32), -1);
    s.g = 0x7ffff + z; expect((int)s.g, 0x7ffff); s.g++; expect((int)s.g, -0x80000);

    expect((int)counts(2 + z), 7); expect((int)counts(100 + z), 8);
    expect((int)looks_up(z), 3); expect((int)looks_up(1 + z), 2);
    expect((int)in_loop(2 + z, 3), 42); expect((int)in_loop(50 + z, 2), 38);

    expect(wide_switch(0x100000000ll + z), 1); expect(wide_switch(1 + z), 2); expect(wide_switch(-1 + z), 3);
    expect(wide_switch(0x100000001ll + z), 4); expect(wide_switch(0x200000001ll + z), 5); expect(wide_switch(7 + z), 6); expect(wide_switch(8 + z), 6);
    expect(float_switch(0.75 + z), 1); expect(float_switch(-1.5 + z), 3); expect(float_switch(2.5 + z), 4);
    expect(first_in_block(z), 4); expect(first_in_block(1 + z), 23); expect(first_in_block(2 + z), 18);

    expect((uint)Mode::Auto, 2); expect((uint)Mode::Big, 32); expect((uint)Mode::All, -1); expect((uint)Mode::Both, 33); expect(F, 22); expect(D, 11);

    Box<int> b; b.set(3 + z); expect(b.get(), 300); expect(Box<int>::mk(4 + z), 5);
    Box<float> c; c.set(2.5 + z); expect((int)(c.get() * 2), 5);
    N::Heir<float> d; d.v = 3 + z; d.w = 2; expect((int)d.sum(), 5);
    N::Grid<int, 4> g; g.v = 3 + z; expect(g.get(2), 24); expect(g.get(2.0f), 10);

    int own = 1;
    expect(adds(2 + z), 70); expect(last, 7); expect(adds(3 + z, own), 40); expect(own, 4); expect(sets(6 + z, own), 7); expect(own, 6);
    expect((int)halves(9 + z), 9); expect(last, 4); expect(keeps(8 + z), 16); expect(last, 8); expect(keeps(3 + z, own), 6); expect(own, 3);

    Two t = twice(4 + z);
    expect(t[1 + z], 8); expect(twice(5 + z)[1], 10); expect(pick(z != 0, t, twice(7))[z], 7);

    Mixed m = { 1 + z, 2 + z, 3 + z };
    Flat f = (Flat)m;
    float3 v = (float3)m;
    float list[3] = (float[3])v;
    int ints[3] = (int[3])list;
    Flat cut = (Flat)float4(4.5 + z, 5, 6.5, 7);
    Mixed cut2 = (Mixed)float4(4.5 + z, 5, 6.5, 7);
    expect(f.z, 3); expect((int)f.y, 2); expect((int)v.z, 3); expect((int)list[1], 2); expect(ints[2], 3);
    expect((int)(cut.x * 2), 9); expect(cut.z, 6); expect(cut2.y, 6); expect((int)cut2.x.y, 5);

    float2x2 w = { 1 + z, 2, 3, 4 };
    float4 product = w * float4(5, 6, 7, 8);
    expect((int)product.y, 12); expect((int)product.w, 32);
    float2x2 turned = float4(1 + z, 2, 3, 4);
    expect((int)turned[1].x, 3);
    float1x4 row = float4(1 + z, 2, 3, 4);
    float3 part = row;
    expect((int)part.z, 3);
}
