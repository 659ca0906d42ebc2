// Attributes that are not interpolated are those of the first vertex of each triangle, line and point.
// rtc -T lib_6_3
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
//> [targets.Color]
//> size = [16, 4]
//> format = "r32_uint"
//> clear = [99]
//> expect = [{ at = [0, 3], is = 2 }, { at = [3, 0], is = 3 }, { at = [8, 1], size = [4, 1], is = 10 }, { at = [13, 2], is = 20 }, { at = [14, 2], is = 21 }, { at = [15, 2], is = 99 }]
//> [[draw]]
//> indices = [2, 0, 1, 3, 2, 1]
//> vertices = { POSITION = { float2 = [[-1, -1], [-0.5, -1], [-1, 1], [-0.5, 1]] }, N = { uint = [0, 1, 2, 3] } }
//> [[draw]]
//> topology = "line_strip"
//> vertices = { POSITION = { float2 = [[0, 0.25], [0.5, 0.25]] }, N = { uint = [10, 11] } }
//> [[draw]]
//> topology = "points"
//> vertices = { POSITION = { float2 = [[0.6875, -0.25], [0.8125, -0.25]] }, N = { uint = [20, 21] } }
struct V { float4 at : SV_Position; nointerpolation uint n : N; };
[shader("vertex")] V Vs(float2 at : POSITION, uint n : N) { V v; v.at = float4(at, 0.5, 1); v.n = n; return v; }
[shader("pixel")] uint Ps(V v) : SV_Target { return v.n; }
