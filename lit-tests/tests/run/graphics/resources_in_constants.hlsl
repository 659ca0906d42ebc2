// Resources among constants: in a cbuffer, in a structure with numbers, in a ConstantBuffer and in the global variables; whole structures as arguments, elements chosen at run time.
// rtc -T lib_6_3
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// reference: no, its SPIR-V has no variables that hold resources and numbers.
//> [targets.A]
//> size = [4, 4]
//> format = "rgba32_float"
//> expect = [{ at = [0, 0], is = [11, 24, 38, 47] }]
//> [targets.B]
//> size = [4, 4]
//> format = "rgba32_float"
//> expect = [{ at = [0, 0], is = [44, 51, 104, 31] }]
//> [constants.C]
//> Before = { float = 10 }
//> "Pair.k" = { float = 3 }
//> "Pair.list" = { "float[3]" = [4, 5, 6] }
//> After = { float = 20 }
//> [constants.View]
//> x = { float = 30 }
//> [constants."$Globals"]
//> Scale = { float = 40 }
//> [images.One]
//> size = [1, 1]
//> format = "r32_float"
//> texels = [1]
//> [images."Pair.t"]
//> size = [1, 1]
//> format = "r32_float"
//> texels = [8]
//> [images."View.t"]
//> size = [1, 1]
//> format = "r32_float"
//> texels = [1]
//> [images."Loose.0.t"]
//> size = [1, 1]
//> format = "r32_float"
//> texels = [4]
//> [images."Loose.1.t"]
//> size = [1, 1]
//> format = "r32_float"
//> texels = [7]
//> [samplers.S]
//> filter = "point"
//> [[draw]]
//> targets = ["A", "B"]
//> count = 3
struct Mixed { Texture2D<float> t; float k; float list[3]; float get() { return t.Load(0) + k; } };
struct Viewed { float x; Texture2D<float> t; };
struct Maps { Texture2D<float> t; };
cbuffer C : register(b0)
{
    float Before;
    Texture2D<float> One : register(t0);
    SamplerState S;
    Mixed Pair : register(t1);
    float After;
}
ConstantBuffer<Viewed> View : register(b1);
Maps Loose[2] : register(t3);
float Scale;
float both(Mixed m, uint i) { return m.t.Load(0) * 2 + m.k + m.list[i] + m.list[0]; }
[shader("vertex")] float4 Vs(uint i : SV_VertexID) : SV_Position { return float4(float(i & 1) * 4 - 1, float(i >> 1) * 4 - 1, 0.5, 1); }
struct Out { float4 a : SV_Target0; float4 b : SV_Target1; };
[shader("pixel")] Out Ps(float4 p : SV_Position)
{
    uint n = uint(p.x) & 1;
    Out o;
    o.a = float4(Before + One.Load(0), After + Pair.list[n], View.x + Pair.t.Load(0), Scale + Loose[1].t.Load(0));
    o.b = float4(Scale + Loose[n].t.Load(0), Scale + Pair.get(), both(Pair, n + 1) * 4 - 8, View.x + View.t.SampleLevel(S, 0.5, 0));
    return o;
}
