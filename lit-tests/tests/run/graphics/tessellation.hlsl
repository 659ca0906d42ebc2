// Hull and domain shaders: control points, patch constants of both patches, tessellation factors.
// rtc -T lib_6_3
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
//> [targets.Color]
//> size = [16, 16]
//> clear = [0, 0, 0, 1]
//> expect = [{ at = [0, 0], size = [8, 8], is = [0, 1, 0.5, 1] }, { at = [8, 0], size = [8, 8], is = [1, 1, 0.5, 1] }, { at = [0, 8], size = [8, 8], is = [0, 0, 0.5, 1] }, { at = [8, 8], size = [8, 8], is = [1, 0, 0.5, 1] }]
//> [[draw]]
//> patch_control_points = 4
//> hull = "Hs"
//> domain = "Ds"
//> vertices = { POSITION = { float2 = [[-1, -1], [1, -1], [-1, 1], [1, 1]] } }
struct C { float2 at : POSITION; };
struct K { float edges[4] : SV_TessFactor; float inside[2] : SV_InsideTessFactor; float half : HALF; float2 far : FAR; };
struct O { float4 at : SV_Position; float2 uv : UV; nointerpolation float half : HALF; };
[shader("vertex")] C Vs(C v) { return v; }
K constants(InputPatch<C, 4> p, OutputPatch<C, 4> q, uint id : SV_PrimitiveID)
{
    K k; k.edges[0] = k.edges[1] = k.edges[2] = k.edges[3] = 4; k.inside[0] = k.inside[1] = 3;
    k.half = 0.5 + id + (p[0].at.x + 1); k.far = q[3].at; return k;
}
[shader("hull")] [domain("quad")] [partitioning("integer")] [outputtopology("triangle_cw")] [outputcontrolpoints(4)] [patchconstantfunc("constants")]
C Hs(InputPatch<C, 4> p, uint i : SV_OutputControlPointID) { C c; c.at = p[i].at * 0.5; return c; }
[shader("domain")] [domain("quad")]
O Ds(K k, float2 uv : SV_DomainLocation, const OutputPatch<C, 4> p)
{
    O o; float2 at = lerp(lerp(p[0].at, p[1].at, uv.x), lerp(p[2].at, p[3].at, uv.x), uv.y);
    o.at = float4(at / k.far, 0.5, 1); o.uv = uv; o.half = k.half; return o;
}
[shader("pixel")] float4 Ps(O o) : SV_Target { return float4(step(0.5, o.uv), o.half, 1); }
