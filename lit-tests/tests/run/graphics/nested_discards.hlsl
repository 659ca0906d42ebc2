// `clip` and `discard` in functions, loops and switches: a discarded pixel writes nothing, whatever comes after it.
// rtc -T lib_6_3
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
//> [targets.Color]
//> size = [4, 2]
//> format = "r32_float"
//> clear = [9, 0, 0, 0]
//> expect = [{ at = [0, 0], is = [9] }, { at = [1, 0], is = [1] }, { at = [2, 0], is = [9] }, { at = [3, 0], is = [9] }, { at = [0, 1], is = [9] }, { at = [1, 1], is = [4] }, { at = [2, 1], is = [9] }, { at = [3, 1], is = [6] }]
//> [[draw]]
//> count = 3
[shader("vertex")] float4 Vs(uint i : SV_VertexID) : SV_Position { return float4(float(i & 1) * 4 - 1, float(i >> 1) * 4 - 1, 0.5, 1); }
uint counted(uint n)
{
    uint sum = 0;
    for (uint i = 0; i < 8; ++i) {
        if (i == n) { if (n == 3) discard; break; }
        sum += i;
    }
    return sum;
}
[shader("pixel")] float Ps(float4 p : SV_Position) : SV_Target
{
    uint n = uint(p.y) * 4 + uint(p.x);
    switch (n) {
    case 0: discard; break;
    case 1: return 1;
    case 2: clip(float3(1, -0.25, 1)); return 2;
    case 4: clip(-1);
    case 5: break;
    case 6: { float z = n - 6; clip(z - 1e-20); break; }
    default: break;
    }
    uint c = counted(n);
    return n == 5 ? 4 : n == 7 ? c - 15 : c;
}
