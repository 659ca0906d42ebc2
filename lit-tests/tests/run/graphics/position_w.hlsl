// With -fvk-use-dx-position-w, w of a pixel's position is that of the vertex, and not 1 / w.
// rtc -T lib_6_3 -fvk-use-dx-position-w
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
//> [targets.Color]
//> size = [8, 4]
//> format = "rgba32_float"
//> expect = [{ at = [0, 0], is = [0.5, 0.5, 0.25, 0.25] }, { at = [7, 3], is = [7.5, 3.5, 0.25, 0.25] }]
//> [[draw]]
//> count = 3
[shader("vertex")] float4 Vs(uint i : SV_VertexID) : SV_Position { return float4(float(i & 1) * 4 - 1, float(i >> 1) * 4 - 1, 0.25, 1) * 0.25; }
[shader("pixel")] float4 Ps(float4 p : SV_Position) : SV_Target { return p; }
