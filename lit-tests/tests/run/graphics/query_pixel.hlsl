// Ray queries in a pixel shader: shadows with a branch that differs among pixels, a loop over candidates that keeps some, and a query after a discard.
// rtc -T lib_6_5
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
//> [targets.Color]
//> size = [8, 8]
//> format = "rgba32_float"
//> clear = [9, 9, 9, 9]
//> expect = [{ at = [0, 0], is = [0, 0, 1, 0] }, { at = [7, 7], is = [9, 9, 9, 9] }, { at = [5, 1], is = [1, 1, 2, 4] }, { at = [1, 5], is = [0, 1, 2, 4] }, { at = [4, 4], is = [1, 1, 2, 4] }, { at = [2, 2], is = [0, 0, 1, 0] }]
//> [meshes.roof]
//> triangles = { positions = [[0, 0, 2], [8, 0, 2], [8, 8, 2], [0, 8, 2], [4, 0, 3], [8, 0, 3], [8, 8, 3], [4, 8, 3], [0, 4, 4], [8, 4, 4], [8, 8, 4], [0, 8, 4]], indices = [0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7, 8, 9, 10, 8, 10, 11] }
//> [accel.Scene]
//> instances = [{ mesh = "roof" }]
//> [[draw]]
//> count = 3
RaytracingAccelerationStructure Scene : register(t0);
[shader("vertex")] float4 Vs(uint i : SV_VertexID) : SV_Position { return float4(float(i & 1) * 4 - 1, float(i >> 1) * 4 - 1, 0.5, 1); }
[shader("pixel")] float4 Ps(float4 p : SV_Position) : SV_Target
{
    if (p.x > 7 && p.y > 7) discard;
    RayDesc r = { float3(p.xy + float2(0.125, 0.0625), 0), 0, float3(0, 0, 1), 10 };
    // All layers are candidates, of which those from the second on count.
    RayQuery<RAY_FLAG_NONE> q;
    q.TraceRayInline(Scene, 0, 255, r);
    float candidates = 0;
    while (q.Proceed())
    {
        ++candidates;
        if (q.CandidatePrimitiveIndex() >= 2) q.CommitNonOpaqueTriangleHit();
    }
    bool hit = q.CommittedStatus() == COMMITTED_TRIANGLE_HIT;
    float shadow = 0;
    if (p.x >= 4)
    {
        RayQuery<RAY_FLAG_ACCEPT_FIRST_HIT_AND_END_SEARCH | RAY_FLAG_FORCE_OPAQUE> s;
        r.TMin = 2.5; r.TMax = 3.5;
        s.TraceRayInline(Scene, RAY_FLAG_CULL_NON_OPAQUE & 0, 255, r);
        while (s.Proceed()) {}
        shadow = s.CommittedStatus() != COMMITTED_NOTHING;
    }
    return float4(shadow, hit, candidates > 0 ? 1 + hit : 0, hit ? (q.CommittedPrimitiveIndex() / 2 == (p.x < 4 ? 2 : 1) ? 4 : 5) : 0);
}
