// Numbers of at least 16 bits between stages.
// rtc -T lib_6_3
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
//> [targets.Color]
//> size = [4, 4]
//> format = "rgba32_float"
//> expect = [{ at = [0, 0], is = [0.125, -5, 4000, 1.5] }, { at = [3, 2], is = [0.875, -5, 4000, 1.5] }]
//> [[draw]]
//> topology = "triangle_strip"
//> count = 4
struct V { float4 at : SV_Position; min16float2 h : H; min16int i : I; min16uint3 u : U; };
[shader("vertex")] V Vs(uint i : SV_VertexID)
{
    V v;
    v.at = float4((i & 1) * 2.0 - 1, (i >> 1) * 2.0 - 1, 0.5, 1);
    v.h = min16float2(i & 1, 1.5); v.i = -5; v.u = min16uint3(1, 2, 4000);
    return v;
}
[shader("pixel")] float4 Ps(V v) : SV_Target { return float4(v.h.x, v.i, v.u.z, v.h.y); }
