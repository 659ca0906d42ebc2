// Pixel shaders that write: atomics on buffers and images, exchanges, a histogram, and an image without any target but depth.
// rtc -T lib_6_3
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
//> [targets.Color]
//> size = [8, 8]
//> expect = [{ is = [0, 0, 1, 1] }]
//> [images.Picture]
//> size = [8, 8]
//> format = "r32_uint"
//> [buffers.Out]
//> size = 64
//> layout = ["uint"]
//> expect = [8, 8, 8, 8, 8, 8, 8, 8, 0, 63, 64, 4294967295]
//> [buffers.Check]
//> size = 256
//> layout = ["uint"]
//> expect = [0, 2, 4, 6]
//> [[draw]]
//> pixel = "Write"
//> count = 3
//> [[draw]]
//> pixel = "Read"
//> count = 3
RWByteAddressBuffer Out : register(u0);
RWTexture2D<uint> Picture : register(u1);
RWStructuredBuffer<uint> Check : register(u2);
[shader("vertex")] float4 Vs(uint i : SV_VertexID) : SV_Position { return float4(float(i & 1) * 4 - 1, float(i >> 1) * 4 - 1, 0.5, 1); }
[shader("pixel")] float4 Write(float4 p : SV_Position) : SV_Target
{
    uint2 i = uint2(p.xy);
    uint n = i.x + 8 * i.y, old;
    Out.InterlockedAdd(i.x * 4, 1);
    Out.InterlockedMin(32, n);
    Out.InterlockedMax(36, n);
    Out.InterlockedAdd(40, 1, old);
    Out.InterlockedOr(44, n == 5 ? ~0u : n);
    Picture[i] = n;
    InterlockedAdd(Picture[i], n, old);
    return float4(0, 0, old == n, 1);
}
[shader("pixel")] float4 Read(float4 p : SV_Position) : SV_Target
{
    uint2 i = uint2(p.xy);
    Check[i.x + 8 * i.y] = Picture[i];
    return float4(0, 0, Picture[i] == 2 * (i.x + 8 * i.y), 1);
}
