// -fspv-linalg says how linear algebra becomes SPIR-V: plain arithmetic so far. Both words that there are give the same module.
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
// NV: -fspv-linalg=nv: SPV_NV_cooperative_vector is not supported yet; use lower, which is plain arithmetic for every device
// KHR: -fspv-linalg=khr: SPV_KHR_cooperative_matrix is not supported yet
// OTHER: -fspv-linalg=fast: expected one of lower, auto
#include <dx/linalg.h>
using namespace dx::linalg;
ByteAddressBuffer In;
RWByteAddressBuffer Out;
[numthreads(1, 1, 1)] void main()
{
    typedef Matrix<ComponentType::F32, 4, 4, MatrixUse::A, MatrixScope::Thread> M;
    Out.Store<float4>(0, Multiply<float>(M::Load<MatrixLayout::RowMajor>(In, 0, 16), In.Load<float4>(64)));
}
