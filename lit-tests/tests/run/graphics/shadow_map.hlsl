// A depth target that a first draw fills and a second one samples with comparison, gathers and loads.
// rtc -T lib_6_3
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
//> [targets.Depth]
//> size = [4, 4]
//> format = "d32_float"
//> bind = ["Shadows"]
//> expect = [{ at = [0, 0], size = [2, 4], is = 0.25 }, { at = [2, 0], size = [2, 4], is = 1 }]
//> [targets.Color]
//> size = [4, 4]
//> format = "rgba32_float"
//> expect = [{ at = [0, 0], is = [0, 0, 0.25, 0] }, { at = [3, 3], is = [1, 1, 1, 4] }, { at = [1, 2], is = [0, 0, 0.25, 2] }]
//> [samplers.Less]
//> filter = "point"
//> address = "clamp"
//> compare = "less_equal"
//> [[draw]]
//> targets = []
//> depth = "Depth"
//> pixel = ""
//> vertex = "Left"
//> topology = "triangle_strip"
//> count = 4
//> [[draw]]
//> targets = ["Color"]
//> vertex = "Full"
//> count = 3
Texture2D<float> Shadows : register(t3);
SamplerComparisonState Less : register(s1);
[shader("vertex")] float4 Left(uint i : SV_VertexID) : SV_Position { return float4((i & 1) - 1.0, (i >> 1) * 2.0 - 1, 0.25, 1); }
[shader("vertex")] float4 Full(uint i : SV_VertexID) : SV_Position { return float4(float(i & 1) * 4 - 1, float(i >> 1) * 4 - 1, 0.5, 1); }
[shader("pixel")] float4 Ps(float4 p : SV_Position) : SV_Target
{
    float2 uv = p.xy / 4;
    float4 four = Shadows.GatherCmp(Less, uv + 0.125, p.z);
    return float4(Shadows.SampleCmp(Less, uv, p.z), Shadows.SampleCmpLevelZero(Less, uv, p.z), Shadows.Load(int3(p.xy, 0)), dot(four, 1));
}
