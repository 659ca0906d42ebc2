// Products of matrices of waves, of integers: alone, and added to an accumulator.
// rtc -T cs_6_10 -E main -enable-16bit-types
// scene: Inputs/matrices.toml
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
// RUN: %rtc -T cs_6_10 -E main -enable-16bit-types -no-warnings %s -Fo %t.dxil
// RUN: %rtc validate %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc -T cs_6_10 -E main -enable-16bit-types -spirv -no-warnings %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -T cs_6_10 -E main -enable-16bit-types -spirv -Od -no-warnings %s -Fo %t.od.spv
// RUN: %spirv-val %t.od.spv
#include "Inputs/linalg.hlsli"

#ifndef THREADS
#define THREADS 32
#endif
uint bits(uint at, uint row, uint column, uint bytes)
{
    uint place = at + row * 16 + column * bytes;
    uint word = Sums.Load(place & ~3);
    return bytes == 4 ? word : word >> (place & 3) * 8;
}
// Row r of the matrix times its row c.
int product(int r, int c, int more)
{
    int sum = 0;
    for (int k = 0; k < 5; ++k) sum += (component(r, k) + more) * (component(c, k) + more);
    return sum;
}
template <ComponentEnum Type, ComponentEnum Out> void multiply(uint index, uint at)
{
    typedef Matrix<Type, 3, 5, MatrixUse::A, MatrixScope::Wave> A;
    typedef Matrix<Type, 5, 3, MatrixUse::B, MatrixScope::Wave> B;
    A a = A::Load(Weights, index * 768, 32, MatrixLayout::RowMajor);
    // The same numbers, transposed.
    B b = B::Load(Weights, index * 768 + 128, 16, MatrixLayout::RowMajor);
    Matrix<Out, 3, 3, MatrixUse::Accumulator, MatrixScope::Wave> c = Multiply<Out>(a, b);
    c.Store(Sums, at, 16, MatrixLayout::RowMajor);
    c.MultiplyAccumulate(a, b);
    c.Store(Sums, at + 128, 16, MatrixLayout::ColMajor);
}
[numthreads(THREADS, 1, 1)] void main(uint index : SV_GroupIndex)
{
    multiply<ComponentType::I32, ComponentType::I32>(2, 768);
    multiply<ComponentType::U32, ComponentType::U32>(3, 1024);
    multiply<ComponentType::I16, ComponentType::I16>(4, 1280);
    multiply<ComponentType::U16, ComponentType::U32>(5, 1536);
    multiply<ComponentType::I8, ComponentType::I32>(6, 1792);
    multiply<ComponentType::U8, ComponentType::U32>(7, 2048);
    multiply<ComponentType::I8, ComponentType::I8>(6, 3072);
    AllMemoryBarrierWithGroupSync();
    if (index) return;
    uint wrong[7] = { 0, 0, 0, 0, 0, 0, 0 };
    for (uint r = 0; r < 3; ++r) {
        for (uint k = 0; k < 3; ++k) {
            for (uint n = 0; n < 2; ++n) {
                uint x = n ? k : r, y = n ? r : k;
                int is = product(r, k, 0) * (n + 1), more = product(r, k, PLUS) * (n + 1);
                wrong[0] += int(bits(768 + n * 128, x, y, 4)) != is;
                wrong[1] += int(bits(1024 + n * 128, x, y, 4)) != more;
                wrong[2] += int(bits(1280 + n * 128, x, y, 2) << 16) >> 16 != is;
                wrong[3] += int(bits(1536 + n * 128, x, y, 4)) != more;
                wrong[4] += int(bits(1792 + n * 128, x, y, 4)) != is;
                wrong[5] += int(bits(2048 + n * 128, x, y, 4)) != more;
                wrong[6] += int(bits(3072 + n * 128, x, y, 1) << 24) >> 24 != is;
            }
        }
    }
    for (uint t = 0; t < 7; ++t) IS(wrong[t], 0);
    IS(Sums.Load(768 + 12), 0); IS(Sums.Load(1024 + 12), 0);
    done(9);
}
