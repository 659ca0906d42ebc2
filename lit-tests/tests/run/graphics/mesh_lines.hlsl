// A mesh shader without payload that makes lines: as many as its group says, an array and an integer as attributes. Lavapipe 25 draws other lines, so the threads say what they write.
// rtc -T lib_6_5
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// reference: newest, since the pinned one makes mesh shaders of a vendor's extension.
//> [targets.Color]
//> size = [8, 4]
//> format = "rg32_uint"
//> expect = [{ at = [0, 2], size = [8, 2], is = [0, 0] }]
//> [buffers.Out]
//> size = 64
//> layout = ["uint"]
//> expect = [50, 51, 0, 0, 61, 62, 0, 0, 2, 2, 2, 2, 2, 2, 2, 2]
//> [[draw]]
//> mesh = "Ms"
//> groups = [1, 2, 2]
RWStructuredBuffer<uint> Out : register(u0);
struct V { float4 at : SV_Position; nointerpolation uint n[2] : N; };
[shader("mesh")] [numthreads(2, 2, 1)] [outputtopology("line")]
void Ms(uint3 t : SV_GroupThreadID, uint i : SV_GroupIndex, uint3 g : SV_GroupID, uint3 d : SV_DispatchThreadID, out vertices V v[4], out indices uint2 l[2])
{
    // The second layer of groups draws nothing.
    uint lines = g.z == 0 ? 1 : 0;
    SetMeshOutputCounts(lines * 2, lines);
    uint at = (g.y + 2 * g.z) * 4 + i;
    Out[at] = g.z * 2;
    if (i >= lines * 2) return;
    v[i].at = float4(i ? 1.25 : -1.25, 1 - (g.y + 0.5) / 2, 0.5, 1);
    v[i].n[0] = 5 + d.y / 2; v[i].n[1] = g.y;
    Out[at] = d.y / 2 * 10 + 50 + i + g.y;
    if (t.x == 0 && t.y == 0) l[0] = uint2(0, 1);
}
[shader("pixel")] uint2 Ps(V v) : SV_Target { return uint2(v.n[0], v.n[1]); }
