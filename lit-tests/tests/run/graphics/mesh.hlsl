// Amplification shaders choose what mesh shaders draw: payloads with matrices and booleans, groups that draw nothing, outputs written by a helper function, culled primitives.
// rtc -T lib_6_5
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// reference: no, the pinned one lacks SV_CullPrimitive, and the newest cannot optimise its own module of `As`.
// RUN: %rtc -spirv -T lib_6_5 %s -no-warnings | FileCheck %s
// The inputs of pixel shaders have the decorations that the source gives them.
// CHECK-COUNT-3: PerPrimitive
//> [targets.Color]
//> size = [16, 16]
//> clear = [0, 0, 0, 1]
//> expect = [{ at = [0, 0], size = [8, 8], is = [0, 1, 0, 0.25] }, { at = [8, 0], size = [8, 8], is = [0, 0, 0, 1] }, { at = [0, 8], size = [8, 8], is = [1, 0, 0.5, 0.75] }, { at = [8, 8], size = [8, 8], is = [0, 0, 1, 1] }]
//> [buffers.Out]
//> size = 64
//> layout = ["uint"]
//> expect = [1, 2, 3, 4]
//> [[draw]]
//> amplification = "As"
//> mesh = "Ms"
//> pixel = "Ps"
//> groups = [2, 2, 1]
struct Payload { uint2 quarter; float3x2 m; row_major float2x3 n; bool on[2]; uint ids[4]; };
groupshared Payload sent; groupshared uint wanted;
RWStructuredBuffer<uint> Out : register(u0);
[shader("amplification")] [numthreads(4, 1, 1)]
void As(uint i : SV_GroupIndex, uint3 g : SV_GroupID)
{
    if (i == 0) { wanted = 0; sent.quarter = g.xy; sent.m = float3x2(1, 2, 3, 4, 5, 6); sent.n = float2x3(1, 2, 3, 4, 5, 6); sent.on[0] = g.x == 0; sent.on[1] = g.y == 1; }
    sent.ids[3 - i] = i;
    GroupMemoryBarrierWithGroupSync();
    // Three quarters are drawn: not the upper right one.
    if (i == 2) wanted = (sent.on[0] || sent.on[1]) ? 1 : 0;
    GroupMemoryBarrierWithGroupSync();
    DispatchMesh(wanted, 1, 1, sent);
    if (i == 0) Out[g.y * 2 + g.x] = g.y * 2 + g.x + 1;
}
struct V { float4 at : SV_Position; float w[2] : W; };
struct Q { nointerpolation float4 c : C; bool cull : SV_CullPrimitive; };
void corner(out vertices V v[4], uint i, float2 low, float2 size)
{
    float2 at = low + size * float2(i & 1, i >> 1);
    v[i].at = float4(at, 0.5, 1);
    v[i].w[i & 1] = 0.25; v[i].w[1 - (i & 1)] = 0.5;
}
[shader("mesh")] [numthreads(4, 1, 1)] [outputtopology("triangle")]
void Ms(uint i : SV_GroupThreadID, in payload Payload p, out indices uint3 t[3], out vertices V v[4], out primitives Q q[3])
{
    SetMeshOutputCounts(4, 3);
    // y points up, quarters are counted from above.
    float2 low = float2(p.quarter.x ? 0 : -1, p.quarter.y ? -1 : 0);
    corner(v, p.ids[3 - i], low, 1);
    if (i < 3)
    {
        t[i] = i == 1 ? uint3(1, 3, 2) : uint3(0, 1, 2);
        float4 c = p.on[1] ? float4(p.on[0], 0, p.on[0] ? 0.5 : 1, p.m[2][1] - p.n[1][1 + (i & 0)]) : float4(0, 1, 0, 0);
        // The third primitive would hide the first.
        q[i].c = i == 2 ? 9 : c; q[i].cull = i == 2;
    }
}
struct PsIn { float4 at : SV_Position; float w[2] : W; [[vk::ext_decorate(5271)]] nointerpolation float4 c : C; };
[[vk::ext_capability(5283)]] [[vk::ext_extension("SPV_EXT_mesh_shader")]]
[shader("pixel")] float4 Ps(PsIn p) : SV_Target { return float4(p.c.rgb, p.c.a == 1 ? (p.c.r ? 0.75 : 1) : 0.25); }
