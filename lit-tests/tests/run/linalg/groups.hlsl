// Matrices of a thread group whose threads are several waves: products larger than what they exchange at once, copies, transposed ones, sums, and the components
// of each thread.
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

#define SCOPE MatrixScope::ThreadGroup
int left(int r, int k) { return (r * 3 + k * 5) % 7 - 3; }
int right(int k, int c) { return (k * 2 + c) % 5 - 2; }
groupshared int Left[72 * 40];
groupshared int Right[40 * 20];
groupshared uint Wrong[6];

[numthreads(24, 2, 2)] void main(uint index : SV_GroupIndex)
{
    for (uint n = index; n < 72 * 40; n += 96) Left[n] = left(n / 40, n % 40);
    for (uint n = index; n < 40 * 20; n += 96) Right[n] = right(n % 40, n / 40);
    if (index < 6) Wrong[index] = 0;
    GroupMemoryBarrierWithGroupSync();
    typedef Matrix<ComponentType::I32, 72, 40, MatrixUse::A, SCOPE> A;
    typedef Matrix<ComponentType::I32, 40, 20, MatrixUse::B, SCOPE> B;
    typedef Matrix<ComponentType::I32, 72, 20, MatrixUse::Accumulator, SCOPE> C;
    A a = A::Load(Left, 0, 40, MatrixLayout::RowMajor);
    B b = B::Load(Right, 0, 40, MatrixLayout::ColMajor);
    C c = C::Splat(7);
    c.MultiplyAccumulate(a, b);
    // Each thread has its own components, and no other has them.
    uint count = 0;
    for (uint i = 0; i < c.Length(); ++i) {
        uint2 at = c.GetCoordinate(i);
        int sum = 7;
        for (int k = 0; k < 40; ++k) sum += left(at.x, k) * right(k, at.y);
        count += c.Get(i) != sum;
        c.Set(i, (int)(at.x * 20 + at.y));
    }
    InterlockedAdd(Wrong[0], count);
    InterlockedAdd(Wrong[1], c.Length());
    if (c.Get(c.Length()) != 0 || any(c.GetCoordinate(c.Length() + 3) != 0xffffffff)) InterlockedAdd(Wrong[0], 1);
    c.Store(Sums, 0, 80, MatrixLayout::RowMajor);
    c.Cast<ComponentType::F16, MatrixUse::A, true>().Store(Sums, 8192, 144, MatrixLayout::RowMajor);
    a.Cast<ComponentType::F32, MatrixUse::B, true>().Store(Sums, 16384, 288, MatrixLayout::RowMajor);
    // The value of the first thread.
    Matrix<ComponentType::F32, 5, 3, MatrixUse::Accumulator, SCOPE> one = Matrix<ComponentType::F32, 5, 3, MatrixUse::Accumulator, SCOPE>::Splat(index + 0.5f);
    one.Store(Sums, 32768, 16, MatrixLayout::RowMajor);
    one.InterlockedAccumulate(Sums, 32768 + 256, 16, MatrixLayout::RowMajor);
    one.InterlockedAccumulate(Sums, 32768 + 256, 16, MatrixLayout::RowMajor);
    // One thread holds each component of a matrix that is smaller than the group.
    if (one.Length() != 0) InterlockedAdd(Wrong[2], one.Length());
    AllMemoryBarrierWithGroupSync();
    if (index) return;
    IS(Wrong[0], 0); IS(Wrong[1], 72 * 20); IS(Wrong[2], 15);
    uint wrong = 0, halves = 0, transposed = 0;
    for (uint r = 0; r < 72; ++r) {
        for (uint k = 0; k < 20; ++k) {
            wrong += Sums.Load(r * 80 + k * 4) != r * 20 + k;
            uint at = 8192 + k * 144 + r * 2;
            halves += f16tof32(Sums.Load(at & ~3) >> (at & 2) * 8) != r * 20 + k;
        }
        for (uint k = 0; k < 40; ++k) transposed += asfloat(Sums.Load(16384 + k * 288 + r * 4)) != left(r, k);
    }
    IS(wrong, 0); IS(halves, 0); IS(transposed, 0);
    wrong = 0;
    for (uint r = 0; r < 5; ++r)
        for (uint k = 0; k < 3; ++k) {
            wrong += asfloat(Sums.Load(32768 + r * 16 + k * 4)) != 0.5f;
            wrong += asfloat(Sums.Load(32768 + 256 + r * 16 + k * 4)) != 1;
        }
    IS(wrong, 0); IS(Sums.Load(32768 + 12), 0);
    done(8);
}
