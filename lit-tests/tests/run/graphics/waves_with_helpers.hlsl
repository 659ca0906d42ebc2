// Wave operations that count helper threads: the quads of an edge have four threads each, wherever the edge is.
// rtc -T lib_6_7
// RUN: %rtc-run-where-possible %s -o %T -- -no-warnings
// RUN: %rtc-run-where-possible %s -o %T -- -no-warnings -Od
// reference: newest, the pinned one does not know the attribute.
//> [targets.Color]
//> size = [4, 4]
//> format = "r32_uint"
//> clear = [99]
//> expect = [{ at = [0, 0], size = [3, 4], is = 0 }, { at = [3, 0], size = [1, 4], is = 99 }]
//> [[draw]]
//> count = 3
[shader("vertex")] float4 Vs(uint i : SV_VertexID) : SV_Position { return float4(float(i & 1) * 4 - 1, float(i >> 1) * 4 - 1, 0.5, 1); }
// The threads of the last column discard; they take part as helpers.
[shader("pixel")] [WaveOpsIncludeHelperLanes] uint Ps(float4 p : SV_Position) : SV_Target
{
    bool last = p.x > 3;
    if (last) discard;
    return WaveActiveCountBits(true) % 4;
}
