// Blending: words, equations, constants, channels that are not written, and targets that differ.
// rtc -T lib_6_3
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
//> [targets.A]
//> size = [4, 4]
//> format = "rgba32_float"
//> clear = [1, 1, 1, 1]
//> expect = [{ is = [0.75, 0.5, 1, 1] }]
//> [targets.B]
//> size = [4, 4]
//> format = "rgba32_float"
//> clear = [0.5, 2, 3, 4]
//> expect = [{ is = [-0.25, 2, 3, 0.5] }]
//> [targets.C]
//> size = [4, 4]
//> format = "rgba32_float"
//> clear = [1, 2, 3, 4]
//> expect = [{ is = [0.25, 0.25, 1.75, 4] }]
//> [[draw]]
//> targets = ["A", "B", "C"]
//> blend = ["alpha", { color = ["one", "subtract", "one"], alpha = ["one", "min", "one"], write = "ra" }, { color = ["constant", "add", "constant"], alpha = ["zero", "max", "one"] }]
//> blend_constant = [0.2, 0.125, 0.5, 1]
//> count = 3
[shader("vertex")] float4 Vs(uint i : SV_VertexID) : SV_Position { return float4(float(i & 1) * 4 - 1, float(i >> 1) * 4 - 1, 0.5, 1); }
struct Out { float4 c[2] : SV_Target0; float4 last : SV_Target2; };
[shader("pixel")] Out Ps()
{
    Out o;
    o.c[0] = float4(0.5, 0, 1, 0.5);
    o.c[1] = float4(0.25, 1, 1, 0.5);
    o.last = float4(0.25, 0, 0.5, 1);
    return o;
}
