// Arrays of arrays cross libraries in structures: by reference and by value, in arrays of structures, as results; by the values that the linked shader
// stores.
// RUN: %rtc -T lib_6_3 -default-linkage external -DA -validator-version 1.6 %s -Fo %t.a.dxil
// RUN: %dxil-val %t.a.dxil
// RUN: %rtc -T lib_6_3 -default-linkage external -DB -validator-version 1.6 %s -Fo %t.b.dxil
// RUN: %dxil-val %t.b.dxil
// RUN: %rtc link -T cs_6_0 -E main -validator-version 1.6 %t.a.dxil %t.b.dxil -Fo %T/linked.dxil
// RUN: %dxil-val %T/linked.dxil
// RUN: cp %S/Inputs/linked_arrays.toml %T/linked_arrays.toml
// RUN: %rtc-run-cpu %T/linked_arrays.toml -o %T
// RUN: FileCheck %s --input-file %T/out.json
// RUN: %rtc -T lib_6_6 -default-linkage external -DA -Od -Zi -Qembed_debug %s -Fo %t.a.dxil
// RUN: %rtc -T lib_6_6 -default-linkage external -DB -Od -Zi -Qembed_debug %s -Fo %t.b.dxil
// RUN: %rtc link -T cs_6_6 -E main %t.a.dxil %t.b.dxil -Fo %T/linked.dxil
// RUN: %rtc-run-cpu %T/linked_arrays.toml -o %T
// RUN: FileCheck %s --input-file %T/out.json
// RUN: %rtc -T lib_6_9 -default-linkage external -DA %s -Fo %t.a.dxil
// RUN: %rtc -T lib_6_9 -default-linkage external -DB %s -Fo %t.b.dxil
// RUN: %rtc link -T cs_6_9 -E main %t.a.dxil %t.b.dxil -Fo %T/linked.dxil
// RUN: %rtc-run-cpu %T/linked_arrays.toml -o %T
// RUN: FileCheck %s --input-file %T/out.json
// CHECK: 21
// CHECK: 17
// CHECK: 6
// CHECK: 300
// CHECK: 45
// CHECK: 8
struct Table { float t[2][3]; };
struct Two { float2 a[2][3]; row_major float2x2 m[2][2]; };
struct Numbers { uint n[2][2][2]; };
void change(inout Table table, uint k);
float4 total(Table table, Two two);
Numbers mixed(inout Two two[2], uint k);
#ifdef A
RWByteAddressBuffer Out : register(u0);
[shader("compute")] [numthreads(1, 1, 1)] void main()
{
    uint k = Out.Load(60) + 1;
    Table table = { 1, 2, 3, 4, 5, 6 };
    change(table, k);
    Two two[2];
    two[0] = (Two)0; two[1] = (Two)0;
    two[1].a[1][2] = float2(8, 9); two[1].m[1][0] = float2x2(1, 2, 3, 4);
    float4 sum = total(table, two[1]);
    Numbers numbers = mixed(two, k);
    Out.Store4(0, uint4(sum));
    Out.Store2(16, uint2(two[1].m[1][1]._m10 + two[0].a[0][2].y, numbers.n[1][0][1]));
}
#endif
#ifdef B
void change(inout Table table, uint k) { table.t[k][1] *= 2; table.t[0][k] = table.t[k][0] - 4; table.t[k][k + 1] = 4; }
float4 total(Table table, Two two)
{
    float all = 0;
    for (uint i = 0; i < 2; ++i) for (uint j = 0; j < 3; ++j) all += table.t[i][j];
    return float4(all - 1, two.a[1][2].x + two.a[1][2].y, two.m[1][0]._m01 + two.m[1][0]._m11, 300);
}
Numbers mixed(inout Two two[2], uint k)
{
    two[k].m[1][1] = two[k].m[1][0] * 10;
    two[0].a[0][k + 1] = 15;
    Numbers numbers;
    for (uint i = 0; i < 8; ++i) numbers.n[i >> 2][i >> 1 & 1][i & 1] = i + 3;
    return numbers;
}
#endif
