// Ray queries in vertex and pixel shaders.
// RUN: %rtc -T vs_6_5 -E Vs %s -Fo %t.vs.dxil
// RUN: %dxv %t.vs.dxil
// RUN: %rtc dis %t.vs.dxil | FileCheck %s
// RUN: %rtc -T ps_6_5 -E Ps %s -Fo %t.ps.dxil
// RUN: %dxv %t.ps.dxil
// RUN: %rtc dis %t.ps.dxil | FileCheck %s
// RUN: %rtc -spirv -T vs_6_5 -E Vs %s -Fo %t.vs.spv
// RUN: %spirv-val %t.vs.spv
// RUN: %rtc -spirv -T ps_6_5 -E Ps %s -Fo %t.ps.spv
// RUN: %spirv-val %t.ps.spv

RaytracingAccelerationStructure Scene : register(t0);

bool Visible(float3 from, float3 to)
{
    RayQuery<RAY_FLAG_ACCEPT_FIRST_HIT_AND_END_SEARCH> q;
    RayDesc r = { from, 0.01, to - from, 1 };
    q.TraceRayInline(Scene, RAY_FLAG_NONE, 0xff, r);
    while (q.Proceed())
        if (q.CandidateType() == CANDIDATE_NON_OPAQUE_TRIANGLE && q.CandidateTriangleBarycentrics().x > 0.5)
            q.CommitNonOpaqueTriangleHit();
    return q.CommittedStatus() == COMMITTED_NOTHING;
}

void Vs(float3 p : POSITION, out float4 at : SV_Position, out float light : LIGHT) { at = float4(p, 1); light = Visible(p, float3(0, 9, 0)); }

float4 Ps(float4 at : SV_Position, float light : LIGHT) : SV_Target
{
    if (light < 0.5 && !Visible(at.xyz, float3(0, 9, 0)))
        discard;
    return light;
}

// CHECK: RayQuery_TraceRayInline
// CHECK: storeOutput
