// Variable templates: constants and variables, with explicit and partial specialisations, of types and numbers, in namespaces and templates.
// reference: no, it has no variable templates in SPIR-V; its DXIL computes the same
// options: -T cs_6_6 -E Main -D COMPUTE -HV 2021
// RUN: %rtc -T cs_6_6 -E Main -D COMPUTE -HV 2021 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc -T cs_6_6 -E Main -D COMPUTE -HV 2021 -Od -validator-version 1.6 -no-warnings %s -Fo %t.od.dxil
// RUN: %dxil-val %t.od.dxil
// RUN: %rtc -T cs_6_6 -E Main -D COMPUTE -HV 202x -spirv -no-warnings %s -Fo %t.spv
// RUN: %spirv-val %t.spv
#include "Inputs/out.hlsli"

template<typename T> static const T pi = T(3.75);
template<> static const int pi<int> = 4;
template<typename T> static const int kind = 1;
template<typename T, int N> static const int kind<vector<T, N> > = 10 + N;
template<> static const int kind<float3> = 30;
template<typename A, typename B> static const bool same = false;
template<typename A> static const bool same<A, A> = true;
_Static_assert(same<float, float>, "one type");
_Static_assert(!same<float, int>, "two types");
template<int N> static const int factorial = N * factorial<N - 1>;
template<> static const int factorial<0> = 1;
template<typename T> static T state = 1;
template<typename T> static const T table[3] = { 1, 2, 3 };
template<typename T = int, int N = 2> static const T scaled = T(N) * 2;
namespace n
{
    template<typename T> static const T own = T(5);
    struct S { int v; };
    template<> static const int own<int> = 6;
}
template<typename T> struct Holds { static const int v = sizeof(T); T twice() { return n::own<T> * 2; } };
template<typename T> static const int holds = Holds<T>::v;
template<typename T> T uses(T x) { return x + pi<T>; }
template<typename T> void sets(T x) { state<T> = x; }
template<typename T> static const int depth = holds<T> + kind<T>;

[numthreads(THREADS, 1, 1)]
void Main(uint thread : SV_GroupIndex)
{
    ThreadNumber = thread;
    const int zero = inI(0) - inI(0);
    expect(pi<float> * 4, 15); expect(pi<int>, 4); expect(pi<uint>, 3);
    expect(kind<int>, 1); expect(kind<int4>, 14); expect(kind<float2>, 12); expect(kind<float3>, 30); expect(kind<int3>, 13);
    expect(factorial<5>, 120);
    int sized[factorial<3>];
    sized[zero + 5] = 7; expect(sized[5 - zero], 7);
    expect(state<int> + state<float>, 2);
    sets(zero + 9); sets(zero + 0.5f);
    expect(state<int>, 9); expect(state<float> * 4, 2); expect(state<uint>, 1);
    expect(table<int>[zero + 2], 3); expect(table<float>[1], 2);
    expect(scaled<>, 4); expect(scaled<uint>, 4); expect(scaled<int, 5>, 10);
    expect(n::own<float>, 5); expect(n::own<int>, 6);
    Holds<float> h; Holds<int> k;
    expect(h.twice(), 10); expect(k.twice(), 12);
    expect(holds<float4>, 16); expect(depth<float3>, 42);
    expect(uses(1.25f), 5); expect(uses(zero + 1), 5);
    expect(factorial<2> < 3 ? 1 : 2, 1);
    switch (zero + 24) { case factorial<4>: sized[0] = 8; break; default: sized[0] = 9; }
    expect(sized[0], 8);
}
