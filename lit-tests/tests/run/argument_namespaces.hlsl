// Argument-dependent lookup, and deduction through alias templates and qualified names.
// reference: no, the pinned compiler has no alias templates
// RUN: %rtc -T lib_6_3 -HV 2021 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc -T lib_6_3 -HV 2021 -spirv -no-warnings %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: not %rtc -T lib_6_3 -HV 2021 -DWRONG %s 2>&1 | FileCheck %s --check-prefix=WRONG
#include "Inputs/out.hlsli"
namespace lib
{
    namespace inner { struct P { uint a; }; uint weight(P p) { return p.a + 1; } uint weight(P p, uint by) { return p.a * by; } }
    template <typename T, uint N> struct Many { T all[N]; };
    template <typename T> using Two = Many<T, 2>;
    template <typename T> T first(Many<T, 2> m) { return m.all[0]; }
}
template <typename T> T second(lib::Two<T> m) { return m.all[1]; }
template <typename T, uint N> uint count(lib::Many<T, N> m) { return N; }

[shader("raygeneration")]
void Main()
{
    lib::inner::P p; p.a = 4;
    expect(weight(p), 5); expect(weight(p, 3), 12);
    lib::Many<uint, 2> m; m.all[0] = 8; m.all[1] = 9;
    expect(first(m), 8); expect(second(m), 9); expect(count(m), 2);
    lib::Many<float, 3> three = (lib::Many<float, 3>)0;
    expect(count(three), 3);
#ifdef WRONG
    // WRONG: error: use of undeclared identifier `first`
    first(p);
#endif
}
