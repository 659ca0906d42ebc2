// A small network in a hit shader: matrices of a thread from a buffer, products with vectors, a bias from memory, and what training adds up. The types of
// the matrices are described once each, in the order of the first calls.
// RUN: %rtc -T lib_6_10 -enable-16bit-types %s -Fo %t.dxil
// RUN: %rtc validate %t.dxil
// RUN: %rtc dis %t.dxil | FileCheck %s
// RUN: %rtc -T lib_6_10 -enable-16bit-types -Od %s -Fo %t.od.dxil
// RUN: %rtc validate %t.od.dxil
// RUN: %rtc dis %t.od.dxil | FileCheck %s --check-prefix=TYPES
#include <dx/linalg.h>
using namespace dx::linalg;

RWByteAddressBuffer Gradients : register(u0);
ByteAddressBuffer Weights : register(t0);

struct [raypayload] Payload
{
    float16_t4 colour : read(caller) : write(closesthit);
};

// CHECK: define void @"{{.*}}Hit{{.*}}"(
[shader("closesthit")]
void Hit(inout Payload p, BuiltInTriangleIntersectionAttributes a)
{
    vector<float16_t, 8> x = Weights.Load<vector<float16_t, 8> >(PrimitiveIndex() * 16);
    // CHECK: [[FIRST:%[0-9]+]] = call %dx.types.LinAlgMatrixC8M16N8U0S0 @dx.op.linAlgMatrixLoadFromDescriptor.mC8M16N8U0S0(i32 -2147483634, %dx.types.Handle {{%[0-9]+}}, i32 0, i32 0, i32 2, i32 128)
    Matrix<ComponentType::F16, 16, 8, MatrixUse::A, MatrixScope::Thread> first =
        Matrix<ComponentType::F16, 16, 8, MatrixUse::A, MatrixScope::Thread>::Load<MatrixLayout::MulOptimal>(Weights, 0, 0);
    VectorRef<ComponentType::F16, 16> bias = { Weights, 4096 };
    // CHECK: call <16 x half> @dx.op.linAlgMatVecMulAdd.v16f16.mC8M16N8U0S0.v8f16.v16f16(i32 -2147483622, %dx.types.LinAlgMatrixC8M16N8U0S0 [[FIRST]], i1 true, <8 x half> {{%[0-9]+}}, i32 8, <16 x half> {{%[0-9]+}})
    vector<float16_t, 16> y = max(MultiplyAdd<float16_t>(first, x, bias), (vector<float16_t, 16>)0);
    // CHECK: [[NARROW:%[0-9]+]] = call <4 x i32> @dx.op.linAlgConvert.v4i32.v16f16(i32 -2147483618, <16 x half> {{%[0-9]+}}, i32 8, i32 21)
    InterpretedVector<uint, 4, ComponentType::F8_E4M3FN> narrow = Convert<ComponentType::F8_E4M3FN, ComponentType::F16>(y);
    // CHECK: [[SECOND:%[0-9]+]] = call %dx.types.LinAlgMatrixC21M4N16U0S0 @dx.op.linAlgMatrixLoadFromDescriptor.mC21M4N16U0S0(
    Matrix<ComponentType::F8_E4M3FN, 4, 16, MatrixUse::A, MatrixScope::Thread> second =
        Matrix<ComponentType::F8_E4M3FN, 4, 16, MatrixUse::A, MatrixScope::Thread>::Load<MatrixLayout::MulOptimal>(Weights, 8192, 0);
    // CHECK: call <4 x half> @dx.op.linAlgMatVecMul.v4f16.mC21M4N16U0S0.v4i32(i32 -2147483623, %dx.types.LinAlgMatrixC21M4N16U0S0 [[SECOND]], i1 true, <4 x i32> [[NARROW]], i32 21)
    p.colour = Multiply<float16_t>(second, narrow);
    // CHECK: [[OUTER:%[0-9]+]] = call %dx.types.LinAlgMatrixC8M16N8U2S0 @dx.op.linAlgMatrixOuterProduct.mC8M16N8U2S0.v16f16.v8f16(i32 -2147483619,
    // CHECK: call void @dx.op.linAlgMatrixAccumulateToDescriptor.mC8M16N8U2S0(i32 -2147483621, %dx.types.LinAlgMatrixC8M16N8U2S0 [[OUTER]], %dx.types.Handle {{%[0-9]+}}, i32 0, i32 0, i32 4, i32 128)
    OuterProduct<ComponentType::F16>(y, x).InterlockedAccumulate(Gradients, 0);
    // CHECK: call void @dx.op.linAlgVectorAccumulateToDescriptor.v16f16(i32 -2147483617, %dx.types.Handle {{%[0-9]+}}, i32 4096, i32 64, <16 x half> {{%[0-9]+}})
    InterlockedAccumulate(Gradients, 4096, y);
}
// TYPES: !dx.targetTypes = !{![[A:[0-9]+]], ![[B:[0-9]+]], ![[C:[0-9]+]]}
// TYPES-DAG: ![[A]] = !{%dx.types.LinAlgMatrixC8M16N8U0S0 undef, i32 8, i32 16, i32 8, i32 0, i32 0}
// TYPES-DAG: ![[B]] = !{%dx.types.LinAlgMatrixC21M4N16U0S0 undef, i32 21, i32 4, i32 16, i32 0, i32 0}
// TYPES-DAG: ![[C]] = !{%dx.types.LinAlgMatrixC8M16N8U2S0 undef, i32 8, i32 16, i32 8, i32 2, i32 0}
