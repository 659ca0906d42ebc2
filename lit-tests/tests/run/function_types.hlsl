// Types of functions: as template arguments and in their deduction, in typedefs and aliases, and functions declared with such a name.
// reference: no, the pinned one has neither aliases nor types of functions as arguments
// options: -T cs_6_6 -E Main -D COMPUTE -HV 2021
// RUN: %rtc -T cs_6_6 -E Main -D COMPUTE -HV 2021 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc -T cs_6_6 -E Main -D COMPUTE -HV 2021 -Od -validator-version 1.6 -no-warnings %s -Fo %t.od.dxil
// RUN: %dxil-val %t.od.dxil
// RUN: %rtc -T cs_6_6 -E Main -D COMPUTE -HV 202x -spirv -no-warnings %s -Fo %t.spv
// RUN: %spirv-val %t.spv
#include "Inputs/out.hlsli"

template<typename T> struct Is { static const int k = 1; };
template<typename R> struct Is<R()> { static const int k = 2; };
template<typename R, typename A> struct Is<R(A)> { static const int k = 3; R result; A argument; };
template<typename T> struct Is<T(T)> { static const int k = 4; };
template<typename R, typename A> struct Is<R(inout A)> { static const int k = 5; };
template<typename R, typename A> struct Is<R(out A)> { static const int k = 6; };
template<typename R, typename A, typename B> struct Is<R(A, B)> { static const int k = 7 + sizeof(B); };
template<> struct Is<void(uint, uint)> { static const int k = 9; };
template<typename R, typename A, int N> struct Is<R(A a[N])> { static const int k = 100 + N; };

// The most special one, whatever the order.
template<typename T> struct Order { static const int k = 0; };
template<typename R, typename A, int N, int M> struct Order<R(A a[N][M])> { static const int k = 100 * N + M; };
template<typename R, typename A> struct Order<R(A)> { static const int k = 1; };
template<typename R, typename A, int N> struct Order<R(A a[N])> { static const int k = 2; };
template<typename R, int N> struct Order<R(float a[N])> { static const int k = 3; };
template<typename R, typename A> struct Order<R(A a[2])> { static const int k = 4; };

template<typename A, typename B> struct Same { static const int k = 0; };
template<typename A> struct Same<A, A> { static const int k = 1; };

template<uint N> struct Holds { static const uint k = N; };

typedef float Pick(int at);
typedef float (Taken)(int);
using Alias = float(const int);
template<typename T, typename F = T(T)> struct Default { static const int k = Is<F>::k; };
template<typename F> using Wrapped = Is<F>;
template<typename F, typename T> T through(T v) { return v * Is<F>::k; }

// Declared by the name of the type, and defined as a function.
Pick first, second;
float first(int at) { return at + 0.5; }
namespace n { Pick third; float third(int at) { return at * 3; } }
struct Holder { float v; Pick get; static Pick of; };
float Holder::get(int at) { return v + at; }
float Holder::of(int at) { return at * 16; }
static float chosen(int at) { return at; }

template<typename T> struct Result;
template<typename R, typename A> struct Result<R(A)> { using type = R; using argument = A; };
Result<float2(int)>::type both(Result<void(uint)>::argument v) { return float2(v, v + 1); }

void is(uint4 found, uint4 expected) { for (int i = 0; i < 4; ++i) { putU(found[i]); putU(expected[i]); } }

[numthreads(THREADS, 1, 1)]
void Main(uint thread : SV_GroupIndex)
{
    ThreadNumber = thread;
    Result<__decltype(chosen)>::type r = 2.25;
    Pick second;
    Holder h = { 4 };
    Wrapped<float(int)> w;
    w.result = 1.5;
    w.argument = 2;
    is(uint4(Is<int>::k, Is<float()>::k, Is<float(int)>::k, Is<int(int)>::k), uint4(1, 2, 3, 4));
    is(uint4(Is<float(inout int)>::k, Is<float(out int)>::k, Is<float(int, double)>::k, Is<void(uint, uint)>::k), uint4(5, 6, 15, 9));
    is(uint4(Same<Pick, Taken>::k, Same<Pick, Alias>::k, Same<Pick, float(inout int)>::k, Same<float(), float(int)>::k), uint4(1, 1, 0, 0));
    is(uint4(Default<int>::k, Is<Pick>::k, through<void()>(5), Is<float(int a[4])>::k), uint4(4, 3, 10, 104));
    is(asuint(float4(first(1), second(2), n::third(3), h.get(2))), asuint(float4(1.5, 4, 9, 6)));
    is(asuint(float4(Holder::of(2), both(7).y, r, w.result + w.argument)), asuint(float4(32, 8, 2.25, 3.5)));
    is(uint4(Order<int(int)>::k, Order<int(int a[3])>::k, Order<int(float a[3])>::k, Order<int(int a[2])>::k), uint4(1, 2, 3, 4));
    is(uint4(Order<int(int a[3][2])>::k, Order<int(half2 a[4])>::k, Order<int()>::k, Order<void(int, int)>::k), uint4(302, 2, 0, 0));
    is(uint4(Same<__decltype(chosen), Pick>::k, Holds<uint(uint(3))>::k, sizeof(w), 0), uint4(1, 3, 8, 0));
}
float second(int at) { return at * 2; }
