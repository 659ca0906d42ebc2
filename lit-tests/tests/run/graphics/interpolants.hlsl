// Structures, arrays and matrices as outputs of a vertex shader, with inheritance, and a dynamic index in the pixel shader.
// rtc -T lib_6_3
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
//> [targets.Color]
//> size = [4, 4]
//> format = "rgba32_float"
//> expect = [{ at = [0, 0], is = [0.125, 0.25, 21, 1] }, { at = [3, 0], is = [0.875, 1.75, 24, 1] }, { at = [2, 3], is = [0.625, 1.25, 23, 1] }]
//> [[draw]]
//> topology = "triangle_strip"
//> count = 4
struct Base { float4 at : SV_Position; float2x3 m : M; };
struct Inner { float a[3] : A; nointerpolation int4 ids : IDS; row_major float3x2 r : R; };
struct V : Base { Inner first : I; Inner second : K; bool yes : YES; };
Inner inner(float x, uint n)
{
    Inner o;
    o.a[0] = o.a[1] = 0; o.a[2] = x * n;
    o.ids = int4(21, 22, 23, 24) * (n ? 1 : -1);
    o.r = float3x2(1, 2, 3, 4, 5, 6) * x;
    return o;
}
[shader("vertex")] V Vs(uint i : SV_VertexID)
{
    float x = i & 1;
    V v;
    v.at = float4(x * 2 - 1, (i >> 1) * 2.0 - 1, 0.5, 1);
    v.m = float2x3(x, 0, 0, 0, 0, x * 2);
    v.first = inner(x, 0);
    v.second = inner(x, 1);
    v.yes = true;
    return v;
}
[shader("pixel")] float4 Ps(V v) : SV_Target
{
    uint column = uint(v.at.x);
    float wrong = abs(v.first.a[2]) + abs(v.second.a[2] - v.m[0][0]) + abs(v.second.r[2][1] - 6 * v.m[0].x) + abs(v.first.r[1].x - 3 * v.m[0].x);
    return float4(v.m[0][0], v.m[1].z, v.second.ids[column], wrong < 1e-5 && v.yes && v.first.ids[3 - column] == -v.second.ids[3 - column]);
}
