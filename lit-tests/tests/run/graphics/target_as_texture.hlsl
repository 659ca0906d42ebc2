// What a draw has written is a texture of the next one, twice: a picture that is blurred by hand.
// rtc -T lib_6_3
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
//> [targets.First]
//> size = [8, 8]
//> format = "rgba32_float"
//> bind = ["Source"]
//> expect = [{ at = [3, 3], is = [11, 3, 3, 1] }]
//> [targets.Second]
//> size = [8, 8]
//> format = "rgba32_float"
//> expect = [{ at = [0, 0], is = [5, 0.5, 0.5, 1] }, { at = [3, 4], is = [15, 3, 4, 1] }]
//> [[draw]]
//> targets = ["First"]
//> pixel = "Draw"
//> count = 3
//> [[draw]]
//> targets = ["Second"]
//> pixel = "Blur"
//> count = 3
Texture2D Source : register(t0);
[shader("vertex")] float4 Vs(uint i : SV_VertexID) : SV_Position { return float4(float(i & 1) * 4 - 1, float(i >> 1) * 4 - 1, 0.5, 1); }
[shader("pixel")] float4 Draw(float4 p : SV_Position) : SV_Target { uint2 i = uint2(p.xy); return float4(i.x == i.y ? 2 + i.x * 3 : 15, i, 1); }
[shader("pixel")] float4 Blur(float4 p : SV_Position) : SV_Target
{
    int2 i = int2(p.xy), least = max(i - 1, 0), most = min(i + 1, 7);
    float4 sum = 0; float n = 0, biggest = 0;
    for (int y = least.y; y <= most.y; ++y)
        for (int x = least.x; x <= most.x; ++x)
        {
            float4 c = Source[uint2(x, y)];
            sum += c; ++n;
            if (x != y) biggest = max(biggest, c.x); else if (i.x + i.y == 0) biggest = 5;
        }
    return float4(i.x + i.y == 0 ? 5 : biggest, sum.yz / n, 1);
}
