// Scalar products of constants are computed, what follows from them too, and so is arithmetic with not-a-numbers; whole powers in HLSL 2016 are products up to any exponent.
// RUN: %rtc -T cs_6_0 -E main %s | FileCheck %s
// RUN: %rtc -T cs_6_0 -E powers -HV 2016 %s | FileCheck %s --check-prefix=POWERS

// CHECK-NOT: dot
// CHECK: float 1.328125e-01, float 0x4044010000000000, float 5.000000e+00, float 0x7FF8000000000000, i8 15)
// CHECK-NOT: dot
// POWERS-NOT: Log
// POWERS: fdiv
// POWERS-NOT: Log
RWBuffer<float4> o;
float f;
[numthreads(1, 1, 1)] void main()
{
    float4 z = 0;
    o[0] = float4(dot(float2(0.5, 0.125), float2(0.25, 0.0625)), dot(float4(0.5, 0.125, 1.5, 8.5), float4(0.25, 0.0625, 2.5, 4.25)),
        length(float2(3, 4)), z.x / z.w * f + f);
}
float4x4 m;
[numthreads(1, 1, 1)] void powers() { o[0] = pow(m, -131072.0)[0] + pow(m, 1073741824.0)[1]; }
