// A domain shader whose vertices are points, fractional even partitioning, factors of zero that remove a patch, and a geometry shader after it.
// rtc -T lib_6_3
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
//> [targets.Color]
//> size = [8, 8]
//> format = "r32_uint"
//> expect = [{ at = [4, 0], size = [4, 8], is = 0 }]
//> [buffers.Count]
//> size = 16
//> layout = ["uint"]
//> expect = [9]
//> [[draw]]
//> patch_control_points = 1
//> hull = "Hs"
//> domain = "Ds"
//> geometry = "Gs"
//> count = 2
RWStructuredBuffer<uint> Count : register(u0);
struct C { uint n : N; };
struct K { float edges[4] : SV_TessFactor; float inside[2] : SV_InsideTessFactor; };
struct O { float4 at : SV_Position; nointerpolation uint n : N; };
[shader("vertex")] C Vs(uint i : SV_VertexID) { C c; c.n = i; return c; }
K constants(InputPatch<C, 1> p, uint id : SV_PrimitiveID)
{
    K k;
    float f = p[0].n == 0 ? 2 : 0;
    k.edges[0] = k.edges[1] = k.edges[2] = k.edges[3] = f; k.inside[0] = k.inside[1] = f;
    return k;
}
[shader("hull")] [domain("quad")] [partitioning("fractional_even")] [outputtopology("point")] [outputcontrolpoints(1)] [patchconstantfunc("constants")]
C Hs(InputPatch<C, 1> p, uint i : SV_OutputControlPointID) { return p[i]; }
[shader("domain")] [domain("quad")]
O Ds(K k, float2 uv : SV_DomainLocation, const OutputPatch<C, 1> p)
{
    O o; o.at = float4(uv.x * 0.75 - 0.875 + p[0].n, uv.y * 1.5 - 0.75, 0.5, 1); o.n = p[0].n + 1; return o;
}
[shader("geometry")] [maxvertexcount(1)]
void Gs(point O v[1], inout PointStream<O> s) { uint old; InterlockedAdd(Count[0], v[0].n, old); s.Append(v[0]); }
[shader("pixel")] uint Ps(O o) : SV_Target { return o.n; }
