// One triangle. The smallest complete library: a ray generation, a miss and a closest-hit shader, and the
// subobjects that join them into a pipeline.

struct Payload
{
    float3 color;
};

RaytracingAccelerationStructure Scene : register(t0);
RWTexture2D<float4> Output : register(u0);

#ifndef NO_SUBOBJECTS
GlobalRootSignature Globals = { "SRV(t0), DescriptorTable(UAV(u0))" };
TriangleHitGroup Triangle = { "", "ShowBarycentrics" };
RaytracingShaderConfig Sizes = { 12, 8 };
RaytracingPipelineConfig Depth = { 1 };
#endif

[shader("raygeneration")]
void Camera()
{
    uint2 pixel = DispatchRaysIndex().xy;
    float2 size = float2(DispatchRaysDimensions().xy);
    float2 at = (float2(pixel) + 0.5) / size * 2 - 1;

    RayDesc ray;
    ray.Origin = float3(at.x * size.x / size.y, -at.y, -1);
    ray.Direction = float3(0, 0, 1);
    ray.TMin = 0;
    ray.TMax = 10;

    Payload payload = { float3(0, 0, 0) };
    TraceRay(Scene, RAY_FLAG_NONE, 0xff, 0, 1, 0, ray, payload);
    Output[pixel] = float4(payload.color, 1);
}

[shader("miss")]
void Sky(inout Payload payload)
{
    float height = float(DispatchRaysIndex().y) / DispatchRaysDimensions().y;
    payload.color = lerp(float3(0.12, 0.16, 0.28), float3(0.55, 0.70, 0.90), 1 - height);
}

[shader("closesthit")]
void ShowBarycentrics(inout Payload payload, in BuiltInTriangleIntersectionAttributes attributes)
{
    float2 b = attributes.barycentrics;
    payload.color = float3(1 - b.x - b.y, b.x, b.y);
}
