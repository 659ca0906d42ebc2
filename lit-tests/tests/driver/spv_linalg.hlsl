// -fspv-linalg says how linear algebra becomes SPIR-V: plain arithmetic unless it is told otherwise (spv_linalg_nv.hlsl).
// RUN: %rtc -T cs_6_10 -E main -spirv -fspv-linalg=lower %s -Fo %t.lower.spv
// RUN: %rtc -T cs_6_10 -E main -spirv -fspv-linalg=auto %s -Fo %t.auto.spv
// RUN: cmp %t.lower.spv %t.auto.spv
// RUN: %spirv-val %t.lower.spv
// RUN: %rtc -T cs_6_10 -E main -spirv %s -Fc - | FileCheck %s
// RUN: not %rtc -T cs_6_10 -E main -spirv -fspv-linalg=nv %s -Fo %t.spv 2>&1 | FileCheck --check-prefix=NV %s
// RUN: not %rtc -T cs_6_10 -E main -spirv -fspv-linalg=khr %s -Fo %t.spv 2>&1 | FileCheck --check-prefix=KHR %s
// RUN: not %rtc -T cs_6_10 -E main -spirv -fspv-linalg=fast %s -Fo %t.spv 2>&1 | FileCheck --check-prefix=OTHER %s
// CHECK-NOT: Cooperative
// CHECK: OpFMul
// CHECK: OpFAdd
// NV: spv_linalg.hlsl:[[@LINE+10]]:{{[0-9]+}}: error: linear algebra: a matrix of numbers of type F32 is not supported with cooperative vectors; use -fspv-linalg=lower [E0904]
// KHR: -fspv-linalg=khr: SPV_KHR_cooperative_matrix is not supported yet
// OTHER: -fspv-linalg=fast: expected one of lower, nv, auto
#include <dx/linalg.h>
using namespace dx::linalg;
ByteAddressBuffer In;
RWByteAddressBuffer Out;
[numthreads(1, 1, 1)] void main()
{
    typedef Matrix<ComponentType::F32, 4, 4, MatrixUse::A, MatrixScope::Thread> M;
    Out.Store<float4>(0, Multiply<float>(M::Load<MatrixLayout::RowMajor>(In, 0, 16), In.Load<float4>(64)));
}
