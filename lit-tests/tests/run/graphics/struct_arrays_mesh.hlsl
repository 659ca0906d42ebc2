// Arrays of structures as outputs of a mesh shader, of its vertices and primitives, written at dynamic indices by several threads.
// rtc -T lib_6_5
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// reference: no, it gives SPIR-V no semantics in arrays of structures.
//> [targets.A]
//> size = [2, 1]
//> format = "rgba32_uint"
//> expect = [{ is = [10, 11, 12, 13] }]
//> [[draw]]
//> mesh = "Ms"
//> pixel = "Ps"
//> groups = [1, 1, 1]
struct Pair { uint a; uint2 b[2]; };
struct V { float4 at : SV_Position; nointerpolation Pair p[2] : PAIR; };
[shader("mesh")] [numthreads(4, 1, 1)] [outputtopology("triangle")]
void Ms(uint i : SV_GroupThreadID, out indices uint3 t[1], out vertices V v[3])
{
    SetMeshOutputCounts(3, 1);
    if (i == 3) { t[0] = uint3(0, 1, 2); return; }
    v[i].at = float4(float(i & 1) * 4 - 1, float(i >> 1) * 4 - 1, 0.5, 1);
    for (uint n = 0; n < 2; ++n)
    {
        v[i].p[n].a = 10 + n;
        for (uint k = 0; k < 2; ++k) v[i].p[n].b[(k + i) & 1] = uint2(12 + 10 * n + ((k + i) & 1), 99 + i);
    }
}
[shader("pixel")] uint4 Ps(V v) : SV_Target { return uint4(v.p[0].a, v.p[1].a, v.p[0].b[0].x, v.p[1].b[1].x - 10); }
