// Parts of arrays of matrices and of arrays of arrays as `out` and `inout` arguments of functions of another library, and vectors as parameters whose
// components are reordered where vectors are kept (shader model 6.9).
// RUN: %rtc -T lib_6_6 -DA -validator-version 1.6 %s -Fo %t.a.dxil
// RUN: %dxil-val %t.a.dxil
// RUN: %rtc -T lib_6_6 -DB -validator-version 1.6 %s -Fo %t.b.dxil
// RUN: %rtc link -T cs_6_6 -E main -validator-version 1.6 %t.a.dxil %t.b.dxil -Fo %T/linked.dxil
// RUN: %dxil-val %T/linked.dxil
// RUN: cp %S/Inputs/linked_arrays.toml %T/linked_arrays.toml
// RUN: %rtc-run-cpu %T/linked_arrays.toml -o %T
// RUN: FileCheck %s --input-file %T/out.json
// RUN: %rtc -T lib_6_9 -DA %s -Fo %t.a.dxil
// RUN: %rtc -T lib_6_9 -DB %s -Fo %t.b.dxil
// RUN: %rtc link -T cs_6_9 -E main %t.a.dxil %t.b.dxil -Fo %T/linked.dxil
// RUN: %rtc-run-cpu %T/linked_arrays.toml -o %T
// RUN: FileCheck %s --input-file %T/out.json
// RUN: %rtc -T lib_6_9 -DA -Od %s -Fo %t.a.dxil
// RUN: %rtc -T lib_6_9 -DB -Od %s -Fo %t.b.dxil
// RUN: %rtc link -T cs_6_9 -E main %t.a.dxil %t.b.dxil -Fo %T/linked.dxil
// RUN: %rtc-run-cpu %T/linked_arrays.toml -o %T
// RUN: FileCheck %s --input-file %T/out.json
// CHECK: {{^\[?}}9,
// CHECK-NEXT: {{^\[?}}4,
// CHECK-NEXT: {{^\[?}}70,
// CHECK-NEXT: {{^\[?}}21,
// CHECK-NEXT: {{^\[?}}33,
// CHECK-NEXT: {{^\[?}}6,
// CHECK-NEXT: {{^\[?}}7654,
// CHECK-NEXT: {{^\[?}}0,
// CHECK-NEXT: {{^\[?}}169,
// CHECK-NEXT: {{^\[?}}30,
// CHECK-NEXT: {{^\[?}}5,
struct Item { uint n[3]; float f; };
void one(uint x, out uint to);
void row(uint x, inout uint3 to);
void whole(uint x, inout uint3x3 to);
void item(uint x, inout Item to);
uint mixed(uint4 v);
#ifdef A
RWByteAddressBuffer Out : register(u0);
[shader("compute")] [numthreads(1, 1, 1)] void main()
{
    uint k = Out.Load(60) + 1;
    uint3x3 a[2] = { (uint3x3)k, (uint3x3)(k * 2) };
    one(k * 9, a[k][2][k]);
    Out.Store(0, a[1][2][1]);
    row(k, a[0][k]);
    Out.Store(4, a[0][1].z);
    whole(k * 70, a[k]);
    Out.Store(8, a[1][0][k * 2]);
    uint b[2][3] = { { k, 2, 3 }, { 4, 5, 6 } };
    one(k * 21, b[k][k + 1]);
    Out.Store(12, b[1][2]);
    Item c[2][2] = { { (Item)0, (Item)0 }, { (Item)0, (Item)0 } };
    item(k * 33, c[k][0]);
    Out.Store(16, c[1][0].n[1]);
    Out.Store(20, a[1][1][1] + b[0][2] + b[1][0] - 3);
    Out.Store(24, mixed(uint4(k * 4, 5, 6, 7)));
}
#else
RWByteAddressBuffer Out : register(u0);
export void one(uint x, out uint to) { to = x; }
export void row(uint x, inout uint3 to) { to += uint3(x, x * 2, x * 3); }
export void whole(uint x, inout uint3x3 to) { to[0] = x; }
export void item(uint x, inout Item to) { to.n[1] += x; to.f = 1; }
export uint mixed(uint4 v)
{
    uint3 c = Out.Load3(16);
    Out.Store3(32, v.yxz * c + v.xzy);
    return v.w * 1000 + v.z * 100 + v.y * 10 + v.x;
}
#endif
