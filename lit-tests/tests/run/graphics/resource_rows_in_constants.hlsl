// Arrays and structures of resources alone end the row of a structure in a constant buffer, at its end too; one resource does not, nor does either as a member of the buffer itself.
// rtc -T lib_6_3
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// RUN: %rtc-run %s -o %T -- -no-warnings -fvk-use-dx-layout
// reference: no, its SPIR-V has no variables that hold resources and numbers.
//> [targets.A]
//> size = [4, 4]
//> format = "rgba32_float"
//> expect = [{ at = [0, 0], is = [0, 4, 5, 8] }]
//> [targets.B]
//> size = [4, 4]
//> format = "rgba32_float"
//> expect = [{ at = [0, 0], is = [12, 101, 24, 102] }]
//> [targets.D]
//> size = [4, 4]
//> format = "rgba32_float"
//> expect = [{ at = [0, 0], is = [16, 17, 24, 12] }]
//> [constants."$Globals"]
//> "all.a" = { float = 0 }
//> "all.b" = { float = 4 }
//> "all.c" = { float = 5 }
//> "all.d" = { float = 8 }
//> after = { float = 12 }
//> [constants.C]
//> First = { float = 1 }
//> Skipped = { float2 = [22, 23] }
//> Last = { float = 24 }
//> [constants.View]
//> x = { float = 16 }
//> y = { float2 = [11, 12] }
//> "z.m" = { float3 = [17, 18, 19] }
//> "z.n" = { float = 24 }
//> [images."all.inner.t"]
//> size = [1, 1]
//> format = "r32_float"
//> texels = [101]
//> [images."Only.t"]
//> size = [1, 1]
//> format = "r32_float"
//> texels = [102]
//> [[draw]]
//> targets = ["A", "B", "D"]
//> count = 3
struct Inner { Texture2D<float> t; };
struct Nothing {};
struct Base { float a; Texture2D<float> t[2]; };
struct All : Base { float b; Texture2D<float> one; float c; Inner inner; float d; Inner last[2]; };
All all;
float after;
cbuffer C { float First; Inner Only; Nothing None; Texture2D<float> Two[2]; float2 Skipped; float Last; }
struct Nested { float3 m; Inner list[2]; float n; };
struct Viewed { float x; float2 y; Nested z; Texture2D<float> t[2][2]; };
ConstantBuffer<Viewed> View;
[shader("vertex")] float4 Vs(uint i : SV_VertexID) : SV_Position { return float4(float(i & 1) * 4 - 1, float(i >> 1) * 4 - 1, 0.5, 1); }
struct Out { float4 a : SV_Target0; float4 b : SV_Target1; float4 d : SV_Target2; };
[shader("pixel")] Out Ps(float4 p : SV_Position)
{
    Out o;
    o.a = float4(all.a, all.b, all.c, all.d);
    o.b = float4(after, all.inner.t.Load(0), Last, Only.t.Load(0));
    o.d = float4(View.x, View.z.m.x, View.z.n, View.y.y);
    return o;
}
