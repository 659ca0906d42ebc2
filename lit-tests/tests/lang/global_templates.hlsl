// Paths that begin with `::` name templates too.
// RUN: %rtc -T ps_6_0 -E main -Werror %s -Fo %t.dxil
// RUN: %rtc -T ps_6_0 -E main -spirv %s -Fo %t.spv
namespace n {
template<typename A, typename B> struct T { static const int value = 4; };
struct S { static const int k = 2; int m; };
template<class X> X f(X x) { return x; }
namespace i { template<class X, class Y> X g(Y y) { return (X)y; } }
}
template<typename A, typename B> struct U { static const int value = 3; };
::n::S made(int x) { ::n::S s = { x }; return s; }
_Static_assert(::U<int, float>::value == 3 && ::n::T<int, float>::value == 4 && ::std::is_same<int, int>::value, "");
float main(float x : X) : SV_Target {
    int U = 3;
    return ::n::T<int, float>::value * ::n::S::k + ::n::f<float>(x) + ::n::i::g<int, float>(x) + made(3).m + U;
}
