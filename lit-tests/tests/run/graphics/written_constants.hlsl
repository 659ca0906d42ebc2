// HLSL 2016 lets shaders assign to constants: every thread has its own copy, which begins as the host set it.
// rtc -T lib_6_3 -HV 2016
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// reference: no, its SPIR-V has no constants that shaders assign to.
//> [targets.Color]
//> size = [4, 4]
//> format = "rgba32_float"
//> expect = [{ at = [1, 0], is = [7.5, 101.5, 5, 12] }, { at = [3, 0], is = [9.5, 103.5, 5, 12] }]
//> [constants.C]
//> Kept = { float = 5 }
//> Sum = { float = 6 }
//> List = { "float[2]" = [100, 200] }
//> [constants."$Globals"]
//> Loose = { float = 4 }
//> [[draw]]
//> count = 3
cbuffer C : register(b0) { float Kept; float Sum; float List[2]; };
float Loose;
void add(float by) { Sum += by; List[uint(by) & 0] += by; }
void triple(inout float x) { x *= 3; }
[shader("vertex")] float4 Vs(uint i : SV_VertexID) : SV_Position { return float4(float(i & 1) * 4 - 1, float(i >> 1) * 4 - 1, 0.5, 1); }
[shader("pixel")] float4 Ps(float4 p : SV_Position) : SV_Target
{
    add(p.x);
    triple(Loose);
    return float4(Sum, List[0], Kept, Loose);
}
