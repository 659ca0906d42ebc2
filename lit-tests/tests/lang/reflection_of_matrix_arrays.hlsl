// Arrays of matrices in buffers. Reflection tells from the types what is an array: a matrix is an array of vectors there, or the only one. A
// structure of constant buffers and structured buffers has one type and the annotation of constant buffers: in the others members are where
// the type puts them.
// RUN: %rtc -T cs_6_0 -E main %s -Fo %t.o -Fc - | FileCheck %s --check-prefix=TYPES
// RUN: %dxil-dis %t.o | FileCheck %s --check-prefix=TYPES
// RUN: %rtc reflect %t.o | FileCheck %s
// RUN: %rtc -T cs_6_0 -E main -validator-version 1.6 %s -Fo %t.6.o
// RUN: %dxil-val %t.6.o
// TYPES-DAG: %"hostlayout.class.StructuredBuffer<S>" = type { %hostlayout.struct.S }
// TYPES-DAG: %hostlayout.struct.S = type { float, [3 x [2 x <3 x float>]], <3 x float>, [2 x i32] }
// TYPES-DAG: %"class.RWStructuredBuffer<vector<int, 4> >" = type { <4 x i32> }
// TYPES-DAG: %"class.RWStructuredBuffer<vector<unsigned int, 4> >" = type { <4 x i32> }
// TYPES-DAG: %"hostlayout.$Globals" = type { [16 x [4 x <4 x float>]], [2 x [2 x <3 x float>]], [2 x [2 x <1 x float>]], <1 x float>, [3 x <1 x float>], <2 x float> }
float4x4 bones[16];
row_major float2x3 m1[2];
float1x2 m2[2];
float1 v;
float1x1 one[3];
min16float2 small;
struct S { float a; float3x2 m[3]; float3 b; uint c[2]; };
cbuffer C : register(b1) { S s; };
StructuredBuffer<S> i;
RWStructuredBuffer<int4> d;
RWStructuredBuffer<uint4> u;
[numthreads(1, 1, 1)]
void main()
{
    d[0] = s.m[1]._12 + i[0].b.x + s.c[1] + i[1].m[2]._32 + i[3].c[1] + m1[1]._12 + m2[1]._12 + bones[15]._11 + v + one[2] + small.y;
    u[0] = d[0];
}
// CHECK: "elements": 16,
// CHECK-NEXT: "name": "bones",
// CHECK-NEXT: "offset": 0,
// CHECK-NEXT: "rows": {{[0-9]}},
// CHECK-NEXT: "type": "column_major float4x4"
// CHECK: "elements": 2,
// CHECK-NEXT: "name": "m1",
// CHECK-NEXT: "offset": 1024,
// CHECK-NEXT: "rows": {{[0-9]}},
// CHECK-NEXT: "type": "row_major float2x3"
// CHECK: "elements": 2,
// CHECK-NEXT: "name": "m2",
// CHECK-NEXT: "offset": 1088,
// CHECK-NEXT: "rows": {{[0-9]}},
// CHECK-NEXT: "type": "column_major float1x2"
// CHECK: "type": "float1"
// CHECK: "elements": 3,
// CHECK-NEXT: "name": "one",
// CHECK-NEXT: "offset": {{[0-9]+}},
// CHECK-NEXT: "rows": {{[0-9]}},
// CHECK-NEXT: "type": "column_major float1x1"
// CHECK: "type": "min16float2"
// CHECK: "elements": 3,
// CHECK-NEXT: "name": "m",
// CHECK-NEXT: "offset": 16,
// CHECK: "name": "b",
// CHECK-NEXT: "offset": 112,
// CHECK: "name": "c",
// CHECK-NEXT: "offset": 128,
// CHECK: "elements": 3,
// CHECK-NEXT: "name": "m",
// CHECK-NEXT: "offset": 4,
// CHECK: "name": "b",
// CHECK-NEXT: "offset": 76,
// CHECK: "name": "c",
// CHECK-NEXT: "offset": 88,
// CHECK: "type": "int4"
// CHECK: "type": "uint4"
