// Depths that pixel shaders give, with the depth test of a second draw; a draw without colours.
// rtc -T lib_6_3
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
//> [targets.Color]
//> size = [8, 4]
//> format = "rgba32_float"
//> expect = [{ at = [0, 0], size = [4, 4], is = [0, 0, 0, 0] }, { at = [4, 0], size = [4, 4], is = [0.5, 0.5, 0, 1] }]
//> [targets.Depth]
//> size = [8, 4]
//> format = "d32_float"
//> expect = [{ at = [0, 0], is = 0.0625 }, { at = [3, 0], is = 0.4375 }, { at = [4, 0], is = 0.5 }, { at = [7, 3], is = 0.5 }]
//> [[draw]]
//> targets = []
//> depth = "Depth"
//> pixel = "Given"
//> count = 3
//> [[draw]]
//> targets = ["Color"]
//> depth = "Depth"
//> pixel = "Plain"
//> count = 3
[shader("vertex")] float4 Vs(uint i : SV_VertexID) : SV_Position { return float4(float(i & 1) * 4 - 1, float(i >> 1) * 4 - 1, 0.5, 1); }
[shader("pixel")] float Given(float4 p : SV_Position) : SV_Depth { return p.x / 8; }
[shader("pixel")] float4 Plain(float4 p : SV_Position) : SV_Target { return float4(p.z, 0.5, 0, 1); }
