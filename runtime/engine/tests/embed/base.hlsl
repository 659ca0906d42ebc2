// The library that a pipeline begins with.

RaytracingAccelerationStructure Scene : register(t0);
RWStructuredBuffer<uint> Output : register(u0);

cbuffer Material : register(b0, space1)
{
    uint Color;
};

struct Payload
{
    uint color;
};

LocalRootSignature Colors = {"RootFlags(LOCAL_ROOT_SIGNATURE), RootConstants(num32BitConstants = 1, b0, space = 1)"};
SubobjectToExportsAssociation ColorsOfTri = {"Colors", "Tri"};
TriangleHitGroup Tri = {"", "Hit"};
RaytracingShaderConfig Shaders = {4, 8};
RaytracingPipelineConfig Pipeline = {1};

[shader("raygeneration")]
void Gen()
{
    uint2 i = DispatchRaysIndex().xy;
    uint2 n = DispatchRaysDimensions().xy;
    RayDesc ray;
    ray.Origin = float3((i + 0.5) / n * 2 - 1, -1);
    ray.Direction = float3(0, 0, 1);
    ray.TMin = 0;
    ray.TMax = 10;
    Payload payload;
    payload.color = 0;
    TraceRay(Scene, 0, 0xff, 0, 0, 0, ray, payload);
    Output[i.y * n.x + i.x] = payload.color;
}

[shader("miss")]
void Sky(inout Payload payload)
{
    payload.color = 1;
}

[shader("closesthit")]
void Hit(inout Payload payload, BuiltInTriangleIntersectionAttributes attributes)
{
    payload.color = Color;
}
