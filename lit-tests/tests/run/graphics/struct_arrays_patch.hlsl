// Arrays of structures as control points and patch constants.
// rtc -T lib_6_3
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// reference: no, it gives SPIR-V no semantics in arrays of structures.
//> [targets.Color]
//> size = [8, 8]
//> format = "rgba32_float"
//> expect = [{ is = [5, 7, 4, 1] }]
//> [[draw]]
//> patch_control_points = 4
//> hull = "Hs"
//> domain = "Ds"
//> vertices = { POSITION0 = { float = [[1], [-1], [1], [-1]] }, POSITION1 = { float = [[1], [1], [-1], [-1]] } }
struct Half { float x; };
struct C { Half at[2] : POSITION; };
struct Two { int n; float2 v; };
struct K { float edges[4] : SV_TessFactor; float inside[2] : SV_InsideTessFactor; Two list[3] : LIST; };
struct O { float4 at : SV_Position; nointerpolation float3 c : C; };
[shader("vertex")] C Vs(C v) { return v; }
K constants(OutputPatch<C, 4> q)
{
    K k;
    k.edges[0] = k.edges[1] = k.edges[2] = k.edges[3] = 4; k.inside[0] = k.inside[1] = 4;
    for (int i = 0; i < 3; ++i) { k.list[i].n = i * 2; k.list[i].v = float2(i + 3, 5 + i) * q[0].at[1].x * -1; }
    return k;
}
[shader("hull")] [domain("quad")] [partitioning("integer")] [outputtopology("triangle_cw")] [outputcontrolpoints(4)] [patchconstantfunc("constants")] [maxtessfactor(4)]
C Hs(InputPatch<C, 4> p, uint i : SV_OutputControlPointID) { return p[3 - i]; }
[shader("domain")] [domain("quad")]
O Ds(K k, float2 uv : SV_DomainLocation, const OutputPatch<C, 4> p)
{
    O o;
    float x[4], y[4];
    for (uint i = 0; i < 4; ++i) { x[i] = p[i].at[0].x; y[i] = p[i].at[1].x; }
    o.at = float4(lerp(lerp(x[0], x[1], uv.x), lerp(x[2], x[3], uv.x), uv.y), lerp(lerp(y[0], y[1], uv.x), lerp(y[2], y[3], uv.x), uv.y), 0.5, 1);
    uint last = uint(uv.x) == 0 ? 2 : min(uint(uv.x) + 1, 2);
    o.c = float3(k.list[last].v, k.list[2].n);
    return o;
}
[shader("pixel")] float4 Ps(O o) : SV_Target { return float4(o.c, 1); }
