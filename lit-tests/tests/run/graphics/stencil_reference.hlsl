// The stencil value that a pixel shader gives, tested by a second draw.
// rtc -T lib_6_3
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
//> [targets.Color]
//> size = [8, 4]
//> format = "r32_uint"
//> expect = [{ at = [0, 0], size = [3, 4], is = 0 }, { at = [3, 0], size = [1, 4], is = 8 }, { at = [4, 0], size = [4, 4], is = 0 }]
//> [targets.Depth]
//> size = [8, 4]
//> format = "d32_float_s8_uint"
//> stencil = 200
//> [[draw]]
//> targets = []
//> depth = { target = "Depth", test = false }
//> stencil = { pass = "replace" }
//> pixel = "Given"
//> count = 3
//> [[draw]]
//> targets = ["Color"]
//> depth = { target = "Depth", test = false }
//> stencil = { compare = "equal", reference = 3 }
//> pixel = "Plain"
//> count = 3
[shader("vertex")] float4 Vs(uint i : SV_VertexID) : SV_Position { return float4(float(i & 1) * 4 - 1, float(i >> 1) * 4 - 1, 0.5, 1); }
[shader("pixel")] uint Given(float4 p : SV_Position) : SV_StencilRef { return uint(p.x); }
[shader("pixel")] uint Plain(float4 p : SV_Position) : SV_Target { return 8; }
