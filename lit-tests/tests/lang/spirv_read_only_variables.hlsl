// Buffers that are only read are marked so at their variables: declared ones, arrays, texture buffers, and those of the descriptor heap.
// RUN: %rtc -T cs_6_6 -E main -spirv -fspv-target-env=vulkan1.3 %s -Fo %t.spv -Fc %t.txt
// RUN: %spirv-val %t.spv
// RUN: FileCheck %s < %t.txt
// RUN: %rtc -T cs_6_6 -E main -spirv -fspv-target-env=vulkan1.0 -DOLD %s -Fo %t.old.spv -Fc %t.old.txt
// RUN: %spirv-val %t.old.spv
// RUN: FileCheck %s --check-prefix=OLD < %t.old.txt
// CHECK-DAG: OpName [[TABLE:%[0-9A-Za-z_]+]] "table"
// CHECK-DAG: OpName [[RAW:%[0-9A-Za-z_]+]] "raw"
// CHECK-DAG: OpName [[LIST:%[0-9A-Za-z_]+]] "list"
// CHECK-DAG: OpName [[TEXTURE:%[0-9A-Za-z_]+]] "T"
// CHECK-DAG: OpName [[OUT:%[0-9A-Za-z_]+]] "o"
// CHECK-DAG: OpDecorate [[TABLE]] NonWritable
// CHECK-DAG: OpDecorate [[RAW]] NonWritable
// CHECK-DAG: OpDecorate [[LIST]] NonWritable
// CHECK-DAG: OpDecorate [[TEXTURE]] NonWritable
// CHECK-NOT: OpDecorate [[OUT]] NonWritable
// OLD: OpName [[TABLE:%[0-9A-Za-z_]+]] "table"
// OLD: OpDecorate [[TABLE]] NonWritable
StructuredBuffer<uint> table : register(t1);
ByteAddressBuffer raw : register(t2);
StructuredBuffer<float2> list[4] : register(t5);
tbuffer T : register(t9) { uint texel; };
RWStructuredBuffer<uint> o : register(u0);
[numthreads(1, 1, 1)] void main(uint3 i : SV_GroupID)
{
    o[0] = table[1] + raw.Load(0) + list[i.x][2].y + texel;
#ifndef OLD
    ByteAddressBuffer heap = ResourceDescriptorHeap[3];
    RWByteAddressBuffer written = ResourceDescriptorHeap[4];
    written.Store(0, heap.Load(4));
#endif
}
