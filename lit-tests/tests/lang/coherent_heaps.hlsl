// Handles from the descriptor heap that are `globallycoherent` read and write a variable that is, static ones and those of functions too.
// RUN: %rtc -T cs_6_6 -spirv %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -T cs_6_6 -spirv %s | FileCheck %s
// RUN: %rtc -T cs_6_6 -spirv -Od %s -Fo %t.od.spv
// RUN: %spirv-val %t.od.spv
// RUN: %rtc -T cs_6_6 -spirv -Od %s | FileCheck %s
// CHECK-DAG: OpDecorate [[BYTES:%ResourceDescriptorHeap[_0-9]*]] Coherent
// CHECK-DAG: OpDecorate [[IMAGES:%ResourceDescriptorHeap[_0-9]*]] Coherent
// CHECK-DAG: [[BYTES]] = OpVariable %_ptr_Uniform__runtimearr_type_RWByteAddressBuffer Uniform
// CHECK-DAG: [[IMAGES]] = OpVariable %_ptr_UniformConstant__runtimearr_type_2d_image UniformConstant
// RUN: %rtc -T cs_6_6 -spirv -DPLAIN %s | FileCheck %s --check-prefix=PLAIN
// PLAIN-NOT: Coherent
#ifdef PLAIN
#define globallycoherent
#endif
globallycoherent static RWByteAddressBuffer Shared = ResourceDescriptorHeap[0];
globallycoherent RWTexture2D<float> Image() { return ResourceDescriptorHeap[1]; }

[numthreads(64, 1, 1)]
void main(uint i : SV_GroupIndex)
{
    Shared.Store(4 * i, i);
    DeviceMemoryBarrierWithGroupSync();
    uint other = Shared.Load(4 * (63 - i));
    globallycoherent RWTexture2D<float> image = Image();
    image[uint2(i, 0)] = image[uint2(i, 1)] + other;
}
