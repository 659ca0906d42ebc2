// Alpha becomes coverage, and a triangle's edge covers some of the samples.
// rtc -T lib_6_3
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
//> [targets.Many]
//> size = [8, 4]
//> samples = 4
//> format = "rgba8_unorm"
//> expect = [{ at = [0, 0], size = [4, 4], is = [0, 0, 0, 0] }, { at = [4, 0], size = [4, 4], is = [1, 0, 0, 1] }]
//> [[draw]]
//> alpha_to_coverage = true
//> count = 3
[shader("vertex")] float4 Vs(uint i : SV_VertexID) : SV_Position { return float4(float(i & 1) * 4 - 1, float(i >> 1) * 4 - 1, 0.5, 1); }
[shader("pixel")] float4 Ps(float4 p : SV_Position) : SV_Target { return float4(1, 0, 0, p.x > 4 ? 1 : 0); }
