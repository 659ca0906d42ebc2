// Cooperative matrices by the header `vk/khr/cooperative_matrix.h`. The validator of SPIR-V may be older than they are, so only the listing is
// checked.
// RUN: %rtc -T cs_6_6 -E main -spirv -fspv-target-env=vulkan1.3 %s -Fo %t.spv -Fc %t.txt
// RUN: FileCheck %s < %t.txt
// RUN: %rtc -T cs_6_6 -E main -spirv -fspv-target-env=vulkan1.3 -Od %s -Fo %t.od.spv
// RUN: not %rtc -T cs_6_6 -E main -spirv -fspv-target-env=vulkan1.1 %s 2>&1 | FileCheck %s --check-prefix=OLD
// OLD: error: "cooperative matrices require SPIR-V 1.6
// CHECK-DAG: OpCapability CooperativeMatrixKHR
// CHECK-DAG: OpCapability VulkanMemoryModel
// CHECK-DAG: OpExtension "SPV_KHR_cooperative_matrix"
// CHECK: OpMemoryModel Logical Vulkan
#include <vk/khr/cooperative_matrix.h>
StructuredBuffer<int> In;
RWStructuredBuffer<int> Out;
globallycoherent RWStructuredBuffer<float> Shared;
groupshared int Memory[64];

[numthreads(32, 1, 1)]
void main()
{
    using A = vk::khr::CooperativeMatrixA<int, vk::ScopeSubgroup, 16, 8>;
    using B = vk::khr::CooperativeMatrixB<int, vk::ScopeSubgroup, 8, 16>;
    using C = vk::khr::CooperativeMatrixAccumulator<int, vk::ScopeSubgroup, 16, 16>;
    // CHECK: [[A:%[0-9A-Za-z_]+]] = OpCooperativeMatrixLoadKHR [[TA:%[0-9A-Za-z_]+]] {{%[0-9A-Za-z_]+}} {{%[0-9A-Za-z_]+}} {{%[0-9A-Za-z_]+}} None
    A a = A::Load<vk::CooperativeMatrixLayoutRowMajorKHR>(In, 0, 8);
    // CHECK: [[B:%[0-9A-Za-z_]+]] = OpCooperativeMatrixLoadKHR {{%[0-9A-Za-z_]+}} {{%[0-9A-Za-z_]+}} {{%[0-9A-Za-z_]+}} {{%[0-9A-Za-z_]+}} MakePointerVisible|NonPrivatePointer
    B b = B::Load<vk::CooperativeMatrixLayoutColumnMajorKHR>(vk::GetGroupSharedAddress(Memory[0]), 8);
    // CHECK: [[C:%[0-9A-Za-z_]+]] = OpCompositeConstruct
    C c = C::Splat(3);
    // CHECK: OpCooperativeMatrixMulAddKHR {{%[0-9A-Za-z_]+}} [[A]] [[B]] [[C]] {{.*}}MATRIX_A_SIGNED_COMPONENTS_KHR | MATRIX_B_SIGNED_COMPONENTS_KHR | MATRIX_C_SIGNED_COMPONENTS_KHR | MATRIX_RESULT_SIGNED_COMPONENTS_KHR
    c = cooperativeMatrixMultiplyAdd(a, b, c);
    // CHECK: SATURATING_ACCUMULATION_KHR
    c = cooperativeMatrixSaturatingMultiplyAdd(a, b, c);
    // CHECK: OpSNegate
    // CHECK: OpISub
    // CHECK: OpMatrixTimesScalar
    c = (c - c.negate()) * 2;
    // CHECK: OpCooperativeMatrixLengthKHR {{%[0-9A-Za-z_]+}} {{%[0-9A-Za-z_]+}}
    for (uint i = 0; i < C::GetLength(); ++i)
        // CHECK: [[MINE:%[0-9A-Za-z_]+]] = OpAccessChain {{%[0-9A-Za-z_]+}} {{%[0-9A-Za-z_]+}} {{%[0-9A-Za-z_]+}}
        // CHECK-NEXT: [[AT:%[0-9A-Za-z_]+]] = OpAccessChain {{%[0-9A-Za-z_]+}} [[MINE]]
        // CHECK: OpLoad {{%[0-9A-Za-z_]+}} [[AT]]
        c.Set(c.Get(i) + 1, i);
    // CHECK: OpCooperativeMatrixStoreKHR {{.*}} Nontemporal
    c.Store<vk::MemoryAccessNontemporalMask, vk::CooperativeMatrixLayoutRowMajorKHR>(Out, 0, 16);
    // CHECK: OpConvertSToF
    // CHECK: OpCooperativeMatrixStoreKHR {{.*}} MakePointerAvailable|NonPrivatePointer
    c.cast<float>().CoherentStore<vk::CooperativeMatrixLayoutRowMajorKHR>(Shared, 0, 16);
}
