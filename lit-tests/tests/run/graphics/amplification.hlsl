// Amplification shaders that start many mesh shaders each, with a large payload that all threads fill.
// rtc -T lib_6_5
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// reference: newest, since the pinned one makes mesh shaders of a vendor's extension.
//> [targets.Color]
//> size = [16, 4]
//> format = "rg32_uint"
//> expect = [{ at = [0, 0], is = [1, 60] }, { at = [7, 0], is = [8, 60] }, { at = [8, 1], is = [0, 0] }, { at = [0, 1], is = [1, 61] }, { at = [15, 3], is = [0, 0] }, { at = [7, 3], is = [8, 63] }]
//> [[draw]]
//> amplification = "As"
//> mesh = "Ms"
//> groups = [4, 1, 1]
struct Payload { float4 places[8]; uint row; uint2 numbers[8]; };
groupshared Payload sent;
[shader("amplification")] [numthreads(8, 1, 1)]
void As(uint i : SV_GroupThreadID, uint g : SV_GroupID)
{
    sent.places[i] = float4((i + 0.5) / 8 - 1, 1 - (g + 0.5) / 2, 0.5, 1);
    sent.numbers[i] = uint2(i + 1, 60 + g);
    if (i == 0) sent.row = g;
    DispatchMesh(2, 2, 2, sent);
}
struct V { float4 at : SV_Position; nointerpolation uint2 n : N; };
[shader("mesh")] [numthreads(3, 1, 1)] [outputtopology("triangle")]
void Ms(uint i : SV_GroupThreadID, uint3 g : SV_GroupID, in payload Payload p, out vertices V v[3], out indices uint3 t[1])
{
    SetMeshOutputCounts(3, 1);
    uint n = g.x + 2 * g.y + 4 * g.z;
    // A triangle around the middle of one pixel.
    float2 corners[3] = { float2(-0.5, -0.5), float2(-0.5, 1.5), float2(1.5, -0.5) };
    v[i].at = p.places[n] + float4(corners[i] / float2(8, 2) * 0.9, 0, 0); v[i].n = p.numbers[n] + (p.row > 3);
    t[0] = uint3(0, 1, 2);
}
[shader("pixel")] uint2 Ps(V v) : SV_Target { return v.n; }
