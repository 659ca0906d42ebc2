// A library that is added while the pipeline of base.hlsl is in use.

cbuffer Material : register(b0, space1)
{
    uint Color;
};

struct Payload
{
    uint color;
};

LocalRootSignature Colors2 = {"RootFlags(LOCAL_ROOT_SIGNATURE), RootConstants(num32BitConstants = 1, b0, space = 1)"};
SubobjectToExportsAssociation ColorsOfTri2 = {"Colors2", "Tri2"};
TriangleHitGroup Tri2 = {"Cut", "Hit2"};
RaytracingShaderConfig Shaders2 = {4, 8};
RaytracingPipelineConfig Pipeline2 = {1};

[shader("miss")]
void Night(inout Payload payload)
{
    payload.color = 2;
}

[shader("closesthit")]
void Hit2(inout Payload payload, BuiltInTriangleIntersectionAttributes attributes)
{
    payload.color = Color + 1000;
}

[shader("anyhit")]
void Cut(inout Payload payload, BuiltInTriangleIntersectionAttributes attributes)
{
    // The first quarter of the picture is cut away.
    if (DispatchRaysIndex().y * 4 < DispatchRaysDimensions().y)
        IgnoreHit();
}
