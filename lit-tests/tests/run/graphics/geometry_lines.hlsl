// A geometry shader that makes line strips of triangles, with its own number of a primitive and a loop whose length depends on the input.
// rtc -T lib_6_3
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
//> [targets.Color]
//> size = [8, 8]
//> format = "rg32_uint"
//> expect = [{ at = [0, 1], size = [8, 1], is = [7, 3] }, { at = [0, 4], size = [4, 1], is = [9, 4] }, { at = [4, 4], size = [4, 1], is = [0, 0] }, { at = [0, 0], size = [8, 1], is = [0, 0] }]
//> [[draw]]
//> geometry = "Gs"
//> count = 6
struct V { uint n : N; };
struct G { float4 at : SV_Position; uint id : SV_PrimitiveID; nointerpolation uint count : COUNT; };
[shader("vertex")] V Vs(uint i : SV_VertexID) { V v; v.n = i; return v; }
[shader("geometry")] [maxvertexcount(6)]
void Gs(triangle V v[3], uint p : SV_PrimitiveID, inout LineStream<G> s)
{
    uint count = 3 + p;
    for (uint i = 0; i < count; ++i)
    {
        if (p == 1 && i == 3) s.RestartStrip();
        G g;
        float x = p == 0 ? (i * 1.0 - 1) * 1.25 : (i < 3 ? -1.25 + i * 0.625 : 3);
        g.at = float4(x, p == 0 ? 0.625 : -0.125, 0.5, 1);
        g.id = p == 0 ? 7 : 9; g.count = v[2].n == p * 3 + 2 ? count : 0;
        s.Append(g);
    }
}
[shader("pixel")] uint2 Ps(G g) : SV_Target { return uint2(g.id, g.count); }
