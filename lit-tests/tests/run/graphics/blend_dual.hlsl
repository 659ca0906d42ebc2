// Two colours that are blended with each other's factors.
// rtc -T lib_6_3
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
//> [targets.Color]
//> size = [4, 4]
//> format = "rgba32_float"
//> clear = [8, 4, 2, 1]
//> expect = [{ is = [5, 3, 2.5, 0.75] }]
//> [[draw]]
//> blend = "dual"
//> count = 3
[shader("vertex")] float4 Vs(uint i : SV_VertexID) : SV_Position { return float4(float(i & 1) * 4 - 1, float(i >> 1) * 4 - 1, 0.5, 1); }
struct Out { [[vk::location(0), vk::index(0)]] float4 color : SV_Target0; [[vk::location(0), vk::index(1)]] float4 factor : SV_Target1; };
[shader("pixel")] Out Ps() { Out o; o.color = float4(1, 2, 2, 0.5); o.factor = float4(0.5, 0.25, 0.25, 0.25); return o; }
