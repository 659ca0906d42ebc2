// Geometry shaders with the neighbours of lines and triangles, from a list and from a strip.
// rtc -T lib_6_3
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
//> [targets.Color]
//> size = [8, 4]
//> format = "rgba32_uint"
//> expect = [{ at = [0, 0], is = [0, 1, 2, 3] }, { at = [1, 0], is = [1, 2, 3, 4] }, { at = [2, 0], is = [0, 0, 0, 0] }, { at = [0, 1], is = [0, 2, 4, 9] }, { at = [0, 2], is = [10, 11, 12, 13] }]
//> [[draw]]
//> topology = "line_strip_adjacency"
//> geometry = "Lines"
//> count = 5
//> [[draw]]
//> topology = "triangles_adjacency"
//> geometry = "Triangles"
//> count = 6
//> [[draw]]
//> topology = "lines_adjacency"
//> geometry = "Second"
//> first = 10
//> count = 4
struct V { uint n : N; };
struct G { float4 at : SV_Position; nointerpolation uint4 c : C; };
[shader("vertex")] V Vs(uint i : SV_VertexID) { V v; v.n = i; return v; }
float4 pixel(uint x, uint y) { return float4((x + 0.5) / 4 - 1, 1 - (y + 0.5) / 2, 0.5, 1); }
[shader("geometry")] [maxvertexcount(1)]
void Lines(lineadj V v[4], uint p : SV_PrimitiveID, inout PointStream<G> s) { G g; g.at = pixel(p, 0); g.c = uint4(v[0].n, v[1].n, v[2].n, v[3].n); s.Append(g); }
[shader("geometry")] [maxvertexcount(1)]
void Triangles(triangleadj V v[6], inout PointStream<G> s) { G g; g.at = pixel(0, 1); g.c = uint4(v[0].n, v[2].n, v[4].n, v[1].n + v[3].n + v[5].n); s.Append(g); }
[shader("geometry")] [maxvertexcount(1)]
void Second(lineadj V v[4], inout PointStream<G> s)
{
    G g; g.at = pixel(0, 2);
    for (uint i = 0; i < 4; ++i) g.c[i] = v[i].n;
    s.Append(g);
}
[shader("pixel")] uint4 Ps(G g) : SV_Target { return g.c; }
