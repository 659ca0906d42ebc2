// Before shader model 6.3 raw buffer accesses have no overloads of 64 bits: two words each.
// RUN: %rtc -T cs_6_2 -validator-version 1.6 %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc -T cs_6_0 -validator-version 1.6 %s -Fo %t.0.dxil
// RUN: %dxil-val %t.0.dxil
// RUN: %rtc -T cs_6_3 -validator-version 1.6 %s -Fo %t.3.dxil
// RUN: %dxil-val %t.3.dxil
// RUN: %rtc -T cs_6_2 %s -Fc - | FileCheck %s
struct S { float a; double d; int64_t k; uint64_t3 v; };
RWByteAddressBuffer b : register(u0);
RWStructuredBuffer<S> s : register(u1);
// CHECK-NOT: rawBufferLoad.i64
// CHECK-NOT: rawBufferStore.f64
// CHECK: rawBufferLoad.i32({{.*}} i8 15, i32 4)
// CHECK: rawBufferStore.i32({{.*}} i8 15, i32 4)
// CHECK: rawBufferStore.i32({{.*}} i8 15, i32 8)
[numthreads(8, 8, 1)]
void main(uint3 i : SV_DispatchThreadID)
{
    S x = b.Load<S>(i.x * 64);
    x.d += 1; x.k += 5; x.v += x.k;
    b.Store<S>(i.y * 64, x);
    s[i.x] = x;
    s[i.y].v.yz = s[i.z].v.zx;
}
