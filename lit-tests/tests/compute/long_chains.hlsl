// rtc -T cs_6_6 -E main -HV 2021
// Chains of `else if`, commas and sums of any length are no nesting.
// RUN: %rtc-run-cpu %s --scene %S/Inputs/expect.toml -o %T
// RUN: FileCheck %s --input-file=%T/out.json
// RUN: %rtc-run-cpu %s --scene %S/Inputs/expect.toml -o %T -- -Od
// RUN: FileCheck %s --input-file=%T/out.json
// RUN: %rtc -T cs_6_6 -E main -HV 2021 -spirv -DSHORT %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// CHECK: {{^}}[
// CHECK-NEXT: {{^}}15,
// CHECK-NEXT: {{^}}0,
// RUN: %rtc -T cs_6_6 -E main -HV 2021 -Zi -Qembed_debug -validator-version 1.6 %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
#include "Inputs/expect.hlsli"
#define TEN(m, n) m(n##0) m(n##1) m(n##2) m(n##3) m(n##4) m(n##5) m(n##6) m(n##7) m(n##8) m(n##9)
#define TENS(m, n) TEN(m, n##0) TEN(m, n##1) TEN(m, n##2) TEN(m, n##3) TEN(m, n##4) TEN(m, n##5) TEN(m, n##6) TEN(m, n##7) TEN(m, n##8) TEN(m, n##9)
// The validator of SPIR-V takes long for what the others do at once.
#ifdef SHORT
#define HUNDREDS(m, n) TENS(m, n)
#else
#define HUNDREDS(m, n) TENS(m, n##0) TENS(m, n##1) TENS(m, n##2) TENS(m, n##3) TENS(m, n##4) TENS(m, n##5) TENS(m, n##6) TENS(m, n##7) TENS(m, n##8) TENS(m, n##9)
#endif

#define LINK(n) else if (x == n) r = n * 3;
uint chosen(uint x) { uint r; if (x == 0) r = 5; HUNDREDS(LINK, 1) TENS(LINK, 2) TENS(LINK, 3) else r = 1; return r; }
// Links that return, leave a loop, go on with it, declare variables, or have no last `else`.
#define LEAVE(n) else if (x == n) return n + 1;
uint left(uint x) { if (x == 0) return 7; TENS(LEAVE, 1) TENS(LEAVE, 2) else return 9; }
#define CASE(n) else if (v == n) { uint twice = n * 2; r += twice; if (n % 2 == 1) continue; r += 1; }
uint looped(uint x) { uint r = 0; for (uint v = x; v < 1000; v += 99) { if (v == 0) break; TENS(CASE, 1) TENS(CASE, 2) else if (v > 300) break; r += 10000; } return r; }
#define ADD(n) , r += n
#define PLUS(n) + n
uint commas(uint x) { uint r = x; r += 0 HUNDREDS(ADD, 1); return r; }
uint sums(uint x) { return x HUNDREDS(PLUS, 1); }

[numthreads(1, 1, 1)] void main()
{
    IS(chosen(i(0)), 5u); IS(chosen(i(1) + 999), 3000u); IS(chosen(i(9) + 1990), 5997u); IS(chosen(i(9) + 201), 630u); IS(chosen(i(9) + 390), 1197u); IS(chosen(i(9)), 1u);
    IS(left(i(0)), 7u); IS(left(i(9) + 91), 101u); IS(left(i(9) + 290), 300u); IS(left(i(9)), 9u);
    IS(looped(i(0)), 0u); IS(looped(i(1) + 100), 10202u + 401u + 598u); IS(looped(i(9) + 291), 10000u);
    IS(commas(i(1)), 1499501u); IS(sums(i(1)), 1499501u);
    done();
}
