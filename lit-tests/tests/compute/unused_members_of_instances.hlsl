// rtc -T cs_6_6 -E main -HV 2021
// Members of instances of class templates are defined when they are used: what nothing uses may be invalid for the arguments.
// RUN: %rtc-run-cpu %s --scene %S/Inputs/expect.toml -o %T
// RUN: FileCheck %s --input-file=%T/out.json
// RUN: %rtc-run-cpu %s --scene %S/Inputs/expect.toml -o %T -- -Od
// RUN: FileCheck %s --input-file=%T/out.json
// RUN: %rtc -T cs_6_6 -E main -HV 2021 -spirv %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// CHECK: {{^}}[
// CHECK-NEXT: {{^}}19,
// CHECK-NEXT: {{^}}0,
#include "Inputs/expect.hlsli"

struct A { int x; int own() { return x * 3; } static int made(int n) { return n + 1; } };
struct B { int y; };

// Methods, operators, conversions, static ones, templates, default arguments.
template<typename T> struct Each
{
    T t;
    int bad() { return t.nope(); }
    int good() { return t.x; }
    int both(int n) { return t.x + n; }
    int both(int n, int m) { return t.y + n + m; }
    int operator+(int n) { return t.y + n; }
    int operator-(int n) { return t.x - n; }
    int operator[](int n) { return t.nope[n]; }
    static int wrong(T v) { return v.nope; }
    static int right(T v) { return v.x * 2; }
    template<typename U> U as() { return (U)t.y; }
    int with(int a, int b = T::nothing) { return a + t.x; }
    int through() { return own() + helper(); }
    int own() { return good(); }
    int helper() { return bad(); }
};

// A member that is used alone must be valid for an argument.
template<typename T> struct Outside
{
    T t;
    int f();
    int g();
    static int zero;
    static int one;
    struct In { T v; int f() { return v.nope(); } int g(); int h() { typename T::Missing m; return 0; } };
    struct Bad { typename T::Missing v; };
    struct Later;
    enum class Kind { First = T::nope };
    enum class Good { First = 4, Second };
    int inner() { In i; i.v = t; return i.v.x; }
};
template<typename T> int Outside<T>::f() { return t.nope(); }
template<typename T> int Outside<T>::g() { return t.x + one; }
template<typename T> int Outside<T>::zero = T::nope;
template<typename T> int Outside<T>::one = 1 + sizeof(T) / 4;
template<typename T> struct Outside<T>::Later { T a, b; int sum() { return a.x + b.x; } int none() { return a.nope; } };

// Bases, and a specialisation of a part that is wrong in general.
template<typename T> struct Base { T t; int f() { return t.nope(); } int g() { return t.x; } };
template<typename T> struct Derived : Base<T> { int h() { return this.f(); } int k() { return this.g() + 1; } };
template<typename T> struct Special { T t; int f() { return t.nope(); } };
template<> int Special<A>::f() { return t.x + 10; }
// Two levels.
template<typename T> struct Pair { Each<T> first, second; int sum() { return first.good() + second.good(); } int bad() { return first.bad(); } };
// A chain without end, which nothing asks for.
template<int N> struct Chain { int n() { return N; } int next() { Chain<N + 1> c; return c.next(); } };

[numthreads(1, 1, 1)] void main()
{
    Each<A> e; e.t.x = i(5);
    IS(e.good(), 5); IS(e.both(2), 7); IS(e - 1, 4); IS(Each<A>::right(e.t), 10); IS(e.with(1, 2), 6); IS(e.own(), 5);
    Each<B> b; b.t.y = i(3);
    IS(b + 1, 4); IS(b.both(1, 2), 6); IS(b.as<int>(), 3); IS(b.as<uint>(), 3u);
    Outside<A> o; o.t.x = i(7);
    IS(o.g(), 9); IS((int)Outside<A>::Good::Second, 5);
    Outside<A>::Later l; l.a.x = i(1); l.b.x = i(2); IS(l.sum(), 3);
    Derived<A> d; d.t.x = i(8); IS(d.k(), 9); IS(d.g(), 8);
    Special<A> s; s.t.x = i(1); IS(s.f(), 11);
    Pair<A> p; p.first.t.x = i(1); p.second.t.x = i(3); IS(p.sum(), 4);
    Chain<0> c; IS(c.n(), 0);
    IS(Outside<A>::one, 2);
    done();
}
