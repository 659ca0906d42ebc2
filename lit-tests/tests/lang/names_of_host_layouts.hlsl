// Types of buffers whose layout in memory is not that of variables have `hostlayout.` in their names: with matrices, or numbers of minimum precision.
// RUN: %rtc -T cs_6_0 -validator-version 1.6 %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc -T cs_6_0 %s -Fc - | FileCheck %s
// RUN: %rtc -T lib_6_3 %s -Fc - | FileCheck %s
// CHECK: struct hostlayout.A
// CHECK: min16ui n; ; Offset: 16
// CHECK: column_major min16i2x2 m; ; Offset: 32
// CHECK: struct B
// CHECK: struct struct.Plain
// CHECK: struct hostlayout.C
// CHECK: struct hostlayout.struct.S
// CHECK-DAG: %hostlayout.A = type { <4 x float>, i32, [2 x <2 x i32>] }
// CHECK-DAG: %B = type { <4 x float>, i32, %struct.Plain }
// CHECK-DAG: %"hostlayout.class.RWStructuredBuffer<matrix<float, 2, 3> >" = type { [3 x <2 x float>] }
cbuffer A : register(b0) { float4 a; min16uint n; min16int2x2 m; }
struct Plain { float x; bool2 y; };
cbuffer B : register(b1) { float4 b; bool flag; Plain plain; }
struct S { float3x2 m; };
ConstantBuffer<S> C : register(b2);
RWStructuredBuffer<float2x3> out_ : register(u0);
[shader("compute")]
[numthreads(1, 1, 1)]
void main()
{
    // A variable of the same type has the name alone, and there is one type.
    Plain local = plain;
    local.x += C.m[0].x;
    out_[0] = (a.x + n + m[0][1]) * float2x3(b.xyz, b.wwx) + local.x * local.y.x * flag;
}
