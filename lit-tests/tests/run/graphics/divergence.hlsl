// Control flow that differs among the pixels of a quad: loops of different lengths, early returns, a switch, nested functions, and textures read inside.
// rtc -T lib_6_3
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
//> [targets.Color]
//> size = [8, 8]
//> format = "rgba32_uint"
//> expect = [{ at = [0, 0], is = [0, 1, 0, 10] }, { at = [3, 0], is = [6, 4, 3, 13] }, { at = [5, 2], is = [99, 99, 99, 99] }, { at = [7, 7], is = [91, 8, 7, 0] }, { at = [1, 6], is = [60, 2, 30, 11] }]
//> [images.Numbers]
//> size = [4, 1]
//> format = "r32_uint"
//> texels = [10, 11, 12, 13]
//> [[draw]]
//> count = 3
Texture2D<uint> Numbers : register(t0);
[shader("vertex")] float4 Vs(uint i : SV_VertexID) : SV_Position { return float4(float(i & 1) * 4 - 1, float(i >> 1) * 4 - 1, 0.5, 1); }
uint choose(uint2 i)
{
    switch (i.x)
    {
    case 0: case 7: return i.y ? 7 : 0;
    case 1: if (i.y > 3) return i.y * 5;
    default: return i.x;
    }
}
[shader("pixel")] uint4 Ps(float4 p : SV_Position) : SV_Target
{
    uint2 i = uint2(p.xy);
    if (i.x == 5 && (i.y & 1) == 0) return 99;
    uint sum = 0, trips = 0, n = i.x + 8 * i.y;
    // The sum of the numbers up to x, of which the last may be another one.
    for (uint k = 0;; ++k)
    {
        if (k > i.x) break;
        ++trips;
        if (i.y > 3 && k == i.x) { sum += i.y * 10; continue; }
        sum += k;
    }
    return uint4(sum, trips, choose(i), Numbers.Load(int3(i.x, 0, 0)));
}
