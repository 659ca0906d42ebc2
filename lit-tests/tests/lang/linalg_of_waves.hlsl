// Matrices that a wave shares: from and to buffers and groupshared arrays, which are operands as a whole, in any version of the language; products and sums;
// single components. An array of vectors that a matrix is loaded from stays one of vectors, also where the program uses its components.
// RUN: %rtc -T cs_6_10 -E main -enable-16bit-types %s -Fo %t.dxil
// RUN: %rtc validate %t.dxil
// RUN: %rtc dis %t.dxil | FileCheck %s
// RUN: %rtc -T cs_6_10 -E main -enable-16bit-types -Od %s -Fo %t.od.dxil
// RUN: %rtc validate %t.od.dxil
// RUN: %rtc -T lib_6_10 -enable-16bit-types %s -Fo %t.lib.dxil
// RUN: %rtc validate %t.lib.dxil
// RUN: %rtc link -T cs_6_10 -E main %t.lib.dxil -Fo %t.linked.dxil
// RUN: %rtc validate %t.linked.dxil
// RUN: %rtc dis %t.linked.dxil | FileCheck %s --check-prefix=TYPES
#include <dx/linalg.h>
using namespace dx::linalg;

ByteAddressBuffer In : register(t0);
RWByteAddressBuffer Out : register(u0);
// CHECK-DAG: @"{{.*}}Floats{{.*}}" = {{.*}}addrspace(3) global [256 x float], align 4
groupshared float Floats[256];
// CHECK-DAG: @"{{.*}}Vectors{{.*}}" = {{.*}}addrspace(3) global [64 x <4 x float>], align 4
groupshared float4 Vectors[64];

typedef Matrix<ComponentType::F16, 16, 16, MatrixUse::A, MatrixScope::Wave> A;
typedef Matrix<ComponentType::F16, 16, 16, MatrixUse::B, MatrixScope::Wave> B;
typedef Matrix<ComponentType::F32, 16, 16, MatrixUse::Accumulator, MatrixScope::Wave> Sum;

[shader("compute")]
[numthreads(64, 1, 1)]
void main(uint i : SV_GroupIndex)
{
    Vectors[i] = float4(i, 1, 2, 3);
    Floats[i] = i;
    GroupMemoryBarrierWithGroupSync();
    // CHECK: @dx.op.linAlgMatrixLoadFromDescriptor.mC8M16N16U0S1(i32 -2147483634, %dx.types.Handle {{%[0-9]+}}, i32 0, i32 32, i32 0, i32 128)
    A a = A::Load(In, 0, 32, MatrixLayout::RowMajor);
    // CHECK: @dx.op.linAlgMatrixLoadFromMemory.mC9M16N16U2S1.v4f32(i32 -2147483633, <4 x float> addrspace(3)* getelementptr inbounds ([64 x <4 x float>], [64 x <4 x float>] addrspace(3)* @"{{.*}}Vectors{{.*}}", i32 0, i32 0), i32 0, i32 16, i32 0)
    Sum c = Sum::Load(Vectors, 0, 16, MatrixLayout::RowMajor);
    // CHECK: @dx.op.linAlgCopyConvertMatrix.mC8M16N16U1S1.mC8M16N16U0S1(i32 -2147483635, %dx.types.LinAlgMatrixC8M16N16U0S1 {{%[0-9]+}}, i1 true)
    B b = a.Cast<ComponentType::F16, MatrixUse::B, true>();
    // CHECK: @dx.op.linAlgMatrixMultiplyAccumulate.mC9M16N16U2S1.mC8M16N16U0S1.mC8M16N16U1S1.mC9M16N16U2S1(
    c.MultiplyAccumulate(a, b);
    // CHECK: @dx.op.linAlgMatrixAccumulate.mC9M16N16U2S1.mC9M16N16U2S1.mC8M16N16U0S1(
    c.Accumulate(a);
    // CHECK: call i32 @dx.op.linAlgMatrixLength.mC9M16N16U2S1(
    // CHECK-DAG: call <2 x i32> @dx.op.linAlgMatrixGetCoordinate.mC9M16N16U2S1(
    // CHECK-DAG: call float @dx.op.linAlgMatrixGetElement.f32.mC9M16N16U2S1(
    // CHECK: @dx.op.linAlgMatrixSetElement.mC9M16N16U2S1.mC9M16N16U2S1.f32(
    for (uint n = 0; n < c.Length(); ++n)
        c.Set(n, c.Get(n) + c.GetCoordinate(n).x);
    // CHECK: @dx.op.linAlgMatrixStoreToMemory.mC9M16N16U2S1.f32(i32 -2147483627, %dx.types.LinAlgMatrixC9M16N16U2S1 {{%[0-9]+}}, float addrspace(3)* getelementptr inbounds ([256 x float], [256 x float] addrspace(3)* @"{{.*}}Floats{{.*}}", i32 0, i32 0), i32 0, i32 16, i32 1)
    c.Store(Floats, 0, 16, MatrixLayout::ColMajor);
    GroupMemoryBarrierWithGroupSync();
    // CHECK: @dx.op.linAlgMatrixAccumulateToMemory.mC9M16N16U2S1.v4f32(
    c.InterlockedAccumulate(Vectors, 0, 16, MatrixLayout::RowMajor);
    GroupMemoryBarrierWithGroupSync();
    Out.Store(4 * i, Floats[i] + Vectors[i].y);
    // CHECK: @dx.op.linAlgMatrixMultiply.mC9M16N16U2S1.mC8M16N16U0S1.mC8M16N16U1S1(
    Sum d = Multiply<ComponentType::F32>(a, b);
    // CHECK: @dx.op.linAlgMatrixStoreToDescriptor.mC9M16N16U2S1(i32 -2147483628, %dx.types.LinAlgMatrixC9M16N16U2S1 {{%[0-9]+}}, %dx.types.Handle {{%[0-9]+}}, i32 4096, i32 64, i32 0, i32 128)
    d.Store(Out, 4096, 64, MatrixLayout::RowMajor);
    // CHECK: @dx.op.linAlgFillMatrix.mC9M16N16U2S1.f32(i32 -2147483636, float 2.000000e+00)
    // CHECK: @dx.op.linAlgMatrixAccumulateToDescriptor.mC9M16N16U2S1(
    Sum::Splat(2.0).InterlockedAccumulate(Out, 4096, 64, MatrixLayout::RowMajor);
    // CHECK: @dx.op.linAlgMatrixQueryAccumulatorLayout(i32 -2147483626)
    Out.Store(8192, (uint)AccumulatorLayout());
}
// TYPES: !dx.targetTypes = !{
// TYPES-DAG: !{%dx.types.LinAlgMatrixC8M16N16U0S1 undef, i32 8, i32 16, i32 16, i32 0, i32 1}
// TYPES-DAG: !{%dx.types.LinAlgMatrixC8M16N16U1S1 undef, i32 8, i32 16, i32 16, i32 1, i32 1}
// TYPES-DAG: !{%dx.types.LinAlgMatrixC9M16N16U2S1 undef, i32 9, i32 16, i32 16, i32 2, i32 1}
