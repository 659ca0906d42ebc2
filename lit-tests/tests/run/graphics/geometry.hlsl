// Geometry shaders: instances, strips, streams in helper functions, system values.
// rtc -T lib_6_3
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
//> [targets.Color]
//> size = [16, 16]
//> clear = [0, 0, 0, 1]
//> expect = [{ at = [0, 0], size = [8, 16], is = [1, 0.5, 0, 1] }, { at = [8, 0], size = [8, 8], is = [0, 0.25, 1, 1] }, { at = [8, 8], size = [8, 8], is = [0, 0.25, 0, 1] }]
//> [[draw]]
//> topology = "points"
//> geometry = "Gs"
//> vertices = { POSITION = { float2 = [[-1, -1], [0, 0]] }, KIND = { uint = [2, 1] } }
struct In { float2 at : POSITION; uint kind : KIND; };
struct Out { float4 at : SV_Position; nointerpolation float3 c : C; };
[shader("vertex")] In Vs(In v) { return v; }
void put(inout TriangleStream<Out> s, float2 low, float2 size, float3 c)
{
    for (uint i = 0; i < 4; ++i) { Out o; o.at = float4(low + size * float2(i & 1, i >> 1), 0.5, 1); o.c = c; s.Append(o); }
    s.RestartStrip();
}
[shader("geometry")] [maxvertexcount(8)] [instance(2)]
void Gs(point In v[1], uint p : SV_PrimitiveID, uint n : SV_GSInstanceID, inout TriangleStream<Out> s)
{
    if (v[0].kind == 2) { if (n == 0) put(s, v[0].at, float2(1, 2), float3(1, 0.5, p)); return; }
    put(s, v[0].at - float2(0, n), 1, float3(0, 0.25, 1 - n) * p);
}
[shader("pixel")] float4 Ps(Out p) : SV_Target { return float4(p.c, 1); }
