// Every resource of introductory shaders, arrays of them, and loads of all widths.
// RUN: %rtc -T lib_6_3 -validator-version 1.6 %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc -T lib_6_3 -Od -validator-version 1.6 %s -Fo %t.od.dxil
// RUN: %dxil-val %t.od.dxil
// RUN: %rtc -T lib_6_3 -spirv %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -T lib_6_3 -spirv -Od %s -Fo %t.od.spv
// RUN: %spirv-val %t.od.spv
struct Vertex { float3 position; float2 uv; uint color; };

ConstantBuffer<Vertex> Constant : register(b1, space1);
cbuffer Values : register(b0)
{
    float a;
    float3 b;
    float2 c;
    float4 list[4];
    int2 d : packoffset(c7);
};
StructuredBuffer<Vertex> Vertices : register(t0);
ByteAddressBuffer Bytes : register(t1);
Texture2D<float4> Image : register(t2);
Texture2D<uint> Index : register(t3);
Texture2D<float4> Many[8] : register(t4);
Texture2D<float3> Unbounded[] : register(t0, space2);
SamplerState Linear : register(s0);
SamplerState Samplers[2] : register(s1);
RWTexture2D<float4> Color : register(u0);
RWTexture2D<float> Depth : register(u1);
RWStructuredBuffer<Vertex> VerticesOut : register(u2);
RWByteAddressBuffer BytesOut : register(u3);
RWTexture2D<uint> Counter : register(u4);

[shader("raygeneration")]
void Main()
{
    uint3 id = DispatchRaysIndex();
    float2 uv = float2(id.xy) / float2(DispatchRaysDimensions().xy);
    Vertex v = Vertices[id.x];
    v.position += Vertices[Bytes.Load(id.x * 4)].position;
    float4 x = Image.SampleLevel(Linear, uv, 0) + Image.Load(int3(id.xy, 0));
    x += Many[id.y & 7].SampleLevel(Samplers[id.z & 1], uv, c.x);
    x.xyz += Unbounded[NonUniformResourceIndex(Index.Load(int3(0, 0, 0)))].SampleLevel(Linear, uv, 1);
    x += list[id.x & 3] * a + float4(b, d.x) + float4(Constant.position, Constant.uv.y);
    Color[id.xy] = x;
    Color[id.xy].w = 1;
    Depth[id.xy] += x.x;
    VerticesOut[id.x] = v;
    VerticesOut[id.y].uv.x = x.y;
    uint2 two = Bytes.Load2(8);
    uint3 three = Bytes.Load3(16);
    uint4 four = Bytes.Load4(32);
    BytesOut.Store2(0, two + three.xy);
    BytesOut.Store4(16, four);
    uint old;
    BytesOut.InterlockedAdd(64, 1, old);
    InterlockedMax(VerticesOut[0].color, old);
    InterlockedOr(Counter[id.xy], 4u);
    uint width, height;
    Color.GetDimensions(width, height);
    BytesOut.Store(68, width * height);
}
