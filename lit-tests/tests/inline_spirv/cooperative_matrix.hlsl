// Cooperative matrices as types of inline SPIR-V. The validator of SPIR-V may be older than they are, so only the listing is checked.
// RUN: %rtc -T cs_6_6 -E main -spirv -fspv-target-env=vulkan1.3 %s -Fo %t.spv -Fc %t.txt
// RUN: FileCheck %s < %t.txt
// CHECK-DAG: OpCapability CooperativeMatrixKHR
// CHECK-DAG: OpExtension "SPV_KHR_cooperative_matrix"
// CHECK: OpMemoryModel Logical Vulkan
// CHECK-DAG: [[MATRIX:%[0-9A-Za-z_]+]] = OpTypeCooperativeMatrixKHR
template <typename T> using Matrix = vk::SpirvOpaqueType</* OpTypeCooperativeMatrixKHR */ 4456, T,
    vk::integral_constant<uint, /* Subgroup */ 3>, vk::integral_constant<uint, 16>, vk::integral_constant<uint, 16>,
    vk::integral_constant<uint, /* Accumulator */ 2> >;

[[vk::ext_capability(/* CooperativeMatrixKHR */ 6022), vk::ext_capability(/* VulkanMemoryModel */ 5345)]]
[[vk::ext_extension("SPV_KHR_cooperative_matrix")]]
[[vk::ext_instruction(/* OpCompositeConstruct */ 80)]]
Matrix<float> fill(float x);
[[vk::ext_instruction(/* OpFAdd */ 129)]] Matrix<float> add(Matrix<float> a, Matrix<float> b);
[[vk::ext_instruction(/* OpCooperativeMatrixStoreKHR */ 4458)]]
void store([[vk::ext_reference]] float to, Matrix<float> m, uint layout, uint stride);


RWStructuredBuffer<float> Out : register(u0);

[numthreads(32, 1, 1)]
void main()
{
    Matrix<float> m = fill(2.5);
    // CHECK: [[SUM:%[0-9A-Za-z_]+]] = OpFAdd [[MATRIX]]
    m = add(m, fill(1));
    // CHECK: OpCooperativeMatrixStoreKHR {{%[0-9A-Za-z_]+}} [[SUM]]
    store(Out[0], m, 0, 16);
}
