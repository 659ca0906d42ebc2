// Which function a call means: overloads that `using` brings together, arguments that are no l-values, functions found by vectors and resources,
// and in templates what is declared where the template is defined.
// reference: no, the pinned one knows no `using`
// options: -T cs_6_6 -E Main -D COMPUTE
// RUN: %rtc -T cs_6_6 -E Main -D COMPUTE -HV 2021 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc -T cs_6_6 -E Main -D COMPUTE -HV 2021 -Od -validator-version 1.6 -no-warnings %s -Fo %t.od.dxil
// RUN: %dxil-val %t.od.dxil
// RUN: %rtc -T cs_6_6 -E Main -D COMPUTE -HV 2021 -spirv -no-warnings %s -Fo %t.spv
// RUN: %spirv-val %t.spv
#include "Inputs/out.hlsli"

RWByteAddressBuffer Raw : register(u4);
namespace A { int f(int x) { return 1; } }
namespace B { int f(float x) { return 2; } }
namespace C { int g(int x) { return 3; } }
int g(float x) { return 4; }
using namespace C;
int both() { using namespace A; using namespace B; return f(1) * 10 + f(1.5f); }
namespace Q { using namespace A; using namespace B; int inside() { return f(1) * 10 + f(1.5f); } }
namespace R { using namespace A; int f(float x) { return 5; } int hidden() { return f(1); } }
namespace S { using A::f; using B::f; int f(int2 x) { return 6; } int all() { return f(1) * 100 + f(1.5f) * 10 + f(int2(1, 2)); } }

int value_or_place(in int x) { return 1; }
int value_or_place(inout int x) { return 2; }
int near_or_place(float x) { return 1; }
int near_or_place(inout int x) { return 2; }
int two_places(int a, inout int b) { return 1; }
int two_places(inout int a, int b) { return 2; }
template<typename T> int generic(T x, out int y) { y = 7; return 1; }
template<typename T> int generic(T x, int y) { return 2; }

int of_vector(int2 x) { return 30; }
int of_matrix(float2x2 x) { return 40; }
int of_buffer(RWByteAddressBuffer b) { return 50; }
namespace N
{
    int of_vector(float x) { return 2; }
    int of_matrix(float3 x) { return 3; }
    int of_buffer(float3 x) { return 4; }
    int vectors() { return of_vector(int2(1, 2)); }
    int matrices() { return of_matrix((float2x2)1); }
    int buffers() { return of_buffer(Raw); }
}

int early(float x) { return 1; }
static const int k = 1;
namespace T
{
    template<typename V> int fixed(V x) { return early(3); }
    template<typename V> int dependent(V x) { return early(x); }
    template<typename V> struct Class { int in_class(V x) { return early(x); } };
    template<typename V> int variable(V x) { return k; }
    static const int k = 2;
    int own() { return k; }
    template<typename V> int by_argument(V x) { return late(x); }
    template<typename V> int declared(V x);
}
int early(int x) { return 2; }
int late(float2 x) { return 8; }
template<typename V> int T::declared(V x) { return early(x); }

struct Pair { int a; int operator,(int b) { return a * 10 + b; } };

[numthreads(THREADS, 1, 1)]
void Main(uint thread : SV_GroupIndex)
{
    ThreadNumber = thread;
    expect(both(), 12); expect(Q::inside(), 12); expect(Q::f(1) * 10 + Q::f(1.5f), 12); expect(R::hidden(), 5); expect(S::all(), 126);
    expect(g(1) * 10 + g(1.5f), 34);
    int a = inI(0);
    const int c = 3;
    expect(value_or_place(1), 1); expect(value_or_place(a + 1), 1); expect(value_or_place(c), 1);
    expect(near_or_place(1), 1); expect(near_or_place(a + 1), 1); expect(near_or_place(a), 2);
    expect(two_places(a, 3), 2); expect(two_places(3, a), 1);
    expect(generic(a, 4), 2);
    expect(N::vectors(), 30); expect(N::matrices(), 40); expect(N::buffers(), 50);
    expect(T::fixed(1), 1); expect(T::dependent(1), 1); expect(T::variable(1) * 10 + T::own(), 12);
    T::Class<int> t;
    expect(t.in_class(1), 1);
    expect(T::by_argument(float2(1, 2)), 8);
    expect(early(1), 2);
    Pair p = { 3 };
    expect((p, 4), 34);
}
