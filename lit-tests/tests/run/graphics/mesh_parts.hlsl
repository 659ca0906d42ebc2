// Outputs of a mesh shader in parts: elements of arrays and rows of matrices by numbers, functions with `out` parameters, whole arrays; the same counts twice.
// rtc -T lib_6_5
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// Lavapipe 25 loses what is written to single components, so `graphics/mesh_components.hlsl` only compiles that.
// reference: no, it ends with an internal error.
//> [targets.Color]
//> size = [8, 8]
//> format = "rgba32_float"
//> clear = [9, 9, 9, 9]
//> expect = [{ at = [0, 0], size = [4, 4], is = [1, 2, 3, 4] }, { at = [4, 0], size = [4, 4], is = [5, 6, 7, 8] }, { at = [0, 4], size = [4, 4], is = [2, 4, 6, 8] }, { at = [4, 4], size = [4, 4], is = [0.5, 16, -1, 3] }]
//> [[draw]]
//> mesh = "Ms"
//> pixel = "Ps"
//> groups = [4, 1, 1]
struct V { float4 at : SV_Position; float4 c : C; float2 a[2] : A; float2x2 m : M; };
struct Q { nointerpolation uint n : N; };
static const float4 Expected[4] = { float4(1, 2, 3, 4), float4(5, 6, 7, 8), float4(2, 4, 6, 8), float4(0.5, 16, -1, 3) };
void place(out float4 at, uint2 quarter, uint i)
{
    at = 0.5;
    at.w = 1;
    at.xy = float2(quarter.x ? 0 : -1, quarter.y ? -1 : 0) + float2(i & 1, i >> 1);
}
void pair(out float2 a[2], float4 c) { a[0] = c.xy; a[1] = c.zw; }
void rows(out float2 upper, out float2 lower, float4 c) { lower = c.zw; upper = c.xy; }
void every(out vertices V v[4], float4 c) { for (uint i = 0; i < 4; ++i) v[i].c = c; }
void triangles(out indices uint3 t[2]) { t[1] = uint3(1, 3, 2); t[0] = uint3(0, 1, 2); }
[shader("mesh")] [numthreads(4, 1, 1)] [outputtopology("triangle")]
void Ms(uint i : SV_GroupThreadID, uint g : SV_GroupID, out indices uint3 t[2], out vertices V v[4], out primitives Q q[2])
{
    SetMeshOutputCounts(4, 2);
    float4 c = Expected[g];
    if (g == 3)
    {
        // Every thread writes all.
        V all[4];
        for (uint n = 0; n < 4; ++n)
        {
            all[n] = (V)0;
            all[n].c = c;
            pair(all[n].a, c);
            all[n].m = float2x2(c);
            place(all[n].at, uint2(1, 1), n);
        }
        v = all;
        for (uint m = 0; m < 2; ++m) { t[m] = uint3(m, 1 + 2 * m, 2); q[m].n = g; }
        return;
    }
    place(v[i].at, uint2(g & 1, g >> 1), i);
    if (g == 0)
    {
        every(v, c);
        pair(v[i].a, c);
        v[i].m = float2x2(c);
    }
    else if (g == 1)
    {
        v[i].c = c;
        v[i].a[i & 1] = i & 1 ? c.zw : c.xy;
        v[i].a[1 - (i & 1)] = i & 1 ? c.xy : c.zw;
        v[i].m[0] = c.xy;
        v[i].m[1] = c.zw;
    }
    else
    {
        // What a vertex has is written by several threads.
        for (uint n = 0; n < 4; ++n)
        {
            v[n].c = c;
            v[n].a[i & 1] = i & 1 ? c.zw : c.xy;
            if (i > 1) v[n].m[i & 1] = i & 1 ? c.zw : c.xy;
        }
        rows(v[i].a[0], v[i].a[1], c);
    }
    // The same again.
    SetMeshOutputCounts(4, 2);
    triangles(t);
    if (i < 2) q[i].n = g;
}
[shader("pixel")] float4 Ps(V v, Q q) : SV_Target
{
    float4 c = Expected[q.n];
    bool same = all(float4(v.a[0], v.a[1]) == c) && all(float4(v.m[0], v.m[1]) == c);
    return same ? v.c : -1;
}
