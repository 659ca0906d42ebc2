// The sanitizer tells matrices and vectors outside of buffers and of groupshared memory, each with the operation and a thread; and threads of a group that do not
// all come to an operation end the run.
// rtc -T cs_6_10 -E main -enable-16bit-types
// scene: Inputs/matrices.toml
// RUN: not %rtc-run-cpu %s -o %T --sanitize -- -no-warnings -Zi -DWRONG 2>&1 | FileCheck %s
// RUN: not %rtc-run-cpu %s -o %T --sanitize -- -no-warnings -Od -DWRONG 2>&1 | FileCheck %s
// RUN: %rtc-run-cpu %s -o %T --sanitize -- -no-warnings -Zi
// RUN: %rtc-run-cpu %s -o %T --sanitize -- -no-warnings -Od
#include "Inputs/linalg.hlsli"

groupshared float Few[32];
typedef Matrix<ComponentType::F32, 3, 5, MatrixUse::A, MatrixScope::Thread> Floats;
typedef Matrix<ComponentType::F64, 4, 4, MatrixUse::Accumulator, MatrixScope::ThreadGroup> Doubles;
typedef Matrix<ComponentType::F32, 4, 4, MatrixUse::Accumulator, MatrixScope::ThreadGroup> Shared;
#ifdef WRONG
static const uint Far = 8320, Last = 65472, End = 65532, Place = 17, Threads = 5;
#else
static const uint Far = 8192, Last = 65024, End = 65520, Place = 16, Threads = 8;
#endif

[numthreads(8, 1, 1)] void main(uint index : SV_GroupIndex)
{
    Few[index] = index; Few[index + 8] = index; Few[index + 16] = index; Few[index + 24] = index;
    GroupMemoryBarrierWithGroupSync();
    // CHECK-DAG: bounds: `main`, LinAlgMatrixLoadFromDescriptor, thread ({{[0-7]}}, 0, 0): a 3x5 matrix at 8320 that ends at 8468 of a buffer of 8448 bytes (8 times)
    float3 y = Multiply<float>(Floats::Load<MatrixLayout::RowMajor>(Weights, Far, 64), (vector<float, 5>)1);
    // CHECK-DAG: bounds: `main`, LinAlgMatrixStoreToDescriptor, thread ({{[0-7]}}, 0, 0): a 4x4 matrix at 65472 that ends at 65600 of a buffer of 65536 bytes
    Doubles::Splat((double)1).Store(Sums, Last, 32, MatrixLayout::RowMajor);
    // CHECK-DAG: bounds: `main`, LinAlgVectorAccumulateToDescriptor, thread (0, 0, 0): a 1x3 matrix at 65532 that ends at 65544 of a buffer of 65536 bytes
    if (index == 0) InterlockedAccumulate(Sums, End, y);
    // CHECK-DAG: bounds: `main`, LinAlgMatrixLoadFromMemory, thread ({{[0-7]}}, 0, 0): a matrix that is not inside of groupshared memory
    Shared s = Shared::Load(Few, Place, 4, MatrixLayout::RowMajor);
    // CHECK-DAG: a barrier in divergent control flow: of 8 threads of the group 5 wait here, 3 wait elsewhere, 0 have returned
    if (index < Threads) s.Store(Few, 0, 4, MatrixLayout::RowMajor);
    GroupMemoryBarrierWithGroupSync();
    if (index) return;
#ifndef WRONG
    // Row r is 4 r to 4 r + 3 from 16 on, and 16 to 31 count to 7 twice.
    for (uint n = 0; n < 4; ++n) { ISF(Few[n * 4 + 1], n * 4 % 8 + 1); }
    done(4);
#endif
}
