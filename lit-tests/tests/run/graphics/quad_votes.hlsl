// Votes among the pixels of a quad.
// rtc -T lib_6_7
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// reference: no, the pinned one lacks QuadAny, and lavapipe ends at the votes of the newest.
//> [targets.Color]
//> size = [4, 4]
//> format = "rg32_uint"
//> expect = [{ at = [0, 0], size = [2, 2], is = [1, 0] }, { at = [2, 0], size = [2, 2], is = [0, 0] }, { at = [0, 2], size = [2, 2], is = [1, 1] }, { at = [2, 2], size = [2, 2], is = [1, 0] }]
//> [[draw]]
//> count = 3
[shader("vertex")] float4 Vs(uint i : SV_VertexID) : SV_Position { return float4(float(i & 1) * 4 - 1, float(i >> 1) * 4 - 1, 0.5, 1); }
[shader("pixel")] uint2 Ps(float4 p : SV_Position) : SV_Target
{
    // Rows of pixels as bits: the lower left quad is full, the upper right one empty.
    uint row[4] = { 0x1, 0x2, 0xb, 0x3 };
    bool on = row[uint(p.y)] >> uint(p.x) & 1;
    return uint2(QuadAny(on), QuadAll(on));
}
