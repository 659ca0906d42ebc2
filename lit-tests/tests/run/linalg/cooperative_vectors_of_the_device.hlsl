// Products by cooperative vectors with matrices in layouts of the device, of halves and bytes: matrices of ones, which every layout has alike.
// rtc -T cs_6_10 -E main -enable-16bit-types
// scene: Inputs/ones.toml
// RUN: %rtc -T cs_6_10 -E main -enable-16bit-types -spirv -fspv-linalg=nv -no-warnings %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-where-possible %s -o %T -- -no-warnings -fspv-linalg=nv
// RUN: %rtc-run-where-possible %s -o %T -- -no-warnings -fspv-linalg=nv -Od
#include "Inputs/linalg.hlsli"

template <MatrixLayoutEnum Layout> uint wrong_bytes(uint4 x, int sum)
{
    typedef Matrix<ComponentType::I8, 8, 16, MatrixUse::A, MatrixScope::Thread> M;
    vector<int, 8> y = Multiply<int>(M::template Load<Layout>(Weights, 1024, 0), MakeInterpretedVector<ComponentType::I8>(x));
    uint count = 0;
    for (uint n = 0; n < 8; ++n) count += y[n] != sum;
    return count;
}
template <MatrixLayoutEnum Layout> uint wrong(vector<float16_t, 16> x, float16_t sum)
{
    typedef Matrix<ComponentType::F16, 8, 16, MatrixUse::A, MatrixScope::Thread> M;
    vector<float16_t, 8> bias = { 0, 1, 2, 3, 4, 5, 6, 7 };
    vector<float16_t, 8> y = MultiplyAdd<float16_t>(M::template Load<Layout>(Weights, 0, 0), x, bias);
    uint count = 0;
    for (uint n = 0; n < 8; ++n) count += y[n] != sum + bias[n];
    return count;
}
[numthreads(1, 1, 1)] void main()
{
    vector<float16_t, 16> x = { 1, 2, -3, 0.5, 8, -16, 0.25, 4, 1, 1, 1, 1, -1, -2, 3, 5 };
    IS(wrong<MatrixLayout::MulOptimal>(x, 5.75), 0);
    IS(wrong<MatrixLayout::MulOptimalTranspose>(x, 5.75), 0);
    IS(wrong<MatrixLayout::OuterProductOptimal>(x, 5.75), 0);
    // 1 to 16, and four times -128, 127, -1 and 5.
    IS(wrong_bytes<MatrixLayout::MulOptimal>(uint4(0x04030201, 0x08070605, 0x0c0b0a09, 0x100f0e0d), 136), 0);
    IS(wrong_bytes<MatrixLayout::MulOptimal>((uint4)0x05ff7f80, 12), 0);
    done(5);
}
