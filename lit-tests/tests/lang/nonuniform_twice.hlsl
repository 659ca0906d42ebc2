// An index that selects from two tables, and a constant one that two entry points share, is decorated once.
// RUN: %rtc -T lib_6_3 -validator-version 1.6 %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc -T lib_6_3 -spirv %s -Fo %t.spv
// RUN: %spirv-val %t.spv
Texture2D<float4> Pictures[] : register(t0, space1);
ByteAddressBuffer Bytes[] : register(t0, space2);
RWStructuredBuffer<float4> Out : register(u0);

float4 Both(uint i)
{
    float4 first = Pictures[NonUniformResourceIndex(i)].Load(int3(0, 0, 0));
    return first + asfloat(Bytes[NonUniformResourceIndex(i)].Load4(0)) + asfloat(Bytes[NonUniformResourceIndex(i)].Load4(16));
}

[shader("raygeneration")]
void First()
{
    Out[0] = Both(DispatchRaysIndex().x) + Both(7);
}

[shader("raygeneration")]
void Second()
{
    Out[1] = Both(7);
}
