// The largest factor, a matrix and an array among the patch constants, and a hull shader of four threads in which each reads another's point.
// rtc -T lib_6_3
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
//> [targets.Color]
//> size = [8, 8]
//> format = "rgba32_float"
//> expect = [{ is = [5, 7, 4, 1] }]
//> [[draw]]
//> patch_control_points = 4
//> hull = "Hs"
//> domain = "Ds"
//> vertices = { POSITION = { float2 = [[1, 1], [-1, 1], [1, -1], [-1, -1]] } }
struct C { float2 at : POSITION; };
struct K { float edges[4] : SV_TessFactor; float inside[2] : SV_InsideTessFactor; float2x2 m : M; int list[2] : LIST; };
struct O { float4 at : SV_Position; nointerpolation float3 c : C; };
[shader("vertex")] C Vs(C v) { return v; }
K constants(OutputPatch<C, 4> q)
{
    K k;
    k.edges[0] = k.edges[1] = k.edges[2] = k.edges[3] = 4; k.inside[0] = k.inside[1] = 4;
    k.m = float2x2(q[0].at, 5, 7); k.list[0] = -1; k.list[1] = 4;
    return k;
}
[shader("hull")] [domain("quad")] [partitioning("integer")] [outputtopology("triangle_cw")] [outputcontrolpoints(4)] [patchconstantfunc("constants")] [maxtessfactor(4)]
C Hs(InputPatch<C, 4> p, uint i : SV_OutputControlPointID) { return p[3 - i]; }
[shader("domain")] [domain("quad")]
O Ds(K k, float2 uv : SV_DomainLocation, const OutputPatch<C, 4> p)
{
    O o;
    o.at = float4(lerp(lerp(p[0].at, p[1].at, uv.x), lerp(p[2].at, p[3].at, uv.x), uv.y), 0.5, 1);
    o.c = float3(k.m[1], k.list[1]);
    return o;
}
[shader("pixel")] float4 Ps(O o) : SV_Target { return float4(o.c, 1); }
