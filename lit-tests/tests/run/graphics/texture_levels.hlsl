// The level that derivatives select, and sampling that differs among the pixels of a quad's row.
// rtc -T lib_6_3
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
//> [targets.A]
//> size = [8, 8]
//> format = "rg32_float"
//> expect = [{ at = [0, 0], is = [100, 1] }, { at = [5, 7], is = [103, 1] }]
//> [images.Picture]
//> size = [4, 4]
//> levels = 3
//> format = "r32_float"
//> texels = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 100, 101, 102, 103, 200]
//> [samplers.Point]
//> filter = "point"
//> address = "wrap"
//> [[draw]]
//> count = 3
Texture2D<float> Picture : register(t0);
SamplerState Point : register(s0);
struct V { float4 at : SV_Position; float2 uv : UV; };
// Four pixels are eight texels.
[shader("vertex")] V Vs(uint i : SV_VertexID)
{
    V v; v.uv = float2(i & 1, i >> 1) * 8; v.at = float4(float(i & 1) * 4 - 1, 1 - float(i >> 1) * 4, 0.5, 1); return v;
}
[shader("pixel")] float2 Ps(V v) : SV_Target { return float2(Picture.Sample(Point, v.uv), Picture.CalculateLevelOfDetail(Point, v.uv)); }
