// rtc -T cs_6_6 -E main -HV 2021
// The parameters of a specialisation are deduced from its whole type.
// RUN: %rtc-run-cpu %s --scene %S/Inputs/expect.toml -o %T
// RUN: FileCheck %s --input-file=%T/out.json
// RUN: %rtc-run-cpu %s --scene %S/Inputs/expect.toml -o %T -- -Od
// RUN: FileCheck %s --input-file=%T/out.json
// RUN: %rtc -T cs_6_6 -E main -HV 2021 -spirv %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// CHECK: {{^}}[
// CHECK-NEXT: {{^}}8,
// CHECK-NEXT: {{^}}0,
#include "Inputs/expect.hlsli"

struct A { int x; };
template<typename T> T L(uint a) { return (T)a; }
template<> A L(uint a) { A r; r.x = a * 2; return r; }
template<> float2 L(uint a) { return float2(a, a + 1); }
template<typename T, int N> vector<T, N> many(T a) { return a; }
template<> int3 many(int a) { return a * 10; }
template<typename R, typename T> R change(T a) { return (R)a; }
template<> int change(float a) { return (int)a + 100; }
// The second template has the result as a parameter too.
template<typename T> T pick(T a, int b) { return a; }
template<typename T> T pick(int a, T b) { return b; }
template<> float pick(int a, float b) { return b + a; }

[numthreads(1, 1, 1)] void main()
{
    IS(L<A>(i(3)).x, 6); IS(L<float2>(i(1)).y, 2.0f); IS(L<int>(i(4)), 4);
    IS((many<int, 3>(i(2)).z), 20); IS((many<int, 2>(i(2)).y), 2);
    IS(change<int>(f(5)), 105); IS(change<uint>(f(5)), 5u); IS(pick<float>(i(2), f(3)), 5.0f);
    done();
}
