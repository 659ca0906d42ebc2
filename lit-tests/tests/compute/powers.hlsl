// rtc -T cs_6_6 -E main -HV 2021
// Squares and other powers of negative numbers, by constants that are known before and after inlining; frexp without a sign.
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
float power(float x, float e) { return pow(x, e); }
static const float TWO = 2;

[numthreads(1, 1, 1)] void main()
{
    float x = f(12);
    IS(pow(x, 2.0), 9.0f); IS(pow(x, 2), 9.0f); IS(power(x, 2), 9.0f); IS(pow(x, TWO), 9.0f); float two = 2; IS(pow(x, two), 9.0f);
    IS(pow(x, 0.0), 1.0f); IS(power(x, 0), 1.0f); IS(pow(-3.0, 3.0), -27.0f); IS(pow(-3.0f, 3.0f), -27.0f); IS(power(-2, 3), -8.0f);
    int whole = 2; IS(pow(x, whole), 9.0f);
    float2 v = pow(float2(x, f(11)), 2.0); IS(v.x, 9.0f); IS(v.y, 4.0f);
    float3 w = pow(float3(x, f(11), f(4)), float3(2, 2, 2)); IS(w.z, 16.0f); IS(w.x, 9.0f);
    float2x2 m = pow(float2x2(x, f(1), f(2), f(11)), 2.0); IS(m[1][1], 4.0f); IS(m[0][0], 9.0f);
    float2 z = pow(float2(x, f(2)), float2(0, 1)); IS(z.x, 1.0f);
    float e; IS(frexp(f(15), e), 0.75f); IS(e, 3.0f);
    float g; IS(frexp(-6.0, g), 0.75f);
    float2 h; float2 k = frexp(float2(f(15), f(6)), h); IS(k.x, 0.75f);
    done();
}
