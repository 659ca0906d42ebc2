// Image formats: written ones count, others follow from the type; a package leaves those of several components to the image.
// Capabilities only for what is used.
// RUN: %rtc -T lib_6_6 -enable-16bit-types -spirv %s -Fo %t.spv -Fc %t.txt
// RUN: %spirv-val %t.spv
// RUN: FileCheck %s --input-file %t.txt
// RUN: %rtc -T lib_6_6 -enable-16bit-types -validator-version 1.6 %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
[[vk::image_format("rgba16f")]] RWTexture2D<float4> Half : register(u0);
[[vk::image_format("r11g11b10f")]] RWTexture2D<float3> Packed : register(u1);
RWTexture2D<float4> Any : register(u2);
RWTexture2D<uint> Count : register(u3);
RWTexture2D<uint64_t> Wide : register(u4);
[[vk::image_format("rgba8")]] RWTexture2D<unorm float4> Listed[4] : register(u5);
RWTexture2D<int16_t> Small : register(u9);
RWTexture2D<float2> Two : register(u10);
// RUN: %rtc -T lib_6_6 -enable-16bit-types -spirv %s -Fo %t.rtp
// RUN: %rtc dis %t.rtp | FileCheck %s --check-prefix=PACKAGE
// PACKAGE-NOT: Rgba32f
// CHECK-DAG: OpCapability StorageImageExtendedFormats
// CHECK-DAG: OpCapability StorageImageWriteWithoutFormat
// CHECK-DAG: OpCapability Int64ImageEXT

// CHECK-DAG: OpTypeImage %{{[0-9A-Za-z_]+}} 2D 2 0 0 2 Rgba16f
// CHECK-DAG: OpTypeImage %{{[0-9A-Za-z_]+}} 2D 2 0 0 2 R11fG11fB10f
// CHECK-DAG: OpTypeImage %{{[0-9A-Za-z_]+}} 2D 2 0 0 2 Unknown
// CHECK-DAG: OpTypeImage %{{[0-9A-Za-z_]+}} 2D 2 0 0 2 Rgba32f
// CHECK-DAG: OpTypeImage %{{[0-9A-Za-z_]+}} 2D 2 0 0 2 Rg32f
// CHECK-DAG: OpTypeImage %{{[0-9A-Za-z_]+}} 2D 2 0 0 2 R32ui
// CHECK-DAG: OpTypeImage %{{[0-9A-Za-z_]+}} 2D 2 0 0 2 R64ui
// CHECK-DAG: OpTypeImage %{{[0-9A-Za-z_]+}} 2D 2 0 0 2 Rgba8
[shader("raygeneration")]
void Main()
{
    uint2 at = DispatchRaysIndex().xy;
    Half[at] += 1;
    Packed[at] = Half[at].xyz;
    Any[at] = Half[at].wzyx;
    Count[at]++;
    Wide[at] = Count[at];
    InterlockedMax(Wide[at], 5ull);
    Listed[at.x & 3][at] *= 0.5;
    Small[at] = (int16_t)-3;
    Two[at] = Half[at].xy;
}
