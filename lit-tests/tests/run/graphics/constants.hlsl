// Constants of every kind: a constant buffer with arrays and matrices, ConstantBuffer of a structure, push constants, and a structured buffer of matrices, in both stages.
// rtc -T lib_6_3
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
//> [targets.Color]
//> size = [4, 4]
//> format = "rgba32_float"
//> expect = [{ is = [11, 22, 7, 0.5] }]
//> [constants.C]
//> M = { float4x4 = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]] }
//> List = { "float[3]" = [1, 2, 3] }
//> Two = { float2 = [10, 20] }
//> [constants.S]
//> a = { uint = 7 }
//> [constants.Push]
//> scale = { float = 0.5 }
//> index = { uint = 1 }
//> [buffers.Matrices]
//> layout = ["float2x2"]
//> elements = [[[9, 9], [9, 9]], [[1, 0], [0, 1]]]
//> [[draw]]
//> count = 3
cbuffer C : register(b0) { float4x4 M; float List[3]; float2 Two; };
struct Numbers { uint a; };
ConstantBuffer<Numbers> S : register(b1);
struct Pushed { float scale; uint index; };
[[vk::push_constant]] ConstantBuffer<Pushed> Push;
StructuredBuffer<float2x2> Matrices : register(t0);
[shader("vertex")] float4 Vs(uint i : SV_VertexID) : SV_Position { return mul(M, float4(float(i & 1) * 4 - 1, float(i >> 1) * 4 - 1, 0.5, 1)); }
[shader("pixel")] float4 Ps() : SV_Target
{
    float2 two = mul(Matrices[Push.index], Two);
    return float4(two + float2(List[0], List[Push.index]), S.a, Push.scale);
}
