// Members defined outside of their class: of classes, class templates, partial specialisations and classes in them; methods, member
// templates, static data, classes.
// reference: no, the pinned compiler takes several of these for partial specialisations of functions
// options: -T lib_6_3 -HV 2021
// RUN: %rtc -T lib_6_3 -HV 2021 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc -T lib_6_3 -HV 2021 -spirv -no-warnings %s -Fo %t.spv
// RUN: %spirv-val %t.spv
#include "Inputs/out.hlsli"

// A class that is no template.
struct Plain
{
    uint k;
    struct Inner;
    template <typename T> T later(T x);
    template <uint N, typename T> T both(T x);
    template <typename T = uint> T start(T x = 4);
    template <typename T> struct Box;
};
struct Plain::Inner { uint w; uint twice() { return 2 * w; } };
template <typename T> T Plain::later(T x) { return x * (T)k; }
template <uint N, typename T> T Plain::both(T x) { return x * (T)N + (T)k; }
template <typename T> T Plain::start(T x) { return x + (T)k; }
template <typename T> struct Plain::Box { T w; };

// A class template. Definitions may name its parameters as they like.
template <typename T> struct Pair
{
    T a;
    struct Half;
    static const uint N = 4;
    static T zero;
    static const T table[3];
    T sum(T x);
    template <typename U> U mixed(U x);
    T again() { return this.sum(a); }
    static T same(T x);
    T operator+(T x);
    Half half_of(T x);
};
template <typename T> T Pair<T>::sum(T x) { return x + a; }
template <typename Q> Q Pair<Q>::zero = (Q)7;
template <typename T> static const T Pair<T>::table[3] = { 5, 6, 7 };
template <> uint Pair<uint>::zero = 9;
template <typename T> template <typename U> U Pair<T>::mixed(U x) { return x + (U)a + (U)sum(a); }
template <typename Q> Q Pair<Q>::same(Q x) { return x; }
template <typename T> T Pair<T>::operator+(T x) { return a + x + N; }
template <typename T> struct Pair<T>::Half { T w; };
template <typename T> typename Pair<T>::Half Pair<T>::half_of(T x) { Pair<T>::Half h; h.w = x / 2; return h; }

// Partial and explicit specialisations.
template <typename T, uint N> struct Many
{
    T g();
    template <typename U> U h(U x);
};
template <typename T> struct Many<T, 1> { T g(); };
template <typename T, uint N> T Many<T, N>::g() { return (T)N; }
template <typename V> V Many<V, 1>::g() { return 10; }
template <typename T, uint N> template <typename U> U Many<T, N>::h(U x) { return x + (U)N; }
template <> uint Many<uint, 7>::g() { return 70; }
template <> template <typename U> U Many<uint, 6>::h(U x) { return x * 60; }

// Classes in classes in a namespace.
namespace lib
{
    template <typename T> struct Outer
    {
        struct In
        {
            T b;
            T g();
            template <typename U> struct Deep { U c; T h(); U k(); };
        };
    };
}
template <typename T> T lib::Outer<T>::In::g() { return b; }
template <typename T> template <typename U> T lib::Outer<T>::In::Deep<U>::h() { return c * 2; }
template <typename A> template <typename B> B lib::Outer<A>::In::Deep<B>::k() { return (A)c; }

// A static member of the class decides whether a member template exists.
template <bool B, typename T> struct enable_if {};
template <typename T> struct enable_if<true, T> { using type = T; };
template <typename T> struct is_number { static const bool value = false; };
template <> struct is_number<uint> { static const bool value = true; };
template <typename T> struct Wrapper
{
    static const bool IsNumber = is_number<T>::value;
    template <typename U = T> typename enable_if<IsNumber, U>::type get() { return val + 1; }
    template <typename U = T> typename enable_if<!IsNumber, U>::type get() { return val.x; }
    T val;
};

[shader("raygeneration")]
void Main()
{
    Plain p; p.k = 3;
    Plain::Inner inner; inner.w = 21;
    Plain::Box<uint> box; box.w = 8;
    expect(p.later(2u), 6);
    expect(p.later<float>(2.5) * 2, 15);
    expect(p.both<4>(5u), 23);
    expect(p.start(), 7);
    expect(p.start(6.0), 9);
    expect(inner.twice(), 42);
    expect(box.w, 8);

    Pair<uint> u; u.a = 3;
    Pair<float> f; f.a = 0.5;
    expect(u.sum(2), 5);
    expect(u.again(), 6);
    expect(u.mixed(2.0), 2 + 3 + 6);
    expect(f.mixed(2.0) * 2, 7);
    expect(Pair<uint>::zero, 9);
    expect(Pair<float>::zero, 7);
    expect(Pair<float>::table[inU(0) % 3], 5 + inU(0) % 3);
    expect(Pair<uint>::same(12), 12);
    expect(u + 4, 11);
    expect(u.half_of(12).w, 6);

    Many<uint, 2> two; Many<uint, 1> one; Many<uint, 7> seven; Many<uint, 6> six;
    expect(two.g(), 2); expect(one.g(), 10); expect(seven.g(), 70); expect(six.g(), 6);
    expect(two.h(2.5) * 2, 9); expect(six.h(2u), 120);

    lib::Outer<uint>::In in_; in_.b = 5;
    lib::Outer<uint>::In::Deep<float> deep; deep.c = 3.5;
    expect(in_.g(), 5); expect(deep.h(), 7); expect(deep.k(), 3);

    Wrapper<uint> w; w.val = 2;
    expect(w.get(), 3);
}
