// Textures in a pixel shader: samples with the level from derivatives, with bias, gradients and given levels, with offsets; loads, sizes, gathers.
// rtc -T lib_6_3
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// reference within 0.000001, since texture coordinates are interpolated.
//> [targets.A]
//> size = [4, 4]
//> format = "rgba32_float"
//> expect = [{ at = [0, 0], is = [0, 100, 200, 100] }, { at = [3, 3], is = [15, 103, 200, 103] }]
//> [targets.B]
//> size = [4, 4]
//> format = "rgba32_float"
//> expect = [{ at = [1, 1], is = [10, 5, 4, 2] }, { at = [0, 0], is = [5, 0, 4, 2] }]
//> [targets.C]
//> size = [4, 4]
//> format = "rgba32_float"
//> expect = [{ at = [1, 1], is = [9, 10, 6, 5] }]
//> [images.Picture]
//> size = [4, 4]
//> levels = 3
//> format = "r32_float"
//> texels = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 100, 101, 102, 103, 200]
//> [samplers.Point]
//> filter = "point"
//> address = "clamp"
//> [[draw]]
//> targets = ["A", "B", "C"]
//> count = 3
Texture2D<float> Picture : register(t0);
SamplerState Point : register(s0);
[shader("vertex")] float4 Vs(uint i : SV_VertexID) : SV_Position { return float4(float(i & 1) * 4 - 1, float(i >> 1) * 4 - 1, 0.5, 1); }
struct Out { float4 a : SV_Target0; float4 b : SV_Target1; float4 c : SV_Target2; };
[shader("pixel")] Out Ps(float4 p : SV_Position)
{
    Out o;
    float2 uv = p.xy / 4;
    o.a = float4(Picture.Sample(Point, uv), Picture.SampleBias(Point, uv, 1), Picture.SampleGrad(Point, uv, 1, 1), Picture.SampleLevel(Point, uv, 1));
    uint w, h, levels;
    Picture.GetDimensions(1, w, h, levels);
    o.b = float4(Picture.Sample(Point, uv, int2(1, 1)), Picture.Load(int3(p.xy, 0)), 4, w);
    // The four texels around a corner, counter-clockwise from the lower left one.
    o.c = Picture.Gather(Point, uv + 0.125);
    return o;
}
