// Inputs that are evaluated elsewhere: at a sample, at the centroid, and at an offset in sixteenths of a pixel.
// rtc -T lib_6_3
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// reference: no, the pinned one crashes, and the newest takes offsets for whole pixels.
//> [targets.Many]
//> size = [8, 4]
//> samples = 4
//> format = "rgba32_float"
//> expect = [{ at = [2, 1], is = [2.375, 2.75, 1.25] }, { at = [7, 3], is = [7.375, 7.75, 3.25] }]
//> [[draw]]
//> count = 3
struct V { float4 at : SV_Position; float2 uv : UV; };
[shader("vertex")] V Vs(uint i : SV_VertexID)
{
    V v; v.uv = float2(i & 1, i >> 1) * float2(16, 8); v.at = float4(float(i & 1) * 4 - 1, 1 - float(i >> 1) * 4, 0.5, 1); return v;
}
[shader("pixel")] float4 Ps(V v) : SV_Target
{
    float2 snapped = EvaluateAttributeSnapped(v.uv, int2(4, -4));
    return float4(EvaluateAttributeAtSample(v.uv, 0).x, snapped, EvaluateAttributeCentroid(v.uv).x);
}
