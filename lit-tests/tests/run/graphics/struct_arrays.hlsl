// Arrays of structures as inputs and outputs of vertex, geometry and pixel shaders: nested, in arrays, with matrices, with dynamic indices.
// rtc -T lib_6_3
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// reference: no, it gives SPIR-V no semantics in arrays of structures.
// RUN: %rtc -T lib_6_3 %s -no-warnings -Fc - | FileCheck %s
// The semantic numbers what is in the first structure, then what is in the second one.
// CHECK: !"IN", i8 9, i8 0, [[X:![0-9]+]], i8 0, i32 2, i8 2
// CHECK: [[X]] = !{i32 0, i32 3}
// CHECK: !"IN", i8 9, i8 0, [[Y:![0-9]+]], i8 0, i32 4, i8 3
// CHECK: [[Y]] = !{i32 1, i32 2, i32 4, i32 5}
//> [targets.A]
//> size = [4, 1]
//> format = "rgba32_float"
//> expect = [{ at = [0, 0], is = [1, 2, 20, 21] }, { at = [1, 0], is = [101, 102, 23, 24] }, { at = [2, 0], is = [101, 102, 23, 24] }, { at = [3, 0], is = [101, 102, 23, 24] }]
//> [targets.B]
//> size = [4, 1]
//> format = "rgba32_uint"
//> expect = [{ at = [0, 0], is = [50, 60, 7, 7] }, { at = [1, 0], is = [51, 61, 8, 7] }, { at = [2, 0], is = [50, 60, 7, 7] }, { at = [3, 0], is = [51, 61, 8, 7] }]
//> [[draw]]
//> topology = "points"
//> geometry = "Gs"
//> targets = ["A", "B"]
//> count = 1
//> vertices = { IN0 = { float2 = [[1, 2]] }, IN1 = { float3 = [[20, 21, 22]] }, IN2 = { float3 = [[5, 50, 500]] }, IN3 = { float2 = [[101, 102]] }, IN4 = { float3 = [[23, 24, 25]] }, IN5 = { float3 = [[6, 60, 600]] } }
//> viewports = [{ rect = [0, 0, 4, 1] }]
struct Part { float2 x; float3 y[2]; };
struct In { Part p[2] : IN; };
struct Leaf { uint n; };
// Geometry shaders have 16 locations, of which these take 14.
struct Inner { row_major float2x2 m; bool on; Leaf leaves[2][2]; };
struct V { float4 at : SV_Position; nointerpolation Inner i[2] : INNER; uint end : END; };
[shader("vertex")] V Vs(In v)
{
    V o = (V)0;
    o.at = float4(-0.75, 0, 0.5, 1); o.end = 7;
    for (uint n = 0; n < 2; ++n)
    {
        o.i[n].m = float2x2(v.p[n].x, v.p[0].y[0].xy + n * 3);
        o.i[n].on = v.p[1].y[1].y == 60;
        for (uint k = 0; k < 4; ++k) o.i[n].leaves[k / 2][k % 2].n = 50 + k / 2 + 10 * (k % 2);
    }
    return o;
}
[shader("geometry")] [maxvertexcount(4)]
void Gs(point V v[1], inout PointStream<V> s)
{
    for (uint i = 0; i < 4; ++i) { V o = v[0]; o.at.x += i * 0.5; s.Append(o); }
}
struct Out { float4 a : SV_Target0; uint4 b : SV_Target1; };
[shader("pixel")] Out Ps(V v)
{
    uint n = min(uint(v.at.x), 1), k = uint(v.at.x) & 1;
    Out o;
    o.a = float4(v.i[n].m[0], v.i[n].m[1]);
    o.b = uint4(v.i[n].leaves[k][0].n, v.i[n].leaves[k][1].n, 7 + v.i[n & k].on * k, v.end);
    if (!v.i[n].on || v.i[n].leaves[n][k].n != 50 + n + 10 * k) o.b.w = 99;
    return o;
}
