// Viewports and layers that a geometry shader chooses, with scissors, depth ranges and y downwards.
// rtc -T lib_6_3
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
//> [targets.Color]
//> size = [8, 4]
//> layers = 3
//> format = "rgba32_float"
//> clear = [9, 9, 9, 9]
//> expect = [{ at = [0, 0], size = [4, 4], is = [0, 0, 0.25, 0] }, { at = [4, 0], size = [4, 4], is = [9, 9, 9, 9] }, { layer = 1, at = [4, 0], size = [4, 2], is = [1, 1, 0.75, 0] }, { layer = 1, at = [4, 2], size = [4, 2], is = [9, 9, 9, 9] }, { layer = 1, at = [0, 0], size = [4, 4], is = [9, 9, 9, 9] }, { layer = 2, at = [0, 0], size = [8, 1], is = [2, 0, 0.25, 0] }, { layer = 2, at = [0, 1], size = [4, 3], is = [2, 0, 0.25, 0] }, { layer = 2, at = [4, 1], size = [4, 3], is = [9, 9, 9, 9] }]
//> [[draw]]
//> geometry = "Gs"
//> count = 3
//> viewports = [{ rect = [0, 0, 4, 4], depth = [0, 0.5] }, { rect = [4, 0, 4, 4], depth = [0.5, 1], y = "down", scissor = [4, 0, 8, 2] }]
//> [[draw]]
//> geometry = "Top"
//> count = 3
struct V { float4 at : SV_Position; };
struct G { float4 at : SV_Position; uint layer : SV_RenderTargetArrayIndex; uint port : SV_ViewportArrayIndex; };
[shader("vertex")] V Vs(uint i : SV_VertexID) { V v; v.at = float4(float(i & 1) * 4 - 1, float(i >> 1) * 4 - 1, 0.5, 1); return v; }
[shader("geometry")] [maxvertexcount(9)]
void Gs(triangle V v[3], inout TriangleStream<G> s)
{
    for (uint n = 0; n < 3; ++n)
    {
        for (uint i = 0; i < 3; ++i) { G g; g.at = v[i].at; g.layer = n; g.port = n & 1; s.Append(g); }
        s.RestartStrip();
    }
}
[shader("geometry")] [maxvertexcount(3)]
void Top(triangle V v[3], inout TriangleStream<G> s)
{
    for (uint i = 0; i < 3; ++i)
    {
        G g; g.at = v[i].at; g.at.y = i == 2 ? 9 : i == 1 ? 0.5 : 0.5; g.at.z = 0.25;
        g.layer = 2; g.port = 0; s.Append(g);
    }
}
[shader("pixel")] float4 Ps(G g) : SV_Target { return float4(g.layer, g.port, g.at.z, 0); }
