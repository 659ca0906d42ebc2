// Depth tests before the pixel shader: what is hidden counts nothing; without the attribute, and with a depth of its own, it counts.
// rtc -T lib_6_3
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
//> [targets.Color]
//> size = [4, 4]
//> expect = [{ is = [0, 1, 0, 1] }]
//> [targets.Depth]
//> size = [4, 4]
//> format = "d32_float"
//> clear = 0.25
//> expect = [{ is = 0.25 }]
//> [buffers.Count]
//> size = 16
//> layout = ["uint"]
//> expect = [0, 16, 16, 0]
//> [[draw]]
//> depth = { target = "Depth", compare = "less" }
//> targets = ["Color"]
//> pixel = "Early"
//> count = 3
//> [[draw]]
//> depth = { target = "Depth", compare = "less" }
//> targets = ["Color"]
//> pixel = "Late"
//> count = 3
//> [[draw]]
//> depth = { target = "Depth", compare = "equal", write = false }
//> targets = ["Color"]
//> pixel = "Own"
//> count = 3
RWStructuredBuffer<uint> Count : register(u0);
[shader("vertex")] float4 Vs(uint i : SV_VertexID) : SV_Position { return float4(float(i & 1) * 4 - 1, float(i >> 1) * 4 - 1, 0.5, 1); }
void count(uint n) { uint old; InterlockedAdd(Count[n], 1, old); }
[shader("pixel")] [earlydepthstencil] float4 Early() : SV_Target { count(0); return float4(1, 0, 0, 1); }
[shader("pixel")] float4 Late() : SV_Target { count(1); return float4(1, 0, 0, 1); }
struct Out { float4 c : SV_Target; float d : SV_Depth; };
[shader("pixel")] Out Own() { count(2); Out o; o.c = float4(0, 1, 0, 1); o.d = 0.25; return o; }
