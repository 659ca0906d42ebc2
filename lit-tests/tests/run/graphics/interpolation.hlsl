// Every mode of interpolation, with a perspective in which the modes differ.
// rtc -T lib_6_3
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
//> [targets.Linear]
//> size = [8, 8]
//> format = "rgba32_float"
//> expect = [{ at = [4, 0], is = [0.72, 0.5625, 3, 0.72] }, { at = [0, 7], is = [0.1176471, 0.0625, 3, 0.1176471] }]
//> [targets.Other]
//> size = [8, 8]
//> format = "rgba32_float"
//> expect = [{ at = [4, 0], is = [0.5625, 0.5625, 0.72, 7] }, { at = [0, 7], is = [0.0625, 0.0625, 0.1176471, 7] }]
//> [[draw]]
//> topology = "triangle_strip"
//> targets = ["Linear", "Other"]
//> count = 4
struct V
{
    float4 at : SV_Position;
    float linear_ : A;
    noperspective float flat : B;
    nointerpolation float first : C;
    centroid float middle : D;
    noperspective centroid float flat_middle : E;
    noperspective sample float flat_sample : F;
    sample float each : G;
    nointerpolation uint number : H;
};
[shader("vertex")] V Vs(uint i : SV_VertexID)
{
    // The right edge is farther by half: w is 1 at the left and 0.5 at the right.
    float x = i & 1, y = i >> 1, w = 1 - x * 0.5;
    V v;
    v.at = float4(x * 2 - 1, y * 2 - 1, 0.5, 1) * w;
    v.linear_ = v.flat = v.middle = v.flat_middle = v.flat_sample = v.each = x;
    v.first = 3; v.number = 7;
    return v;
}
struct Out { float4 a : SV_Target0; float4 b : SV_Target1; };
[shader("pixel")] Out Ps(V v)
{
    Out o;
    o.a = float4(v.linear_, v.flat, v.first, v.middle);
    o.b = float4(v.flat_middle, v.flat_sample, v.each, v.number);
    return o;
}
