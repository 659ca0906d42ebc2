// System values with types of minimum precision: positions, clip and cull distances, depth, tessellation factors, places in patches. Vulkan's builtins have 32 bits.
// rtc -T lib_6_3
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// RUN: %rtc-run %s -o %T -- -no-warnings -fvk-stage-io-order=alpha
// reference: no, since it refuses some of them in SPIR-V.
//> [targets.Color]
//> size = [8, 8]
//> format = "rgba32_float"
//> clear = [-1, -1, -1, -1]
//> expect = [{ at = [0, 0], size = [2, 8], is = [-1, -1, -1, -1] }, { at = [2, 2], is = [0.0625, 0.5, 2.5, 0.5] }, { at = [7, 7], is = [0.6875, 0.5, 7.5, 0.5] }]
//> [targets.Depth]
//> size = [8, 8]
//> format = "d32_float"
//> expect = [{ at = [3, 3], is = [0.25] }]
//> [[draw]]
//> targets = ["Color"]
//> depth = "Depth"
//> patch_control_points = 4
//> hull = "Hs"
//> domain = "Ds"
//> count = 4
struct P { min16float2 at : AT; };
struct K { min16float edges[4] : SV_TessFactor; min16float inside[2] : SV_InsideTessFactor; min16uint n : N; };
struct V { min16float4 at : SV_Position; min16float2 clip : SV_ClipDistance0; min16float cull : SV_CullDistance; };
[shader("vertex")] P Vs(min16uint i : SV_VertexID) { P p; p.at = min16float2(i & 1, i >> 1) * 2 - 1; return p; }
K constants(InputPatch<P, 4> p, min16uint n : SV_PrimitiveID)
{
    K k;
    for (int i = 0; i < 4; ++i) k.edges[i] = 2;
    k.inside[0] = k.inside[1] = 2;
    k.n = n;
    return k;
}
[shader("hull")] [domain("quad")] [partitioning("integer")] [outputtopology("triangle_cw")] [outputcontrolpoints(4)] [patchconstantfunc("constants")] [maxtessfactor(4)]
P Hs(InputPatch<P, 4> p, min16uint i : SV_OutputControlPointID) { return p[i]; }
[shader("domain")] [domain("quad")] V Ds(K k, min16float2 uv : SV_DomainLocation, const OutputPatch<P, 4> p)
{
    V v;
    min16float2 at = lerp(lerp(p[0].at, p[1].at, uv.x), lerp(p[2].at, p[3].at, uv.x), uv.y);
    v.at = min16float4(at, 0.5, 1);
    v.clip.x = uv.x - 0.25;
    v.clip.y = k.edges[1] * k.inside[0] / 8;
    v.cull = k.n + 1;
    return v;
}
struct O { float4 c : SV_Target; min16float d : SV_Depth; };
[shader("pixel")] O Ps(V v)
{
    O o;
    o.c = float4(v.clip, v.at.x, v.at.z);
    o.d = v.at.z / 2;
    return o;
}
