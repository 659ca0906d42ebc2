// Matrices of waves: copies as other types, uses and dimensions, sums, and the components of each lane.
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
#endif
uint bits(uint at, uint row, uint column, uint bytes)
{
    uint place = at + row * 16 + column * bytes;
    uint word = Sums.Load(place & ~3);
    return bytes == 4 ? word : word >> (place & 3) * 8;
}
[numthreads(THREADS, 1, 1)] void main(uint index : SV_GroupIndex)
{
    typedef Matrix<ComponentType::F32, 3, 5, MatrixUse::A, MatrixScope::Wave> A;
    typedef Matrix<ComponentType::F32, 3, 5, MatrixUse::Accumulator, MatrixScope::Wave> C;
    A a = A::Load(Weights, 768, 32, MatrixLayout::RowMajor);
    // Copies of other types, uses and dimensions.
    a.Cast<ComponentType::F8_E4M3FN>().Cast<ComponentType::I32, MatrixUse::Accumulator>().Store(Sums, 4096, 32, MatrixLayout::RowMajor);
    a.Cast<ComponentType::F16, MatrixUse::B, true>().Store(Sums, 4224, 16, MatrixLayout::RowMajor);
    C c = C::Splat(2.5f);
    c.Accumulate(a);
    a = A::Splat(1);
    c.Accumulate(a);
    c.Store(Sums, 4352, 32, MatrixLayout::RowMajor);
    Matrix<ComponentType::I8, 3, 5, MatrixUse::Accumulator, MatrixScope::Wave>::Splat(300).Store(Sums, 4480, 16, MatrixLayout::ColMajor);
    // From a buffer that is written, too; a wave writes it before it reads it.
    C again = C::Load(Sums, 4352, 32, MatrixLayout::RowMajor);
    again.InterlockedAccumulate(Sums, 4608, 32, MatrixLayout::RowMajor);
    again.Cast<ComponentType::I16>().InterlockedAccumulate(Sums, 4736, 16, MatrixLayout::ColMajor);
    // Each lane changes its part. The splat is that of the first lane.
    C part = C::Splat((float)(WaveGetLaneIndex() + 7));
    for (uint i = 0; i < part.Length() + 3; ++i) {
        uint2 at = part.GetCoordinate(i);
        if (i >= part.Length()) continue;
        part.Set(i, part.Get(i) + at.x * 10 + at.y);
    }
    part.Store(Sums, 4864, 32, MatrixLayout::RowMajor);
    bool none = part.Get(part.Length()) == 0 && all(part.GetCoordinate(part.Length() + 5) == 0xffffffff);
    AllMemoryBarrierWithGroupSync();
    uint waves = WaveGetLaneCount() > THREADS ? 1 : (THREADS + WaveGetLaneCount() - 1) / WaveGetLaneCount();
    if (index) return;
    IS(none, 1);
    uint cast = 0, transposed = 0, sum = 0, saturated = 0, added = 0, small = 0, parts = 0;
    for (uint r = 0; r < 3; ++r) {
        for (uint k = 0; k < 5; ++k) {
            int is = component(r, k);
            cast += int(Sums.Load(4096 + r * 32 + k * 4)) != is;
            transposed += f16tof32(bits(4224, k, r, 2)) != is;
            sum += asfloat(Sums.Load(4352 + r * 32 + k * 4)) != is + 3.5f;
            saturated += (bits(4480, k, r, 1) & 0xff) != 0x7f;
            added += asfloat(Sums.Load(4608 + r * 32 + k * 4)) != (is + 3.5f) * waves;
            // Rounded to even: 0.5 and 1.5 and so on.
            int rounded = (is + 4) & ~1;
            small += int(bits(4736, k, r, 2) << 16) >> 16 != rounded * int(waves);
            parts += asfloat(Sums.Load(4864 + r * 32 + k * 4)) != 7 + r * 10 + k;
        }
    }
    IS(cast, 0); IS(transposed, 0); IS(sum, 0); IS(saturated, 0); IS(added, 0); IS(small, 0); IS(parts, 0);
    IS(Sums.Load(4096 + 20), 0);
    done(9);
}
