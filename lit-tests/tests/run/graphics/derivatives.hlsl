// Derivatives of a function of the position: coarse and fine ones, widths, of vectors and in a loop.
// rtc -T lib_6_3
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
//> [targets.Fine]
//> size = [8, 8]
//> format = "rgba32_float"
//> expect = [{ at = [2, 4], is = [6, 18, 24, 6] }, { at = [3, 4], is = [6, 27, 33, 6] }, { at = [2, 5], is = [8, 18, 26, 6] }, { at = [7, 7], is = [12, 91, 103, 14] }]
//> [targets.Coarse]
//> size = [8, 8]
//> format = "rgba32_float"
//> expect = [{ at = [2, 4], is = [1, 0, 1, 2] }, { at = [3, 5], is = [1, 0, 1, 2] }, { at = [6, 6], is = [1, 0, 1, 6] }]
//> [[draw]]
//> count = 3
//> targets = ["Fine", "Coarse"]
[shader("vertex")] float4 Vs(uint i : SV_VertexID) : SV_Position { return float4(float(i & 1) * 4 - 1, float(i >> 1) * 4 - 1, 0.5, 1); }
struct Out { float4 fine : SV_Target0; float4 coarse : SV_Target1; };
[shader("pixel")] Out Ps(float4 p : SV_Position)
{
    Out o;
    float2 i = floor(p.xy);
    // Of a quad with the rows y and y + 1 and the columns x and x + 1: 2 row - 2, and column (2 y + 1).
    float f = i.x * (2 * i.y - 2), g = i.x * i.y * i.y;
    o.fine.x = ddx_fine(f);
    o.fine.y = ddy_fine(g);
    o.fine.z = abs(ddx_fine(f)) + abs(ddy_fine(g));
    float sum = 0;
    for (uint n = 0; n < 2; ++n) sum += ddx_fine(n * i.x * i.x) + n;
    o.fine.w = sum;
    float2 d = ddx_coarse(p.xy), e = ddy_coarse(p.xy);
    o.coarse = float4(ddx(p.x), ddy(p.x), fwidth(p.y), 2 * floor(i.x / 2) * (d.x - d.y) * (e.y - e.x));
    return o;
}
