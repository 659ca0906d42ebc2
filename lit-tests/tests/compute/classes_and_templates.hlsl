// rtc -T cs_6_6 -E main -HV 2021
// Small programs of classes, templates, arrays and operators: each result follows from C++.
// RUN: %rtc-run %s --scene %S/Inputs/expect.toml -o %T
// RUN: FileCheck %s --input-file=%T/out.json
// RUN: %rtc-run %s --scene %S/Inputs/expect.toml -o %T -- -Od
// RUN: FileCheck %s --input-file=%T/out.json
// RUN: %rtc-run-cpu %s --scene %S/Inputs/expect.toml -o %T
// RUN: FileCheck %s --input-file=%T/out.json
// RUN: %rtc-run-cpu %s --scene %S/Inputs/expect.toml -o %T -- -Od
// RUN: FileCheck %s --input-file=%T/out.json
// RUN: %rtc -T cs_6_6 -E main -HV 2021 -spirv %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// CHECK: {{^}}[
// CHECK-NEXT: {{^}}102,
// CHECK-NEXT: {{^}}0,
#include "Inputs/expect.hlsli"

namespace DefaultArguments
{
template<typename T, uint N = 2, typename U = T> struct Arr { T v[N]; U extra; static const uint Count = N; T sum() { T s = 0; for (uint k = 0;
    k < N; ++k) s += v[k]; return s + (T)extra; } };
template<typename T> struct Pick { static uint id() { return 1; } };
template<> struct Pick<float> { static uint id() { return 2; } };
template<typename T, uint N> struct Pick<Arr<T, N> > { static uint id() { return 10 + N; } };
void test() { Arr<int> a; a.v[0] = i(3); a.v[1] = 4; a.extra = 5; IS(a.sum(), 12); IS(Arr<float, 3>::Count, 3u); IS(Pick<int>::id(), 1u);
    IS(Pick<float>::id(), 2u); IS(Pick<Arr<int, 4> >::id(), 14u); IS(Pick<Arr<int> >::id(), 12u); }
}
namespace MemberTemplates
{
template<typename T> struct Box { T v; template<typename U> Box<U> map(U k) { Box<U> b; b.v = (U)v * k; return b; } Box<T> operator+(Box<T> o) {
    Box<T> r; r.v = v + o.v; return r; } T operator[](uint k) { return v * (T)k; } bool operator==(Box<T> o) { return v == o.v; } };
void test() { Box<int> a; a.v = i(3); Box<float> b = a.map(2.5f); IS(b.v, 7.5f); Box<int> c = a + a; IS(c.v, 6); IS(c[5], 30);
    IS(c == a ? 1u : 0u, 0u); IS(a == a ? 1u : 0u, 1u); IS((a + a + a).v, 9); }
}
namespace StaticMembers
{
template<typename T> struct Cnt { static T total; static void add(T v) { total += v; } };
template<typename T> T Cnt<T>::total = (T)2;
void test() { Cnt<int>::add(i(3)); Cnt<int>::add(4); Cnt<float>::add(1.5f); IS(Cnt<int>::total, 9); IS(Cnt<float>::total, 3.5f); }
}
namespace ValuesAsArguments
{
enum Mode { A = 3, B, C = B * 2 };
template<Mode M> int mode() { return M; }
template<bool Flag> int flag() { if (Flag) return 1; return 0; }
template<int N> int neg() { return N; }
void test() { IS(mode<C>(), 8); IS(mode<Mode::B>(), 4); IS(flag<true>() + flag<(3 > 4)>(), 1); IS(neg<-3>(), -3); IS(neg<(5 >> 1)>(), 2); }
}
namespace Bases
{
struct Base { int a; int f() { return a; } static int s() { return 7; } int g() { return f() * 10; } };
struct Derived : Base { int b; int f() { return b; } int h() { return Base::f() + f() * 100; } };
int take(Base x) { x.a += 1; return x.a; }
void change(inout Base x) { x.a += 5; }
void test() { Derived d; d.a = i(2); d.b = i(3); IS(d.f(), 3); IS(d.g(), 20); IS(d.h(), 302); IS(take(d), 3); IS(d.a, 2); change(d); IS(d.a, 7);
    IS(Derived::s(), 7); IS(d.b, 3); Base e = (Base)d; IS(e.a, 7); }
}
namespace This
{
struct S { int a, b; S swapped() { S r; r.a = this.b; r.b = this.a; return r; } void set(int v) { this.a = v; b = this.a * 2; } S self() {
    return this; } void assign(S o) { this = o; } };
void test() { S s; s.set(i(4)); IS(s.b, 8); S t = s.swapped(); IS(t.a, 8); IS(t.self().b, 4); s.assign(t); IS(s.a, 8); IS(s.b, 4); }
}
namespace ArraysOfArrays
{
struct R { float a[2][3]; int2 b; };
float sum(float a[2][3]) { float s = 0; for (int y = 0; y < 2; ++y) for (int x = 0; x < 3; ++x) s = s * 2 + a[y][x]; a[0][0] = 99; return s; }
void test() { float a[2][3] = { 1, 2, 3, 4, 5, f(6) }; IS(a[1][0], 4.0f); IS(sum(a), 120.0f); IS(a[0][0], 1.0f); R r = { a, 7, 8 };
    r.a[i(1)][i(2)] = 9; IS(r.a[1][2], 9.0f); IS(a[1][2], 6.0f); float row[3] = r.a[1]; IS(row[2], 9.0f); R q = r; q.a[0] = row; IS(q.a[0][2], 9.0f);
    IS(r.a[0][2], 3.0f); IS((uint)sizeof(R), 32u); }
}
namespace BitFields
{
struct Bf { uint a : 3; int b : 5; uint : 4; uint c : 20; uint d : 16; };
void test() { Bf x = (Bf)0; x.a = i(9); IS(x.a, 1u); x.b = 17; IS(x.b, -15); x.b += 30; IS(x.b, 15); x.c = 0x123456; IS(x.c, 0x23456u); IS(x.a, 1u);
    x.d = 0xabcd1; IS(x.d, 0xbcd1u); Bf y = x; y.a++; IS(y.a, 2u); IS(x.a, 1u); y.a -= 4; IS(y.a, 6u); IS((uint)sizeof(Bf), 8u); }
}
namespace SizesOfTypes
{
template<typename T> struct Tr { static const int Size = sizeof(T) / 4; };
template<typename T> int words(T t) { int a[Tr<T>::Size]; for (int k = 0; k < Tr<T>::Size; ++k) a[k] = k; return a[Tr<T>::Size - 1]; }
struct Big { float4 a; float3 b; };
void test() { Big b = (Big)0; IS(words(b), 6); IS(words(i(1)), 0); IS(words(float2(f(1), 2)), 1); }
}
namespace Recursion
{
template<int N> struct Fib { static const int V = Fib<N - 1>::V + Fib<N - 2>::V; };
template<> struct Fib<0> { static const int V = 0; };
template<> struct Fib<1> { static const int V = 1; };
void test() { IS(Fib<10>::V, 55); int a[Fib<6>::V]; a[7] = i(2); IS(a[7], 2); }
}
namespace MethodsOfElements
{
struct W { int v; void inc() { v++; } static int twice(int x) { return x * 2; } int operator[](int k) { return v + k; } };
W make(int v) { W w; w.v = v; return w; }
struct H { W w[2]; W get(int k) { return w[k]; } };
void test() { H h; h.w[0] = make(i(1)); h.w[1] = make(i(5)); h.w[i(1)].inc(); IS(h.get(1).v, 6); h.get(1).inc(); IS(h.w[1].v, 6); IS(W::twice(3), 6);
    IS(h.w[0][10], 11); IS(make(3)[4], 7); }
}
namespace VectorsOfTemplates
{
template<typename T> struct Vec { T x, y; Vec<T> operator+(Vec<T> o) { Vec<T> r = { x + o.x, y + o.y }; return r; } Vec<T> operator*(T k) {
    Vec<T> r = { x * k, y * k }; return r; } T dot(Vec<T> o) { return x * o.x + y * o.y; } template<typename U> Vec<U> to() { Vec<U> r = {
    (U)x, (U)y }; return r; } };
template<typename V> V lerp2(V a, V b, float t) { return a * (1 - t) + b * t; }
void test() { Vec<float> a = { 1, f(2) }, b = { 3, 6 }; IS(lerp2(a, b, 0.5f).y, 4.0f); IS(a.dot(b), 15.0f); IS((a * 2.7f).to<int>().y, 5); }
}
namespace NestedTemplates
{
template<typename T> struct A { T v; template<typename U> struct B { T t; U u; U sum() { return (U)t + u; } }; B<float> make(float u) { B<float> b;
    b.t = v; b.u = u; return b; } };
void test() { A<int> a; a.v = i(3); IS(a.make(1.5f).sum(), 4.5f); A<int>::B<uint> b; b.t = 1; b.u = 2; IS(b.sum(), 3u); }
}
namespace BasesOfTheirOwnClass
{
template<typename D> struct Crtp { int twice() { return 2; } }; struct X : Crtp<X> { int v; int get() { return v * twice(); } };
template<typename T> struct Base { T x; T getx() { return x; } }; template<typename T> struct Der : Base<T> { T y; T sum() {
    return this.x + y + this.getx(); } };
void test() { X x; x.v = i(4); IS(x.get(), 8); Der<float> d; d.x = 1; d.y = f(2); IS(d.sum(), 4.0f); }
}
namespace NumbersAsArguments
{
template<int N, typename T> T power(T x) { if (N == 0) return 1; return x * power<(N > 0 ? N - 1 : 0)>(x); }
template<uint N> struct Sum { static uint of(uint a[N]) { uint s = 0; for (uint k = 0; k < N; ++k) s += a[k]; return s; } };
template<typename T, uint N> uint count(T a[N]) { return N; }
void test() { uint a[3] = { 1, 2, (uint)i(3) }; IS(Sum<3>::of(a), 6u); IS(count(a), 3u); float b[2][5]; b[0][0] = 1; IS(count(b), 2u);
    IS(count(b[0]), 5u); }
}
namespace StructuresByValue
{
struct M { float2x2 m; float3 v; bool b; int a[2]; }; M make() { M r; r.m = float2x2(1, 2, 3, 4); r.v = float3(5, 6, 7); r.b = true; r.a[0] = 8;
    r.a[1] = 9; return r; }
M change(M x) { x.m[1] = 0; x.v.zx = x.v.xy; x.a[i(1)] += 1; x.b = !x.b; return x; }
void test() { M x = make(); M y = change(x); IS(y.m[1][0], 0.0f); IS(x.m[1][0], 3.0f); IS(y.v.x, 6.0f); IS(y.v.z, 5.0f); IS(y.a[1], 10);
    IS(y.b ? 1u : 0u, 0u); IS(change(change(x)).a[1], 11); M z[2] = { x, y }; z[i(1)].m[i(0)][i(1)] = 20; IS(z[1].m[0][1], 20.0f);
    IS(y.m[0][1], 2.0f); }
}
namespace NamesOfArrays
{
typedef int A2[2]; typedef A2 A32[3]; struct W { A32 a; }; A2 row(W w, int k) { return w.a[k]; }
void test() { W w; for (int x = 0; x < 3; ++x) for (int y = 0; y < 2; ++y) w.a[x][y] = x * 10 + y; IS(row(w, i(2))[1], 21); A32 b = w.a; b[1][1] = 5;
    IS(w.a[1][1], 11); IS((uint)sizeof(A32), 24u); A2 c = b[i(1)]; IS(c[1], 5); b[0] = c; IS(b[0][1], 5); }
}
namespace Results
{
struct Opt { bool has; int v; int or_(int d) { return has ? v : d; } }; Opt some(int v) { Opt o = { true, v }; return o; } Opt none() {
    return (Opt)0; }
Opt find(int a[4], int x) { for (int k = 0; k < 4; k++) { if (a[k] == x) return some(k); } return none(); }
void test() { int a[4] = { 4, 7, i(9), 2 }; IS(find(a, 9).or_(-1), 2); IS(find(a, 8).or_(-1), -1); }
}
namespace Operators
{
struct N { int v; N next() { N n = { v + 1 }; return n; } N plus(N o) { N n = { v + o.v }; return n; } int operator[](uint k) { return v * 10 + k; }
    N operator*(int k) { N n = { v * k }; return n; } bool operator==(N o) { return v == o.v; } bool operator!=(N o) { return v != o.v; }
    N operator%(int k) { N n = { v % k }; return n; } };
void test() { N n = { i(3) }; IS(n.next().next().plus(n).v, 8); IS(n[4], 34); IS((n * 2 * 3).v, 18); IS(n == n.next() ? 1u : 0u, 0u);
    IS(n != n.next() ? 1u : 0u, 1u); IS((n * 5 % 4).v, 3); }
}
namespace Outputs
{
void multi(out int a, out float2 b, inout int c[2], out bool d) { a = c[0]; b = float2(a, c[1]); c[0] = 7; d = a > 2; }
struct R { int a; float2 b; int c[2]; bool d; };
void test() { R r; r.c[0] = i(3); r.c[1] = 4; multi(r.a, r.b, r.c, r.d); IS(r.a, 3); IS(r.b.y, 4.0f); IS(r.c[0], 7); IS(r.d ? 1u : 0u, 1u);
    float4 v = 0; int c2[2] = { 1, 2 }; int dd; multi(dd, v.wx, c2, r.d); IS(v.w, 1.0f); IS(v.x, 2.0f); IS(dd, 1); }
}

[numthreads(1, 1, 1)] void main()
{
    DefaultArguments::test(); MemberTemplates::test(); StaticMembers::test(); ValuesAsArguments::test(); Bases::test(); This::test();
        ArraysOfArrays::test(); BitFields::test(); SizesOfTypes::test(); Recursion::test(); MethodsOfElements::test(); VectorsOfTemplates::test();
        NestedTemplates::test(); BasesOfTheirOwnClass::test(); NumbersAsArguments::test(); StructuresByValue::test(); NamesOfArrays::test();
        Results::test(); Operators::test(); Outputs::test();
    done();
}
