// Products of matrices of waves, of floats of 32 and 16 bits: alone, and added to an accumulator.
// rtc -T cs_6_10 -E main -enable-16bit-types
// scene: Inputs/matrices.toml
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
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
#define SCOPE MatrixScope::Wave
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
    typedef Matrix<Type, 3, 5, MatrixUse::A, SCOPE> A;
    typedef Matrix<Type, 5, 3, MatrixUse::B, SCOPE> B;
    A a = A::Load(Weights, index * 768, 32, MatrixLayout::RowMajor);
    // The same numbers, transposed.
    B b = B::Load(Weights, index * 768 + 128, 16, MatrixLayout::RowMajor);
    Matrix<Out, 3, 3, MatrixUse::Accumulator, SCOPE> c = Multiply<Out>(a, b);
    c.Store(Sums, at, 16, MatrixLayout::RowMajor);
    c.MultiplyAccumulate(a, b);
    c.Store(Sums, at + 128, 16, MatrixLayout::ColMajor);
}
[numthreads(THREADS, 1, 1)] void main(uint index : SV_GroupIndex)
{
    multiply<ComponentType::F32, ComponentType::F32>(1, 0);
    multiply<ComponentType::F16, ComponentType::F32>(0, 256);
    multiply<ComponentType::F16, ComponentType::F16>(0, 512);
    multiply<ComponentType::F8_E4M3FN, ComponentType::F32>(8, 2304);
    multiply<ComponentType::F8_E5M2, ComponentType::F16>(9, 2560);
    multiply<ComponentType::BFloat16, ComponentType::F32>(10, 2816);
    AllMemoryBarrierWithGroupSync();
    if (index) return;
    uint wrong[6] = { 0, 0, 0, 0, 0, 0 };
    for (uint r = 0; r < 3; ++r) {
        for (uint k = 0; k < 3; ++k) {
            for (uint n = 0; n < 2; ++n) {
                uint x = n ? k : r, y = n ? r : k;
                int is = product(r, k, 0) * (n + 1), more = product(r, k, PLUS) * (n + 1);
                wrong[0] += asfloat(bits(n * 128, x, y, 4)) != is;
                wrong[1] += asfloat(bits(256 + n * 128, x, y, 4)) != is;
                wrong[2] += f16tof32(bits(512 + n * 128, x, y, 2)) != is;
                wrong[3] += asfloat(bits(2304 + n * 128, x, y, 4)) != is;
                wrong[4] += f16tof32(bits(2560 + n * 128, x, y, 2)) != is;
                wrong[5] += asfloat(bits(2816 + n * 128, x, y, 4)) != is;
            }
        }
    }
    for (uint t = 0; t < 6; ++t) IS(wrong[t], 0);
    IS(Sums.Load(12), 0); IS(Sums.Load(256 + 12), 0);
    done(8);
}
