// Matrices: construction, swizzles, products, rows, both packings.
// RUN: %rtc -T lib_6_3 -validator-version 1.6 %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc -T lib_6_3 -Od -validator-version 1.6 %s -Fo %t.od.dxil
// RUN: %dxil-val %t.od.dxil
// RUN: %rtc -T lib_6_3 -spirv %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -T lib_6_3 -spirv -Od %s -Fo %t.od.spv
// RUN: %spirv-val %t.od.spv
cbuffer Frame : register(b0)
{
    float4x4 A;
    row_major float3x4 B;
    float2x3 C[2];
    row_major float2x2 D;
};
RWStructuredBuffer<float4> Out : register(u0);

[shader("raygeneration")]
void Main()
{
    uint i = DispatchRaysIndex().x;
    float4 v = mul(A, float4(1, 2, 3, 1)) + mul(float4(1, 0, 0, 1), A);
    float3 w = mul(B, v);
    float3x3 m = (float3x3)A;
    m[1] = w;
    m._m00_m11 = w.xy;
    m._11 += 2;
    float3x3 n = mul(m, transpose(m));
    float2 c = mul(C[i & 1], w);
    float4x4 scaled = A * 2 + A;
    Out[0] = float4(mul(n, w), determinant(m));
    Out[1] = float4(c, D[0][1], D._m10);
    Out[2] = scaled[i & 3];
    Out[3] = float4(m._m20_m21_m22, n[i % 3].y);
}
