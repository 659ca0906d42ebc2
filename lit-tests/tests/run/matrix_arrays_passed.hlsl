// Arrays of matrices that functions take by value, as those that skin vertices do: the matrices are read in the constant buffer, whatever their order there.
// reference SPIR-V: no, it has no column-major matrices of integers in constant buffers
// RUN: %rtc -T lib_6_3 -HV 2021 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc -T lib_6_3 -HV 2021 -Od -validator-version 1.6 -no-warnings %s -Fo %t.od.dxil
// RUN: %dxil-val %t.od.dxil
// RUN: %rtc -T lib_6_3 -HV 2021 -spirv -no-warnings %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -T lib_6_3 -HV 2021 -no-warnings %s | FileCheck %s
#include "Inputs/out.hlsli"

struct Bones { column_major float4x4 m[20]; float weight[20]; };
struct Few { float3x3 m[3]; float2x4 wide[2][2]; };
cbuffer C : register(b2)
{
    Bones Skeleton;
    column_major float3x4 Columns[18];
    row_major float3x4 Rows[18];
    column_major int2x3 Numbers[17];
    Few Small;
}

// CHECK-LABEL: define void @"\01?Main
// CHECK-NOT: alloca
// CHECK: ret void
float4 skin(Bones b, uint i, float4 p) { return mul(b.m[i], p) * b.weight[i]; }
float3 columns(float3x4 m[18], uint i) { return mul(m[i], float4(1, 2, 3, 4)) + m[i + 1][2].xyz; }
float entry(float3x4 m[18], uint i) { return m[i][1].y + m[17 - i]._m23; }
int numbers(int2x3 m[17], uint i) { return m[i][0].z * 10 + m[i][1].y; }
float few(Few s, uint i, uint j) { return s.m[i][2].x + determinant(s.m[j]) + s.wide[j][i & 1][1].w + s.wide[1][j]._m02; }
[shader("raygeneration")]
void Main()
{
    uint i = inU(0) % 16, j = inU(1) & 1;
    putF4(skin(Skeleton, i, float4(1, 2, 3, 4))); putF4(skin(Skeleton, 3, float4(inF(2), inF(3), 1, 0)));
    putF3(columns(Columns, i)); putF3(columns(Rows, i)); putF(entry(Columns, i)); putF(entry(Rows, j));
    putI(numbers(Numbers, i)); putF(few(Small, i % 3, j));
    // In a loop the copy is made anew.
    for (uint k = 0; k < 3; ++k) putF4(skin(Skeleton, (i + k) % 20, float4(k, 1, 0, 1)));
}

// A row that is chosen, and matrices that change: these are variables, with the same values.
[shader("raygeneration")]
void Changed()
{
    uint i = inU(0) % 16, j = inU(1) % 3;
    float3x4 copy[18] = Columns;
    putF4(copy[i][j]);
    copy[j][1][2] = 5;
    putF3(columns(copy, i));
    column_major float4x4 own[20] = Skeleton.m;
    own[i] = own[(i + 1) % 20];
    putF4(own[j][2]); putF4(own[i][1]);
}
