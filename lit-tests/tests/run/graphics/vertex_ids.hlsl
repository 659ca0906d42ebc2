// Numbers of vertices and instances with a base vertex, short indices, a strip that restarts, and an attribute for each instance.
// rtc -T lib_6_3
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
//> [targets.Color]
//> size = [16, 16]
//> format = "rgba32_uint"
//> clear = [77, 77, 77, 77]
//> expect = [{ at = [0, 0], size = [4, 16], is = [3, 100, 6, 1] }, { at = [4, 0], size = [4, 16], is = [77, 77, 77, 77] }, { at = [8, 0], size = [4, 16], is = [3, 101, 6, 1] }, { at = [12, 0], size = [4, 16], is = [77, 77, 77, 77] }]
//> [buffers.Seen]
//> size = 64
//> layout = ["uint"]
//> expect = [0, 0, 24, 24, 24, 24, 24, 24, 0, 0]
//> [buffers.Indices]
//> layout = ["uint"]
//> elements = [9, 65536, 4294901762, 262147, 5]
//> [buffers.Corners]
//> layout = ["float2"]
//> elements = [[9, 9], [9, 9], [-1, -1], [-1, 1], [-0.5, -1], [-0.5, -1], [-0.5, 1], [-1, 1]]
//> [buffers.Each]
//> layout = ["float", "uint"]
//> elements = [[-7, 1], [-7, 2], [-7, 3], [0, 100], [1, 101]]
//> [[draw]]
//> topology = "triangle_strip"
//> restart = true
//> indices = { buffer = "Indices", format = "uint16", offset = 4 }
//> vertices = { POSITION = { buffer = "Corners", format = "float2" }, SHIFT = { buffer = "Each", format = "float", stride = 8, per_instance = true }, ID = { buffer = "Each", format = "uint", offset = 4, stride = 8, per_instance = true } }
//> base_vertex = 2
//> instances = 2
//> first_instance = 3
//> count = 7
RWStructuredBuffer<uint> Seen : register(u0);
struct V { float4 at : SV_Position; nointerpolation uint4 c : COLOR; };
[shader("vertex")] V Vs(float2 p : POSITION, float shift : SHIFT, uint id : ID, uint i : SV_VertexID, uint n : SV_InstanceID)
{
    V v;
    v.at = float4(p.x + shift, p.y, 0.5, 1);
    // Vulkan's numbers include what the draw begins with.
    v.c = uint4(3, id, 6, id == 100 + n - 3);
    uint old;
    InterlockedOr(Seen[i], 1u << n, old);
    return v;
}
[shader("pixel")] uint4 Ps(V v) : SV_Target { return v.c; }
