// What is wrong with a matrix is said where the program calls the header, with debug information too, which keeps the header's own lines.
// RUN: not %rtc -T cs_6_10 -E main -Zi -Qembed_debug %s -Fo %t.dxil 2>&1 | FileCheck %s
#include <dx/linalg.h>
using namespace dx::linalg;
RWByteAddressBuffer Out;
[numthreads(32, 1, 1)] void main()
{
    Matrix<ComponentType::F32, 16, 16, MatrixUse::A, MatrixScope::Wave> m;
    // CHECK: linalg_with_debug_information.hlsl:[[@LINE+1]]:5: error: invalid `__builtin_LinAlg_MatrixStoreToDescriptor`: argument `matrix` is a matrix that has no value yet [E0650]
    m.Store(Out, 0, 64, MatrixLayout::RowMajor);
}
