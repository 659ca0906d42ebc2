// A mesh shader with many vertices and primitives: loops over threads, indices through groupshared memory, wave operations.
// rtc -T lib_6_5
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// reference: newest, since the pinned one makes mesh shaders of a vendor's extension.
// reference within 0.000001, for the coordinates are divided in another order.
//> [targets.Color]
//> size = [16, 16]
//> format = "rgba32_float"
//> expect = [{ at = [0, 0], is = [0.03125, 0.96875, 1, 49] }, { at = [15, 15], is = [0.96875, 0.03125, 1, 49] }, { at = [8, 3], is = [0.53125, 0.78125, 1, 49] }]
//> [[draw]]
//> mesh = "Ms"
//> groups = [1, 1, 1]
struct V { float4 at : SV_Position; float2 uv : UV; nointerpolation float n : N; };
groupshared uint corners[64]; groupshared uint total;
[shader("mesh")] [numthreads(32, 1, 1)] [outputtopology("triangle")]
void Ms(uint i : SV_GroupIndex, out vertices V v[64], out indices uint3 t[98])
{
    if (i == 0) total = 0;
    GroupMemoryBarrierWithGroupSync();
    uint old, quads = WaveActiveSum(i < 49 ? (i + 32 < 49 ? 2 : 1) : 0);
    if (WaveIsFirstLane()) InterlockedAdd(total, quads, old);
    for (uint n = i; n < 64; n += 32) corners[n] = n;
    GroupMemoryBarrierWithGroupSync();
    SetMeshOutputCounts(64, 98);
    for (uint n = i; n < 64; n += 32)
    {
        float2 uv = float2(n % 8, n / 8) / 7;
        v[n].at = float4(uv * 2 - 1, 0.5, 1); v[n].uv = uv; v[n].n = total;
    }
    for (uint q = i; q < 49; q += 32)
    {
        uint c = corners[q % 7 + q / 7 * 8];
        t[q * 2] = uint3(c, c + 1, c + 8); t[q * 2 + 1] = uint3(c + 1, c + 9, c + 8);
    }
}
[shader("pixel")] float4 Ps(V v) : SV_Target { return float4(v.uv, 1, v.n); }
