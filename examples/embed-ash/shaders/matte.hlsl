// The second package: materials whose colour is in the shader record.

#include "common.hlsli"

cbuffer Material : register(b0, space1)
{
    float3 Color;
};

LocalRootSignature Colors = {"RootFlags(LOCAL_ROOT_SIGNATURE), RootConstants(num32BitConstants = 3, b0, space = 1)"};
SubobjectToExportsAssociation Colored = {"Colors", "Matte;Ground"};
TriangleHitGroup Matte = {"", "MatteHit"};
TriangleHitGroup Ground = {"", "GroundHit"};

float3 shade(float3 normal)
{
    return Color * (0.25 + 0.75 * saturate(dot(normal, normalize(float3(0.5, 1, -0.5)))));
}

[shader("closesthit")]
void MatteHit(inout Payload payload, BuiltInTriangleIntersectionAttributes attributes)
{
    payload.color = shade(normalize(mul((float3x3)ObjectToWorld3x4(), octant(PrimitiveIndex()))));
}

[shader("closesthit")]
void GroundHit(inout Payload payload, BuiltInTriangleIntersectionAttributes attributes)
{
    payload.color = shade(float3(0, 1, 0));
}
