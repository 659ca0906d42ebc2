// 16-bit inputs and outputs: floats that are interpolated, signed and unsigned integers.
// rtc -T lib_6_3 -enable-16bit-types
// RUN: %rtc-run-where-possible %s -o %T -- -no-warnings
// RUN: %rtc-run-where-possible %s -o %T -- -no-warnings -Od
//> [targets.Color]
//> size = [4, 4]
//> format = "rgba32_float"
//> expect = [{ at = [0, 0], is = [0.125, -5, 40000, 1.5], within = 0.001 }, { at = [3, 2], is = [0.875, -5, 40000, 1.5], within = 0.001 }]
//> [[draw]]
//> topology = "triangle_strip"
//> count = 4
struct V { float4 at : SV_Position; float16_t2 h : H; int16_t i : I; uint16_t3 u : U; };
[shader("vertex")] V Vs(uint i : SV_VertexID)
{
    V v;
    v.at = float4((i & 1) * 2.0 - 1, (i >> 1) * 2.0 - 1, 0.5, 1);
    v.h = float16_t2(i & 1, 1.5); v.i = -5; v.u = uint16_t3(1, 2, 40000);
    return v;
}
[shader("pixel")] float4 Ps(V v) : SV_Target { return float4(v.h.x, v.i, uint(v.u.z), v.h.y); }
