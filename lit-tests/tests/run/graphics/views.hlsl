// The number of a view in the vertex and the pixel shader. There is one view: lavapipe 25 crashes with several.
// rtc -T lib_6_3
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
//> [targets.Color]
//> size = [4, 4]
//> layers = 3
//> format = "rgba32_uint"
//> expect = [{ layer = 0, is = [0, 10, 1, 1] }, { layer = 1, is = [0, 0, 0, 0] }, { layer = 2, is = [0, 0, 0, 0] }]
//> [[draw]]
//> views = 1
//> count = 3
struct V { float4 at : SV_Position; nointerpolation uint n : N; };
[shader("vertex")] V Vs(uint i : SV_VertexID, uint view : SV_ViewID)
{
    V v; v.at = float4(float(i & 1) * 4 - 1 + view, float(i >> 1) * 4 - 1, 0.5, 1); v.n = view + 10; return v;
}
[shader("pixel")] uint4 Ps(V v, uint view : SV_ViewID) : SV_Target { return uint4(view, v.n, 1, 1); }
