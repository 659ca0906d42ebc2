// Vertices from buffers: a structured buffer, a byte address buffer and a typed buffer, indexed by the vertex's and the instance's number.
// rtc -T lib_6_3
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
//> [targets.Color]
//> size = [16, 16]
//> expect = [{ at = [0, 0], size = [8, 8], is = [1, 0, 0.2, 1] }, { at = [8, 0], size = [8, 8], is = [0, 1, 0.4, 1] }, { at = [0, 8], size = [8, 8], is = [0, 0, 0.6, 1] }, { at = [8, 8], size = [8, 8], is = [1, 1, 0.8, 1] }]
//> [buffers.Corners]
//> layout = ["float2", "uint"]
//> elements = [[[0, 0], 3], [[1, 0], 2], [[0, 1], 1], [[1, 1], 0]]
//> [buffers.Places]
//> layout = ["float2"]
//> elements = [[-1, 0], [0, 0], [-1, -1], [0, -1]]
//> [buffers.Colors]
//> format = "rgba32_float"
//> layout = ["float4"]
//> elements = [[1, 0, 0.2, 1], [0, 1, 0.4, 1], [0, 0, 0.6, 1], [1, 1, 0.8, 1]]
//> [[draw]]
//> topology = "triangle_strip"
//> count = 4
//> instances = 4
struct Corner { float2 at; uint other; };
StructuredBuffer<Corner> Corners : register(t0);
ByteAddressBuffer Places : register(t1);
Buffer<float4> Colors : register(t2);
struct V { float4 at : SV_Position; nointerpolation float4 c : COLOR; };
[shader("vertex")] V Vs(uint i : SV_VertexID, uint n : SV_InstanceID)
{
    V v;
    // Each corner names the opposite one, whose opposite it is.
    Corner c = Corners[3 - Corners[i].other];
    v.at = float4(asfloat(Places.Load2(n * 8)) + c.at, 0.5, 1);
    v.c = Colors[n];
    return v;
}
[shader("pixel")] float4 Ps(V v) : SV_Target { return v.c; }
