// Matrices between stages, row-major and column-major, of floats and of integers: each has the same elements on both sides.
// rtc -T lib_6_3
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
//> [targets.A]
//> size = [2, 2]
//> format = "rgba32_float"
//> expect = [{ is = [11, 23, 31, 12] }]
//> [targets.B]
//> size = [2, 2]
//> format = "rgba32_uint"
//> expect = [{ is = [101, 102, 201, 202] }]
//> [[draw]]
//> targets = ["A", "B"]
//> count = 3
struct Between
{
    float4 at : SV_Position;
    nointerpolation row_major float3x3 r : ROWS;
    nointerpolation column_major float2x3 c : COLUMNS;
    nointerpolation uint2x2 u : NUMBERS;
};
[shader("vertex")] Between Vs(uint i : SV_VertexID)
{
    Between b;
    b.at = float4(float(i & 1) * 4 - 1, float(i >> 1) * 4 - 1, 0.5, 1);
    for (uint y = 0; y < 3; ++y) { for (uint x = 0; x < 3; ++x) b.r[y][x] = (y + 1) * 10 + x + 1; }
    for (uint k = 0; k < 2; ++k) { for (uint x = 0; x < 3; ++x) b.c[k][x] = (k + 1) * 10 + x + 1; }
    b.u = uint2x2(101, 102, 201, 202);
    return b;
}
struct Out { float4 a : SV_Target0; uint4 b : SV_Target1; };
[shader("pixel")] Out Ps(Between b)
{
    Out o;
    o.a = float4(b.r._m00, b.c._23, b.r[2].x, b.c[0][1]);
    o.b = uint4(b.u[0], b.u[1]);
    return o;
}
