// Booleans as texels: numbers in the image, true if they are not zero; written as 0 and 1.
// rtc -T lib_6_3
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// reference: no, the pinned one crashes.
//> [targets.Color]
//> size = [4, 4]
//> format = "rgba32_float"
//> expect = [{ at = [0, 0], is = [0, 1, 0, 1] }, { at = [1, 0], is = [1, 1, 0, 1] }, { at = [2, 0], is = [1, 0, 0, 1] }]
//> [images.Flags]
//> size = [4, 1]
//> format = "r32_uint"
//> texels = [0, 1, 7, 0]
//> [images.Written]
//> size = [4, 1]
//> format = "r32_uint"
//> [[draw]]
//> count = 3
Texture2D<bool> Flags : register(t0);
RWTexture2D<bool> Written : register(u1);
[shader("vertex")] float4 Vs(uint i : SV_VertexID) : SV_Position { return float4(float(i & 1) * 4 - 1, float(i >> 1) * 4 - 1, 0.5, 1); }
[shader("pixel")] float4 Ps(float4 p : SV_Position) : SV_Target
{
    uint2 at = uint2(p.xy);
    if (at.y > 0) return 1;
    Written[at] = !Flags[at];
    bool3 all = bool3(Flags.Load(int3(at, 0)), Flags[uint2((at.x + 1) % 4, 0)], Written[at] && Flags[at]);
    return float4(all, Written[at] != Flags[at]);
}
