// The packed types in names of functions and variables, as other compilers write them: libraries link by these names.
// RUN: %rtc -T lib_6_6 %s -Fo %t.dxil
// RUN: %rtc dis %t.dxil | FileCheck %s
// CHECK-DAG: @"\01?Shared@@3PA$ui8_4pk@A" = {{.*}}addrspace(3) global [4 x i32]
// CHECK-DAG: define {{.*}} @"\01?number@@YAI$i8_4pk@@Z"(
groupshared uint8_t4_packed Shared[4];
export uint number(int8_t4_packed p) { return (uint)p; }
RWByteAddressBuffer Out;
[shader("compute")] [numthreads(4, 1, 1)] void main(uint i : SV_GroupIndex)
{
    Shared[i] = (uint8_t4_packed)i;
    GroupMemoryBarrierWithGroupSync();
    Out.Store(4 * i, (uint)Shared[i ^ 1]);
}
