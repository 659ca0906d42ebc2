// Products of a matrix of a thread with a vector: every component type in every layout.
// rtc -T cs_6_10 -E main -enable-16bit-types
// scene: Inputs/matrices.toml
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc -T cs_6_10 -E main -enable-16bit-types -no-warnings %s -Fo %t.dxil
// RUN: %rtc validate %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc -T cs_6_10 -E main -enable-16bit-types -spirv -no-warnings %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -T cs_6_10 -E main -enable-16bit-types -spirv -Od -no-warnings %s -Fo %t.od.spv
// RUN: %spirv-val %t.od.spv
#include "Inputs/linalg.hlsli"

// How many components differ from those of the product.
template <typename T> uint wrong(vector<T, 3> found, vector<int, 5> x, int more)
{
    uint count = 0;
    [loop] for (int r = 0; r < 3; ++r) {
        int sum = 0;
        [loop] for (int k = 0; k < 5; ++k) sum += (component(r, k) + more) * x[k];
        count += found[r] != T(sum);
    }
    return count;
}
template <ComponentEnum Type, MatrixLayoutEnum Layout, typename Out, typename In> void product(uint at, uint stride, int more)
{
    typedef Matrix<Type, 3, 5, MatrixUse::A, MatrixScope::Thread> M;
    vector<int, 5> x = { 1, 2, 0, 5, 3 };
    vector<In, 5> given = (vector<In, 5>)x;
    M m = M::template Load<Layout>(Weights, at, stride);
    IS(wrong<Out>(Multiply<Out>(m, given), x, more), 0);
}
template <ComponentEnum Type, typename Out, typename In> void every(uint index, int more)
{
    uint at = index * 768;
    product<Type, MatrixLayout::RowMajor, Out, In>(at, 32, more);
    product<Type, MatrixLayout::ColMajor, Out, In>(at + 128, 16, more);
    product<Type, MatrixLayout::MulOptimal, Out, In>(at + 256, 0, more);
    product<Type, MatrixLayout::MulOptimalTranspose, Out, In>(at + 384, 0, more);
    product<Type, MatrixLayout::OuterProductOptimal, Out, In>(at + 512, 0, more);
    product<Type, MatrixLayout::OuterProductOptimalTranspose, Out, In>(at + 640, 0, more);
}
[numthreads(1, 1, 1)] void main()
{
    every<ComponentType::F16, float, float16_t>(0, 0);
    every<ComponentType::F32, float, float>(1, 0);
    every<ComponentType::I32, int, int>(2, 0);
    every<ComponentType::U32, uint, uint>(3, PLUS);
    every<ComponentType::I16, int, int16_t>(4, 0);
    every<ComponentType::U16, uint, uint16_t>(5, PLUS);
    every<ComponentType::I8, int, int>(6, 0);
    every<ComponentType::U8, uint, uint>(7, PLUS);
    every<ComponentType::F8_E4M3FN, float, float>(8, 0);
    every<ComponentType::F8_E5M2, float16_t, float16_t>(9, 0);
    every<ComponentType::BFloat16, float, float>(10, 0);
    // Numbers of other types than the matrix has.
    every<ComponentType::F16, float16_t, float>(0, 0);
    every<ComponentType::I8, float, float16_t>(6, 0);
    every<ComponentType::I16, float16_t, int>(4, 0);
    every<ComponentType::F32, int, int>(1, 0);
    done(90);
}
