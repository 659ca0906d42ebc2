// What names in templates find: bases that do not depend on parameters, members by `this`, later functions by their arguments; default
// arguments that several declarations give; words for modifiers that are names where no type follows.
// options: -T cs_6_6 -E Main -D COMPUTE -HV 2021
// RUN: %rtc -T cs_6_6 -E Main -D COMPUTE -HV 2021 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc -T cs_6_6 -E Main -D COMPUTE -HV 2021 -Od -validator-version 1.6 -no-warnings %s -Fo %t.od.dxil
// RUN: %dxil-val %t.od.dxil
// RUN: %rtc -T cs_6_6 -E Main -D COMPUTE -HV 202x -spirv -no-warnings %s -Fo %t.spv
// RUN: %spirv-val %t.spv
#include "Inputs/out.hlsli"

static const int x = 7;
template<typename T> struct B { T y; T g() { return y + T(1); } static const int k = 3; };
template<typename T> struct Fixed : B<int> { int f() { return y * 10 + g(); } };
struct Plain : B<int> { int f() { return y * 10 + g() + k; } };
template<typename T> struct D : B<T> { int f() { return this.y * 10 + x + this.g() + B<T>::k; } };
template<> struct D<uint> : B<int> { int f() { return y * 100; } };
template<typename T> struct Own : B<T> { T x; int f() { return x; } };

template<typename T> int found(T v) { return later(v); }
struct S { int a; };
int later(S s) { return s.a; }
int later(int2 v) { return v.y + 100; }

int several(int a, int b);
int several(int a, int b = 2);
int several(int a = 1, int b);
int several(int a, int b) { return a * 10 + b; }

int words(int sample, int center) { int precise = 1, payload = 2, indices = 3, vertices = 4; return sample + center + precise + payload + indices + vertices; }

[numthreads(THREADS, 1, 1)]
void Main(uint thread : SV_GroupIndex)
{
    ThreadNumber = thread;
    const int zero = inI(0) - inI(0);
    Fixed<float> a; a.y = zero + 1; expect(a.f(), 12);
    Plain b; b.y = zero + 2; expect(b.f(), 26);
    D<int> c; c.y = zero + 3; expect(c.f(), 44);
    D<uint> d; d.y = zero + 4; expect(d.f(), 400);
    Own<int> e; e.y = 1; e.x = zero + 5; expect(e.f(), 5);
    S s; s.a = zero + 6;
    expect(found(s), 6); expect(found(int2(0, zero + 7)), 107);
    expect(several(), 12); expect(several(3), 32); expect(several(3, 4), 34);
    expect(words(10, 20), 40);
}
