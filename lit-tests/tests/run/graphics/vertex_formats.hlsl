// Attributes of many formats and types: normalised and half-precision texels, signed and unsigned integers, vectors that are longer or shorter than the input.
// rtc -T lib_6_3
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
//> [targets.A]
//> size = [4, 1]
//> format = "rgba32_float"
//> expect = [{ is = [0.2, 0.4, 0.6, 1] }]
//> [targets.B]
//> size = [4, 1]
//> format = "rgba32_sint"
//> expect = [{ is = [-5, 7, -2147483648, 1] }]
//> [targets.C]
//> size = [4, 1]
//> format = "rgba32_float"
//> expect = [{ is = [0.5, 1, 0, 1] }]
//> [targets.D]
//> size = [4, 1]
//> format = "rgba32_uint"
//> expect = [{ is = [4294967295, 3, 1, 2] }]
//> [buffers.Bytes]
//> layout = ["uint"]
//> elements = [4288243251, 999, 15360, 4294967295, 3, 1, 2]
//> [[draw]]
//> topology = "points"
//> geometry = "Gs"
//> targets = ["A", "B", "C", "D"]
//> count = 1
//> vertices = { UNORM = { buffer = "Bytes", format = "rgba8_unorm" }, HALF1 = { buffer = "Bytes", format = "r16_float", offset = 8, stride = 4 }, BITS = { buffer = "Bytes", format = "rgba32_uint", offset = 12 }, S = { int3 = [[-5, 7, -2147483648]] }, HALF = { float = [[0.5]] }, FAR7 = { float4 = [[-0.75, 9, 9, 9]] } }
//> viewports = [{ rect = [0, 0, 4, 1] }]
struct V { float4 at : SV_Position; float4 bytes : U; nointerpolation int3 s : S; float4 halves : HALF; nointerpolation uint4 bits : BITS; };
[shader("vertex")] V Vs(float4 bytes : Unorm, float far : FAR7, int3 s : S, float2 halves[2] : HALF, uint4 bits : BITS, uint n : SV_InstanceID)
{
    V v;
    v.at = float4(far + 0.0, 0, 0.5, 1);
    v.bytes = bytes; v.s = s; v.halves = float4(halves[0].x, halves[1].x, halves[0].y, 1); v.bits = bits;
    return v;
}
[shader("geometry")] [maxvertexcount(4)]
void Gs(point V v[1], inout PointStream<V> s)
{
    for (uint i = 0; i < 4; ++i) { V o = v[0]; o.at.x += i * 0.5; s.Append(o); }
}
struct Out { float4 a : SV_Target0; int4 b : SV_Target1; float4 c : SV_Target2; uint4 d : SV_Target3; };
[shader("pixel")] Out Ps(V v)
{
    Out o; o.a = v.bytes; o.b = int4(v.s, 1); o.c = v.halves; o.d = v.bits; return o;
}
