// Helper threads: those of a triangle's edge, and those that discard makes.
// rtc -T lib_6_6
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// reference: no, neither calls the thread that discards a helper.
//> [targets.Color]
//> size = [8, 8]
//> format = "r32_uint"
//> clear = [9]
//> expect = [{ at = [0, 0], is = 9 }, { at = [1, 1], is = 11 }, { at = [5, 5], is = 10 }, { at = [4, 4], is = 9 }, { at = [5, 4], is = 11 }, { at = [4, 5], is = 11 }, { at = [7, 7], is = 10 }]
//> [[draw]]
//> count = 3
[shader("vertex")] float4 Vs(uint i : SV_VertexID) : SV_Position { return float4(float(i & 1) * 4 - 1, float(i >> 1) * 4 - 1, 0.5, 1); }
[shader("pixel")] uint Ps(float4 p : SV_Position) : SV_Target
{
    uint2 i = uint2(p.xy);
    if (i.x == 0 || (i.x == 4 && i.y == 4)) discard;
    uint helper = IsHelperLane();
    // In the quads of column 0 two threads are helpers, in one other quad one is.
    uint others = QuadReadAcrossX(helper) + QuadReadAcrossY(helper);
    return 10 + others;
}
