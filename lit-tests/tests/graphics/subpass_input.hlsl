// Input attachments of Vulkan's render passes: types, samples, arrays, functions.
// RUN: %rtc -T ps_6_0 -E main -spirv %s | FileCheck %s
// RUN: %rtc -T ps_6_0 -E indexed -spirv %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -T ps_6_0 -E indexed -spirv %s | FileCheck %s --check-prefix=INDEXED
// INDEXED-DAG: OpCapability InputAttachmentArrayDynamicIndexing
// INDEXED-DAG: OpExtension "SPV_EXT_descriptor_indexing"
// RUN: not %rtc -T ps_6_0 -E main %s 2>&1 | FileCheck %s --check-prefix=DXIL
// DXIL: error: `SubpassInput` is a type of Vulkan's render passes, which DXIL has not; compile with `-spirv`
// CHECK: OpCapability InputAttachment
// CHECK-DAG: OpName [[A:%[0-9A-Za-z_]+]] "A"
// CHECK-DAG: OpName [[B:%[0-9A-Za-z_]+]] "B"
// CHECK-DAG: OpName [[M:%[0-9A-Za-z_]+]] "M"
// CHECK-DAG: OpDecorate [[A]] InputAttachmentIndex 0
// CHECK-DAG: OpDecorate [[B]] InputAttachmentIndex 4
// CHECK-DAG: OpDecorate [[B]] Binding 5
// CHECK-DAG: OpDecorate [[B]] DescriptorSet 3
// CHECK-DAG: OpDecorate [[M]] InputAttachmentIndex 2
// CHECK-DAG: OpTypeImage {{ *}}%{{[0-9A-Za-z_]+}} SubpassData 2 0 0 2 Unknown
// CHECK-DAG: OpTypeImage {{ *}}%{{[0-9A-Za-z_]+}} SubpassData 2 0 1 2 Unknown
// CHECK-COUNT-2: OpImageRead {{ *}}%{{[0-9A-Za-z_]+}} {{ *}}%{{[0-9A-Za-z_]+}} %{{[0-9A-Za-z_]+$}}
// CHECK: OpImageRead {{ *}}%{{[0-9A-Za-z_]+}} {{ *}}%{{[0-9A-Za-z_]+}} %{{[0-9A-Za-z_]+}} Sample %
[[vk::input_attachment_index(0)]] SubpassInput A;
[[vk::input_attachment_index(4), vk::binding(5, 3)]] SubpassInput<int3> B;
[[vk::input_attachment_index(2)]] SubpassInputMS<uint> M;
float4 read(SubpassInput s) { return s.SubpassLoad(); }
float4 main() : SV_Target { return read(A) + B.SubpassLoad().xyzz + M.SubpassLoad(3); }
[[vk::input_attachment_index(6)]] SubpassInput Many[2];
float4 indexed(uint i : I) : SV_Target { return Many[i].SubpassLoad(); }
