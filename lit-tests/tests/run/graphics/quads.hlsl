// Operations among the four pixels of a quad: across, by lane, diagonally, and of a value that differs.
// rtc -T lib_6_3
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
//> [targets.Color]
//> size = [4, 4]
//> format = "rgba32_uint"
//> expect = [{ at = [0, 0], is = [1, 4, 5, 0] }, { at = [1, 0], is = [0, 5, 4, 0] }, { at = [2, 3], is = [15, 10, 11, 10] }, { at = [3, 2], is = [10, 15, 14, 10] }]
//> [[draw]]
//> count = 3
[shader("vertex")] float4 Vs(uint i : SV_VertexID) : SV_Position { return float4(float(i & 1) * 4 - 1, float(i >> 1) * 4 - 1, 0.5, 1); }
[shader("pixel")] uint4 Ps(float4 p : SV_Position) : SV_Target
{
    uint n = uint(p.x) + 4 * uint(p.y);
    return uint4(QuadReadAcrossX(n), QuadReadAcrossY(n), QuadReadAcrossDiagonal(n), QuadReadLaneAt(n, 0));
}
