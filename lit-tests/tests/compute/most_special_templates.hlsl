// rtc -T cs_6_6 -E main -HV 2021
// Of several templates that fit, the most special one is taken: the one whose types the other's parameters can be, and not the reverse.
// RUN: %rtc-run %s --scene %S/Inputs/expect.toml -o %T
// RUN: FileCheck %s --input-file=%T/out.json
// RUN: %rtc-run %s --scene %S/Inputs/expect.toml -o %T -- -Od
// RUN: FileCheck %s --input-file=%T/out.json
// RUN: %rtc-run-cpu %s --scene %S/Inputs/expect.toml -o %T
// RUN: FileCheck %s --input-file=%T/out.json
// RUN: %rtc-run-cpu %s --scene %S/Inputs/expect.toml -o %T -- -Od
// RUN: FileCheck %s --input-file=%T/out.json
// CHECK: {{^}}[
// CHECK-NEXT: {{^}}22,
// CHECK-NEXT: {{^}}0,
#include "Inputs/expect.hlsli"

template<typename T> struct Box { T v; };
template<typename A, typename B> struct Pair { A a; B b; };

template<typename T> uint what(T t) { return 1; }
template<typename T> uint what(vector<T, 2> t) { return 2; }
template<typename T, uint N> uint what(vector<T, N> t) { return 3; }
template<typename T> uint what(Box<T> t) { return 4; }
template<typename T> uint what(Box<Box<T> > t) { return 5; }
template<typename A, typename B> uint what(Pair<A, B> t) { return 6; }
template<typename A> uint what(Pair<A, A> t) { return 7; }
template<typename A> uint what(Pair<A, float> t) { return 8; }
uint what(Box<float2> t) { return 9; }

template<typename T, typename U> uint both(T t, U u) { return 1; }
template<typename T> uint both(T t, T u) { return 2; }
template<typename T> uint both(T t, float u) { return 3; }
template<typename T> uint both(Box<T> t, T u) { return 4; }

// The order of declarations and the number of parameters do not matter.
template<typename T> struct Kind { static uint id() { return 1; } };
template<typename T> struct Kind<Box<T> > { static uint id() { return 2; } };
template<typename T> struct Kind<Box<Box<T> > > { static uint id() { return 3; } };
template<typename A, typename B> struct Kind<Pair<A, Box<B> > > { static uint id() { return 4; } };
template<typename A> struct Kind<Pair<A, A> > { static uint id() { return 5; } };
template<typename A, typename B> struct Kind<Pair<A, B> > { static uint id() { return 6; } };
template<typename A, typename B> struct Kind<Pair<Box<A>, Box<B> > > { static uint id() { return 7; } };

[numthreads(1, 1, 1)] void main()
{
    Box<float> one; one.v = 1;
    Box<Box<float> > two; two.v = one;
    Box<float2> three; three.v = 1;
    Pair<int, uint> differ; differ.a = 1; differ.b = 2;
    Pair<int, int> same; same.a = 1; same.b = 2;
    Pair<int, float> last; last.a = 1; last.b = 2;
    IS(what(i(1)), 1u); IS(what(float2(f(1), 2)), 2u); IS(what(float3(f(1), 2, 3)), 3u); IS(what(one), 4u); IS(what(two), 5u);
    IS(what(differ), 6u); IS(what(same), 7u); IS(what(last), 8u); IS(what(three), 9u);
    IS(both(i(1), f(1)), 3u); IS(both(i(1), i(2)), 2u); IS(both(i(1), (uint)i(2)), 1u); IS(both(one, one), 2u); IS(both(three, float2(f(1), 2)), 4u);
    IS(Kind<int>::id(), 1u); IS(Kind<Box<int> >::id(), 2u); IS(Kind<Box<Box<int> > >::id(), 3u); IS(Kind<Box<Box<Box<int> > > >::id(), 3u);
    IS((Kind<Pair<int, Box<int> > >::id()), 4u); IS((Kind<Pair<int, int> >::id()), 5u); IS((Kind<Pair<int, uint> >::id()), 6u);
    IS((Kind<Pair<Box<int>, Box<uint> > >::id()), 7u);
    done();
}
