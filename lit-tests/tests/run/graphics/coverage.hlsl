// Coverage: which samples a triangle has, in and out, with the sample mask of the draw; resolved and read.
// rtc -T lib_6_3
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
//> [targets.Many]
//> size = [8, 4]
//> samples = 4
//> format = "r32_float"
//> bind = ["Many"]
//> expect = [{ at = [0, 0], is = 0.75 }, { at = [7, 3], is = 0.25 }]
//> [targets.Color]
//> size = [8, 4]
//> format = "rgba32_uint"
//> expect = [{ at = [0, 0], size = [4, 4], is = [7, 7, 0, 1] }, { at = [4, 0], size = [4, 4], is = [2, 1, 0, 1] }]
//> [buffers.Masks]
//> size = 16
//> layout = ["uint"]
//> expect = [11]
//> [[draw]]
//> targets = ["Many"]
//> vertex = "Vs"
//> pixel = "Masked"
//> sample_mask = 11
//> count = 3
//> [[draw]]
//> targets = ["Many"]
//> vertex = "Vs"
//> pixel = "Rest"
//> viewports = [{ rect = [0, 0, 8, 4], scissor = [0, 0, 4, 4] }]
//> count = 3
//> [[draw]]
//> targets = ["Color"]
//> vertex = "Vs"
//> pixel = "Read"
//> count = 3
RWStructuredBuffer<uint> Masks : register(u1);
[shader("vertex")] float4 Vs(uint i : SV_VertexID) : SV_Position { return float4(float(i & 1) * 4 - 1, float(i >> 1) * 4 - 1, 0.5, 1); }
struct Out { float c : SV_Target; uint mask : SV_Coverage; };
[shader("pixel")] Out Masked(float4 p : SV_Position, uint covered : SV_Coverage)
{
    uint old;
    InterlockedOr(Masks[0], covered, old);
    Out o; o.c = 1; o.mask = p.x < 4 ? 3 : 6; return o;
}
[shader("pixel")] Out Rest() { Out o; o.c = 1; o.mask = 4; return o; }
Texture2DMS<float> Many : register(t0);
[shader("pixel")] uint4 Read(float4 p : SV_Position) : SV_Target
{
    uint mask = 0;
    [unroll] for (uint i = 0; i < 4; ++i) mask |= uint(Many.sample[i][uint2(p.xy)]) << i;
    return uint4(mask, mask == 7 ? 7 : 1, 0, 1);
}
