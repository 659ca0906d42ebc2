// Evaluations of what functions, structures and variables pass on: parts of inputs, several together, members, parameters of functions.
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
struct Inner { float2 uv : UV; };
struct V { float4 at : SV_Position; Inner inner; float w : W; };
[shader("vertex")] V Vs(uint i : SV_VertexID)
{
    V v; v.inner.uv = float2(i & 1, i >> 1) * float2(16, 8); v.w = 0; v.at = float4(float(i & 1) * 4 - 1, 1 - float(i >> 1) * 4, 0.5, 1); return v;
}
float sampled(float2 x) { float2 copy = x; return EvaluateAttributeAtSample(copy, 0).x; }
float2 snapped(Inner x) { return EvaluateAttributeSnapped(x.uv.yx, int2(4, -4)).yx; }
float middle(V v) { Inner i; i.uv = v.inner.uv; return EvaluateAttributeCentroid(float3(v.w, i.uv)).y; }
[shader("pixel")] float4 Ps(V v) : SV_Target { return float4(sampled(v.inner.uv), snapped(v.inner), middle(v)); }
