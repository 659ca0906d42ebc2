// The registers of resources of libraries are in the bindings of a shader: the first ones are all zero, others differ from that in one number.
// RUN: %rtc -T lib_6_6 -validator-version 1.6 %s -Fo %t.lib.dxil
// RUN: %rtc link -T cs_6_6 -E main -validator-version 1.6 %t.lib.dxil -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc dis %t.dxil | FileCheck %s
// CHECK-DAG: createHandleFromBinding(i32 217, %dx.types.ResBind zeroinitializer, i32 0, i1 false)
// CHECK-DAG: createHandleFromBinding(i32 217, %dx.types.ResBind { i32 0, i32 0, i32 1, i8 0 }, i32 0, i1 false)
// CHECK-DAG: createHandleFromBinding(i32 217, %dx.types.ResBind { i32 0, i32 3, i32 2, i8 0 }, i32 {{.*}}, i1 false)
// CHECK-DAG: createHandleFromBinding(i32 217, %dx.types.ResBind { i32 1, i32 1, i32 0, i8 0 }, i32 1, i1 false)
// CHECK-DAG: createHandleFromBinding(i32 217, %dx.types.ResBind { i32 0, i32 0, i32 0, i8 1 }, i32 0, i1 false)
// CHECK-DAG: createHandleFromBinding(i32 217, %dx.types.ResBind { i32 0, i32 2, i32 4, i8 0 }, i32 {{.*}}, i1 false)
ByteAddressBuffer First : register(t0);
ByteAddressBuffer OfSpace : register(t0, space1);
ByteAddressBuffer Several[4] : register(t0, space2);
ByteAddressBuffer Second : register(t1);
ByteAddressBuffer Three[3] : register(t0, space4);
RWByteAddressBuffer Out : register(u0);
[shader("compute")] [numthreads(8, 1, 1)] void main(uint g : SV_GroupIndex)
{
    Out.Store(g * 4, First.Load(g) + OfSpace.Load(g) + Several[g & 3].Load(g) + Second.Load(g) + Three[g % 3].Load(4));
}
