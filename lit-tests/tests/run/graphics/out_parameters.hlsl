// Stage inputs and outputs as parameters: `in`, `out`, `inout` with one semantic on both sides, and a shader without a result.
// rtc -T lib_6_3
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
//> [targets.A]
//> size = [2, 2]
//> format = "rgba32_float"
//> expect = [{ is = [3, 6, 20, 1] }]
//> [targets.B]
//> size = [2, 2]
//> format = "r32_uint"
//> expect = [{ is = [42] }]
//> [[draw]]
//> targets = ["A", "B"]
//> vertices = { POSITION = { float2 = [[-1, -1], [3, -1], [-1, 3]] }, VALUE = { float = [2, 2, 2] } }
void change(inout float v, out float twice) { v += 1; twice = 2 * v; }
[shader("vertex")] void Vs(float2 p : POSITION, inout float v : VALUE, out float twice : TWICE, out float4 at : SV_Position)
{
    change(v, twice);
    at = float4(p, 0.5, 1);
}
[shader("pixel")] void Ps(in float v : VALUE, in float twice : TWICE, float4 at : SV_Position, out float4 a : SV_Target0, out uint b : SV_Target1)
{
    a = float4(v, twice, 10 * (v - 1), 1);
    if (at.x > 100) { b = 0; return; }
    b = uint(twice * 7);
}
