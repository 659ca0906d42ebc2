// Matrices of a wave from and to groupshared arrays: of their own numbers, of vectors, of words that hold several.
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

groupshared float Floats[32];
groupshared float4 Vectors[8];
groupshared float16_t Halves[32];
groupshared uint Words[32];
groupshared uint Bytes[16];
groupshared uint Added[12];
groupshared int AddedWords[12];

[numthreads(4, 1, 1)] void main(uint index : SV_GroupIndex)
{
    for (uint n = index; n < 32; n += 4) {
        Floats[n] = n; Vectors[n / 4][n % 4] = n; Halves[n] = (float16_t)n; Words[n] = 0xabcdef01;
        Bytes[n / 2] = 0x03020100 + 0x04040404 * (n / 2);
    }
    for (uint n = index; n < 12; n += 4) { Added[n] = asuint(0.5f); AddedWords[n] = -1; }
    GroupMemoryBarrierWithGroupSync();
    typedef Matrix<ComponentType::F32, 3, 4, MatrixUse::Accumulator, MatrixScope::Wave> F;
    typedef Matrix<ComponentType::I8, 3, 5, MatrixUse::Accumulator, MatrixScope::Wave> I8;
    // Component (r, c) is 3 + 5 r + c, or 3 + r + 4 c.
    F rows = F::Load(Floats, 3, 5, MatrixLayout::RowMajor);
    F columns = F::Load(Vectors, 3, 4, MatrixLayout::ColMajor);
    rows.Store(Sums, 0, 16, MatrixLayout::RowMajor);
    columns.Store(Sums, 64, 16, MatrixLayout::RowMajor);
    Matrix<ComponentType::F16, 3, 4, MatrixUse::Accumulator, MatrixScope::Wave>::Load(Halves, 1, 8, MatrixLayout::RowMajor).Store(Sums, 128, 16, MatrixLayout::RowMajor);
    // Numbers of a byte each in words.
    I8 bytes = I8::Load(Bytes, 1, 7, MatrixLayout::RowMajor);
    bytes.Store(Sums, 192, 16, MatrixLayout::RowMajor);
    bytes.Store(Words, 2, 6, MatrixLayout::RowMajor);
    GroupMemoryBarrierWithGroupSync();
    rows.Store(Floats, 0, 4, MatrixLayout::ColMajor);
    rows.InterlockedAccumulate(Added, 0, 4, MatrixLayout::RowMajor);
    rows.Cast<ComponentType::I32>().InterlockedAccumulate(AddedWords, 0, 3, MatrixLayout::ColMajor);
    GroupMemoryBarrierWithGroupSync();
    if (index) return;
    uint wrong = 0;
    for (uint r = 0; r < 3; ++r)
        for (uint c = 0; c < 4; ++c) {
            wrong += asfloat(Sums.Load(r * 16 + c * 4)) != 3 + 5 * r + c;
            wrong += (asfloat(Sums.Load(64 + r * 16 + c * 4)) != 3 + r + 4 * c) << 8;
            wrong += (f16tof32(Sums.Load(128 + r * 16 + (c & 2) * 2) >> (c & 1) * 16) != 1 + 8 * r + c) << 16;
            wrong += (Floats[c * 4 + r] != 3 + 5 * r + c) << 24;
        }
    IS(wrong, 0);
    wrong = 0;
    for (uint r = 0; r < 3; ++r)
        for (uint c = 0; c < 4; ++c) {
            wrong += asfloat(Added[r * 4 + c]) != 3.5f + 5 * r + c;
            wrong += (AddedWords[c * 3 + r] != int(2 + 5 * r + c)) << 8;
        }
    IS(wrong, 0);
    wrong = 0;
    for (uint r = 0; r < 3; ++r)
        for (uint c = 0; c < 5; ++c) {
            uint at = 2 + r * 6 + c;
            wrong += (Sums.Load(192 + r * 16 + (c & ~3)) >> (c & 3) * 8 & 0xff) != 1 + 7 * r + c;
            wrong += ((Words[at / 4] >> at % 4 * 8 & 0xff) != 1 + 7 * r + c) << 8;
        }
    IS(wrong, 0);
    // The bytes next to them stay.
    IS(Words[0] & 0xffff, 0xef01); IS(Words[1] >> 24, 0xab); IS(Words[8], 0xabcdef01);
    done(6);
}
