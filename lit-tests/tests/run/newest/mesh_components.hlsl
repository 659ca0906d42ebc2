// Outputs of a mesh shader by components: constant and by a number, swizzled, of vertices, primitives and indices, by several threads.
// rtc -T lib_6_5
// Lavapipe 25 loses all of them.
// REQUIRES: newest-mesa
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
//> [targets.Color]
//> size = [8, 8]
//> format = "rgba32_float"
//> clear = [9, 9, 9, 9]
//> expect = [{ at = [0, 0], size = [4, 4], is = [1, 2, 3, 4] }, { at = [4, 0], size = [4, 4], is = [5, 6, 7, 8] }, { at = [0, 4], size = [4, 4], is = [2, 4, 6, 8] }, { at = [4, 4], size = [4, 4], is = 9 }]
//> [[draw]]
//> mesh = "Ms"
//> pixel = "Ps"
//> groups = [3, 1, 1]
struct V { float4 at : SV_Position; float4 c : C; float2 a[2] : A; };
struct Q { nointerpolation uint2 n : N; };
static const float4 Expected[4] = { float4(1, 2, 3, 4), float4(5, 6, 7, 8), float4(2, 4, 6, 8), float4(0.5, 16, -1, 3) };
void both(out float x, out float y, float2 from) { y = from.y; x = from.x; }
[shader("mesh")] [numthreads(4, 1, 1)] [outputtopology("triangle")]
void Ms(uint i : SV_GroupThreadID, uint g : SV_GroupID, out indices uint3 t[2], out vertices V v[4], out primitives Q q[2])
{
    SetMeshOutputCounts(4, 2);
    float4 c = Expected[g];
    v[i].at.zw = float2(0.5, 1);
    v[i].at.x = (g & 1 ? 0 : -1) + float(i & 1);
    v[i].at.y = (g >> 1 ? -1 : 0) + float(i >> 1);
    // Constant components, one by a number, those of elements of an array, and those that a function writes.
    if (g == 0)
    {
        v[i].c.wy = c.wy;
        v[i].c.x = c.x;
        v[i].c[2] = c.z;
        both(v[i].a[0].x, v[i].a[0].y, c.xy);
        both(v[i].a[1].x, v[i].a[1].y, c.zw);
    }
    else
    {
        for (uint n = 0; n < 4; ++n) v[i].c[(n + i) & 3] = c[(n + i) & 3];
        for (uint m = 0; m < 4; ++m) v[i].a[((m + i) & 3) >> 1][(m + i) & 1] = c[(m + i) & 3];
    }
    // Threads share primitives: each writes a component.
    q[i >> 1].n[i & 1] = g;
    if (g == 1)
    {
        // The second triangle is 1, 3, 2.
        t[0].zy = uint2(2, 1);
        t[0].x = 0;
        if (i < 3) t[1][i] = i == 0 ? 1 : 4 - i;
    }
    else
    {
        t[i & 1].xyz = i & 1 ? uint3(1, 3, 2) : uint3(0, 1, 2);
    }
}
[shader("pixel")] float4 Ps(V v, Q q) : SV_Target
{
    bool same = q.n.x == q.n.y && all(float4(v.a[0], v.a[1]) == Expected[q.n.x]);
    return same ? v.c : -1;
}
