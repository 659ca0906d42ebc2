// Products of matrices with vectors in vertex and pixel shaders.
// rtc -T lib_6_10 -enable-16bit-types
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
//> [targets.Color]
//> size = [2, 2]
//> format = "rgba32_float"
//> clear = [9, 9, 9, 9]
//> expect = [{ is = [-2.5, 0, 5.5, 12] }]
//> [buffers.Weights]
//> layout = ["float4"]
//> elements = [[1, -2, 0.5, 0], [0, 1, 0, -1], [2, 0, 1, 1], [0, 3, 0, 0.5]]
//> [[draw]]
//> count = 3
#include <dx/linalg.h>
using namespace dx::linalg;
ByteAddressBuffer Weights : register(t0);
typedef Matrix<ComponentType::F32, 4, 4, MatrixUse::A, MatrixScope::Thread> M;
struct V { float4 place : SV_Position; nointerpolation float4 x : X; };
[shader("vertex")] V Vs(uint i : SV_VertexID)
{
    M m = M::Load<MatrixLayout::RowMajor>(Weights, 0, 16);
    V v = { float4(float(i & 1) * 4 - 1, float(i >> 1) * 4 - 1, 0.5, 1), Multiply<float>(m, float4(1, 2, 3, 4)) };
    return v;
}
[shader("pixel")] float4 Ps(V v) : SV_Target
{
    // (-1.5, -2, 9, 8), times 1 0 2 0; -2 1 0 3; 0.5 0 1 0; 0 -1 1 0.5.
    M m = M::Load<MatrixLayout::ColMajor>(Weights, 0, 16);
    float4 y = Multiply<float>(m, float16_t4(v.x));
    return float4(-v.x.x - 4, y.y - 25, y.z - 2.75, y.w - 3);
}
