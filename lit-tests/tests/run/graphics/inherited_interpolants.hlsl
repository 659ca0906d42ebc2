// Stage inputs and outputs that are structures with base classes: members of bases come first, and methods read them.
// rtc -T lib_6_3
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
//> [targets.Color]
//> size = [4, 4]
//> format = "rgba32_float"
//> expect = [{ is = [5, 11, 28, 3] }]
//> [[draw]]
//> count = 3
struct Placed { float4 at : SV_Position; };
struct Coloured : Placed { nointerpolation float2 first : FIRST; float sum() { return first.x + first.y; } };
struct Full : Coloured { nointerpolation uint2 second : SECOND; nointerpolation float third[2] : THIRD; };
[shader("vertex")] Full Vs(uint i : SV_VertexID)
{
    Full f;
    f.at = float4(float(i & 1) * 4 - 1, float(i >> 1) * 4 - 1, 0.5, 1);
    f.first = float2(2, 3);
    f.second = uint2(4, 7);
    f.third[0] = 12.5;
    f.third[1] = 15.5;
    return f;
}
[shader("pixel")] float4 Ps(Full f) : SV_Target { return float4(f.sum(), f.second.x + f.second.y, f.third[0] + f.third[1], f.first.y); }
