// A triangle with a colour at each vertex: inside of it colours are interpolated, outside is the clear value.
// rtc -T lib_6_3
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
//> [targets.Color]
//> size = [64, 64]
//> clear = [0, 0, 0.25, 1]
//> save = "triangle.png"
//> expect = [{ at = [0, 0], is = [0, 0, 0.25, 1] }, { at = [32, 8], is = [0.89, 0.05, 0.06, 1], within = 0.1 }, { at = [8, 55], is = [0.13, 0.8, 0.07, 1], within = 0.02 }, { at = [55, 55], is = [0.13, 0.07, 0.8, 1], within = 0.02 }]
//> [[draw]]
//> vertices = { POSITION = { float2 = [[0, 1], [1, -1], [-1, -1]] }, COLOR = { float3 = [[1, 0, 0], [0, 0, 1], [0, 1, 0]] } }

struct V { float4 at : SV_Position; float3 color : COLOR; };
[shader("vertex")] V Vs(float2 p : POSITION, float3 color : COLOR) { V v; v.at = float4(p, 0.5, 1); v.color = color; return v; }
[shader("pixel")] float4 Ps(V v) : SV_Target { return float4(v.color, 1); }
