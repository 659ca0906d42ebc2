// A constant of 64 bits is stored as two constants: nothing is left to compute.
// RUN: %rtc -T cs_6_2 -validator-version 1.7 %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc -T cs_6_2 %s | FileCheck %s
RWByteAddressBuffer Raw;
RWStructuredBuffer<int64_t> Items;
RWBuffer<uint64_t> Texels;

// CHECK: define void @main()
// CHECK-NOT: lshr
// CHECK-NOT: trunc
[numthreads(1, 1, 1)] void main()
{
    // CHECK-DAG: call void @dx.op.rawBufferStore.i32(i32 140, %dx.types.Handle %{{.+}}, i32 16, i32 undef, i32 5, i32 1,
    Raw.Store<uint64_t>(16, 0x100000005);
    // CHECK-DAG: call void @dx.op.rawBufferStore.i32(i32 140, %dx.types.Handle %{{.+}}, i32 1, i32 0, i32 -3, i32 -1,
    Items[1] = -3;
    // CHECK-DAG: call void @dx.op.bufferStore.i32(i32 69, %dx.types.Handle %{{.+}}, i32 2, i32 undef, i32 -1, i32 2147483647,
    Texels[2] = 0x7fffffffffffffff;
}
// CHECK: ret void
