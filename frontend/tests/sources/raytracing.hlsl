// Ray tracing syntax for tests.
GlobalRootSignature global_root = { "DescriptorTable(UAV(u0)), SRV(t0)" };
LocalRootSignature local_root = { "RootConstants(num32BitConstants = 4, b1)" };
TriangleHitGroup hit_group = { "AnyHit", "ClosestHit" };
ProceduralPrimitiveHitGroup procedural = { "", "ClosestHit", "Intersect" };
SubobjectToExportsAssociation association = { "local_root", "hit_group;Miss" };
RaytracingShaderConfig shader_config = { 32, 8 };
RaytracingPipelineConfig1 pipeline_config = { 2, RAYTRACING_PIPELINE_FLAG_SKIP_PROCEDURAL_PRIMITIVES };

RaytracingAccelerationStructure scene : register(t0);
RWTexture2D<float4> image : register(u0);
reordercoherent RWByteAddressBuffer cache : register(u1);

struct [raypayload] Payload {
    float3 color : read(caller) : write(closesthit, miss);
    uint seed : read(caller, closesthit, anyhit) : write(caller, closesthit);
    bool more : read(caller) : write(closesthit, miss, anyhit);
};
struct Attributes { float2 uv; };
struct Parameters { float value; };

float3 sky(float3 direction) { return lerp(float3(1, 1, 1), float3(0.5, 0.7, 1.0), direction.y * 0.5 + 0.5); }

[shader("raygeneration")]
void RayGeneration()
{
    uint2 pixel = DispatchRaysIndex().xy;
    RayDesc ray = { float3(pixel, 0), 0.0f, float3(0, 0, 1), 1e3 };
    Payload payload; payload.seed = pixel.x * 1973 + pixel.y * 9277;
    TraceRay(scene, RAY_FLAG_NONE | RAY_FLAG_CULL_BACK_FACING_TRIANGLES, 0xff, 0, 1, 0, ray, payload);
    dx::HitObject hit = dx::HitObject::TraceRay(scene, RAY_FLAG_NONE, 0xff, 0, 1, 0, ray, payload);
    dx::MaybeReorderThread(hit, payload.seed & 3, 2);
    if (hit.IsHit()) { hit.SetShaderTableIndex(hit.GetShaderTableIndex() + 1); dx::HitObject::Invoke(hit, payload); }
    else hit = dx::HitObject::MakeMiss(0, 1, ray);
    RayQuery<RAY_FLAG_NONE, RAYQUERY_FLAG_ALLOW_OPACITY_MICROMAPS> query;
    query.TraceRayInline(scene, 0, 0xff, ray);
    while (query.Proceed()) {
        switch (query.CandidateType()) {
        case CANDIDATE_NON_OPAQUE_TRIANGLE: query.CommitNonOpaqueTriangleHit(); break;
        case CANDIDATE_PROCEDURAL_PRIMITIVE: query.CommitProceduralPrimitiveHit(query.RayTMin() + 1); break;
        }
    }
    Parameters parameters = { 1 };
    CallShader(3, parameters);
    Barrier(UAV_MEMORY, REORDER_SCOPE);
    image[pixel] = float4(query.CommittedStatus() == COMMITTED_TRIANGLE_HIT ? payload.color : sky(ray.Direction), 1);
}

[shader("closesthit")]
void ClosestHit(inout Payload payload, in BuiltInTriangleIntersectionAttributes attributes)
{
    payload.color = float3(1 - attributes.barycentrics.x - attributes.barycentrics.y, attributes.barycentrics);
    payload.seed = payload.seed * 1664525 + 1013904223; payload.more = payload.seed & 1;
}

[shader("anyhit")] void AnyHit(inout Payload payload, in Attributes attributes)
{ if (attributes.uv.x < 0.5) IgnoreHit(); else AcceptHitAndEndSearch(); }

[shader("intersection")] void Intersect() { Attributes a; a.uv = 0; ReportHit(RayTCurrent(), 0, a); }
[shader("miss")] void Miss(inout Payload payload) { payload.color = sky(WorldRayDirection()); payload.more = false; }
[shader("callable")] void Call(inout Parameters parameters) { parameters.value *= 2; }
