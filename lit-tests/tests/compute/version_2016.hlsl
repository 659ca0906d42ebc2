// rtc -T cs_6_6 -E main -HV 2016
// Language version 2016: small whole exponents are products, and constants are rounded away from zero at a tie.
// RUN: %rtc-run %s --scene %S/Inputs/expect.toml -o %T
// RUN: FileCheck %s --input-file=%T/out.json
// RUN: %rtc-run %s --scene %S/Inputs/expect.toml -o %T -- -Od
// RUN: FileCheck %s --input-file=%T/out.json
// RUN: %rtc-run-cpu %s --scene %S/Inputs/expect.toml -o %T
// RUN: FileCheck %s --input-file=%T/out.json
// RUN: %rtc-run-cpu %s --scene %S/Inputs/expect.toml -o %T -- -Od
// RUN: FileCheck %s --input-file=%T/out.json
// CHECK: {{^}}[
// CHECK-NEXT: {{^}}13,
// CHECK-NEXT: {{^}}0,
#include "Inputs/expect.hlsli"
static const float HALF = 0.5;

[numthreads(1, 1, 1)] void main()
{
    float x = f(11);
    IS(pow(x, 3.0), -8.0f); IS(pow(x, 5.0), -32.0f); IS(pow(x, 1.0), -2.0f); IS(pow(x, -1.0), -0.5f); IS(pow(x, 8), 256.0f);
    IS(pow(float2(x, x), 7).x, -128.0f);
    IS(round(0.5), 1.0f); IS(round(2.5f), 3.0f); IS(round(-2.5), -3.0f); IS(round(HALF), 1.0f); float2 v = round(float2(1.5, 2.5)); IS(v.y, 3.0f); IS(v.x, 2.0f);
    // A number that is not constant is rounded as the device does it.
    IS(round(f(5) / 2), 2.0f);
    done();
}
