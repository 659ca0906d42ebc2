// -fspv-linalg=nv: products with matrices of threads and their sums are instructions of SPV_NV_cooperative_vector. Halves, numbers of eight bits, layouts.
// RUN: %rtc -T cs_6_10 -E main -enable-16bit-types -spirv -fspv-linalg=nv %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -T cs_6_10 -E main -enable-16bit-types -spirv -fspv-linalg=nv -Od %s -Fo %t.od.spv
// RUN: %spirv-val %t.od.spv
// RUN: %rtc -T cs_6_10 -E main -enable-16bit-types -spirv -fspv-linalg=nv -fspv-target-env=vulkan1.4 %s -Fo %t.4.spv
// RUN: %spirv-val %t.4.spv
// RUN: %rtc -T cs_6_10 -E main -enable-16bit-types -spirv -fspv-linalg=nv %s -Fc - | FileCheck %s
// RUN: not %rtc -T cs_6_10 -E main -enable-16bit-types -spirv -fspv-linalg=nv -fspv-target-env=vulkan1.2 %s -Fo %t.2.spv 2>&1 | FileCheck --check-prefix=OLD %s
// CHECK-DAG: OpCapability CooperativeVectorNV
// CHECK-DAG: OpCapability CooperativeVectorTrainingNV
// CHECK-DAG: OpCapability VulkanMemoryModel
// CHECK: OpExtension "SPV_NV_cooperative_vector"
// CHECK: OpMemoryModel Logical Vulkan
// CHECK-DAG: [[HALF:%[a-z0-9_]+]] = OpTypeFloat 16
// CHECK-DAG: [[INT:%[a-z0-9_]+]] = OpTypeInt 32 1
// CHECK-DAG: [[UINT:%[a-z0-9_]+]] = OpTypeInt 32 0
// OLD: linear algebra with cooperative vectors needs SPIR-V 1.6; -fspv-target-env=vulkan1.3 is the first [E0924]
#include <dx/linalg.h>
using namespace dx::linalg;
ByteAddressBuffer In;
RWByteAddressBuffer Out;
[numthreads(1, 1, 1)] void main()
{
    vector<float16_t, 8> x = In.Load<vector<float16_t, 8> >(0);
    typedef Matrix<ComponentType::F16, 6, 8, MatrixUse::A, MatrixScope::Thread> Halves;
    typedef Matrix<ComponentType::I8, 6, 8, MatrixUse::A, MatrixScope::Thread> Bytes;
    // By columns: layout 1, and not transposed. Six rows, eight columns, 16 bytes from one column to the next.
    // CHECK: OpCooperativeVectorMatrixMulNV {{%[a-zA-Z0-9_]+}} {{%[a-zA-Z0-9_]+}} {{%[a-z0-9_]+}} {{%[a-zA-Z0-9_]+}} {{%[a-z]+_128}} {{%[a-z]+_0}} {{%[a-z]+_6}} {{%[a-z]+_8}} {{%[a-z]+_1}} %false {{%[a-z]+_16}}
    vector<float16_t, 6> y = Multiply<float16_t>(Halves::Load<MatrixLayout::ColMajor>(In, 128, 16), x);
    Out.Store(0, y);
    // Four bytes in a word; the sums have a sign.
    // CHECK: OpCooperativeVectorMatrixMulNV {{.*}} %uint_1000491000 {{.*}} %uint_3 %uint_6 %uint_8 %uint_2 %false {{.*}}RESULT_SIGNED
    vector<int, 6> sums = MultiplyAdd<int>(Bytes::Load<MatrixLayout::MulOptimal>(In, 256, 0),
        MakeInterpretedVector<ComponentType::I8>(In.Load2(64)), (vector<int, 6>)3);
    Out.Store(64, sums);
    // Transposed: the layout of the device of the other matrix.
    // CHECK: OpCooperativeVectorMatrixMulNV {{.*}} %true
    y = Multiply<float16_t>(Halves::Load<MatrixLayout::MulOptimalTranspose>(In, 512, 0), MakeInterpretedVector<ComponentType::F8_E4M3FN>(In.Load2(64)));
    Out.Store(128, y);
    // CHECK: OpCooperativeVectorMatrixMulNV
    y = Multiply<float16_t>(Halves::Load<MatrixLayout::OuterProductOptimal>(In, 1024, 0), MakeInterpretedVector<ComponentType::F8_E5M2>(In.Load2(64)));
    Out.Store(192, y);
    // CHECK: OpCooperativeVectorOuterProductAccumulateNV
    OuterProduct<ComponentType::F16>(y, x).InterlockedAccumulate(Out, 2048);
    // CHECK: OpCooperativeVectorReduceSumAccumulateNV
    InterlockedAccumulate(Out, 4096, y);
    // What it lacks is atomic operations of integers.
    // CHECK: OpAtomicIAdd
    InterlockedAccumulate(Out, 5120, sums);
}
