// Two materials, a sky and a reflection: what each form of a package draws alike.
RaytracingAccelerationStructure Scene : register(t0);
RWTexture2D<float4> Output : register(u0);

struct [raypayload] Payload
{
    float3 color : read(caller) : write(closesthit, miss);
    float next : read(caller) : write(closesthit, miss);
};
struct Material { float3 color; };
ConstantBuffer<Material> Own : register(b0, space1);

LocalRootSignature Local = { "RootConstants(num32BitConstants = 3, b0, space = 1)" };
SubobjectToExportsAssociation LocalTo = { "Local", "RedGroup;BlueGroup" };
TriangleHitGroup RedGroup = { "", "Red" };
TriangleHitGroup BlueGroup = { "", "Blue" };
RaytracingShaderConfig Shaders = { 16, 8 };
RaytracingPipelineConfig Pipeline = { 1 };

[shader("raygeneration")] void Main()
{
    uint2 pixel = DispatchRaysIndex().xy;
    float2 at = (pixel + 0.5) / DispatchRaysDimensions().xy * 4 - 2;
    RayDesc ray = { float3(at, -5), 0, float3(0, 0, 1), 100 };
    float3 sum = 0;
    // Rays that hit something go on once, so that points are met by fewer rays each time.
    for (uint n = 0; n < 3; ++n)
    {
        Payload p;
#ifdef TRACE_RAY
        TraceRay(Scene, RAY_FLAG_NONE, 0xff, 0, 1, 0, ray, p);
#else
        dx::HitObject hit = dx::HitObject::TraceRay(Scene, RAY_FLAG_NONE, 0xff, 0, 1, 0, ray, p);
        dx::MaybeReorderThread(hit, n, 2);
        dx::HitObject::Invoke(hit, p);
#endif
        sum += p.color / (n + 1);
        if (p.next == 0) break;
        ray.Origin = float3(at.y, -at.x, -5 + 0.25 * p.next);
    }
    Output[pixel] = float4(sum, 1);
}

[shader("closesthit")] void Red(inout Payload p, BuiltInTriangleIntersectionAttributes a)
{
    p.color = Own.color;
    p.next = 1;
}

[shader("closesthit")] void Blue(inout Payload p, BuiltInTriangleIntersectionAttributes a)
{
    p.color = Own.color * float(1 + PrimitiveIndex()) * 0.5;
    p.next = InstanceID() == 3 ? 2 : 0;
}

[shader("miss")] void Sky(inout Payload p)
{
    p.color = float3(0.125, 0.25, 0.5);
    p.next = 0;
}
