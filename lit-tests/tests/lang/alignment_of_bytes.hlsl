// Addresses in byte-address buffers are multiples of four, those of wider numbers too: no access claims more. Elements of structured buffers have the
// alignment of their type.
// RUN: %rtc -T cs_6_6 -validator-version 1.6 %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc -T cs_6_6 %s -Fc - | FileCheck %s
// RUN: %rtc -T cs_6_6 -Od %s -Fc - | FileCheck %s
// RUN: %rtc -T cs_6_9 %s -Fc - | FileCheck %s --check-prefix=VECTOR
RWByteAddressBuffer b : register(u0);
RWStructuredBuffer<double2> s : register(u1);
[numthreads(64, 1, 1)]
void main(uint i : SV_DispatchThreadID)
{
    // CHECK: @dx.op.rawBufferLoad.f64({{.*}} i8 3, i32 4)
    // VECTOR: @dx.op.rawBufferVectorLoad.v2f64({{.*}} i32 4)
    double2 x = b.Load<double2>(4 * i);
    // CHECK: @dx.op.rawBufferStore.f64({{.*}} i8 3, i32 8)
    // VECTOR: @dx.op.rawBufferVectorStore.v2f64({{.*}} i32 8)
    s[i] = x;
    // CHECK: @dx.op.rawBufferStore.i64({{.*}} i8 1, i32 4)
    // VECTOR: @dx.op.rawBufferStore.i64({{.*}} i8 1, i32 4)
    b.Store<uint64_t>(4 * i + 1024, 7);
}
