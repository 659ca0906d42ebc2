// A triangle patch: fractional odd partitioning, a hull shader that makes more control points than it gets, factors of its own for each edge, a patch constant function that reads both patches.
// rtc -T lib_6_3
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
//> [targets.Color]
//> size = [16, 16]
//> format = "rgba32_float"
//> clear = [-1, -1, -1, -1]
//> expect = [{ at = [0, 15], is = [0.9375, 4, 5, 0], within = 0.001 }, { at = [7, 15], is = [0.5, 4, 5, 0], within = 0.001 }, { at = [15, 0], is = [-1, -1, -1, -1] }]
//> [buffers.Seen]
//> size = 64
//> layout = ["uint"]
//> expect = [1, 1, 1, 1]
//> [[draw]]
//> patch_control_points = 3
//> hull = "Hs"
//> domain = "Ds"
//> vertices = { POSITION = { float2 = [[-1, -1], [1, -1], [-1, 1]] } }
RWStructuredBuffer<uint> Seen : register(u0);
struct C { float2 at : POSITION; };
struct K { float edges[3] : SV_TessFactor; float inside : SV_InsideTessFactor; float sum : SUM; uint4 ids : IDS; };
struct H { float2 at : POSITION; float weight : WEIGHT; };
struct O { float4 at : SV_Position; float first : FIRST; nointerpolation float sum : SUM; nointerpolation uint id : ID; };
[shader("vertex")] C Vs(C v) { return v; }
K constants(InputPatch<C, 3> p, OutputPatch<H, 4> q)
{
    K k;
    k.edges[0] = 3.5; k.edges[1] = 1; k.edges[2] = 5.25; k.inside = 4.5;
    k.sum = 0;
    for (uint i = 0; i < 4; ++i) k.sum += q[i].weight + p[min(i, 2)].at.x;
    k.ids = uint4(1, 2, 5, 8);
    return k;
}
[shader("hull")] [domain("tri")] [partitioning("fractional_odd")] [outputtopology("triangle_ccw")] [outputcontrolpoints(4)] [patchconstantfunc("constants")] [maxtessfactor(8)]
H Hs(InputPatch<C, 3> p, uint i : SV_OutputControlPointID, uint id : SV_PrimitiveID)
{
    H h; h.at = p[i % 3].at; h.weight = i + id;
    uint old; InterlockedOr(Seen[i], 1, old);
    return h;
}
[shader("domain")] [domain("tri")]
O Ds(K k, float3 uvw : SV_DomainLocation, const OutputPatch<H, 4> p)
{
    O o;
    o.at = float4(p[0].at * uvw.x + p[1].at * uvw.y + p[2].at * uvw.z, 0.5, 1);
    // Weights 0, 1, 2, 3; x of the vertices -1, 1, -1 and once more -1.
    o.first = uvw.x; o.sum = k.sum; o.id = k.ids.z;
    return o;
}
[shader("pixel")] float4 Ps(O o) : SV_Target { return float4(o.first, o.sum, o.id, 0); }
