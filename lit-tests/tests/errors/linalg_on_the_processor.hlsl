// The CPU device has no matrices of linear algebra yet, and says which operation it lacks.
// RUN: not %rtc-run-cpu %S/Inputs/linalg_on_the_processor.toml -o %T 2>&1 | FileCheck %s
// CHECK: cannot run on the CPU device: the operation LinAlgMatrixLoadFromDescriptor is not supported on this device
#include <dx/linalg.h>
using namespace dx::linalg;
ByteAddressBuffer In : register(t0);
RWByteAddressBuffer Out : register(u0);
[numthreads(1, 1, 1)] void main()
{
    Matrix<ComponentType::F32, 4, 4, MatrixUse::A, MatrixScope::Thread> m =
        Matrix<ComponentType::F32, 4, 4, MatrixUse::A, MatrixScope::Thread>::Load<MatrixLayout::RowMajor>(In, 0, 16);
    Out.Store(0, Multiply<float>(m, In.Load<float4>(64)));
}
