// Arrays that are stored to once: tables of constants, copies of constant buffers; and some that are no copies.
// RUN: %rtc -T lib_6_3 -HV 2021 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc -T lib_6_3 -HV 2021 -spirv -no-warnings %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -T lib_6_3 -HV 2021 -no-warnings %s | FileCheck %s
#include "Inputs/out.hlsli"

struct Pair { float4 a; float b[3]; };
cbuffer C : register(b2)
{
    float4 Four[4];
    float One[5];
    int2 Grid[2][3];
    Pair Pairs[2];
}

// CHECK-LABEL: define void @"\01?Main
// CHECK-NOT: alloca
int odd(uint i) { int values[5] = { 1, 3, 5, 7, 9 }; return values[i]; }
float2 corner(uint i) { float2 c[4] = { float2(0, 0), float2(1, 0), float2(1, 1), float2(0, 1) }; return c[i]; }
float chosen(uint i) { float4 copy[4] = Four; return copy[i].y + copy[3 - i].w; }
float single(uint i) { float copy[5] = One; return copy[i] + copy[4]; }
int grid(uint i, uint j) { int2 copy[2][3] = Grid; return copy[i][j].x * 10 + copy[1][j].y; }
float pairs(uint i, uint j) { Pair copy[2] = Pairs; return copy[i].a.z + copy[1 - i].b[j]; }
[shader("raygeneration")]
void Main()
{
    uint i = inU(0) & 1, j = inU(1) % 3;
    putI(odd(i + j)); putI(odd(inU(2) % 5));
    putF2(corner(inU(3) & 3)); putF2(corner(i));
    putF(chosen(inU(4) & 3)); putF(chosen(j)); putF(single(inU(5) % 5));
    putI(grid(i, j)); putF(pairs(i, j));
    // A loop stores the same again each time.
    for (uint k = 0; k < 3; ++k) { int t[3] = { 10, 20, 30 }; putI(t[(k + i) % 3]); }
    // CHECK: ret void
}

// Changed after it was read, changed in one case, computed: these are variables.
// CHECK-LABEL: define void @"\01?Changed
// CHECK-COUNT-3: = alloca
[shader("raygeneration")]
void Changed()
{
    uint i = inU(0) & 1;
    float later[2] = { 1, 2 }; putF(later[i]); later[1] = 5; putF(later[i]);
    int cased[2] = { 1, 2 }; if (inU(1) & 1) cased[0] = inI(2); putI(cased[i]);
    int made[2] = { inI(3), 2 }; putI(made[i]);
}
