// Wave operations that count helper threads which never were others: the edge of a strip of three columns cuts quads, and so does its diagonal.
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
//> count = 6
static const uint Corners[6] = { 0, 1, 2, 3, 2, 1 };
[shader("vertex")] float4 Vs(uint i : SV_VertexID) : SV_Position
{
    uint corner = Corners[i];
    return float4(float(corner & 1) * 1.5 - 1, float(corner >> 1) * 2 - 1, 0.5, 1);
}
[shader("pixel")] [WaveOpsIncludeHelperLanes] uint Ps() : SV_Target { return WaveActiveCountBits(true) % 4; }
