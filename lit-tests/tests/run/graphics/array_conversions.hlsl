// Arrays convert to arrays of other dimensions and of structures that have the same numbers, of constants too; before HLSL 2021 arrays and structures convert to each other.
// rtc -T lib_6_3
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// RUN: %rtc-run %s -o %T -- -no-warnings -HV 2018 -DOLD
//> [targets.Color]
//> size = [4, 4]
//> format = "rgba32_float"
//> expect = [{ at = [1, 0], is = [4, 15, 17, 23] }]
//> [constants.C]
//> Rows = { "float4[6]" = [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11], [12, 13, 14, 15], [16, 17, 18, 19], [20, 21, 22, 23]] }
//> [[draw]]
//> count = 3
struct Three { float4 a; float4 b[2]; };
struct Twelve { float4 a; float4 b; float4 c; };
cbuffer C : register(b0) { float4 Rows[6]; };
static const float4 Grid[2][3] = Rows;
static const Three Pairs[2] = Rows;
float last(float4 rows[3][2]) { return rows[2][1].w; }
#ifdef OLD
float middle(Twelve t) { return t.b.y; }
float half_of(float4 rows[6]) { float4 upper[3] = { rows[3], rows[4], rows[5] }; return middle(upper); }
#else
float half_of(float4 rows[6]) { return rows[4].y; }
#endif
[shader("vertex")] float4 Vs(uint i : SV_VertexID) : SV_Position { return float4(float(i & 1) * 4 - 1, float(i >> 1) * 4 - 1, 0.5, 1); }
[shader("pixel")] float4 Ps(float4 p : SV_Position) : SV_Target
{
    uint n = uint(p.x);
    return float4(Grid[(n - 1) & 1][n % 3].x, Pairs[n & 1].a.w, half_of(Rows), last(Rows));
}
