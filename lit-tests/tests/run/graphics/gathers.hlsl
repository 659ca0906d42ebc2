// Gathers of components, with offsets for all texels and for each of them, and comparisons, in a pixel shader and in the vertex shader before it.
// rtc -T lib_6_3
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// reference: no, its SPIR-V takes the first texel at each of four offsets, unlike its DXIL.
//> [targets.A]
//> size = [1, 1]
//> format = "rgba32_float"
//> expect = [{ is = [8, 9, 5, 4] }]
//> [targets.B]
//> size = [1, 1]
//> format = "rgba32_float"
//> expect = [{ is = [9, 10, 6, 5] }]
//> [targets.C]
//> size = [1, 1]
//> format = "rgba32_float"
//> expect = [{ is = [1, 1, 1, 0] }]
//> [targets.D]
//> size = [1, 1]
//> format = "rgba32_float"
//> expect = [{ is = [4, 5, 1, 0] }]
//> [images.Picture]
//> size = [4, 4]
//> format = "r32_float"
//> texels = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]
//> [samplers.Point]
//> filter = "point"
//> address = "clamp"
//> [samplers.Less]
//> filter = "point"
//> address = "clamp"
//> compare = "less"
//> [[draw]]
//> targets = ["A", "B", "C", "D"]
//> count = 3
Texture2D<float> Picture : register(t0);
SamplerState Point : register(s0);
SamplerComparisonState Less : register(s1);
[shader("vertex")] void Vs(uint i : SV_VertexID, out float4 at : SV_Position, out nointerpolation float4 corner : CORNER)
{
    at = float4(float(i & 1) * 4 - 1, float(i >> 1) * 4 - 1, 0.5, 1);
    corner = Picture.GatherRed(Point, 0.25);
}
struct Out { float4 a : SV_Target0; float4 b : SV_Target1; float4 c : SV_Target2; float4 d : SV_Target3; };
[shader("pixel")] Out Ps(float4 at : SV_Position, nointerpolation float4 corner : CORNER)
{
    Out o;
    o.a = Picture.Gather(Point, 0.25, int2(0, 1));
    o.b = Picture.GatherRed(Point, 0.25, int2(1, 1), int2(1, 1), int2(1, 1), int2(1, 1));
    o.c = Picture.GatherCmp(Less, 0.5, 5.5);
    o.d = corner;
    return o;
}
