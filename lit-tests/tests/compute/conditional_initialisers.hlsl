// rtc -T cs_6_6 -E main -HV 2021
// The colon of a conditional operator at file scope begins no annotation, whatever name follows it.
// RUN: %rtc-run-cpu %s --scene %S/Inputs/expect.toml -o %T
// RUN: FileCheck %s --input-file=%T/out.json
// RUN: %rtc-run-cpu %s --scene %S/Inputs/expect.toml -o %T -- -Od
// RUN: FileCheck %s --input-file=%T/out.json
// RUN: %rtc -T cs_6_6 -E main -HV 2021 -spirv %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// CHECK: {{^}}[
// CHECK-NEXT: {{^}}11,
// CHECK-NEXT: {{^}}0,
#include "Inputs/expect.hlsli"

namespace Tuning { static const int low = 1, high = 2; int f(int a) { return a * 7; } struct S { static const int q = 4; }; }
struct S { static const int q = 5; };
typedef int2 Pair;
static const int gain = true ? 1 : Tuning::high, other = false ? 1 : Tuning::high;
static const float root = false ? 1 : sqrt(16.0);
static const float made = false ? 1 : float(3);
static const int member = false ? 1 : S::q, inner = false ? 1 : Tuning::S::q, global = true ? 2 : ::gain;
static const Pair pairs[2] = { true ? int2(1, 2) : int2(0, 0), false ? Pair(0, 0) : Pair(8, 9) };
static const int nested = true ? false ? 1 : Tuning::high : Tuning::low;
static const int called = false ? 1 : Tuning::f(2);
static const int cast = false ? 1 : (int)Tuning::low;
int meant : MEANING = true ? 1 : Tuning::low;
static int after = 6;

[numthreads(1, 1, 1)] void main()
{
    IS(gain, 1); IS(other, 2); IS(root, 4.0f); IS(made, 3.0f); IS(member, 5); IS(inner + global, 6); IS(pairs[i(1)].y, 9);
    IS(nested, 2); IS(called, 14); IS(cast, 1); IS(after, 6);
    done();
}
