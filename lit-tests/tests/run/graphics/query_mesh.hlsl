// Ray queries in amplification and mesh shaders: groups that are hidden are not drawn, and vertices are lit.
// rtc -T lib_6_5
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// reference: newest, since the pinned one makes mesh shaders of a vendor's extension.
//> [targets.Color]
//> size = [8, 1]
//> format = "rg32_float"
//> expect = [{ at = [0, 0], is = [2, 1] }, { at = [1, 0], is = [3, 1] }, { at = [2, 0], is = [0, 0] }, { at = [5, 0], is = [0, 0] }, { at = [6, 0], is = [8, 0] }, { at = [7, 0], is = [9, 0] }]
//> [meshes.quad]
//> triangles = { positions = [[2, -1, 1], [6, -1, 1], [6, 1, 1], [2, 1, 1]], indices = [0, 1, 2, 0, 2, 3] }
//> [meshes.lamp]
//> boxes = [[[-1, -1, 4], [2, 1, 5]]]
//> [accel.Scene]
//> instances = [{ mesh = "quad" }, { mesh = "lamp", mask = 4 }]
//> [[draw]]
//> amplification = "As"
//> mesh = "Ms"
//> groups = [2, 1, 1]
RaytracingAccelerationStructure Scene : register(t0);
struct Payload { uint places[4]; };
groupshared Payload sent; groupshared uint count;
[shader("amplification")] [numthreads(4, 1, 1)]
void As(uint i : SV_GroupThreadID, uint g : SV_GroupID)
{
    if (i == 0) count = 0;
    GroupMemoryBarrierWithGroupSync();
    uint n = g * 4 + i, at;
    RayDesc r = { float3(n + 0.5, 0.125, 0), 0, float3(0, 0, 1), 10 };
    RayQuery<RAY_FLAG_ACCEPT_FIRST_HIT_AND_END_SEARCH> q;
    q.TraceRayInline(Scene, RAY_FLAG_FORCE_OPAQUE, 1, r);
    q.Proceed();
    if (q.CommittedStatus() == COMMITTED_NOTHING) { InterlockedAdd(count, 1, at); sent.places[at] = n; }
    GroupMemoryBarrierWithGroupSync();
    DispatchMesh(count, 1, 1, sent);
}
struct V { float4 at : SV_Position; nointerpolation float2 n : N; };
[shader("mesh")] [numthreads(3, 1, 1)] [outputtopology("triangle")]
void Ms(uint i : SV_GroupThreadID, uint g : SV_GroupID, in payload Payload p, out vertices V v[3], out indices uint3 t[1])
{
    SetMeshOutputCounts(3, 1);
    uint n = p.places[g];
    RayDesc r = { float3(n + 0.5, 0, 0), 0, float3(0, 0, 1), 10 };
    RayQuery<RAY_FLAG_NONE> q;
    q.TraceRayInline(Scene, 0, 4, r);
    while (q.Proceed())
        if (q.CandidateType() == CANDIDATE_PROCEDURAL_PRIMITIVE) q.CommitProceduralPrimitiveHit(4.5);
    float2 corners[3] = { float2(-0.5, -0.5), float2(-0.5, 1.5), float2(1.5, -0.5) };
    v[i].at = float4((n + 0.5) / 4 - 1 + corners[i].x / 4 * 0.9, corners[i].y * 1.8, 0.5, 1);
    v[i].n = float2(n + 2, q.CommittedStatus() == COMMITTED_PROCEDURAL_PRIMITIVE_HIT && q.CommittedRayT() == 4.5);
    t[0] = uint3(0, 1, 2);
}
[shader("pixel")] float2 Ps(V v) : SV_Target { return v.n; }
