// Offsets of matrices in constant buffers that hosts read from the reference compiler's reflection: components of 16 bits take 32 in the
// last vector of a matrix, and in a structure the default packing decides whether a matrix starts a row.
// RUN: %rtc -T cs_6_2 -enable-16bit-types -validator-version 1.6 %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc dis %t.dxil | FileCheck %s
// CHECK: cbuffer C
cbuffer C
{
    float16_t2x3 m;             // CHECK: m; {{ *}}; Offset: 0
    float a;                    // CHECK: a; {{ *}}; Offset: 40
    row_major float16_t2x3 n;   // CHECK: n; {{ *}}; Offset: 48
    float b;                    // CHECK: b; {{ *}}; Offset: 76
    float16_t4x1 o;             // CHECK: o; {{ *}}; Offset: 80
    float16_t c;                // CHECK: c; {{ *}}; Offset: 96
    float16_t1x1 p;             // CHECK: p; {{ *}}; Offset: 98
    float16_t d;                // CHECK: d; {{ *}}; Offset: 102
};
struct S
{
    float a;
    row_major float3x1 m;
    float b;
};
struct T
{
    float a;
    row_major float1x2 m;
    float b;
};
// CHECK: cbuffer D
cbuffer D
{
    // CHECK: m; {{ *}}; Offset: 4
    // CHECK: b; {{ *}}; Offset: 40
    S s;
    // CHECK: m; {{ *}}; Offset: 64
    // CHECK: b; {{ *}}; Offset: 72
    T t;
    float e;                    // CHECK: e; {{ *}}; Offset: 76
    row_major float1x2 q;       // CHECK: q; {{ *}}; Offset: 80
};
RWByteAddressBuffer O;
[numthreads(1, 1, 1)] void main() { O.Store(0, a + b + c + d + s.m[2][0] + t.b + e + q[0][1]); }
