// rtc -T cs_6_6 -E main -HV 2021
// Templates as arguments of templates.
// RUN: %rtc-run-cpu %s --scene %S/Inputs/expect.toml -o %T
// RUN: FileCheck %s --input-file=%T/out.json
// RUN: %rtc-run-cpu %s --scene %S/Inputs/expect.toml -o %T -- -Od
// RUN: FileCheck %s --input-file=%T/out.json
// RUN: %rtc -T cs_6_6 -E main -HV 2021 -spirv %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// CHECK: {{^}}[
// CHECK-NEXT: {{^}}12,
// CHECK-NEXT: {{^}}0,
#include "Inputs/expect.hlsli"

template<template<class> class Trait, class T> struct Fwd : Trait<T> { int both() { return this.get() + 1; } };
template<template<class> class Unused, class T> struct Never : Unused<T> {};
template<class T> struct Box { T t; int get() { return (int)t * 2; } };
template<class T, int N> struct Many { T t[N]; int get() { return (int)t[0] + N; } };
template<template<typename> class C, typename U> int take(C<U> c) { return c.get(); }
template<template<class, int> class C> struct Holds { C<int, 2> c; };
template<template<class> class T = Box> struct Default { T<int> t; };
template<template<class> class T> struct Kind { static const int k = 1; };
template<> struct Kind<Box> { static const int k = 2; };
template<class T> struct Other { T t; int get() { return 40; } };
template<template<template<class> class> class Outer> struct Deep { Outer<Box> o; };
template<template<class> class A, template<class> class B> struct Pair { A<int> a; B<int> b; int sum() { return a.get() + b.get(); } };
namespace n { template<class T> struct Box { T t; int get() { return (int)t * 5; } }; }

[numthreads(1, 1, 1)] void main()
{
    Fwd<Box, int> f; f.t = i(3); IS(f.both(), 7);
    Box<int> b; b.t = i(4); IS(take(b), 8); Other<uint> o; o.t = 1; IS(take(o), 40);
    Holds<Many> h; h.c.t[0] = i(5); h.c.t[1] = 0; IS(h.c.get(), 7);
    Default<> d; d.t.t = i(1); IS(d.t.get(), 2); Default<Other> e; e.t.t = i(1); IS(e.t.get(), 40);
    IS(Kind<Box>::k, 2); IS(Kind<Other>::k, 1); IS(Kind<n::Box>::k, 1);
    Deep<Default> deep; deep.o.t.t = i(9); IS(deep.o.t.get(), 18);
    Pair<Box, n::Box> p; p.a.t = i(1); p.b.t = i(2); IS(p.sum(), 12);
    Fwd<n::Box, int> g; g.t = i(1); IS(g.both(), 6);
    done();
}
