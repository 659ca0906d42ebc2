// Layers and viewports that a vertex shader chooses.
// rtc -T lib_6_3
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
//> [targets.Color]
//> size = [4, 4]
//> layers = 2
//> format = "rgba32_uint"
//> expect = [{ at = [0, 0], size = [2, 4], is = [0, 0, 0, 5] }, { at = [2, 0], size = [2, 4], is = [0, 0, 0, 0] }, { layer = 1, at = [0, 0], size = [2, 4], is = [0, 0, 0, 0] }, { layer = 1, at = [2, 0], size = [2, 4], is = [1, 1, 1, 5] }]
//> [[draw]]
//> count = 3
//> instances = 2
//> viewports = [{ rect = [0, 0, 2, 4] }, { rect = [2, 0, 2, 4] }]
struct V { float4 at : SV_Position; uint layer : SV_RenderTargetArrayIndex; uint port : SV_ViewportArrayIndex; nointerpolation uint n : N; };
[shader("vertex")] V Vs(uint i : SV_VertexID, uint n : SV_InstanceID)
{
    V v; v.at = float4(float(i & 1) * 4 - 1, float(i >> 1) * 4 - 1, 0.5, 1); v.layer = v.port = v.n = n; return v;
}
[shader("pixel")] uint4 Ps(V v) : SV_Target { return uint4(v.layer, v.port, v.n, 5); }
