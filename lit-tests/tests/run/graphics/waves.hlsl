// Operations of waves in pixel shaders: what they give does not depend on which pixels a wave has.
// rtc -T lib_6_3
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
//> [targets.Color]
//> size = [16, 16]
//> format = "rgba32_uint"
//> expect = [{ is = [1, 1, 1, 1] }]
//> [buffers.Out]
//> size = 32
//> layout = ["uint"]
//> expect = [256, 32640, 255, 128]
//> [[draw]]
//> count = 3
RWStructuredBuffer<uint> Out : register(u0);
[shader("vertex")] float4 Vs(uint i : SV_VertexID) : SV_Position { return float4(float(i & 1) * 4 - 1, float(i >> 1) * 4 - 1, 0.5, 1); }
[shader("pixel")] uint4 Ps(float4 p : SV_Position) : SV_Target
{
    uint n = uint(p.x) + 16 * uint(p.y);
    uint count = WaveActiveCountBits(true), sum = WaveActiveSum(n), most = WaveActiveMax(n), old;
    if (WaveIsFirstLane())
    {
        InterlockedAdd(Out[0], count, old);
        InterlockedAdd(Out[1], sum, old);
        InterlockedMax(Out[2], most, old);
    }
    if (n & 1)
    {
        uint odd = WaveActiveCountBits(true);
        if (WaveIsFirstLane()) InterlockedAdd(Out[3], odd, old);
    }
    uint before = WavePrefixCountBits(true);
    uint4 ballot = WaveActiveBallot(true);
    bool each = countbits(ballot.x) + countbits(ballot.y) + countbits(ballot.z) + countbits(ballot.w) == count;
    return uint4(each, WaveActiveAllTrue(n < 256), WaveReadLaneAt(n, WaveGetLaneIndex()) == n, before < count && WaveActiveMin(before) == 0);
}
