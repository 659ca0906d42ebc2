// Eight targets of different formats, written by one pixel shader: gaps, fewer and more channels than the target, signs.
// rtc -T lib_6_3
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
//> [targets.A]
//> size = [4, 2]
//> expect = [{ at = [2, 1], is = [1, 0, 0.2, 1] }]
//> [targets.B]
//> size = [4, 2]
//> format = "rgba16_float"
//> expect = [{ at = [2, 1], is = [2.5, -65504, 0.25, 1] }]
//> [targets.C]
//> size = [4, 2]
//> format = "r32_uint"
//> expect = [{ at = [2, 1], is = 4294967295 }]
//> [targets.D]
//> size = [4, 2]
//> format = "rgba32_sint"
//> expect = [{ at = [2, 1], is = [-1, -2147483648, 2, 1] }]
//> [targets.E]
//> size = [4, 2]
//> format = "r32_float"
//> clear = [6]
//> expect = [{ is = 6 }]
//> [targets.F]
//> size = [4, 2]
//> format = "rg32_uint"
//> expect = [{ at = [2, 1], is = [2, 1] }]
//> [targets.G]
//> size = [4, 2]
//> format = "rg8_unorm"
//> expect = [{ at = [2, 1], is = [0, 1] }]
//> [targets.H]
//> size = [4, 2]
//> format = "rgba8_unorm_srgb"
//> expect = [{ at = [2, 1], is = [0.7372549, 1, 0, 0.5019608], within = 0.01 }]
//> [[draw]]
//> targets = ["A", "B", "C", "D", "E", "F", "G", "H"]
//> blend = [{ write = "rgba" }, { write = "rgba" }, { write = "rgba" }, { write = "rgba" }, { write = "" }, { write = "rgba" }, { write = "rgba" }, { write = "rgba" }]
//> count = 3
[shader("vertex")] float4 Vs(uint i : SV_VertexID) : SV_Position { return float4(float(i & 1) * 4 - 1, float(i >> 1) * 4 - 1, 0.5, 1); }
struct Rest { float2 g : SV_Target6; float4 h : SV_Target7; };
struct Out { float4 a : SV_Target; float4 b : SV_Target1; uint c : SV_Target2; int4 d : SV_Target3; uint2 f : SV_Target5; Rest rest; };
[shader("pixel")] Out Ps(float4 p : SV_Position)
{
    Out o;
    o.a = float4(7, -1, 0.2, 1);
    o.b = float4(p.x, -65504, 0.25, 1);
    o.c = ~0u;
    o.d = int4(-1, 0x80000000, p.x, p.y);
    o.f = uint2(p.xy);
    o.rest.g = float2(-3, 3);
    o.rest.h = float4(0.5, 1, 0, 0.5);
    return o;
}
