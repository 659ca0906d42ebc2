// rtc -T cs_6_6 -E main -HV 2021
// Arguments of specialisations that are computed from their parameters: what is in front of `::`, and numbers. They say nothing about the
// parameters, and decide whether the specialisation fits; one that does not exist makes that it does not.
// RUN: %rtc-run %s --scene %S/Inputs/expect.toml -o %T
// RUN: FileCheck %s --input-file=%T/out.json
// RUN: %rtc-run-cpu %s --scene %S/Inputs/expect.toml -o %T
// RUN: FileCheck %s --input-file=%T/out.json
// CHECK: {{^}}[
// CHECK-NEXT: {{^}}31,
// CHECK-NEXT: {{^}}0,
#include "Inputs/expect.hlsli"

template<bool C, typename T = void> struct If {};
template<typename T> struct If<true, T> { using type = T; };
template<typename A, typename B> struct Same { static const bool value = false; };
template<typename A> struct Same<A, A> { static const bool value = true; };

template<uint V> struct Number {};
template<> struct Number<4> { static const uint value = 4; };

// A member that only some instances have.
template<uint V, typename = void> struct Has { static const uint value = 0; };
template<uint V> struct Has<V, typename If<Number<V>::value != 0>::type> { static const uint value = 1; };
// Comparisons.
template<uint V, typename X = void> struct Large { static const uint value = 0; };
template<uint V> struct Large<V, typename If<(V > 3)>::type> { static const uint value = 1; };
template<uint V, typename X = int> struct Kind { static const uint value = 0; };
template<uint V> struct Kind<V, typename If<(V < 3), int>::type> { static const uint value = 1; };
template<uint V> struct Kind<V, typename If<(V >= 3) && (V < 7), int>::type> { static const uint value = 2; };
// The argument must be the type that is computed.
template<uint V, typename X = float> struct Other { static const uint value = 0; };
template<uint V> struct Other<V, typename If<(V > 3), int>::type> { static const uint value = 1; };
// Properties of types.
template<typename T, typename X = void> struct Wide { static const uint value = 0; };
template<typename T> struct Wide<T, typename If<sizeof(T) == 8>::type> { static const uint value = 1; };
template<typename T, typename X = void> struct Float { static const uint value = 0; };
template<typename T> struct Float<T, typename If<Same<T, float>::value>::type> { static const uint value = 1; };
template<typename T, uint N> struct Float<vector<T, N>, typename If<Same<T, float>::value && (N > 2)>::type> { static const uint value = N; };
// Numbers that are computed, in arguments.
template<uint N> struct Size { static const uint value = N; };
template<uint A, typename T> struct Sized { static const uint value = 0; };
template<uint A> struct Sized<A, Size<A + 1> > { static const uint value = 1; };
template<typename A, typename B> struct Next { static const uint value = 0; };
template<uint A> struct Next<Size<A>, Size<A + 1> > { static const uint value = A; };
// Arrays.
template<typename T> struct Elements { static const uint value = 0; };
template<typename T, uint N> struct Elements<T[N]> { static const uint value = N; };
template<uint N, uint M> struct Elements<float[N][M]> { static const uint value = 10 * N + M; };
template<> struct Elements<int[7]> { static const uint value = 70; };
// Declared first, defined later.
template<typename T> struct Late { static const uint value = 0; };
template<> struct Late<int>;
template<> struct Late<int> { static const uint value = 3; };

[numthreads(1, 1, 1)] void main()
{
    IS(Has<4>::value, 1u); IS(Has<3>::value, 0u);
    IS(Large<4>::value, 1u); IS(Large<3>::value, 0u);
    IS(Kind<2>::value, 1u); IS(Kind<3>::value, 2u); IS(Kind<6>::value, 2u); IS(Kind<7>::value, 0u);
    IS(Other<4>::value, 0u); IS((Other<4, int>::value), 1u); IS((Other<3, int>::value), 0u);
    IS(Wide<double>::value, 1u); IS(Wide<float>::value, 0u); IS(Wide<float2>::value, 1u); IS(Wide<uint64_t>::value, 1u);
    IS(Float<float>::value, 1u); IS(Float<int>::value, 0u); IS(Float<float3>::value, 3u); IS(Float<float2>::value, 0u); IS(Float<int3>::value, 0u);
    IS((Sized<3, Size<4> >::value), 1u); IS((Sized<3, Size<3> >::value), 0u); IS((Sized<3, int>::value), 0u);
    IS((Next<Size<3>, Size<4> >::value), 3u); IS((Next<Size<3>, Size<5> >::value), 0u);
    IS(Elements<uint[6]>::value, 6u); IS(Elements<uint>::value, 0u); IS(Elements<float[3][4]>::value, 34u); IS(Elements<int[7]>::value, 70u);
    IS(Late<int>::value, 3u); IS(Late<float>::value, 0u);
    done();
}
