// rtc -T cs_6_6 -E main -HV 2021
// Function templates that are declared, used, and defined after that: free ones, members, static ones, specialisations, parameters that are numbers.
// RUN: %rtc-run-cpu %s --scene %S/Inputs/expect.toml -o %T
// RUN: FileCheck %s --input-file=%T/out.json
// RUN: %rtc-run-cpu %s --scene %S/Inputs/expect.toml -o %T -- -Od
// RUN: FileCheck %s --input-file=%T/out.json
// RUN: %rtc -T cs_6_6 -E main -HV 2021 -spirv %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// CHECK: {{^}}[
// CHECK-NEXT: {{^}}15,
// CHECK-NEXT: {{^}}0,
#include "Inputs/expect.hlsli"

template<typename T> T twice(T v, int k = 2);
template<int N> int plus(int v);
template<typename T, int N = 4> vector<T, N> spread(T v);
template<typename T> T only(T v);
template<> int only<int>(int v);
template<typename T> T first(T v);
struct S
{
    int x;
    template<typename T> T as(T scale);
    template<typename T> static T made(T v);
};
template<typename T> struct Box
{
    T t;
    int get();
    template<typename U> U to(U v);
    static int zero;
    static int count(T v);
};
namespace n { template<typename T> T inner(T v); }

int2 both(int2 v) { return twice(v); }
int use(S s) { return s.as(2) + S::made(3); }
int boxed(int v) { Box<int> b; b.t = v; return b.get() + b.to(1) + Box<int>::zero + Box<int>::count(v); }

[numthreads(1, 1, 1)] void main()
{
    IS(both(int2(i(1), i(2))).y, 4); IS(twice(i(3), 3), 9); IS(plus<5>(i(1)), 6); IS(spread(i(2)).w, 2); IS(spread<int, 2>(i(3)).y, 3);
    IS(only(i(4)), 40); IS(only(uint(i(4))), 5u); IS(first(i(2)), 3);
    S s; s.x = i(5); IS(use(s), 16);
    IS(boxed(i(1)), 1 + 3 + 7 + 12); IS(n::inner(i(3)), 4);
    IS(Box<int>::zero, 7); Box<uint> u; u.t = i(9); IS(u.get(), 9); IS(u.to(1.0f), 3.0f); IS(Box<uint>::count(u.t), 20);
    done();
}

template<typename T> T twice(T w, int k) { return w * k; }
template<typename T> T twice(T v, int k);
template<int M> int plus(int v) { return v + M; }
template<typename U, int M> vector<U, M> spread(U v) { return v; }
template<> int only<int>(int v) { return v * 10; }
template<typename T> T only(T v) { return v + 1; }
template<typename T> T second(T v) { return v + 1; }
template<typename T> T first(T v) { return second(v); }
template<typename T> T S::as(T scale) { return (T)x * scale; }
template<typename T> T S::made(T v) { return v * 2; }
template<typename T> int Box<T>::get() { return (int)t; }
template<typename T> template<typename U> U Box<T>::to(U v) { return v * 3; }
template<typename T> int Box<T>::zero = 7;
template<typename T> int Box<T>::count(T v) { return (int)v + 11; }
namespace n { template<typename T> T inner(T v) { return v + 1; } }
