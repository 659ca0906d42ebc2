// Pixel shaders that run for each sample: their number and inputs that are interpolated at samples; every sample is read by a second draw.
// rtc -T lib_6_3
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
//> [targets.Many]
//> size = [8, 4]
//> samples = 4
//> format = "rgba32_float"
//> bind = ["Many"]
//> expect = [{ at = [2, 1], is = [1.5, 2.5, 7, 1] }]
//> [targets.Color]
//> size = [8, 4]
//> format = "rgba32_float"
//> expect = [{ at = [0, 0], is = [6, 4, 8, 4] }, { at = [5, 3], is = [6, 4, 8, 4] }]
//> [[draw]]
//> targets = ["Many"]
//> vertex = "Vs"
//> pixel = "Each"
//> count = 3
//> [[draw]]
//> targets = ["Color"]
//> vertex = "Vs"
//> pixel = "Sum"
//> count = 3
struct V { float4 at : SV_Position; sample float2 uv : UV; };
[shader("vertex")] V Vs(uint i : SV_VertexID)
{
    V v; v.uv = float2(i & 1, i >> 1) * float2(16, 8); v.at = float4(float(i & 1) * 4 - 1, 1 - float(i >> 1) * 4, 0.5, 1); return v;
}
[shader("pixel")] float4 Each(V v, uint s : SV_SampleIndex) : SV_Target { return float4(s, v.uv.x, 7, 1); }
Texture2DMS<float4> Many : register(t0);
[shader("pixel")] float4 Sum(float4 p : SV_Position) : SV_Target
{
    uint w, h, n;
    Many.GetDimensions(w, h, n);
    float numbers = 0, apart = 0;
    for (uint i = 0; i < n; ++i)
    {
        float4 c = Many.Load(int2(p.xy), i);
        numbers += c.x;
        // The samples of the usual pattern lie in four columns.
        for (uint j = 0; j < i; ++j) apart += abs(c.y - Many.Load(int2(p.xy), j).y) > 0.1 ? 1 : 0;
    }
    return float4(numbers, h, w, apart > 5 ? n : -apart);
}
