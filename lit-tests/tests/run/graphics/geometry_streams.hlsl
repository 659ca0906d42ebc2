// Several streams of points, of which the first is drawn; vertices of the others change nothing.
// rtc -T lib_6_3
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// reference: no, since it emits the vertices of all streams into the first.
//> [targets.Color]
//> size = [4, 1]
//> format = "rgba32_float"
//> expect = [{ at = [0, 0], is = [1, 0.5, 0, 1] }, { at = [1, 0], is = [2, 1.5, 0, 1] }, { at = [2, 0], is = [0, 0, 0, 0] }]
//> [[draw]]
//> topology = "points"
//> geometry = "Gs"
//> count = 2
struct V { uint n : N; };
struct A { float4 at : SV_Position; nointerpolation float2 a : A; };
struct B { float3 b : B; };
[shader("vertex")] V Vs(uint i : SV_VertexID) { V v; v.n = i; return v; }
[shader("geometry")] [maxvertexcount(4)]
void Gs(point V v[1], inout PointStream<A> first, inout PointStream<B> second)
{
    B b; b.b = v[0].n;
    second.Append(b);
    A a; a.at = float4((v[0].n + 0.5) / 2 - 1, 0, 0.5, 1); a.a = float2(v[0].n + 1, v[0].n + 0.5);
    first.Append(a);
    b.b = 7;
    second.Append(b); second.RestartStrip();
}
[shader("pixel")] float4 Ps(A a) : SV_Target { return float4(a.a, 0, 1); }
