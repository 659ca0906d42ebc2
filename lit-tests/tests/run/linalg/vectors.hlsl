// Vectors with several numbers in a word, biases in registers and in memory, more rows than are written out, and results that saturate.
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

typedef Matrix<ComponentType::F32, 3, 5, MatrixUse::A, MatrixScope::Thread> Floats;
typedef Matrix<ComponentType::I8, 3, 5, MatrixUse::A, MatrixScope::Thread> Bytes;
typedef Matrix<ComponentType::U8, 3, 5, MatrixUse::A, MatrixScope::Thread> UBytes;
typedef Matrix<ComponentType::F8_E4M3FN, 3, 5, MatrixUse::A, MatrixScope::Thread> E4;
typedef Matrix<ComponentType::F8_E5M2, 3, 5, MatrixUse::A, MatrixScope::Thread> E5;

[numthreads(1, 1, 1)] void main()
{
    // Rows of the matrix: -3 2 0 -2 3; 0 -2 3 1 -1; 3 1 -1 -3 2.
    Floats f = Floats::Load<MatrixLayout::RowMajor>(Weights, 768, 32);
    Bytes i8 = Bytes::Load<MatrixLayout::RowMajor>(Weights, 6 * 768, 32);
    UBytes u8 = UBytes::Load<MatrixLayout::ColMajor>(Weights, 7 * 768 + 128, 16);
    E4 e4 = E4::Load<MatrixLayout::MulOptimal>(Weights, 8 * 768 + 256, 0);
    E5 e5 = E5::Load<MatrixLayout::MulOptimalTranspose>(Weights, 9 * 768 + 384, 0);
    // 1, -2, 3, -4 and 5 as bytes.
    InterpretedVector<uint, 2, ComponentType::I8> bytes = MakeInterpretedVector<ComponentType::I8>(uint2(0xfc03fe01, 0xee05));
    int3 product = Multiply<int>(i8, bytes);
    IS(product.x, 16); IS(product.y, 4); IS(product.z, 20);
    float3 floats = Multiply<float>(f, bytes);
    ISF(floats.x, 16); ISF(floats.y, 4); ISF(floats.z, 20);
    // 1, 254, 3, 252 and 5 without sign: with 0 5 3 1 6; 3 1 6 4 2; 6 4 2 0 5.
    uint3 unsigned_ = Multiply<uint>(u8, MakeInterpretedVector<ComponentType::U8>(uint2(0xfc03fe01, 0xee05)));
    IS(unsigned_.x, 1561); IS(unsigned_.y, 1293); IS(unsigned_.z, 1053);
    // What does not fit saturates; a product of numbers with sign is not negative as a number without.
    vector<uint16_t, 5> large = 60000;
    int16_t3 narrow = Multiply<int16_t>(u8, large);
    IS(narrow.x, 32767);
    uint3 none = Multiply<uint>(i8, MakeInterpretedVector<ComponentType::I8>(uint2(1, 0)));
    IS(none.x, 0); IS(none.y, 0); IS(none.z, 3);
    // 1, 0.5, -2, 0.25 and 4.
    float3 small = Multiply<float>(e4, MakeInterpretedVector<ComponentType::F8_E4M3FN>(uint2(0x28c03038, 0x48)));
    ISF(small.x, 9.5); ISF(small.y, -10.75); ISF(small.z, 12.75);
    small = Multiply<float>(e5, MakeInterpretedVector<ComponentType::F8_E5M2>(uint2(0x34c0383c, 0x44)));
    ISF(small.x, 9.5); ISF(small.y, -10.75); ISF(small.z, 12.75);
    small = Multiply<float>(e5, MakeInterpretedVector<ComponentType::F8_E4M3FN>(uint2(0x28c03038, 0x48)));
    ISF(small.x, 9.5); ISF(small.y, -10.75); ISF(small.z, 12.75);

    vector<float, 5> x = { 1, 1, 1, 1, 1 };
    // Sums of rows: 0, 1, 2.
    float3 sums = MultiplyAdd<float>(f, x, float3(0.5, -1, 100));
    ISF(sums.x, 0.5); ISF(sums.y, 0); ISF(sums.z, 102);
    float16_t3 halves = MultiplyAdd<float16_t>(f, x, float3(2048, 2049, 65504));
    ISF(halves.x, 2048); ISF(halves.y, 2048); ISF(halves.z, 65504);
    int3 whole = MultiplyAdd<int>(f, x, float3(2.5, 1.5, -2.5));
    IS(whole.x, 2); IS(whole.y, 3); IS(whole.z, 0);
    // The bias is the first column of the matrix by columns: -3, 0, 3.
    VectorRef<ComponentType::F32, 3> bias = { Weights, 768 + 128 };
    sums = MultiplyAdd<float>(f, x, bias);
    ISF(sums.x, -3); ISF(sums.y, 1); ISF(sums.z, 5);
    VectorRef<ComponentType::I8, 3> small_bias = { Weights, 6 * 768 + 128 };
    sums = MultiplyAdd<float>(f, bytes, small_bias);
    ISF(sums.x, 13); ISF(sums.y, 4); ISF(sums.z, 23);

    // Component types of matrices read as others: each byte of 80 rows of 4 is a number; rows begin every 16 bytes.
    typedef Matrix<ComponentType::U8, 80, 4, MatrixUse::A, MatrixScope::Thread> Long;
    vector<uint, 80> all = Multiply<uint>(Long::Load<MatrixLayout::RowMajor>(Weights, 0, 16), uint4(1, 256, 65536, 1 << 24));
    uint wrong = 0;
    for (uint n = 0; n < 80; ++n) wrong += all[n] != Weights.Load(n * 16);
    IS(wrong, 0);
    vector<uint, 80> more = MultiplyAdd<uint>(Long::Load<MatrixLayout::RowMajor>(Weights, 0, 16), uint4(1, 256, 65536, 1 << 24), all);
    wrong = 0;
    for (uint n = 0; n < 80; ++n) wrong += more[n] != 2 * Weights.Load(n * 16);
    IS(wrong, 0);

    // A matrix that control flow selects.
    Floats chosen = f;
    if (Weights.Load(0) != 0) chosen = Floats::Load<MatrixLayout::RowMajor>(Weights, 768 + 32, 32);
    sums = Multiply<float>(chosen, x);
    ISF(sums.x, 1); ISF(sums.y, 2);
    IS(AccumulatorLayout() <= 1, 1);
    done(42);
}
