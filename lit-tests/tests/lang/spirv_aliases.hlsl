// Variables of one binding that shaders write are marked as aliases: buffers that are seen as words, halves and pairs, of their own or of the heap. Those that
// are only read are not, and what is coherent is so in each.
// RUN: %rtc -T cs_6_6 -E main -spirv -fspv-target-env=vulkan1.3 -enable-16bit-types %s -Fo %t.spv -Fc - | FileCheck %s
// RUN: %spirv-val %t.spv
// CHECK-DAG: OpDecorate %one Aliased
// CHECK-DAG: OpDecorate [[HALVES:%one_[0-9]+]] Aliased
// CHECK-DAG: OpDecorate %one Coherent
// CHECK-DAG: OpDecorate [[HALVES]] Coherent
// CHECK-DAG: OpDecorate %ResourceDescriptorHeap Aliased
// CHECK-DAG: OpDecorate %ResourceDescriptorHeap_0 Aliased
// CHECK-DAG: OpDecorate %ResourceDescriptorHeap_1 Aliased
// CHECK-DAG: OpDecorate %ResourceDescriptorHeap_2 NonWritable
// CHECK-NOT: OpDecorate %ResourceDescriptorHeap_2 Aliased
// CHECK-NOT: OpDecorate %single Aliased
// CHECK: OpFunction
globallycoherent RWByteAddressBuffer one : register(u0);
RWByteAddressBuffer single : register(u1);
[numthreads(64, 1, 1)] void main(uint3 t : SV_DispatchThreadID)
{
    RWByteAddressBuffer written = ResourceDescriptorHeap[t.y];
    ByteAddressBuffer read = ResourceDescriptorHeap[t.z];
    written.Store(t.x * 4, t.x);
    written.Store(t.x * 4 + 256, (half)t.x);
    written.InterlockedAdd64(t.x * 8, uint64_t(1));
    one.Store(t.x * 2, (half)t.x);
    one.Store(512, read.Load(0) + one.Load(t.x * 4));
    single.Store(t.x * 4, t.x);
}
