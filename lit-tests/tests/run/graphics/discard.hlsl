// Pixels that are discarded: by discard in a function and in a loop, by clip of a vector; what is written before stays, what comes after is not done.
// rtc -T lib_6_3
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
//> [targets.Color]
//> size = [8, 8]
//> format = "r32_float"
//> clear = [5]
//> expect = [{ at = [0, 0], size = [8, 1], is = 5 }, { at = [0, 1], size = [1, 7], is = 5 }, { at = [1, 1], is = 2 }, { at = [4, 4], is = 5 }, { at = [5, 5], is = 2 }, { at = [7, 7], is = 5 }, { at = [6, 3], is = 2 }]
//> [buffers.Count]
//> size = 16
//> layout = ["uint"]
//> expect = [64, 42, 42]
//> [[draw]]
//> count = 3
RWStructuredBuffer<uint> Count : register(u0);
[shader("vertex")] float4 Vs(uint i : SV_VertexID) : SV_Position { return float4(float(i & 1) * 4 - 1, float(i >> 1) * 4 - 1, 0.5, 1); }
void in_a_function(uint2 i) { if (i.x == i.y && (i.x & 3) == 0) discard; }
[shader("pixel")] float Ps(float4 p : SV_Position) : SV_Target
{
    uint2 i = uint2(p.xy);
    uint old;
    InterlockedAdd(Count[0], 1, old);
    clip(p.xy - 1);
    in_a_function(i);
    for (uint n = 0; n < 8; ++n)
        if (n == 7 && i.x == 7 && i.y > 1) discard;
    InterlockedAdd(Count[1], 1, old);
    // Helper threads of this derivative give their values, but write nothing.
    float d = ddx_fine(p.x) + ddy_fine(p.y);
    InterlockedAdd(Count[2], 1, old);
    return d;
}
